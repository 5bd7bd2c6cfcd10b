// The records as somebody sees them who is confined to some companies. Every method is decided here, one by one: a method
// that is added to the records does not compile before somebody has decided who may use it.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { AskedAct } from '../four-eyes/approval-records.js';
import type { OperationRecords } from '../records.js';
import { bridgeOnly, narrowed, type Reach, requireRole, type OperatorRole } from './reach.js';

export function confineRecords(records: OperationRecords, reach: Reach): OperationRecords {
  return {
    ...readingRecords(records, reach),
    ...runRecords(records, reach),
    ...documentRecords(records, reach),
    ...tenantRecords(records, reach),
    ...approvalRecords(records, reach),
    createToken: bridgeOnly,
    tokens: bridgeOnly,
    revokeToken: bridgeOnly,
    tokenByHash: bridgeOnly,
    tokenRefused: bridgeOnly,
    verifyAudit: bridgeOnly,
    // Whoever sees it may have taken it.
    tally: records.tally,
    security: bridgeOnly,
    record: async (act, entry) => {
      if (entry.tenantName === undefined) return bridgeOnly();
      requireRole(reach, entry.tenantName, 'operator');
      return records.record(act, entry);
    },
  };
}

function documentRecords(records: OperationRecords, reach: Reach) {
  const operates = (company: string) => requireRole(reach, company, 'operator');
  return {
    moveAll: async (act, action, moves) => {
      for (const { tenantName } of moves) operates(tenantName);
      return records.moveAll(act, action, moves);
    },
    repost: async (act, postingId, key, generation) => {
      operates(await findCompany(records, postingId));
      return records.repost(act, postingId, key, generation);
    },
    takeEntry: async (tenantName, reference, postingId, forMs) => {
      operates(tenantName);
      return records.takeEntry(tenantName, reference, postingId, forMs);
    },
    giveEntryBack: async (tenantName, reference, postingId) => {
      operates(tenantName);
      return records.giveEntryBack(tenantName, reference, postingId);
    },
    holderOf: async (tenantName, reference, besides) =>
      reach.has(tenantName) ? records.holderOf(tenantName, reference, besides) : null,
    acknowledgeIncident: (act, id) => records.acknowledgeIncident(act, id, narrowed(reach, null, 'operator')),
    resolveIncident: (act, id) => records.resolveIncident(act, id, narrowed(reach, null, 'operator')),
  } satisfies Partial<OperationRecords>;
}

function tenantRecords(records: OperationRecords, reach: Reach) {
  const require = (company: string, role: OperatorRole) => requireRole(reach, company, role);
  return {
    exportPage: async (period, after, limit) => {
      require(period.tenant, 'viewer');
      return records.exportPage(period, after, limit);
    },
    reversedPage: async (tenant, after, limit) => {
      require(tenant, 'viewer');
      return records.reversedPage(tenant, after, limit);
    },
    pause: async (act, tenant) => {
      require(tenant, 'operator');
      return records.pause(act, tenant);
    },
    resume: async (act, tenant) => {
      require(tenant, 'operator');
      return records.resume(act, tenant);
    },
    requestSweep: async (act, tenant, full) => {
      require(tenant, 'operator');
      return records.requestSweep(act, tenant, full);
    },
    cursors: async (tenant) => {
      require(tenant, 'viewer');
      return records.cursors(tenant);
    },
    setCursor: async (act, tenant, kind, fromDate) => {
      require(tenant, 'admin');
      return records.setCursor(act, tenant, kind, fromDate);
    },
    confirmPlan: async (act, tenant, how) => {
      require(tenant, 'admin');
      return records.confirmPlan(act, tenant, how);
    },
    waiting: async (tenant, limit) => {
      require(tenant, 'viewer');
      return records.waiting(tenant, limit);
    },
  } satisfies Partial<OperationRecords>;
}

function approvalRecords(records: OperationRecords, reach: Reach) {
  /** Who may not do it may neither ask for it nor agree to it. */
  const require = ({ tenantName, act }: Pick<AskedAct, 'tenantName' | 'act'>) =>
    requireRole(reach, tenantName, act === 'plan' ? 'admin' : 'operator');
  return {
    askOrAgree: async (act, person, asked) => {
      require(asked);
      return records.askOrAgree(act, person, asked);
    },
    loginOfSystemUser: (systemUser) => records.loginOfSystemUser(systemUser),
    useApprovals: async (asked) => {
      asked.forEach(require);
      return records.useApprovals(asked);
    },
    approval: async (id) => {
      const found = await records.approval(id);
      return found && reach.has(found.tenantName) ? found : null;
    },
    approvals: (companies) => records.approvals(narrowed(reach, companies)),
    withdrawApproval: async (act, id) => {
      const found = await records.approval(id);
      if (!found || !reach.has(found.tenantName)) return false;
      require(found);
      return records.withdrawApproval(act, id);
    },
  } satisfies Partial<OperationRecords>;
}

function readingRecords(records: OperationRecords, reach: Reach) {
  const sees = (company: string) => reach.has(company);
  const within = (asked: readonly string[] | null | undefined) => narrowed(reach, asked ?? null);
  return {
    tenants: async () => (await records.tenants()).filter(({ name }) => sees(name)),
    tenantsDown: async () => (await records.tenantsDown()).filter(({ name }) => sees(name)),
    isBridgeRunning: () => records.isBridgeRunning(),
    originalsAway: () => records.originalsAway(),
    // Tokens are for those who see all companies.
    endingTokens: () => Promise.resolve([]),
    unfinishedReversals: async (begunAgoMs) =>
      (await records.unfinishedReversals(begunAgoMs)).filter(({ tenantName }) => sees(tenantName)),
    outgoingWaits: async () => (await records.outgoingWaits()).filter(({ tenantName }) => sees(tenantName)),
    throughput: (companies, hours) => records.throughput(within(companies), hours),
    ticks: async () => new Map([...(await records.ticks())].filter(([name]) => sees(name))),
    search: (query, meanings, companies) => records.search(query, meanings, within(companies)),
    identify: (reference, companies, limit) => records.identify(reference, within(companies), limit),
    story: async (postingId) => {
      const story = await records.story(postingId);
      return story && sees(story.row.tenantName) ? story : null;
    },
    replayFacts: async (postingIds) =>
      (await records.replayFacts(postingIds)).filter(({ tenantName }) => sees(tenantName)),
    reversals: async (postingId) => {
      await findCompany(readingRecords(records, reach), postingId);
      return records.reversals(postingId);
    },
    causes: (companies) => records.causes(within(companies)),
    bookedBefore: async (tenant, reason, subject) =>
      sees(tenant) ? records.bookedBefore(tenant, reason, subject) : [],
    incidents: (query) => records.incidents({ ...query, companies: within(query.companies) }),
    alarms: (companies) => records.alarms(within(companies)),
    audit: (query) => records.audit({ ...query, chains: within(query.chains) }),
  } satisfies Partial<OperationRecords>;
}

function runRecords(records: OperationRecords, reach: Reach) {
  const operates = () => narrowed(reach, null, 'operator');
  const requireRun = async (runId: string | null) => {
    // Whoever works off all runs is the bridge itself.
    if (runId === null || !(await records.run(runId, operates()))) bridgeOnly();
  };
  return {
    select: (selection, limit) =>
      records.select({ ...selection, companies: narrowed(reach, selection.companies) }, limit),
    startRun: async (act, run) => {
      const facts = await records.replayFacts(run.postingIds);
      for (const { tenantName } of facts) requireRole(reach, tenantName, 'operator');
      return records.startRun(act, run);
    },
    takeRun: async (runId, owner, leaseMs) => {
      await requireRun(runId);
      return records.takeRun(runId, owner, leaseMs);
    },
    openItems: async (runId, limit) => {
      await requireRun(runId);
      return records.openItems(runId, limit);
    },
    finishItems: async (run, owner, leaseMs, results) => {
      await requireRun(run.id);
      return records.finishItems(run, owner, leaseMs, results);
    },
    closeRun: async (runId, owner) => {
      await requireRun(runId);
      return records.closeRun(runId, owner);
    },
    run: (runId) => records.run(runId, narrowed(reach, null)),
    runs: (limit) => records.runs(limit, narrowed(reach, null)),
  } satisfies Partial<OperationRecords>;
}

/** Whose it is; what is not within reach is not there. */
export async function findCompany(
  records: Pick<OperationRecords, 'replayFacts'>,
  postingId: string,
): Promise<string> {
  const [facts] = await records.replayFacts([postingId]);
  if (facts) return facts.tenantName;
  throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: postingId }));
}
