// Reconciliation: source ↔ local ↔ ERP for one tenant and period. It only reads, at both ends, and opens incidents; nothing
// heals itself by posting. Clean means: every document that the source calls Posted by us has one equal entry in the ERP,
// every entry under our keys is one we know, and no count disagrees.
import type { Guid, TenantName } from '../../domain/ids.js';
import type { Params } from '../../domain/message.js';
import { incident, type NewIncident } from '../../language/incidents/incident-text.js';
import type { DifferenceCode } from '../../language/difference-cures.js';
import { type GivenFor, message } from '../../language/messages.js';
import { say } from '../../language/say.js';
import type { BookedKind, IsoDate, SourceKind } from '../../domain/source-document.js';
import { SOURCE_KINDS } from '../../domain/source-document.js';
import { sum } from '../../domain/decimal.js';
import { isWithin } from '../../domain/own-rate.js';
import type { ErpCapabilities, ErpEntry } from '../../erp/erp-adapter.js';

import type { TenantContext } from '../tenant-context.js';

export interface LocalPosting {
  readonly id: string;
  readonly key: string;
  /** Its entry is the journal of its day, which stands for itself; only a settlement is its own. */
  readonly isMember: boolean;
  readonly settlementKey: string | null;
  readonly kind: BookedKind;
  readonly guid: Guid;
  readonly number: string;
  readonly state: string;
  readonly totalIsk: string | null;
  readonly reference: string | null;
}

export interface ReconciliationStore {
  /** Postings that have an ERP reference and a posting date in the period, in pages by key. */
  postedIn(
    tenantName: TenantName,
    from: IsoDate,
    to: IsoDate,
    afterKey: string,
    limit: number,
  ): Promise<readonly LocalPosting[]>;
  /** Which of these keys are ours, and in which state. */
  byKeys(tenantName: TenantName, keys: readonly string[]): Promise<ReadonlyMap<string, LocalPosting>>;
  /** Documents issued in the period by the status we last saw at the source. */
  countsByStatus(
    tenantName: TenantName,
    kind: SourceKind,
    from: IsoDate,
    to: IsoDate,
  ): Promise<ReadonlyMap<string, number>>;
  openIncident(tenantName: TenantName, incident: NewIncident): Promise<void>;
}

export interface Difference {
  readonly code: Exclude<DifferenceCode, `CLOSE_${string}`>;
  readonly subject: string;
  /** In English; `params` say the same in any language. */
  readonly sentence: string;
  /** Not in reports of earlier versions. */
  readonly params?: Params;
}

export interface ReconciliationReport {
  readonly tenant: TenantName;
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
  if (!report.clean) await store.openIncident(tenant.name, incidentOf(report, differences.length));
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
        const counted = { kind, status, source, local };
        differences.push(difference('COUNT_DIFFERS', `${kind} ${status}`, counted));
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
      await judgeBatch(store, tenant, batch, differences);
      batch = [];
    }
  }
  await judgeBatch(store, tenant, batch, differences);
  for (const [key, count] of seen) {
    if (count > 1) differences.push(difference('ENTRY_TWICE', key, { count, key }));
  }
  return { erp: seen.size, local: await findMissing(store, tenant.name, period, seen, differences) };
}

async function judgeBatch(
  store: ReconciliationStore,
  { name, erp }: TenantContext,
  entries: readonly ErpEntry[],
  differences: Difference[],
): Promise<void> {
  const ours = await store.byKeys(
    name,
    entries.map((entry) => entry.key),
  );
  for (const entry of entries) {
    const { key } = entry;
    const shown = entry.reference.number ?? entry.reference.id;
    const local = ours.get(entry.key);
    if (!local) {
      differences.push(difference('ENTRY_UNKNOWN', key, { entry: shown, key }));
    } else if (entry.state !== 'posted' && (local.state === 'posted' || local.state === 'acknowledged')) {
      differences.push(difference('ENTRY_NOT_POSTED', key, { entry: shown, state: entry.state }));
    } else if (
      entry.key === local.key &&
      local.totalIsk !== null &&
      !totalsAgree(entry, local.totalIsk, erp.capabilities)
    ) {
      differences.push(difference('ENTRY_TOTAL_DIFFERS', key, { entry: shown, total: local.totalIsk }));
    }
  }
}

/** An ERP that reckons VAT itself rounds it by itself; one that keeps a currency reckons the krónur by its own rate. */
function totalsAgree(
  entry: ErpEntry,
  totalIsk: string,
  { vatMode, foreignIskTolerance }: Pick<ErpCapabilities, 'vatMode' | 'foreignIskTolerance'>,
): boolean {
  if (entry.lines.length === 0) return true;
  const total = sum(entry.lines.map(({ debit }) => debit));
  const isForeign = entry.lines.some(({ currency = 'ISK' }) => currency !== 'ISK');
  const lines = entry.lines.length;
  if (foreignIskTolerance !== undefined && isForeign)
    return isWithin(total, totalIsk, { tolerance: foreignIskTolerance, lines });
  return vatMode === 'erp-splits'
    ? isWithin(total, totalIsk, { tolerance: 0, lines })
    : total.equals(totalIsk);
}

async function findMissing(
  store: ReconciliationStore,
  tenantName: TenantName,
  { from, to }: { from: IsoDate; to: IsoDate },
  seen: ReadonlyMap<string, number>,
  differences: Difference[],
): Promise<number> {
  let after = '';
  let local = 0;
  for (;;) {
    const page = await store.postedIn(tenantName, from, to, after, BATCH);
    for (const posting of page) {
      const own = [posting.isMember ? null : posting.key, posting.settlementKey];
      for (const key of own.filter((one) => one !== null)) {
        local += 1;
        if (seen.has(key)) continue;
        const { kind, number, guid, reference } = posting;
        const missing = { kind, number: number || guid, entry: reference ?? '?', key };
        differences.push(difference('ENTRY_MISSING', key, missing));
      }
    }
    const last = page.at(-1);
    if (!last || page.length < BATCH) return local;
    after = last.key;
  }
}

function difference<Code extends Difference['code']>(
  code: Code,
  subject: string,
  ...given: GivenFor<Code>
): Difference {
  const said = message(code, ...given);
  return { code, subject, sentence: say('en', said), params: said.params };
}

function incidentOf({ tenant, from, to, differences }: ReconciliationReport, count: number): NewIncident {
  return incident(
    'RECONCILIATION_DIFFERS',
    {
      tenant,
      from,
      to,
      count,
      differences: differences.slice(0, 5).map(({ code, params = {} }) => ({ code, params })),
    },
    { severity: 'critical', fingerprint: `${tenant}:${from}` },
  );
}
