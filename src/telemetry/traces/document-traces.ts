// One trace for each time that a worker takes a document up, from the claim to the commit that gives it back: what was asked of
// the source and of the ERP, and what was committed. Calls are told apart by the keys and guids that they name, so nothing has
// to travel with them. No text of anybody's is in a span: names, ids, codes and outcomes only.
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type SpanContext,
  SpanKind,
  TraceFlags,
  type HrTime,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { ReadableSpan, TimedEvent } from '@opentelemetry/sdk-trace';
import type { TenantName } from '../../domain/ids.js';
import type { ClaimedPosting, PostingChange } from '../../sync/posting-records.js';
import { correlationId } from '../log.js';

export interface DocumentTraces {
  begun(claims: readonly ClaimedPosting[]): void;
  committed(claim: ClaimedPosting, change: PostingChange, startedAt: number): void;
  /** The commit was refused: somebody else goes on with it. */
  lost(claim: ClaimedPosting, code: string): void;
  /** `about` is a key of the ERP, or the guid of a document; what no trace knows is not part of one. */
  call<Answer>(about: CallAbout, act: () => Promise<Answer>): Promise<Answer>;
}

export interface CallAbout {
  readonly tenant: TenantName;
  readonly name: string;
  readonly system: string;
  readonly key: string;
}

export interface SpanSink extends SpanOrigin {
  /** Whether the whole trace is kept. */
  isKept(traceId: string): boolean;
  ended(span: OpenSpan): void;
}

interface Underway {
  readonly root: OpenSpan;
  readonly names: Set<string>;
  readonly beganAt: number;
  /** How many calls it has made: part of their spans' ids. */
  calls: number;
}

/** More are never under way in one process; what is older was taken over by another. */
const UNDER_WAY_MAX = 5_000;
const LIFE_MS = 15 * 60_000;

export function createDocumentTraces(sink: SpanSink, publicUrl: string | null): DocumentTraces {
  const underWay = new Map<string, Underway>();
  const end = (found: Underway) => {
    found.root.end();
    sink.ended(found.root);
    for (const name of found.names) underWay.delete(name);
  };
  const of = ({ posting }: ClaimedPosting) => underWay.get(nameOf(posting.tenantName, posting.key));
  return {
    begun: (claims) => {
      forgetOld(underWay, end);
      for (const claim of claims) begin(sink, underWay, claim, publicUrl);
    },
    committed: (claim, change, startedAt) => {
      const found = of(claim);
      if (!found) return;
      const to = change.to ?? claim.posting.state;
      const attributes: Attributes = { 'ledgerbridge.action': change.action, 'ledgerbridge.state': to };
      // An event costs a fraction of a span, and a commit has nothing below it.
      found.root.tell('commit', attributes, startedAt);
      if (change.attempt?.act === 'begin') alias(underWay, found, claim, change.attempt.key);
      if (change.reason) found.root.attributes['ledgerbridge.reason'] = change.reason.code;
      found.root.attributes['ledgerbridge.state'] = to;
      if (change.release === true) end(found);
    },
    lost: (claim, code) => {
      const found = of(claim);
      if (!found) return;
      found.root.fail(code);
      end(found);
    },
    call: (about, act) => {
      const found = underWay.get(nameOf(about.tenant, about.key));
      return found ? timed(sink, found, about, act) : act();
    },
  };
}

const nameOf = (tenant: TenantName, key: string) => `${tenant} ${key}`;

function begin(
  sink: SpanSink,
  underWay: Map<string, Underway>,
  claim: ClaimedPosting,
  publicUrl: string | null,
): void {
  const traceId = randomBytes(16).toString('hex');
  if (!sink.isKept(traceId)) return;
  const { id, tenantName: tenant, kind, guid, key, generation, state } = claim.posting;
  const attributes: Attributes = {
    ...{ 'ledgerbridge.tenant': tenant, 'ledgerbridge.kind': kind, 'ledgerbridge.guid': guid },
    ...{ 'ledgerbridge.posting': id, 'ledgerbridge.key': key, 'ledgerbridge.generation': generation },
    // The same as in the log: one search finds the whole story.
    'ledgerbridge.correlation': correlationId({ tenant, kind, guid }),
    'ledgerbridge.from': state,
    ...(publicUrl === null ? {} : { 'url.full': `${publicUrl}/documents/${id}` }),
  };
  const context: SpanContext = { traceId, spanId: spanId(traceId, 0), traceFlags: TraceFlags.SAMPLED };
  const root = new OpenSpan(sink, context, { name: `document ${kind}`, attributes, kind: SpanKind.CONSUMER });
  const names = new Set(
    [key, guid, ...(claim.attempt ? [claim.attempt.key] : [])].map((one) => nameOf(tenant, one)),
  );
  const found = { root, names, beganAt: Date.now(), calls: 0 };
  for (const name of names) underWay.set(name, found);
}

/** Unique within its trace, and no less random than the trace is. */
const spanId = (traceId: string, place: number) =>
  `${traceId.slice(0, 12)}${(place & 0xffff).toString(16).padStart(4, '0')}`;

/** The settlement and the reversal of a document have keys of their own. */
function alias(underWay: Map<string, Underway>, found: Underway, claim: ClaimedPosting, key: string): void {
  const name = nameOf(claim.posting.tenantName, key);
  found.names.add(name);
  underWay.set(name, found);
}

async function timed<Answer>(
  sink: SpanSink,
  found: Underway,
  { name, system }: CallAbout,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const parent = found.root.spanContext();
  const context = { ...parent, spanId: spanId(parent.traceId, ++found.calls) };
  const attributes: Attributes = { 'ledgerbridge.system': system };
  const span = new OpenSpan(sink, context, {
    ...{ name, attributes },
    kind: SpanKind.CLIENT,
    parentSpanContext: parent,
  });
  try {
    const answer = await act();
    const outcome = outcomeOf(answer);
    attributes['ledgerbridge.outcome'] = outcome;
    if (FAILED.includes(outcome)) span.fail(outcome);
    return answer;
  } catch (error) {
    span.fail(codeOf(error));
    throw error;
  } finally {
    span.end();
    sink.ended(span);
  }
}

const FAILED = ['rejected', 'transient', 'unknown', 'auth'];

function outcomeOf(answer: unknown): string {
  const isUnion = typeof answer === 'object' && answer !== null && 'outcome' in answer;
  return isUnion && typeof answer.outcome === 'string' ? answer.outcome : 'ok';
}

function forgetOld(underWay: Map<string, Underway>, end: (found: Underway) => void): void {
  if (underWay.size === 0) return;
  const oldest = Date.now() - LIFE_MS;
  for (const found of underWay.values()) {
    if (found.beganAt >= oldest && underWay.size < UNDER_WAY_MAX * 3) return;
    end(found);
  }
}

// A span as the exporter reads it, filled in by hand. The tracer of the SDK checks, samples and copies every attribute of every span,
// which cost a tenth of the bridge's processor time; what is in our spans is known, and a whole trace is kept or not.

/** What all spans of a process have in common. */
type SpanOrigin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;
type SpanFacts = Pick<ReadableSpan, 'name' | 'kind' | 'attributes' | 'parentSpanContext'>;

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

// What a span says of an error.
/** Messages may name people; a code never does. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'threw';
}
