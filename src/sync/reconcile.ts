// Reconciliation of one tenant and period: source, local records and ERP. It reads both ends and opens incidents; it never posts. Clean means:
// every document that the source shows as Posted by us has one equal entry in the ERP, every entry under our keys belongs to a record whose
// document the source shows as Posted and has not cancelled, and all counts agree.
import { sum } from '../domain/money.js';
import type { Guid, TenantName } from '../domain/ids.js';
import type { Params } from '../domain/message.js';
import { isWithin } from '../domain/rate-source.js';
import type { Runtime } from '../domain/runtime.js';
import {
  type BookedKind,
  type IsoDate,
  isSourceKind,
  SOURCE_KINDS,
  type SourceKind,
} from '../domain/source-document.js';
import type { ErpCapabilities, ErpEntry } from '../erp/erp-adapter.js';
import type { DifferenceCode } from '../language/difference-cures.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { type GivenFor, message } from '../language/messages.js';
import { say } from '../language/say.js';
import { askAgain, pageThrough } from './intake.js';
import type { TenantContext } from './tenant-context.js';

export interface ReconciliationStore extends CreditNoteReader {
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
  patience: Patience,
): Promise<ReconciliationReport> {
  const differences: Difference[] = [];
  const counts = await compareCounts(store, tenant, period, differences);
  const service = await ServiceSide.list(store, tenant, period, patience);
  const seen = await readEntries(store, tenant, period, differences);
  const local = await compareBooked(store, tenant, { ...period, seen, service }, differences);
  const entries = seen === null ? { erp: 0, local: 0 } : { erp: seen.size, local };
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

/** Key → how many live entries the ERP shows under it: of entries only the keys are kept. null: it shows none to programs. */
async function readEntries(
  store: ReconciliationStore,
  tenant: TenantContext,
  period: { from: IsoDate; to: IsoDate },
  differences: Difference[],
): Promise<ReadonlyMap<string, number> | null> {
  if (tenant.erp.capabilities.lookUp === 'none') return null;
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
  return seen;
}

/** Whatever is being worked on may have an entry that is not on record yet. */
const UNDER_WAY: ReadonlySet<string> = new Set(['discovered', 'mapped', 'posting', 'posted', 'writing_back']);

function isClaimed(entry: ErpEntry, { key, settlementKey, state, isBooked }: LocalPosting): boolean {
  // What undid a part of a journal of a day stands for itself.
  const isOwn = entry.key === key || entry.key === settlementKey;
  return !isOwn || UNDER_WAY.has(state) || (isBooked && state !== 'reversed');
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
    } else if (!isClaimed(entry, local)) {
      const { kind, number, guid, state } = local;
      differences.push(
        difference('ENTRY_NOT_CLAIMED', key, { entry: shown, kind, number: number || guid, state }),
      );
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

/** Every booked document: is its entry in the ERP, and does the service stand by it? */
async function compareBooked(
  store: ReconciliationStore,
  { name }: TenantContext,
  { from, to, seen, service }: Sides,
  differences: Difference[],
): Promise<number> {
  let after = '';
  let local = 0;
  for (;;) {
    const page = await store.postedIn(name, from, to, after, BATCH);
    for (const posting of page) {
      const own = [posting.isMember ? null : posting.key, posting.settlementKey];
      for (const key of own.filter((one) => one !== null)) {
        local += 1;
        if (seen === null || seen.has(key)) continue;
        differences.push(difference('ENTRY_MISSING', key, { ...bookedAs(posting), key }));
      }
    }
    for (const one of await service.notStoodBy(page)) differences.push(notStoodBy(one));
    const last = page.at(-1);
    if (!last || page.length < BATCH) return local;
    after = last.key;
  }
}

interface Sides {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly seen: ReadonlyMap<string, number> | null;
  readonly service: ServiceSide;
}

function notStoodBy({ posting, found }: NotStoodBy): Difference {
  switch (found.outcome) {
    case 'cancelled':
      return difference('CANCELLED_IN_BOOKS', posting.key, bookedAs(posting));
    case 'status':
      return difference('BOOKED_NOT_POSTED', posting.key, { ...bookedAs(posting), status: found.status });
  }
}

function bookedAs({ kind, number, guid, reference }: LocalPosting) {
  return { kind, number: number || guid, entry: reference ?? '?' };
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

// ---- The records ----

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
  readonly issueDate: IsoDate;
  readonly totalIsk: string | null;
  /** It has an entry on record; `reference` is its number, where the ERP gives one. */
  readonly isBooked: boolean;
  readonly reference: string | null;
}

// ---- The documents at the source ----
// Every document that was booked and written back must be Posted at the source, and no invoice among them may be cancelled without a credit note.
// The counts may agree although the documents do not.

export type Patience = Pick<Runtime, 'timers' | 'random'>;

/** What the service calls Posted: guid → whether it is an invoice that was cancelled. */
type Posted = ReadonlyMap<Guid, boolean>;

export interface NotStoodBy {
  readonly posting: LocalPosting;
  /** What the service says of it; `gone`: nothing. `cancelled`: no credit note answers it. */
  readonly found: { readonly outcome: 'status'; readonly status: string } | { readonly outcome: 'cancelled' };
}

/** Told, or decided: whatever is on its way to being told is not expected to be Posted. */
const TOLD: ReadonlySet<string> = new Set(['acknowledged', 'orphaned', 'parked']);
/** Read one by one in a run; there are hardly ever any. */
const READ_MAX = 200;

export class ServiceSide {
  readonly #store: CreditNoteReader;
  readonly #tenant: TenantContext;
  readonly #period: { readonly from: IsoDate; readonly to: IsoDate };
  readonly #patience: Patience;
  readonly #posted: Posted;
  #read = 0;

  private constructor(
    store: CreditNoteReader,
    tenant: TenantContext,
    period: { readonly from: IsoDate; readonly to: IsoDate },
    patience: Patience,
    posted: Posted,
  ) {
    this.#store = store;
    this.#tenant = tenant;
    this.#period = period;
    this.#patience = patience;
    this.#posted = posted;
  }

  static async list(
    store: CreditNoteReader,
    tenant: TenantContext,
    period: { readonly from: IsoDate; readonly to: IsoDate },
    patience: Patience,
  ): Promise<ServiceSide> {
    const posted = new Map<Guid, boolean>();
    for (const kind of SOURCE_KINDS) {
      const query = { kind, accountingStatus: 'Posted', fromDate: period.from, toDate: period.to } as const;
      const listing = await pageThrough(tenant.source, query, patience, ({ documents }) => {
        for (const { guid, payment } of documents) posted.set(guid, isCancelled(payment?.status));
        return Promise.resolve();
      });
      if (listing.failure) throw listing.failure;
    }
    return new ServiceSide(store, tenant, period, patience, posted);
  }

  /** Of these, which are in the books. */
  async notStoodBy(booked: readonly LocalPosting[]): Promise<NotStoodBy[]> {
    const listed = booked.filter((posting) => this.#isExpected(posting));
    const cancelled = listed.filter(({ guid }) => this.#posted.get(guid) === true);
    const unanswered = await findUnanswered(this.#store, this.#tenant.name, cancelled);
    const found: NotStoodBy[] = unanswered.map((posting) => ({
      posting,
      found: { outcome: 'cancelled' },
    }));
    for (const posting of listed.filter(({ guid }) => !this.#posted.has(guid))) {
      const status = await this.#readStatus(posting);
      if (status !== null) found.push({ posting, found: { outcome: 'status', status } });
    }
    return found;
  }

  #isExpected({ kind, state, issueDate }: LocalPosting): boolean {
    const { from, to } = this.#period;
    return isSourceKind(kind) && TOLD.has(state) && issueDate >= from && issueDate <= to;
  }

  /** A list may be late or cut short: only the document itself proves anything. null: it is Posted, or cannot be read. */
  async #readStatus({ kind, guid }: LocalPosting): Promise<string | null> {
    if (!isSourceKind(kind) || this.#read >= READ_MAX) return null;
    this.#read += 1;
    const fetched = await askAgain(this.#patience, () => this.#tenant.source.get(kind, guid));
    if (fetched.outcome === 'gone') return 'gone';
    if (fetched.outcome === 'unreadable') return null;
    const { accountingStatus } = fetched.document;
    return accountingStatus === 'Posted' ? null : accountingStatus;
  }
}

// ---- Cancelled invoices ----
// An invoice that was cancelled after it was booked is a difference until its credit note is booked, or on its way into the books. Reconciliations,
// certificates and their list use this one rule.

export interface CreditNoteReader {
  /** Which of these invoices a credit note refers to that is on record, was not deleted, and was not decided to stay out of the books. */
  creditedInvoices(tenantName: TenantName, guids: readonly Guid[]): Promise<ReadonlySet<Guid>>;
}

/** `status`: of the invoice at the service. */
export function isCancelled(status: string | undefined): boolean {
  return status === 'Cancelled';
}

/** `cancelled`: in the books, and shown as cancelled by the service. */
export async function findUnanswered<Invoice extends { readonly guid: Guid }>(
  reader: CreditNoteReader,
  tenantName: TenantName,
  cancelled: readonly Invoice[],
): Promise<Invoice[]> {
  if (cancelled.length === 0) return [];
  const credited = await reader.creditedInvoices(
    tenantName,
    cancelled.map(({ guid }) => guid),
  );
  return cancelled.filter(({ guid }) => !credited.has(guid));
}
