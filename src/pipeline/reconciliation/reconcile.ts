// Reconciliation: source ↔ local ↔ ERP for one tenant and period. It only reads, at both ends, and opens incidents; nothing
// heals itself by posting. Clean means: every document that the source calls Posted by us has one equal entry in the ERP,
// every entry under our keys is one we know, and no count disagrees.
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import { SOURCE_KINDS } from '../../domain/source-document.js';
import type { ErpEntry } from '../../erp/erp-adapter.js';
import type { NewIncident } from '../records.js';
import type { TenantContext } from '../tenant-context.js';

export interface LocalPosting {
  readonly id: string;
  readonly key: string;
  readonly settlementKey: string | null;
  readonly kind: SourceKind;
  readonly guid: string;
  readonly number: string;
  readonly state: string;
  readonly totalIsk: string | null;
  readonly reference: string | null;
}

export interface ReconciliationStore {
  /** Postings that have an ERP reference and a posting date in the period, in pages by key. */
  postedIn(
    tenantName: string,
    from: IsoDate,
    to: IsoDate,
    afterKey: string,
    limit: number,
  ): Promise<readonly LocalPosting[]>;
  /** Which of these keys are ours, and in which state. */
  byKeys(tenantName: string, keys: readonly string[]): Promise<ReadonlyMap<string, LocalPosting>>;
  /** Documents issued in the period by the status we last saw at the source. */
  countsByStatus(
    tenantName: string,
    kind: SourceKind,
    from: IsoDate,
    to: IsoDate,
  ): Promise<ReadonlyMap<string, number>>;
  openIncident(tenantName: string, incident: NewIncident): Promise<void>;
}

export interface Difference {
  readonly code:
    | 'ENTRY_MISSING'
    | 'ENTRY_UNKNOWN'
    | 'ENTRY_TWICE'
    | 'ENTRY_TOTAL_DIFFERS'
    | 'COUNT_DIFFERS'
    | 'ENTRY_NOT_POSTED';
  readonly subject: string;
  readonly sentence: string;
}

export interface ReconciliationReport {
  readonly tenant: string;
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly counts: readonly {
    readonly kind: SourceKind;
    readonly status: string;
    readonly source: number;
    readonly local: number;
  }[];
  readonly entries: { readonly erp: number; readonly local: number };
  readonly differences: readonly Difference[];
  readonly clean: boolean;
}

/** Differences shown one by one; beyond this the count says the rest. */
const DIFFERENCES_MAX = 200;
const BATCH = 500;
const COMPARED_STATUSES = ['Posted', 'Skipped', 'Error'] as const;

export async function reconcile(
  store: ReconciliationStore,
  tenant: TenantContext,
  period: { readonly from: IsoDate; readonly to: IsoDate },
): Promise<ReconciliationReport> {
  const differences: Difference[] = [];
  const counts = await compareCounts(store, tenant, period, differences);
  const entries = await compareEntries(store, tenant, period, differences);
  const report = {
    tenant: tenant.name,
    ...period,
    counts,
    entries,
    differences: differences.slice(0, DIFFERENCES_MAX),
    clean: differences.length === 0,
  };
  if (!report.clean) await store.openIncident(tenant.name, incident(report, differences.length));
  return report;
}

async function compareCounts(
  store: ReconciliationStore,
  tenant: TenantContext,
  { from, to }: { from: IsoDate; to: IsoDate },
  differences: Difference[],
) {
  const counts: { kind: SourceKind; status: string; source: number; local: number }[] = [];
  for (const kind of SOURCE_KINDS) {
    const locals = await store.countsByStatus(tenant.name, kind, from, to);
    for (const status of COMPARED_STATUSES) {
      const local = locals.get(status) ?? 0;
      const source = await tenant.source.count({
        kind,
        accountingStatus: status,
        fromDate: from,
        toDate: to,
      });
      counts.push({ kind, status, source, local });
      if (source < local) {
        const sentence = `The source counts ${source} ${kind}s as ${status}, the bridge wrote ${local}.`;
        differences.push({ code: 'COUNT_DIFFERS', subject: `${kind} ${status}`, sentence });
      }
    }
  }
  return counts;
}

/** Memory stays flat in the number of documents: keys seen in the ERP are kept, entries are not. */
async function compareEntries(
  store: ReconciliationStore,
  tenant: TenantContext,
  period: { from: IsoDate; to: IsoDate },
  differences: Difference[],
): Promise<{ erp: number; local: number }> {
  if (tenant.erp.capabilities.lookUp === 'none') return { erp: 0, local: 0 };
  const seen = new Map<string, number>();
  let batch: ErpEntry[] = [];
  for await (const entry of tenant.erp.entries(period)) {
    if (entry.reversed) continue;
    seen.set(entry.key, (seen.get(entry.key) ?? 0) + 1);
    batch.push(entry);
    if (batch.length >= BATCH) {
      await judgeBatch(store, tenant.name, batch, differences);
      batch = [];
    }
  }
  await judgeBatch(store, tenant.name, batch, differences);
  for (const [key, count] of seen) {
    if (count > 1)
      differences.push({
        code: 'ENTRY_TWICE',
        subject: key,
        sentence: `The ERP holds ${count} entries under ${key}.`,
      });
  }
  return { erp: seen.size, local: await findMissing(store, tenant.name, period, seen, differences) };
}

async function judgeBatch(
  store: ReconciliationStore,
  tenantName: string,
  entries: readonly ErpEntry[],
  differences: Difference[],
): Promise<void> {
  const ours = await store.byKeys(
    tenantName,
    entries.map((entry) => entry.key),
  );
  for (const entry of entries) {
    const shown = entry.reference.number ?? entry.reference.id;
    const local = ours.get(entry.key);
    if (!local) {
      const sentence = `The ERP holds entry ${shown} under ${entry.key}, which the bridge does not know.`;
      differences.push({ code: 'ENTRY_UNKNOWN', subject: entry.key, sentence });
    } else if (entry.state !== 'posted' && (local.state === 'posted' || local.state === 'acknowledged')) {
      const sentence = `Entry ${shown} is ${entry.state} in the ERP, but the bridge holds it for posted.`;
      differences.push({ code: 'ENTRY_NOT_POSTED', subject: entry.key, sentence });
    } else if (entry.key === local.key && local.totalIsk !== null && !totalsAgree(entry, local.totalIsk)) {
      const sentence = `Entry ${shown} does not add up to the ${local.totalIsk} ISK of its journal.`;
      differences.push({ code: 'ENTRY_TOTAL_DIFFERS', subject: entry.key, sentence });
    }
  }
}

function totalsAgree(entry: ErpEntry, totalIsk: string): boolean {
  const [first, ...rest] = entry.lines;
  if (!first) return true;
  return rest.reduce((total, line) => total.plus(line.debit), first.debit).equals(totalIsk);
}

async function findMissing(
  store: ReconciliationStore,
  tenantName: string,
  { from, to }: { from: IsoDate; to: IsoDate },
  seen: ReadonlyMap<string, number>,
  differences: Difference[],
): Promise<number> {
  let after = '';
  let local = 0;
  for (;;) {
    const page = await store.postedIn(tenantName, from, to, after, BATCH);
    for (const posting of page) {
      local += posting.settlementKey === null ? 1 : 2;
      for (const key of [posting.key, posting.settlementKey]) {
        if (key === null || seen.has(key)) continue;
        const sentence = `${posting.kind} ${posting.number || posting.guid} is posted as ${posting.reference ?? 'unknown'}, but the ERP shows no entry under ${key}.`;
        differences.push({ code: 'ENTRY_MISSING', subject: key, sentence });
      }
    }
    const last = page.at(-1);
    if (!last || page.length < BATCH) return local;
    after = last.key;
  }
}

function incident(report: ReconciliationReport, count: number): NewIncident {
  return {
    code: 'RECONCILIATION_DIFFERS',
    fingerprint: `RECONCILIATION_DIFFERS:${report.tenant}:${report.from}`,
    severity: 'critical',
    title: `${count} differences between source, bridge and ERP from ${report.from} to ${report.to}`,
    details: report.differences
      .slice(0, 5)
      .map((difference) => difference.sentence)
      .join(' '),
    nextStep: `Look at them with \`ledgerbridge reconcile ${report.tenant} --from ${report.from} --to ${report.to}\`.`,
  };
}
