// The ports of the pipeline with somebody looking on. Each wrapper hands everything through unchanged, answers and errors
// alike; an observer never decides anything.
import type { DocumentEvent, TellEvent } from '../../domain/bridge-event.js';
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
import type { ObservedCall, Observer } from './counters.js';
import type {
  OriginStore,
  SubmissionChange,
  SubmissionRecord,
  SubmissionStore,
} from '../../outbound/stage.js';

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
