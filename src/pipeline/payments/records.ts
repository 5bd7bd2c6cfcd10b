// What is on record of an invoice in the books and of its payments. The store implements it on PostgreSQL, the simulation in
// memory.
import type { Guid, PostingKey, TenantName } from '../../domain/ids.js';
import type { PostingState } from '../../domain/posting.js';
import { readReleaseGuid } from '../releases/records.js';
import type { BookedKind, IsoDate, SourceKind } from '../../domain/source-document.js';

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
