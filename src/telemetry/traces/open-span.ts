// A span as the exporter reads it, filled in by hand. The tracer of the SDK checks, samples and copies every attribute of every span,
// which cost a tenth of the bridge's processor time; what is in our spans is known, and a whole trace is kept or not.
import { type Attributes, type HrTime, type SpanContext, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace';

/** What all spans of a process have in common. */
export type SpanOrigin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;
export type SpanFacts = Pick<ReadableSpan, 'name' | 'kind' | 'attributes' | 'parentSpanContext'>;

export class OpenSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: ReadableSpan['kind'];
  readonly attributes: Attributes;
  readonly parentSpanContext?: SpanContext;
  readonly resource: ReadableSpan['resource'];
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly startTime = spanTime(now());
  readonly links: [] = [];
  readonly events: TimedEvent[] = [];
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  endTime: HrTime = this.startTime;
  duration: HrTime = [0, 0];
  ended = false;
  status: ReadableSpan['status'] = { code: SpanStatusCode.UNSET };
  readonly #context: SpanContext;

  constructor(origin: SpanOrigin, context: SpanContext, facts: SpanFacts) {
    this.name = facts.name;
    this.kind = facts.kind;
    this.attributes = facts.attributes;
    if (facts.parentSpanContext) this.parentSpanContext = facts.parentSpanContext;
    this.resource = origin.resource;
    this.instrumentationScope = origin.instrumentationScope;
    this.#context = context;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  /** `at` in milliseconds since 1970. */
  tell(name: string, attributes: Attributes, at: number): void {
    this.events.push({ name, attributes, time: spanTime(at) });
  }

  fail(message: string): void {
    this.status = { code: SpanStatusCode.ERROR, message };
  }

  end(): void {
    this.ended = true;
    this.endTime = spanTime(now());
    this.duration = [this.endTime[0] - this.startTime[0], this.endTime[1] - this.startTime[1]];
    if (this.duration[1] < 0) this.duration = [this.duration[0] - 1, this.duration[1] + 1e9];
  }
}

const now = () => performance.timeOrigin + performance.now();

function spanTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}
