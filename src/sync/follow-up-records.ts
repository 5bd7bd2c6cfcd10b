// What is on record of postings that follow a booked document (its payments and its releases), and of summaries and their members. The store
// implements it on PostgreSQL, the simulation in memory.
import type { Guid, PostingKey, TenantName } from '../domain/ids.js';
import { journalFromJson } from '../domain/journal-json.js';
import type { Journal } from '../domain/journal.js';
import type { Reason } from '../domain/message.js';
import type { PostingState } from '../domain/posting.js';
import type { BookedKind, IsoDate, SourceKind } from '../domain/source-document.js';
import type { ErpReference } from '../erp/erp-adapter.js';
import type { SummaryName } from '../pipeline/mapping/make-journal.js';

export interface KnownPayment {
  readonly number: number;
  /** On which it came in, as far as the bridge can tell. */
  readonly day: IsoDate;
  readonly state: PostingState;
  readonly reason: string | null;
  readonly journal: string | null;
  readonly isBooked: boolean;
  /** A reversal of it was sent, and nobody knows what became of it. */
  readonly isReversing: boolean;
  /** It came to where it is before the present entry of its invoice was booked. */
  readonly isBefore: boolean;
}

export interface BookedInvoice {
  readonly guid: Guid;
  /** Of its present generation. */
  readonly key: PostingKey;
  readonly state: PostingState;
  /** Somebody has claimed it, or a reversal of it was sent. */
  readonly isBusy: boolean;
  readonly contentHash: string | null;
  /** On which its entry was put into the books, by the clock. */
  readonly bookedOn: IsoDate;
  readonly journal: string | null;
  /** null: it had none, or it is not in the books. */
  readonly settlement: string | null;
  /** In the order of their numbers. */
  readonly payments: readonly KnownPayment[];
}

export interface NewPayment {
  readonly invoiceGuid: string;
  readonly number: number;
  readonly day: IsoDate;
  readonly key: PostingKey;
  readonly documentNumber: string;
  readonly currency: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly sourceStatus: string;
}

export interface FollowUpCursor {
  /** Where one that was not finished goes on; null: none is under way. */
  readonly fromDate: IsoDate | null;
  /** Since the last one was begun; null: never. */
  readonly begunAgeMs: number | null;
  /** Day on which the last complete one was begun: until then everything that had come in was seen. */
  readonly seenUntil: IsoDate | null;
}

export interface PaymentStore {
  cursor(tenantName: TenantName): Promise<FollowUpCursor>;
  /** `fromDate` null: it is complete. */
  saveCursor(tenantName: TenantName, fromDate: IsoDate | null): Promise<void>;
  /** Of these invoices, those with a settlement or a payment on record. */
  withPayments(tenantName: TenantName, guids: readonly string[]): Promise<readonly string[]>;
  bookedInvoices(tenantName: TenantName, guids: readonly string[]): Promise<readonly BookedInvoice[]>;
  /** Insert or ignore, with their wake-ups; how many were new. */
  begin(tenantName: TenantName, payments: readonly NewPayment[]): Promise<number>;
}

/** A payment has no identity at the source: it is the first, second, … of its invoice. */
export function paymentGuid(invoiceGuid: string, number: number): string {
  return `${invoiceGuid}.${String(number)}`;
}

export function invoiceOfPayment(guid: Guid): { readonly guid: Guid; readonly number: number } {
  const at = guid.lastIndexOf('.');
  return { guid: guid.slice(0, at), number: Number(guid.slice(at + 1)) };
}

/** What the source has of it: the document itself, or the one that it follows. */
export function sourceOf({
  kind,
  guid,
}: {
  readonly kind: Exclude<BookedKind, 'summary'>;
  readonly guid: Guid;
}): {
  readonly kind: SourceKind;
  readonly guid: Guid;
} {
  switch (kind) {
    case 'payment':
      return { kind: 'invoice', guid: invoiceOfPayment(guid).guid };
    case 'release': {
      const released = readReleaseGuid(guid);
      return { kind: released.kind, guid: released.guid };
    }
    default:
      return { kind, guid };
  }
}

// ---- What of a payment is in the books ----

export function settledJournals({ settlement, payments }: BookedInvoice): Journal[] {
  const booked = payments.filter(({ isBooked, state }) => isBooked && state !== 'reversed');
  return [settlement, ...booked.map(({ journal }) => journal)].flatMap((text) =>
    text === null ? [] : [journalFromJson(text)],
  );
}

/** The bridge is done with it by itself. What waits, and what a person decided, is not gone past. */
export function isDone({ state, reason, isReversing, isBefore }: KnownPayment): boolean {
  if (state === 'acknowledged') return !isReversing;
  return isBefore ? isUndone(state) : state === 'skipped' && reason === 'NOTHING_TO_SETTLE';
}

/** Nothing of it is in the books, nor on its way there. */
export function isUndone(state: PostingState): boolean {
  return state === 'skipped' || state === 'reversed';
}

// ---- Releases ----

export interface KnownRelease {
  readonly postingId: string;
  readonly guid: Guid;
  readonly state: PostingState;
  readonly isBooked: boolean;
}

export interface BookedDocument {
  readonly state: PostingState;
  /** Somebody has claimed it, or a reversal of it was sent. */
  readonly isBusy: boolean;
  readonly generation: number;
  readonly journal: string | null;
  readonly contentHash: string | null;
  readonly snapshot: string | null;
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly releases: readonly KnownRelease[];
}

/** The entry of a document, by its generation, and a day on which part of it is released. */
export interface ReleaseName {
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly generation: number;
  readonly day: IsoDate;
}

export interface DueRelease extends ReleaseName {
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
}

export interface NewRelease extends DueRelease {
  readonly key: PostingKey;
}

export interface ReleaseStore {
  /** Days that have come, of documents in the books that the source was told of, for which nothing was begun. */
  due(tenantName: TenantName, today: IsoDate, limit: number): Promise<readonly DueRelease[]>;
  /** Insert or ignore, with their wake-ups; how many were new. */
  begin(tenantName: TenantName, releases: readonly NewRelease[]): Promise<number>;
}

/** It says all that a release is, so a database that forgot one begins the same one again, under the same key. */
export function releaseGuid({ kind, guid, generation, day }: ReleaseName): string {
  return [guid, kind, generation, day].join('.');
}

export function readReleaseGuid(text: string): ReleaseName {
  const parts = text.split('.');
  const [kind, generation, day] = parts.slice(-3);
  return {
    kind: kind === 'cost' ? 'cost' : 'invoice',
    guid: parts.slice(0, -3).join('.'),
    generation: Number(generation),
    day: day ?? '',
  };
}

// ---- Summaries ----

/** A document that was read after its day was closed, and waits to be put together with the others of it. */
export interface ReadyDocument {
  readonly postingId: string;
  readonly fence: number;
  readonly kind: SourceKind;
  readonly guid: Guid;
  readonly number: string;
  readonly key: PostingKey;
  readonly journal: string;
}

/** One that is in a summary. */
export type SummaryMember = Omit<ReadyDocument, 'fence'>;

/** Of a document: the summary that it is in. */
export interface MemberOf {
  readonly postingId: string;
  readonly key: PostingKey;
}

/** Where a document goes when its summary was refused. */
export interface Released {
  readonly postingId: string;
  readonly to: 'held' | 'parked' | 'mapped';
  readonly reason: Reason;
  readonly dueInMs: number | null;
}

/**
 * What becomes of the documents of a summary, in the commit that says what becomes of the summary itself. `take`: they are fixed,
 * each as it was read, or nothing at all is committed (SUMMARY_CHANGED). `posted`: its entry is theirs, and each is told to the source
 * by itself. `tell`: they stay, and say why. `release`: nothing of it is in the books, nor on its way there.
 */
export type MembersChange =
  | {
      readonly act: 'take';
      readonly documents: readonly ReadyDocument[];
      readonly reason: Reason;
    }
  | { readonly act: 'posted'; readonly reference: ErpReference; readonly message: string }
  | { readonly act: 'tell'; readonly reason: Reason }
  | { readonly act: 'release'; readonly documents: readonly Released[] };

export interface NewSummary extends SummaryName {
  readonly key: PostingKey;
  readonly number: string;
}

export interface SummaryStore {
  /**
   * Days with documents that are ready, while no summary of theirs is under way and none of theirs is about to be read; with the number
   * of the next summary, which is that of the last one where nothing came of it. One that waits for a person keeps the next from being
   * begun only where the database was restored: it may hold what was forgotten.
   */
  ready(tenantName: TenantName, limit: number): Promise<readonly SummaryName[]>;
  /** Insert or begin anew, with their wake-ups; how many. */
  begin(tenantName: TenantName, summaries: readonly NewSummary[]): Promise<number>;
}

export interface SummaryReader {
  /** Those that nobody has claimed; the first ones by their number. */
  readyDocuments(
    tenantName: TenantName,
    kind: SourceKind,
    day: IsoDate,
    limit: number,
  ): Promise<readonly ReadyDocument[]>;
  /** In the order in which they were taken. */
  summaryMembers(summaryId: string): Promise<readonly SummaryMember[]>;
}
