// What the conformance suite needs of an adapter's test bed. A bed owns one set of books (a real ERP, or a fake as strict as
// the real thing), makes adapters on it as separate processes would, provokes faults between the two, and counts what is
// really in the books without asking the adapter.
import type { Decimal } from '../../../src/domain/money.js';
import type { JournalParty } from '../../../src/domain/journal.js';
import type { IsoDate } from '../../../src/domain/source-document.js';
import type { ErpAdapter, ErpReference, ErpServices } from '../../../src/erp/erp-adapter.js';

export interface ConformanceTarget {
  /** The adapter's name, as in the registry. */
  readonly name: string;
  /** What stands behind the adapter, in words for the report: "trytond 6.0 (real)", "fake built from Xero's documents". */
  readonly judge: string;
  /** Cases that cannot arise here, each with the reason that the report prints. Everything else must pass. */
  readonly notApplicable: Readonly<Partial<Record<ConformanceCaseId, string>>>;
  /** Fresh books. Called once a run; the cases use keys of their own and share the books. */
  open(): Promise<ConformanceBed>;
}

export interface ConformanceBed {
  readonly chart: ConformanceChart;
  /** A new adapter on the same books: what another process, or this one after a crash, would have. */
  connect(variant?: ConnectVariant, shared?: SharedServices): Promise<ErpAdapter>;
  /** Arms one fault for the connections made so far and later ones; it stays until `heal`. */
  provoke(fault: Fault): Promise<void>;
  /** Everything works again; requests that were held back have arrived (late) by the time this resolves. */
  heal(): Promise<void>;
  /** Reads the books behind the adapter's back. */
  count(key: string): Promise<{ readonly posted: number; readonly drafts: number }>;
  /** How many partners the ERP has under that kennitala. Beds of adapters without partners leave it out. */
  countParties?(kennitala: string): Promise<number>;
  /**
   * Every text that the ERP keeps with the entry of that key, as it keeps it: descriptions, texts of lines. This and what
   * follows may be left out; the report then says what was not shown.
   */
  texts?(key: string): Promise<readonly string[]>;
  /** The files that the ERP keeps with that entry. */
  attachments?(reference: ErpReference): Promise<readonly KeptFile[]>;
  /** Puts more entries on that day than the adapter reads at a time; of somebody else, if others book there too. */
  crowd?(day: IsoDate): Promise<void>;
  /** What the ERP itself says is left to pay of the invoice under that key, in ISK. For ERPs that match payments with invoices. */
  owed?(key: string): Promise<Decimal>;
  /** How many requests have come to the ERP so far, whatever became of them. A bed that tells hands `shared` to its adapters. */
  heard?(): number;
  /** Closes the period of the chart's open date, or opens it again. */
  closeOpenDate?(isClosed: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface KeptFile {
  readonly fileName: string;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * `wrong-company`: configured for a company that the credentials or the books do not belong to. `bad-credentials`: refused.
 * `splits-vat`: the tenant's rules leave VAT to the ERP (`services.vatMode`); beds of adapters that cannot do it connect as ever.
 */
export type ConnectVariant = 'normal' | 'wrong-company' | 'bad-credentials' | 'splits-vat';

/** What the connections of all processes to one ERP have in common, as the bridge hands it to each. */
export type SharedServices = Pick<ErpServices, 'gate'>;

/** Names of things that exist in the books of the bed, so that the suite's journals can be booked. */
export interface ConformanceChart {
  readonly receivable: string;
  readonly payable: string;
  readonly revenue: string;
  readonly expense: string;
  readonly vatOut: string;
  readonly vatIn: string;
  readonly rounding: string;
  readonly unknownAccount: string;
  readonly openDate: IsoDate;
  /** Within the same open period or another: where reversals go. */
  readonly reversalDate: IsoDate;
  readonly closedDate: IsoDate;
  readonly customer: JournalParty;
  readonly supplier: JournalParty;
  /** Not in the ERP yet; the bed's configuration allows creating it. */
  readonly newCustomer: JournalParty;
  readonly dimension: { readonly name: string; readonly value: string; readonly unknownValue: string };
  /** For ERPs that can split VAT: accounts that are taxed at 24 %, and the codes of that VAT. */
  readonly taxed?: {
    readonly revenue: string;
    readonly expense: string;
    readonly codeOut: string;
    readonly codeIn: string;
  };
  readonly foreign: { readonly currency: string; readonly rate: string };
}

/**
 * Where a fault strikes when booking takes two requests: `effects` at the first that touches the books (the create),
 * `final-step` at the one that puts the entry into them (the post), with a draft there already.
 */
export type FaultStep = 'effects' | 'final-step';

export type Fault =
  /** The request of the final step has its effect; its answer never comes back. */
  | { readonly kind: 'lose-reply' }
  /** Creating an entry works, then nothing gets through any more: the process "died" between create and post. */
  | { readonly kind: 'die-after-create' }
  /** The next request with an effect is cut off at once, and reaches the ERP only when the bed is healed. */
  | { readonly kind: 'late-arrival' }
  /** The same for the next request that creates a partner. */
  | { readonly kind: 'late-partner' }
  /** The ERP itself answers requests of that step 429 with Retry-After in its own form, without an effect. */
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds: number; readonly on: FaultStep }
  /** Requests of that step, or all, are answered with this status, without an effect. */
  | {
      readonly kind: 'server-error';
      readonly status: 500 | 502 | 503 | 504;
      readonly on: FaultStep | 'everything';
    }
  /** The next request of that step is answered 200 with the ERP's form of an error in the body, without an effect. */
  | { readonly kind: 'error-body'; readonly on: FaultStep }
  /**
   * A proxy in front of the ERP answers the next request of that step in its own name, while the ERP works on: what was asked
   * is done when the bed is healed, after the answer.
   */
  | { readonly kind: 'gateway-answers'; readonly reply: GatewayReply; readonly on: FaultStep }
  /** Everything is answered 200 with an HTML page: a proxy's log-in or maintenance page. */
  | { readonly kind: 'html' }
  /** The session or token at hand has run out; logging in again works, if there is a log-in. */
  | { readonly kind: 'expired-token' }
  /** The next attachment arrives; its answer never comes back. */
  | { readonly kind: 'lose-attachment-reply' }
  /** The next attachment is cut off at once, and reaches the ERP only when the bed is healed. */
  | { readonly kind: 'late-attachment' }
  /**
   * What takes a draft or a leftover away is answered 503, without an effect. `afterRefusal`: the final step is refused by the ERP itself
   * before, so that there is a draft to take away.
   */
  | { readonly kind: 'fail-clean-up'; readonly afterRefusal: boolean }
  /** Attachments are refused; everything else works. */
  | { readonly kind: 'refuse-attachments' }
  /** Nobody listens. */
  | { readonly kind: 'unreachable' };

/** What proxies say: a status with a page of their own, 429 with Retry-After, or a plain page with 200. */
export const GATEWAY_REPLIES = [502, 503, 504, 429, 200] as const;
export const GATEWAY_RETRY_AFTER_SECONDS = 11;
export type GatewayReply = (typeof GATEWAY_REPLIES)[number];

export type FaultKind = Fault['kind'];

export const CONFORMANCE_CASE_IDS = [
  'health',
  'bad-credentials',
  'wrong-company',
  'validate',
  'prepare-has-no-effect',
  'read-back',
  'same-key-twice',
  'five-at-once',
  'five-connections',
  'collision',
  'refused-then-mended',
  'killed-after-create-resume',
  'killed-after-create-post',
  'killed-after-post',
  'lost-reply',
  'late-arrival',
  'unreachable',
  'rate-limit',
  'rate-limit-shared',
  'server-error',
  'error-body',
  'html-body',
  'gateway-answers',
  'clean-up-fails',
  'expired-token',
  'unbalanced',
  'closed-period',
  'unknown-account',
  'icelandic-letters',
  'number-once',
  'hostile-text',
  'two-decimals',
  'foreign-currency',
  'vat-split',
  'dimensions',
  'unknown-dimension',
  'known-party',
  'new-party-once',
  'matched-after-crash',
  'payment-taken-back',
  'bill-credited',
  'attachment',
  'attachment-fails',
  'attachment-twice',
  'attachment-lost-reply',
  'attachment-late',
  'reverse',
  'reverse-twice',
  'find-by-reference',
  'list-entries',
  'nothing-found',
] as const;
export type ConformanceCaseId = (typeof CONFORMANCE_CASE_IDS)[number];
