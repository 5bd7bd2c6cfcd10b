// The port the pipeline needs of the invoicing service. Both surfaces implement it with the same behaviour, so that the
// rest of the bridge cannot tell which one a tenant uses. Failures throw a CodedError whose disposition says what to do:
// retry (surely no effect), rate-limited, look-up (the effect is unknown: read back), pause-tenant, stop.
import type { Guid } from '../domain/ids.js';
import type { WritableStatus } from '../domain/posting.js';
import type { OriginalRole } from '../domain/original.js';
import type { IsoDate, SourceDocument, SourceInvoice, SourceKind } from '../domain/source-document.js';

export interface ListQuery {
  readonly kind: SourceKind;
  /** One status per call. Invoices have no `New`: it is refused before it is sent. */
  readonly accountingStatus: 'Created' | 'Posted' | 'Skipped' | 'Error' | 'New';
  /** Inclusive; compared with the issue date. */
  readonly fromDate?: IsoDate;
  readonly toDate?: IsoDate;
  /** Hand over the records themselves as well: for whoever holds their content against another one, page by page. */
  readonly whole?: true;
}

/** Of a listed document only what intake needs; the truth is fetched one by one. */
export interface ListedDocument {
  readonly guid: Guid;
  readonly kind: SourceKind;
  readonly accountingStatus: string;
  readonly issueDate: IsoDate;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly updatedTimestamp: string;
  /** Of an invoice: what it shows of its payment. */
  readonly payment?: PaymentFacts;
  /** Of a credit note: the invoice that it refers to, where the list says so. */
  readonly referGuid?: Guid;
  /** As it was listed, where the query asked for it. A list may be shorter than the document: only equality proves anything. */
  readonly record?: Readonly<Record<string, unknown>>;
}

/** How an invoice was paid, as far as the service shows it. */
export type PaymentFacts = Pick<
  SourceInvoice,
  | 'type'
  | 'status'
  | 'currency'
  | 'amount'
  | 'claimStatus'
  | 'capitalGainsTax'
  | 'otherDefaultCostsAmount'
  | 'defaultChargeAmount'
  | 'defaultInterestAmount'
  | 'bankTransactionAmount'
>;

/** One record that could not be read. The page it stood on is still good. */
export interface RecordProblem {
  readonly kind: SourceKind;
  readonly guid: Guid | null;
  readonly problem: string;
}

export interface ListPage {
  readonly documents: readonly ListedDocument[];
  readonly problems: readonly RecordProblem[];
  /** null: this surface does not say; ask for the next page until one is empty. */
  readonly hasMore: boolean | null;
  /** Changes when the page's guids change: a repeated one means that the service ignores `page`. */
  readonly fingerprint: string;
}

export type FetchOutcome =
  | {
      readonly outcome: 'found';
      readonly document: SourceDocument;
      /** The record as it came: JSON text with every digit, without `file`. What is stored and hashed. */
      readonly snapshot: string;
      /** The same, read already: spares whoever hashes it a second reading. */
      readonly record?: Readonly<Record<string, unknown>>;
    }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unreadable'; readonly problem: string; readonly snapshot: string };

/** `refused` is the service's explicit word (status:false); it decides nothing by itself: read back. */
export type UpdateOutcome =
  { readonly outcome: 'accepted' } | { readonly outcome: 'refused'; readonly message: string };

export interface AccountIdentity {
  readonly name: string;
  readonly registrationNo: string;
  readonly vatNo: string;
  /** Server clock minus ours, from the Date header; null when it sent none. */
  readonly clockSkewMs: number | null;
}

export interface SourceCustomer {
  readonly guid: Guid;
  readonly name: string;
  readonly registrationNo: string;
  readonly taxExempt: boolean;
}

export interface SourceItem {
  readonly guid: Guid;
  readonly itemNumber: string;
  readonly category: string;
}

export interface SourceFile {
  readonly role: OriginalRole;
  /** As somebody called it: for people, never a path. */
  readonly fileName: string;
  /** null: what came is not base64. */
  readonly content: Uint8Array | null;
}

/** `unavailable`: this surface does not hand them out. */
export type OriginalsOutcome =
  | { readonly outcome: 'found'; readonly files: readonly SourceFile[] }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unavailable' };

export interface InvoicingSource {
  hello(): Promise<AccountIdentity>;
  /** page counts from 1; the page size is the surface's own. */
  list(query: ListQuery, page: number): Promise<ListPage>;
  count(query: ListQuery): Promise<number>;
  get(kind: SourceKind, guid: Guid): Promise<FetchOutcome>;
  updateStatus(kind: SourceKind, guid: Guid, status: WritableStatus, message: string): Promise<UpdateOutcome>;
  moveCostToNew(guid: Guid): Promise<UpdateOutcome>;
  customer(guid: Guid): Promise<SourceCustomer | null>;
  item(guid: Guid): Promise<SourceItem | null>;
  /** PDF of an invoice, or the file and the e-invoice of a cost. */
  originals(kind: SourceKind, guid: Guid): Promise<OriginalsOutcome>;
  close(): Promise<void>;
}
