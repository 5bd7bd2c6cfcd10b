// Starts the postings that have no document of their own at the source: payments of booked invoices, releases of income and cost that belongs to
// another month, and summaries. Each is a posting, and goes through the same steps as a document (follow-ups.ts, summaries.ts).
import { journalFromJson } from '../domain/journal-json.js';
import { postingKey } from '../domain/posting-key.js';
import type { Runtime } from '../domain/runtime.js';
import type { IsoDate } from '../domain/source-document.js';
import type { ListedDocument } from '../service/invoicing-source.js';
import { openRuleBook, type TenantRules } from '../pipeline/mapping/rules.js';
import { isToBeFollowed } from '../pipeline/mapping/settle-invoice.js';
import { summaryGuid, type SummaryName, summaryNumber } from '../pipeline/mapping/make-journal.js';
import type { FailPoints } from './fail-points.js';
import {
  type BookedInvoice,
  type DueRelease,
  isDone,
  type NewPayment,
  type NewRelease,
  type NewSummary,
  paymentGuid,
  type PaymentStore,
  releaseGuid,
  type ReleaseStore,
  settledJournals,
  type SummaryStore,
} from './follow-up-records.js';
import { addDays, pageThrough } from './intake.js';
import type { TenantContext } from './tenant-context.js';

// ---- Payments ----
// An invoice is paid after it was booked, and the source sends no event. Once a day the invoices of the last months that the source shows as
// Posted are listed; where one shows another payment than the books have, a payment is started. It is read from the source once more before
// anything is booked, so an old list does no harm.

export interface PaymentDeps {
  readonly runtime: Runtime;
  readonly store: PaymentStore;
  readonly failPoints: FailPoints;
}

const HOUR_MS = 3_600_000;
/** Daily, and not later every day. */
const EVERY_MS = 23 * HOUR_MS;
/** Days of one list: a follow-up that is killed goes on with the month that it was at. */
const SLICE_DAYS = 31;
const FOLLOW_UP_DAYS = 120;

export function followUpDays({ invoice }: TenantRules): number {
  return invoice.settlement === 'none' ? 0 : (invoice.followUpDays ?? FOLLOW_UP_DAYS);
}

/** How many payments were begun; null: it is not time yet, or the tenant wants none. */
export async function followPayments(
  stage: PaymentDeps,
  tenant: TenantContext,
  everyMs = EVERY_MS,
): Promise<number | null> {
  const days = followUpDays(tenant.rules);
  if (days === 0) return null;
  const cursor = await stage.store.cursor(tenant.name);
  const isDue = cursor.fromDate !== null || cursor.begunAgeMs === null || cursor.begunAgeMs >= everyMs;
  if (!isDue) return null;
  const today = stage.runtime.clock.now().toISOString().slice(0, 10);
  const earliest = latest(addDays(today, -days), tenant.cutOver ?? '');
  let begun = 0;
  for (let from = latest(cursor.fromDate ?? earliest, earliest); from <= today;) {
    await stage.store.saveCursor(tenant.name, from);
    const to = addDays(from, SLICE_DAYS - 1);
    begun += await followSlice(stage, tenant, { from, to, today, seenUntil: cursor.seenUntil });
    from = addDays(to, 1);
  }
  await stage.store.saveCursor(tenant.name, null);
  return begun;
}

interface Slice {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly today: IsoDate;
  readonly seenUntil: IsoDate | null;
}

async function followSlice(stage: PaymentDeps, tenant: TenantContext, slice: Slice): Promise<number> {
  const query = {
    kind: 'invoice',
    accountingStatus: 'Posted',
    fromDate: slice.from,
    toDate: slice.to,
  } as const;
  let begun = 0;
  const listing = await pageThrough(tenant.source, query, stage.runtime, async ({ documents }) => {
    begun += await followBatch(stage, tenant, slice, documents);
    await stage.failPoints.reach('after-sweep-page');
  });
  if (listing.failure) throw listing.failure;
  return begun;
}

async function followBatch(
  { store }: PaymentDeps,
  tenant: TenantContext,
  slice: Slice,
  listed: readonly ListedDocument[],
): Promise<number> {
  const known = new Set(
    await store.withPayments(
      tenant.name,
      listed.map(({ guid }) => guid),
    ),
  );
  const byGuid = new Map(
    listed.filter((one) => known.has(one.guid) || showsPayment(one)).map((one) => [one.guid, one]),
  );
  if (byGuid.size === 0) return 0;
  const booked = await store.bookedInvoices(tenant.name, [...byGuid.keys()]);
  const payments = booked.flatMap((invoice) => {
    const shown = byGuid.get(invoice.guid);
    return shown && isToBegin(invoice, shown, tenant.rules)
      ? [newPayment(tenant, invoice, shown, slice)]
      : [];
  });
  return payments.length === 0 ? 0 : store.begin(tenant.name, payments);
}

function showsPayment({ payment }: ListedDocument): boolean {
  return payment !== undefined && (payment.status === 'Paid' || !payment.bankTransactionAmount.isZero());
}

/** One payment at a time: until it is in the books, nobody knows what the next one is. */
function isToBegin(invoice: BookedInvoice, { payment }: ListedDocument, rules: TenantRules): boolean {
  const { state, isBusy, journal, payments } = invoice;
  if (payment === undefined || state !== 'acknowledged' || isBusy || journal === null) return false;
  if (!payments.every(isDone)) return false;
  return isToBeFollowed(payment, journalFromJson(journal), settledJournals(invoice), openRuleBook(rules));
}

function newPayment(
  tenant: TenantContext,
  invoice: BookedInvoice,
  shown: ListedDocument,
  slice: Slice,
): NewPayment {
  const { environment, sourceAccount, erp } = tenant;
  const number = (invoice.payments.at(-1)?.number ?? 0) + 1;
  const guid = paymentGuid(invoice.guid, number);
  return {
    invoiceGuid: invoice.guid,
    number,
    day: dayOf(invoice, shown, slice),
    key: postingKey({ environment, sourceAccount, kind: 'payment', guid, ledger: erp.ledger, generation: 0 }),
    documentNumber: shown.number,
    currency: shown.currency,
    counterpartyName: shown.counterpartyName,
    counterpartyKennitala: shown.counterpartyKennitala,
    sourceStatus: shown.payment?.status ?? '',
  };
}

/**
 * The service says no day of payment. It came in after the last look that did not see it; within that, the day on which the invoice
 * was last touched is the best that is known.
 */
function dayOf({ bookedOn }: BookedInvoice, shown: ListedDocument, slice: Slice): IsoDate {
  const earliest = [bookedOn, slice.seenUntil ?? '', shown.issueDate].reduce(latest);
  const touched = /^\d{4}-\d{2}-\d{2}/.exec(shown.updatedTimestamp)?.[0] ?? slice.today;
  const day = latest(touched, earliest);
  return day > slice.today ? slice.today : day;
}

function latest(one: IsoDate, other: IsoDate): IsoDate {
  return one > other ? one : other;
}

// ---- Releases ----
// The entry of a document says on which days part of it is released, so the source is not asked.

export interface ReleaseDeps {
  readonly runtime: Runtime;
  readonly store: ReleaseStore;
}

/** In one look; the next tick brings the others. */
const RELEASES_AT_ONCE = 500;

/** How many were begun. */
export async function beginReleases({ runtime, store }: ReleaseDeps, tenant: TenantContext): Promise<number> {
  const today = runtime.clock.now().toISOString().slice(0, 10);
  const due = await store.due(tenant.name, today, RELEASES_AT_ONCE);
  return due.length === 0
    ? 0
    : store.begin(
        tenant.name,
        due.map((release) => newRelease(tenant, release)),
      );
}

function newRelease({ environment, sourceAccount, erp }: TenantContext, release: DueRelease): NewRelease {
  const guid = releaseGuid(release);
  const identity = { environment, sourceAccount, kind: 'release', guid, ledger: erp.ledger } as const;
  return { ...release, key: postingKey({ ...identity, generation: 0 }) };
}

// ---- Summaries ----
// Documents that are ready are booked together: one posting per day and kind.

export interface SummaryDeps {
  readonly store: SummaryStore;
}

/** In one look; the next tick brings the others. */
const SUMMARIES_AT_ONCE = 100;

/** How many were begun. */
export async function beginSummaries({ store }: SummaryDeps, tenant: TenantContext): Promise<number> {
  const ready = await store.ready(tenant.name, SUMMARIES_AT_ONCE);
  return ready.length === 0
    ? 0
    : store.begin(
        tenant.name,
        ready.map((summary) => newSummary(tenant, summary)),
      );
}

function newSummary({ environment, sourceAccount, erp }: TenantContext, name: SummaryName): NewSummary {
  const { kind, day, serial } = name;
  const guid = summaryGuid(name);
  const identity = { environment, sourceAccount, kind: 'summary', guid, ledger: erp.ledger } as const;
  return { kind, day, serial, key: postingKey({ ...identity, generation: 0 }), number: summaryNumber(name) };
}
