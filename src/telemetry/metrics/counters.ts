// Figures of this process, counted as things happen. Labels are names from code, never from data.
import { Counter, type Registry, Histogram } from 'prom-client';
import type { BridgeEvent, TellEvent, DocumentEvent } from '../../domain/bridge-event.js';
import type { PostingState } from '../../domain/posting.js';
import type { ErpAdapter } from '../../erp/erp-adapter.js';
import { connect } from '../../erp/connect.js';
import type { InvoicingSource } from '../../service/invoicing-source.js';
import { SourceAround } from '../../service/source-around.js';
import type { IntakeStore } from '../../sync/intake-records.js';
import type {
  ClaimedPosting,
  PostingChange,
  PostingRecord,
  PostingStore,
} from '../../sync/posting-records.js';
import type { Tenant } from '../../tenants/tenant.js';
import type {
  OriginStore,
  SubmissionChange,
  SubmissionRecord,
  SubmissionStore,
} from '../../outbound/stage.js';

export interface Counters {
  readonly observer: Observer;
  readonly listen: TellEvent;
}

export function createCounters(registry: Registry): Counters {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `ledgerbridge_${name}`, help, labelNames, registers: [registry] });
  const calls = new CallTimes(registry);
  const moves = counter('moves_total', 'Moves of postings into a state.', ['to']);
  const attempts = counter('attempts_total', 'Attempts to post that ended, by outcome.', ['outcome']);
  const writeBacks = counter('write_backs_total', 'Statuses written at the source, by result.', [
    'status',
    'result',
  ]);
  const sweeps = counter('sweeps_total', 'Sweeps by mode and outcome.', ['mode', 'outcome']);
  const discovered = counter(
    'documents_discovered_total',
    'Documents that sweeps found for the first time.',
    [],
  );
  const connections = counter(
    'connection_changes_total',
    'Changes of a connection: down, refused, and back.',
    ['side', 'change'],
  );
  const incidents = counter('incidents_total', 'Incidents that were opened or resolved.', ['code', 'change']);
  const notifications = counter('notifications_total', 'Messages to people, by result.', [
    'channel',
    'result',
  ]);
  const submissions = counter('submissions_moved_total', 'Moves of outbound records into a state, by kind.', [
    'kind',
    'to',
  ]);
  const sent = counter('submission_attempts_total', 'Outbound requests that ended, by outcome.', ['outcome']);
  const records = counter('records_received_total', 'Records that origins exported, by what was new.', [
    'what',
  ]);
  const outgoing = { submissions, sent, records };
  const figures = {
    ...outgoing,
    moves,
    attempts,
    writeBacks,
    sweeps,
    discovered,
    connections,
    incidents,
    notifications,
  };
  return {
    observer: { called: (call) => calls.called(call) },
    listen: (event) => count(figures, event),
  };
}

interface OutgoingFigures {
  readonly submissions: Counter;
  readonly sent: Counter;
  readonly records: Counter;
}

type Figures = Readonly<
  Record<
    | 'moves'
    | 'attempts'
    | 'writeBacks'
    | 'sweeps'
    | 'discovered'
    | 'connections'
    | 'incidents'
    | 'notifications'
    | keyof OutgoingFigures,
    Counter
  >
>;

function count(figures: Figures, event: BridgeEvent): void {
  const change = event.event.slice(event.event.indexOf('.') + 1);
  if ('submissionId' in event) {
    figures.submissions.inc({ kind: event.kind, to: change });
    return;
  }
  switch (event.event) {
    case 'submission-attempt.finished':
      figures.sent.inc({ outcome: event.outcome });
      return;
    case 'records.received':
      for (const what of ['added', 'changed', 'late', 'shared'] as const)
        figures.records.inc({ what }, event[what]);
      return;
    case 'attempt.finished':
      figures.attempts.inc({ outcome: event.outcome });
      return;
    case 'write-back':
      figures.writeBacks.inc({ status: event.status, result: event.result });
      return;
    case 'sweep.complete':
    case 'sweep.incomplete':
    case 'sweep.failed':
      figures.sweeps.inc({ mode: event.mode, outcome: change });
      figures.discovered.inc(event.discovered);
      return;
    case 'breaker.opened':
    case 'breaker.closed':
    case 'credentials.refused':
      figures.connections.inc({ side: event.side, change });
      return;
    case 'incident.opened':
    case 'incident.resolved':
      figures.incidents.inc({ code: event.code, change });
      return;
    case 'notification.sent':
    case 'notification.delayed':
    case 'notification.abandoned':
      figures.notifications.inc({ channel: event.channel, result: change });
      return;
    case 'documents.discovered':
    case 'plan.confirmed':
    case 'tenant.paused':
    case 'tenant.resumed':
      return;
    default:
      figures.moves.inc({ to: change });
      return;
  }
}

// How long calls took, in buckets. A document is a dozen calls, and the library works out its labels anew at every one of them; here they are
// worked out once, and what is asked for now and then is written as the library would write it.
const LABELS = ['side', 'system', 'call', 'outcome'] as const;
type Label = (typeof LABELS)[number];
interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly sharedLabels: Pick<ObservedCall, Label>;
  readonly value: number;
}

/** From a look-up on the same machine to the longest deadline of a call. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ABOUT = {
  name: 'ledgerbridge_call_seconds',
  help: 'Time of calls to the invoicing service and to ERPs, by what they answered.',
  labelNames: LABELS,
  buckets: SECONDS,
};

interface Times {
  readonly labels: Pick<ObservedCall, Label>;
  /** By the smallest bucket that it fits into; the last has no bound. */
  readonly counts: number[];
  sum: number;
}

export class CallTimes extends Histogram<Label> {
  readonly #byCall = new Map<string, Times[]>();

  constructor(registry: Registry) {
    super({ ...ABOUT, registers: [registry] });
  }

  called(observed: ObservedCall): void {
    const { seconds } = observed;
    const times = this.#timesOf(observed);
    let at = 0;
    while (at < SECONDS.length && seconds > (SECONDS[at] ?? 0)) at++;
    times.counts[at] = (times.counts[at] ?? 0) + 1;
    times.sum += seconds;
  }

  /** Looked for among the few of its name: a key made of four texts would be made anew for every call. */
  #timesOf({ side, system, call, outcome }: ObservedCall): Times {
    const alike = this.#byCall.get(call) ?? [];
    for (const times of alike) {
      const { labels } = times;
      if (labels.outcome === outcome && labels.side === side && labels.system === system) return times;
    }
    const labels = { side, system, call, outcome };
    const times = { labels, counts: [...SECONDS, 0].map(() => 0), sum: 0 };
    this.#byCall.set(call, [...alike, times]);
    return times;
  }

  /** What the library asks for when it writes, and makes everything else of. */
  getForPromString() {
    const { name, help } = ABOUT;
    const values = [...this.#byCall.values()].flat().flatMap(valuesOf);
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }
}

/** Each bucket has all that took less in it. */
function valuesOf({ labels, counts, sum }: Times): Value[] {
  let count = 0;
  const buckets = counts.map((within, at): Value => {
    count += within;
    const le = SECONDS[at] ?? '+Inf';
    return { metricName: `${ABOUT.name}_bucket`, labels: { le }, sharedLabels: labels, value: count };
  });
  return [
    ...buckets,
    { metricName: `${ABOUT.name}_sum`, labels: {}, sharedLabels: labels, value: sum },
    { metricName: `${ABOUT.name}_count`, labels: {}, sharedLabels: labels, value: count },
  ];
}

// Calls over the ports, for those who count them. What happens to documents is told as events (domain/bridge-event.ts).
export interface ObservedCall {
  readonly side: 'source' | 'erp';
  /** The surface of the source, or the name of the adapter: few, and known beforehand. */
  readonly system: string;
  /** Name of the port's method. */
  readonly call: string;
  /** What the port answered; `threw` when it answered nothing. */
  readonly outcome: string;
  readonly seconds: number;
}

export interface Observer {
  called(call: ObservedCall): void;
}

// The ports of the pipeline with somebody looking on. Each wrapper hands everything through unchanged, answers and errors
// alike; an observer never decides anything.

/** Makes the two ends of a tenant's bridge, as the worker asks for them. */
interface Connector {
  source(tenant: Tenant): InvoicingSource;
  erp(tenant: Tenant): Promise<ErpAdapter>;
}

export function observeConnector<Made extends Connector>(connector: Made, observer: Observer): Made {
  return {
    ...connector,
    source: (tenant) => observeSource(connector.source(tenant), surfaceName(tenant), observer),
    erp: async (tenant) => observeErp(await connector.erp(tenant), tenant.erp.adapter, observer),
  };
}

function surfaceName({ source: { auth } }: Tenant): string {
  return auth.type === 'oauth' ? 'agent' : (auth.surface ?? 'credential');
}

export function observeSource(source: InvoicingSource, system: string, observer: Observer): InvoicingSource {
  return new SourceAround(source, stopwatch({ side: 'source', system }, observer));
}

/** The entries of a period are read for hours, a page now and then: their time would say nothing. */
export function observeErp(erp: ErpAdapter, system: string, observer: Observer): ErpAdapter {
  return connect(erp, [stopwatch({ side: 'erp', system }, observer)]);
}

export function tellPostings(store: PostingStore, tell: TellEvent): PostingStore {
  return {
    ...store,
    commit: async (claim, change) => {
      const committed = await store.commit(claim, change);
      tellCommit(tell, claim, change, committed);
      return committed;
    },
  };
}

export function tellSubmissions<Store extends SubmissionStore>(store: Store, tell: TellEvent): Store {
  return {
    ...store,
    commit: async (claimed: SubmissionRecord, change: SubmissionChange) => {
      const isCommitted = await store.commit(claimed, change);
      if (isCommitted) tellSubmission(tell, claimed, change);
      return isCommitted;
    },
  };
}

function tellSubmission(tell: TellEvent, claimed: SubmissionRecord, change: SubmissionChange): void {
  if (change.finish) tell({ event: 'submission-attempt.finished', outcome: change.finish.outcome });
  const { to, created } = change;
  if (to === undefined || to === claimed.state) return;
  const { tenantName: tenant, kind, reference, id: submissionId, key: mark, state: from } = claimed;
  const why = change.reason === undefined ? claimed.reason : change.reason;
  const reason = why && { code: why.code, subject: why.subject };
  const number = created?.number ?? claimed.number;
  tell({ event: `submission.${to}`, tenant, kind, reference, submissionId, mark, from, reason, number });
}

export function tellOrigins(store: OriginStore, tell: TellEvent): OriginStore {
  return {
    ...store,
    takeIn: async (tenant, origin, taken) => {
      const received = await store.takeIn(tenant, origin, taken);
      const { added, changed, late, taken: shared } = received;
      if (added + changed + late + shared > 0)
        tell({ event: 'records.received', tenant, origin, added, changed, late, shared });
      return received;
    },
  };
}

export function tellIntake(store: IntakeStore, tell: TellEvent): IntakeStore {
  return {
    ...store,
    recordListed: async (tenant, documents, keyOf, listingAgeMs) => {
      const recorded = await store.recordListed(tenant, documents, keyOf, listingAgeMs);
      const { discovered: count, reopened } = recorded;
      if (count + reopened > 0) tell({ event: 'documents.discovered', tenant, count, reopened });
      return recorded;
    },
    finishSweep: async (begun, tenant, kind, report, cursor) => {
      await store.finishSweep(begun, tenant, kind, report, cursor);
      const { outcome, mode, listed, discovered, reopened, problems, message } = report;
      tell({
        event: `sweep.${outcome}`,
        ...{ tenant, kind, mode, listed, discovered, reopened, problems, message },
      });
    },
  };
}

/** For whoever commits: what one change was, once it is in the records. */
export function tellCommit(
  tell: TellEvent,
  { posting: before }: Pick<ClaimedPosting, 'posting'>,
  change: PostingChange,
  committed: Pick<ClaimedPosting, 'posting' | 'writeBack'>,
): void {
  // Booked and told in one commit is two pieces of news.
  const isBooked = change.bookedMsAgo !== undefined;
  if (isBooked) tell(moveOf(before.state, 'posted', committed.posting));
  if (change.to !== undefined) tell(moveOf(isBooked ? 'posted' : before.state, change.to, committed.posting));
  if (change.attempt?.act === 'finish') tell({ event: 'attempt.finished', outcome: change.attempt.outcome });
  const status = committed.writeBack?.wanted ?? 'none';
  switch (change.writeBack?.act) {
    case 'sent':
    case 'acknowledged':
    case 'abandoned':
      tell({ event: 'write-back', status, result: change.writeBack.act });
      break;
    case 'told':
      tell({ event: 'write-back', status, result: 'acknowledged' });
      break;
    case 'answered':
      tell({ event: 'write-back', status, result: 'refused' });
      break;
    case 'decide':
    case undefined:
      break;
  }
}

function moveOf(from: PostingState, to: PostingState, after: PostingRecord): DocumentEvent {
  const { tenantName: tenant, kind, guid, documentNumber: number, id: postingId, reference } = after;
  const reason = after.reason && { code: after.reason.code, subject: after.reason.subject };
  const entry = reference?.number ?? reference?.id ?? null;
  return {
    event: `document.${to}`,
    tenant,
    kind,
    guid,
    number,
    postingId,
    from,
    reason,
    entry,
  };
}

function stopwatch({ side, system }: Pick<ObservedCall, 'side' | 'system'>, observer: Observer) {
  const around = async <Answer>(call: string, act: () => Promise<Answer>): Promise<Answer> => {
    const started = performance.now();
    let outcome = 'threw';
    try {
      const answer = await act();
      outcome = outcomeOf(answer);
      return answer;
    } finally {
      observer.called({ side, system, call, outcome, seconds: (performance.now() - started) / 1000 });
    }
  };
  return { around };
}

function outcomeOf(answer: unknown): string {
  const isUnion = typeof answer === 'object' && answer !== null && 'outcome' in answer;
  return isUnion && typeof answer.outcome === 'string' ? answer.outcome : 'ok';
}
