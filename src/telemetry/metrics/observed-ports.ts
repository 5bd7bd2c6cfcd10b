// The ports of the pipeline with somebody looking on. Each wrapper hands everything through unchanged, answers and errors
// alike; an observer never decides anything.
import type { ErpAdapter } from '../../erp/erp-adapter.js';
import type { InvoicingSource } from '../../invoicing/invoicing-source.js';
import type { ClaimedPosting, IntakeStore, PostingChange, PostingStore } from '../../pipeline/records.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { ObservedCall, Observer } from './observer.js';

/** Makes the two ends of a tenant's bridge, as the worker asks for them. */
interface Connector {
  source(tenant: Tenant): InvoicingSource;
  erp(tenant: Tenant): ErpAdapter;
}

export function observeConnector(connector: Connector, observer: Observer): Connector {
  return {
    source: (tenant) => observeSource(connector.source(tenant), surfaceName(tenant), observer),
    erp: (tenant) => observeErp(connector.erp(tenant), tenant.erp.adapter, observer),
  };
}

function surfaceName({ source: { auth } }: Tenant): string {
  return auth.type === 'oauth' ? 'agent' : (auth.surface ?? 'credential');
}

export function observeSource(source: InvoicingSource, system: string, observer: Observer): InvoicingSource {
  const timed = stopwatch({ side: 'source', system }, observer);
  return {
    hello: () => timed('hello', () => source.hello()),
    list: (query, page) => timed('list', () => source.list(query, page)),
    count: (query) => timed('count', () => source.count(query)),
    get: (kind, guid) => timed('get', () => source.get(kind, guid)),
    updateStatus: (kind, guid, status, message) =>
      timed('update-status', () => source.updateStatus(kind, guid, status, message)),
    moveCostToNew: (guid) => timed('move-cost-to-new', () => source.moveCostToNew(guid)),
    customer: (guid) => timed('customer', () => source.customer(guid)),
    item: (guid) => timed('item', () => source.item(guid)),
    attachment: (kind, guid) => timed('attachment', () => source.attachment(kind, guid)),
    close: () => source.close(),
  };
}

export function observeErp(erp: ErpAdapter, system: string, observer: Observer): ErpAdapter {
  const timed = stopwatch({ side: 'erp', system }, observer);
  return {
    capabilities: erp.capabilities,
    ledger: erp.ledger,
    health: () => timed('health', () => erp.health()),
    validate: (expected) => timed('validate', () => erp.validate(expected)),
    prepare: (request) => timed('prepare', () => erp.prepare(request)),
    post: (prepared) => timed('post', () => erp.post(prepared)),
    findByKey: (key) => timed('find-by-key', () => erp.findByKey(key)),
    findByReference: (reference) => timed('find-by-reference', () => erp.findByReference(reference)),
    resume: (draft, prepared) => timed('resume', () => erp.resume(draft, prepared)),
    discard: (draft) => timed('discard', () => erp.discard(draft)),
    reverse: (request) => timed('reverse', () => erp.reverse(request)),
    attach: (reference, attachment) => timed('attach', () => erp.attach(reference, attachment)),
    // Read for hours, a page now and then: its time would say nothing.
    entries: (period) => erp.entries(period),
    close: () => erp.close(),
  };
}

export function observePostings(store: PostingStore, observer: Observer): PostingStore {
  return {
    claim: (postingId, owner, leaseMs) => store.claim(postingId, owner, leaseMs),
    claimDue: (postingId, owner, leaseMs) => store.claimDue(postingId, owner, leaseMs),
    commit: async (claim, change) => {
      const committed = await store.commit(claim, change);
      tell(observer, change, committed);
      return committed;
    },
    creditNotesOf: (tenantName, guid) => store.creditNotesOf(tenantName, guid),
  };
}

export function observeIntake(store: IntakeStore, observer: Observer): IntakeStore {
  return {
    ...store,
    finishSweep: async (begun, tenantName, kind, report, cursor) => {
      await store.finishSweep(begun, tenantName, kind, report, cursor);
      observer.swept(report);
    },
  };
}

function tell(observer: Observer, change: PostingChange, committed: ClaimedPosting): void {
  if (change.to !== undefined) observer.moved(change.to);
  if (change.attempt?.act === 'finish') observer.attemptFinished(change.attempt.outcome);
  const status = committed.writeBack?.wanted ?? 'none';
  switch (change.writeBack?.act) {
    case 'sent':
    case 'acknowledged':
    case 'abandoned':
      observer.wroteBack(status, change.writeBack.act);
      break;
    case 'answered':
      observer.wroteBack(status, 'refused');
      break;
    case 'decide':
    case undefined:
      break;
  }
}

function stopwatch(about: Pick<ObservedCall, 'side' | 'system'>, observer: Observer) {
  return async <Answer>(call: string, act: () => Promise<Answer>): Promise<Answer> => {
    const started = performance.now();
    const tellIt = (outcome: string) =>
      observer.called({ ...about, call, outcome, seconds: (performance.now() - started) / 1000 });
    try {
      const answer = await act();
      tellIt(outcomeOf(answer));
      return answer;
    } catch (error) {
      tellIt('threw');
      throw error;
    }
  };
}

function outcomeOf(answer: unknown): string {
  const isUnion = typeof answer === 'object' && answer !== null && 'outcome' in answer;
  return isUnion && typeof answer.outcome === 'string' ? answer.outcome : 'ok';
}
