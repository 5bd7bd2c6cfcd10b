// OpenTelemetry, by its usual environment variables: on where an endpoint of OTLP is named, and loaded only then. The exporter
// and the resource read the finer ones themselves (OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_RESOURCE_ATTRIBUTES).
import type * as SdkTrace from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../../tenants/trace-settings.js';
import { createDocumentTraces, type DocumentTraces } from './document-traces.js';

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

export async function openTraces(options: TraceOptions): Promise<OpenTraces> {
  const sdk = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources');
  const { version, role } = options;
  const { url, serviceName, sampler } = options.settings;
  const own = resourceFromAttributes({
    ...{ 'service.name': serviceName, 'service.version': version, 'ledgerbridge.role': role },
  });
  const provider = new sdk.TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sdk, sampler),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  const traces = createDocumentTraces(provider.getTracer('ledgerbridge', version), options.publicUrl);
  return {
    traces,
    close: async () => {
      const given = new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), given]);
    },
  };
}

function samplerOf(sdk: typeof SdkTrace, { name, ratio }: TraceSettings['sampler']): SdkTrace.Sampler {
  if (name === 'always_off') return new sdk.AlwaysOffSampler();
  const root = name === 'always_on' ? new sdk.AlwaysOnSampler() : new sdk.TraceIdRatioBasedSampler(ratio);
  return new sdk.ParentBasedSampler({ root });
}
