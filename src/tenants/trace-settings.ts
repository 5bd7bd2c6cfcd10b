// The usual environment variables of OpenTelemetry, as far as the bridge decides by them: whether there are traces at all, where
// they go and how many. What else there is, the exporter reads itself.
import { trimEndOf } from '../domain/text.js';
import * as z from 'zod';

export interface TraceSettings {
  /** Of OTLP over HTTP, with its path. */
  readonly url: string;
  readonly serviceName: string;
  readonly sampler: {
    readonly name: 'always_on' | 'always_off' | 'traceidratio';
    /** Of all traces, from 0 to 1. */
    readonly ratio: number;
  };
}

const endpoint = z.string().refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
  error: 'must be an http or https address',
});
const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint
    .optional()
    .describe('Where traces go, by OTLP over HTTP; `/v1/traces` is added. Without it there are none.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional().describe('The same, taken as it is.'),
  OTEL_SERVICE_NAME: z
    .string()
    .min(1)
    .default('ledgerbridge')
    .describe('How the bridge is called in traces. Default `ledgerbridge`.'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(`Which traces are kept: ${SAMPLERS.join(', ')}. Default \`parentbased_always_on\`: all.`),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .prefault('1')
    .describe('With a sampler of a ratio: how many, from 0 to 1. Default `1`.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: no traces, whatever else is set. Default `false`.'),
} as const;

const variables = z.object(TRACE_VARIABLES);

/** null: nobody asked for traces. */
export function traceSettings(found: z.output<typeof variables>): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact } = found;
  const url = exact ?? (base === undefined ? undefined : `${trimEndOf(base, '/')}/v1/traces`);
  if (url === undefined || found.OTEL_SDK_DISABLED === 'true') return null;
  // No trace comes in from outside, so there is no parent to go by.
  const name = found.OTEL_TRACES_SAMPLER.replace('parentbased_', '') as TraceSettings['sampler']['name'];
  const ratio = found.OTEL_TRACES_SAMPLER_ARG;
  return { url, serviceName: found.OTEL_SERVICE_NAME, sampler: { name, ratio } };
}
