// OpenTelemetry, by its usual environment variables: on where an endpoint of OTLP is named, and this file is loaded only then. The
// exporter and the resource read the finer ones themselves (OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT,
// OTEL_RESOURCE_ATTRIBUTES).
import { ROOT_CONTEXT } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import * as sdk from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../../tenants/bridge-settings.js';
import { createDocumentTraces, type DocumentTraces, type SpanSink } from './document-traces.js';

export interface TraceOptions {
  readonly version: string;
  readonly role: string;
  readonly publicUrl: string | null;
  readonly settings: TraceSettings;
}

export interface OpenTraces {
  readonly traces: DocumentTraces;
  /** Sends what waits; a receiver that is away is given up on. */
  close(): Promise<void>;
}

const CLOSE_MS_MAX = 5_000;

export function openTraces(options: TraceOptions): OpenTraces {
  const { version, role } = options;
  const { url, serviceName, sampler } = options.settings;
  const own = resourceFromAttributes({
    ...{ 'service.name': serviceName, 'service.version': version, 'ledgerbridge.role': role },
  });
  const processor = new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) });
  const keeping = samplerOf(sampler);
  const sink: SpanSink = {
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    instrumentationScope: { name: 'ledgerbridge', version },
    isKept: (traceId) => keeping(traceId),
    ended: (span) => processor.onEnd(span),
  };
  const traces = createDocumentTraces(sink, options.publicUrl);
  return {
    traces,
    close: async () => {
      const given = new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref());
      await Promise.race([processor.shutdown().catch(() => undefined), given]);
    },
  };
}

/** By the trace's id, as every program that follows OpenTelemetry decides for the same ratio. */
function samplerOf({ name, ratio }: TraceSettings['sampler']): (traceId: string) => boolean {
  if (name !== 'traceidratio') return () => name === 'always_on';
  const sampler = new sdk.TraceIdRatioBasedSampler(ratio);
  return (traceId) =>
    sampler.shouldSample(ROOT_CONTEXT, traceId).decision === sdk.SamplingDecision.RECORD_AND_SAMPLED;
}
