// The port of outbound: what is made at the invoicing service. Creating there is not idempotent, so the port tells apart
// what surely had no effect from what may have had one, and can search for what carries a mark of ours. Both surfaces implement it
// alike. What throws is a CodedError as with the other port, and only reading throws: whatever becomes of a creation is an outcome.
import type { Guid } from '../domain/ids.js';
import type { Told } from '../domain/message.js';
import type { IsoDate } from '../domain/source-document.js';
import type { SubmissionKind } from '../domain/submission.js';

/** A field of an invoice that the service gives back as it was written (Document 1, "Invoice (read)"). */
export const MARK_FIELDS = ['booking', 'cost_provide', 'description', 'terms'] as const;
export type MarkField = (typeof MARK_FIELDS)[number];

/** What is to be done, exactly: kept before it leaves, and sent again as it is. */
export interface TargetRequest {
  readonly act: 'create' | 'update' | 'delete' | 'pay';
  readonly kind: SubmissionKind;
  /** What is updated or deleted. */
  readonly guid?: string;
  /** Names and values as the API documents have them; numbers as text, digit for digit. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Files that go with it and were uploaded before; their ids stand in `body.files`. */
  readonly files?: readonly NamedFile[];
  /** Of the content that it was made of, where that may change while it stands there. */
  readonly contentHash?: string;
}

/** A file as a record names it: known by the hash of its bytes, or by where its origin keeps it and what it calls these bytes. */
export interface NamedFile {
  readonly name: string;
  readonly sha256?: string | undefined;
  readonly at?: string | undefined;
  readonly version?: string | undefined;
  readonly bytes: string;
}

/** A file that goes with a request; the request on record names it by its hash. */
export interface TargetFile {
  readonly fileName: string;
  readonly content: Uint8Array;
}

export type SendOutcome =
  | {
      readonly outcome: 'accepted';
      /** null: the service named it otherwise; its mark finds it. */
      readonly guid: Guid | null;
      /** What it is called where no guid was named (Document 2, "Agent response shapes"). */
      readonly id?: string | null;
      readonly paymentLink: string | null;
    }
  /** The service's own explicit no: surely no effect. */
  | ({ readonly outcome: 'rejected' } & Told)
  /** No byte left, or the service itself did not let us in: surely no effect. */
  | ({
      readonly outcome: 'not-sent';
      readonly why: 'away' | 'refused-credentials' | 'too-late';
      /** The service asked for it. */
      readonly retryAfterMs?: number | undefined;
      /** When it may go, as far as is known. */
      readonly waitMs?: number | undefined;
    } & Told)
  /** It may have happened. */
  | ({ readonly outcome: 'unknown' } & Told);

/** A second upload of the same bytes harms nobody: only what a request names is seen. So what failed may be tried again. */
export type UploadOutcome =
  { readonly outcome: 'uploaded'; readonly id: string } | Exclude<SendOutcome, { outcome: 'accepted' }>;

export interface FoundInvoice {
  readonly guid: Guid;
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly type: string;
  readonly issueDate: IsoDate;
  /** Of its customer; empty where the service does not say. */
  readonly kennitala: string;
  readonly isPaid: boolean;
}

export interface FoundCustomer {
  readonly guid: Guid;
  /** As the API documents name them. */
  readonly fields: Readonly<Record<string, string>>;
  /** It is found by a search only, as deactivated profiles are. Where the service does not say, it is not given. */
  readonly isDeactivated?: true;
}

/** One thing of the catalogue. */
export interface FoundItem {
  readonly guid: Guid;
  /** The service's own. */
  readonly number: string;
  /** As the API documents name them. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface FoundCost {
  readonly guid: Guid;
  readonly description: string;
  /** null: nobody has read it yet. */
  readonly amount: string | null;
  readonly currency: string;
  readonly supplierId: string;
  readonly accountingStatus: string;
}

/** Where a cost is looked for. */
export interface CostDays {
  /** Its own date, as it was sent. Left out: AI reads it. */
  readonly date?: IsoDate | undefined;
  /** It was created on this day or later. */
  readonly since: IsoDate;
}

export interface FoundLog {
  readonly guid: Guid;
  readonly description: string;
  readonly date: IsoDate;
  readonly hours: string;
  /** The day on which it was written down; empty where the service does not say. */
  readonly writtenOn: string;
}

export interface FoundTask {
  readonly guid: Guid;
  readonly number: string;
  readonly name: string;
  readonly status: string;
  /** Of its customer; empty where it has none. */
  readonly kennitala: string;
  readonly customerName: string;
  /** Of its item, whose price is that of an hour. */
  readonly description: string;
  readonly unitPrice: string;
  readonly tax: string;
  readonly canStop: boolean;
  readonly canDeactivate: boolean;
  /** The service calls it invoiced: none of its hours is to be billed any more. */
  readonly isInvoiced: boolean;
  /** Hours that were written down by this day may be on an invoice that people made of the task; null: there is none. */
  readonly invoicedUntil: IsoDate | null;
  readonly logs: readonly FoundLog[];
}

/** `lately`: from before what may be looked for was lost, so that a list serves for hours; otherwise begun this long ago at most. */
export type HowRecent = 'lately' | { readonly maxAgeMs: number };

/** `incomplete`: what is not among them may be there all the same. */
export type Search<Found> =
  | { readonly outcome: 'complete'; readonly found: readonly Found[] }
  | ({ readonly outcome: 'incomplete' } & Told);

export interface InvoicingTarget {
  /** Whether this surface can make this kind at all. */
  takes(kind: SubmissionKind): boolean;
  /** What keeps the request from being sent, by the documents alone; null: nothing. */
  breach(request: TargetRequest, file?: TargetFile): Told | null;
  /** Leaves until then or not at all. */
  send(request: TargetRequest, leaveBy: Date, file?: TargetFile): Promise<SendOutcome>;
  /** A file for an invoice that is to be created. */
  upload(file: TargetFile, leaveBy: Date): Promise<UploadOutcome>;
  /** Every invoice that carries the mark in that field, among those of that issue date, on a list that is recent enough. */
  findInvoices(
    mark: string,
    field: MarkField,
    issueDate: IsoDate,
    recent: HowRecent,
  ): Promise<Search<FoundInvoice>>;
  /** By what its reply named; null: the service does not show it with the mark. */
  readInvoice(named: string, mark: string, field: MarkField): Promise<FoundInvoice | null>;
  /** Every invoice that was made of this draft or order; null: the service has no such draft or order. */
  listMade(kind: 'draft' | 'order', guid: Guid): Promise<readonly FoundInvoice[] | null>;
  findCustomers(kennitala: string): Promise<Search<FoundCustomer>>;
  /** Every customer that the service lists. */
  listCustomers(): Promise<Search<FoundCustomer>>;
  /** Every item of the catalogue. `lately`: a list that was read some minutes ago will do. */
  listItems(how: 'now' | 'lately'): Promise<Search<FoundItem>>;
  /** null: the service shows none of this guid. */
  readItem(guid: Guid): Promise<FoundItem | null>;
  /**
   * Every cost that carries the mark in its description, among those of these days. What AI has not read yet is not among them.
   * `lately`: a list that was read some minutes ago will do.
   */
  findCosts(mark: string, days: CostDays, how: 'now' | 'lately'): Promise<Search<FoundCost>>;
  /** null: the service shows none of this guid. */
  readCost(guid: Guid): Promise<FoundCost | null>;
  /** Every task that the service lists as one whose hours are to be billed. */
  listTasksToBill(): Promise<Search<FoundTask>>;
  /** Every task that carries the mark in its name. */
  findTasks(mark: string): Promise<Search<FoundTask>>;
  readTask(guid: Guid): Promise<FoundTask | null>;
  /** Its timer is stopped, and it is ended where this surface can; what is ended is left as it is. */
  endTask(guid: Guid): Promise<void>;
}

export interface OpenTarget extends InvoicingTarget {
  close(): Promise<void>;
}
