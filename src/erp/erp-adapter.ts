// The port that every ERP adapter implements, and nothing else of an ERP is known outside src/erp.
// Promises: money stays decimal; `prepare` has no effect on the books; `post` sends exactly what was prepared; whatever
// an adapter cannot be sure of is `unknown`, never a guess; nothing found by key is changed unless it was asked to be.
import type { PostingKey } from '../domain/ids.js';
import type { AccountClasses, VatMode } from '../domain/account-class.js';
import type { z } from 'zod';
import type { Decimal } from '../domain/money.js';
import type { Journal } from '../domain/journal.js';
import type { Message, Told } from '../domain/message.js';
import type { Clock } from '../domain/runtime.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { IsoDate } from '../domain/source-document.js';
import type { RequestGate } from '../http/adaptive-gate.js';

export type { VatMode } from '../domain/account-class.js';

export interface ErpReference {
  /** The ERP's own id, enough to find the entry again. */
  readonly id: string;
  /** What a bookkeeper sees (voucher or entry number). */
  readonly number?: string;
}

export interface ErpEntryLine {
  /** As the journal named it. */
  readonly account: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly currency?: string;
  readonly currencyAmount?: Decimal;
  readonly counterparty?: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  /** As the journal named it, where the ERP keeps it with the line and shows it. */
  readonly vatCode?: string;
}

export interface ErpEntry {
  readonly reference: ErpReference;
  readonly key: PostingKey;
  readonly state: 'posted' | 'draft' | 'pending';
  readonly postingDate: IsoDate;
  readonly lines: readonly ErpEntryLine[];
  /** Set when this entry reverses another, or was reversed: it is then no live entry of its key. */
  readonly reversed?: boolean;
}

export interface PostRequest {
  readonly key: PostingKey;
  readonly journal: Journal;
  /** What was last prepared under this key, if anything was. */
  readonly earlier?: EarlierPost;
}

export interface EarlierPost {
  /** As it was stored. */
  readonly request: string;
  /** The ERP definitely refused it: an ERP that replays answers by key would say so again, whatever was mended meanwhile. */
  readonly isRefused: boolean;
}

/** What is stored before a byte leaves, and what a resend sends again, byte for byte. */
export interface PreparedPost {
  readonly key: PostingKey;
  /** JSON text of the adapter's own shape; no secrets in it. */
  readonly request: string;
  /** Not stored: what the source has as the original when it is sent, for adapters that declare `filesWithPost`. */
  readonly files?: readonly Attachment[];
}

export const REJECTION_CODES = [
  'closed-period',
  'unknown-account',
  'blocked-account',
  'unknown-dimension',
  'unknown-vat-code',
  'unknown-party',
  'unbalanced',
  'duplicate',
  'collision',
  'wrong-company',
  'unsupported',
  'invalid',
] as const;
export type RejectionCode = (typeof REJECTION_CODES)[number];

/** What a refusal is about, where the adapter knows: what to mend is named from here, never read out of the message. */
export interface RefusedFacts {
  readonly account?: string;
  readonly dimension?: string;
  readonly value?: string;
  readonly vatCode?: string;
  readonly period?: string;
  readonly party?: string;
  /** The party is lacking and will be made: with the first journal that says who it is. */
  readonly partyIsMade?: true;
}
/** Its message is for a bookkeeper and holds no secrets; `said` is the same as a value, for readers of another language. */
export interface Rejected extends RefusedFacts, Told {
  readonly outcome: 'rejected';
  readonly code: RejectionCode;
}
/** Surely no effect; try again later. */
export interface Transient extends Told {
  readonly outcome: 'transient';
  readonly retryAfterMs?: number;
}
/** It may or may not have happened. */
export interface Unknown extends Told {
  readonly outcome: 'unknown';
  /** Nothing further is welcome there before; said by a server that may have done what it was asked. */
  readonly retryAfterMs?: number;
}
/** Surely no effect; the connection's credentials or rights are at fault. */
export interface AuthFailed extends Told {
  readonly outcome: 'auth';
}

export type PrepareOutcome =
  { readonly outcome: 'prepared'; readonly prepared: PreparedPost } | Rejected | Transient | AuthFailed;

export type PostOutcome =
  | {
      readonly outcome: 'posted';
      readonly reference: ErpReference;
      /** It stands in the books, and could not be set against the invoice that it settles: why, for a person who does it. */
      readonly unmatched?: Told;
    }
  | { readonly outcome: 'pending'; readonly reference: ErpReference }
  | { readonly outcome: 'draft'; readonly reference: ErpReference }
  | Rejected
  | Transient
  | Unknown
  | AuthFailed;

/** A look-up has no effect, so its failures are transient or auth, never unknown. */
export type FindOutcome =
  | { readonly outcome: 'none' }
  | { readonly outcome: 'one'; readonly entry: ErpEntry }
  | { readonly outcome: 'many'; readonly entries: readonly ErpEntry[] }
  | Transient
  | AuthFailed;

export type AttachOutcome = { readonly outcome: 'attached' } | Rejected | Transient | Unknown | AuthFailed;

export interface ReverseRequest {
  /** Key of the reversing entry; a reversal is itself a keyed posting. */
  readonly key: PostingKey;
  readonly original: ErpEntry;
  /** What was sent, where that is on record: an ERP that splits VAT shows other lines than it has to be given. */
  readonly journal?: Journal;
  readonly date: IsoDate;
  readonly reason: string;
}

export interface Attachment {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface Finding extends Told {
  readonly severity: 'error' | 'warning' | 'ok';
  /** What to do, for errors and warnings. */
  readonly remedy?: string;
  /** The same as a value, for readers of another language. */
  readonly cure?: Message | undefined;
  /** An adapter that was asked about posting dates and can tell says so here, also when all are open. */
  readonly about?: 'period';
  /** What is lacking, where it has a name: a plan counts the documents that need it. */
  readonly lacks?: Lacking;
  /** Names of the accounts that were asked about, by number, where the ERP has any. */
  readonly accountNames?: Readonly<Record<string, string>>;
}

/** What an ERP has not, or does not take: an account, a value of a dimension (or all of it), a currency, days. */
export type Lacking =
  | { readonly account: string }
  | { readonly dimension: string; readonly value?: string }
  | { readonly vatCode: string }
  | { readonly currency: string }
  | { readonly days: readonly IsoDate[] };

/** What the tenant's rules will use, so that an adapter can check it all before the first posting. */
export interface ExpectedChart {
  readonly accounts: readonly string[];
  readonly vatCodes: readonly string[];
  /** Dimension name → values that rules can produce (empty: any text). */
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  /** Foreign currencies that journals would be in, each once. */
  readonly currencies?: readonly string[];
  /** Days that journals would be dated on, each once. Without any, closed periods are not asked about. */
  readonly postingDates?: readonly IsoDate[];
}

export type ErpHealth =
  | {
      readonly outcome: 'healthy';
      readonly company: string;
      /** Kennitala of the company whose books these are, where the ERP knows it. */
      readonly registrationNo?: string;
    }
  | Rejected
  | Transient
  | AuthFailed;

export interface ErpAdapter {
  readonly capabilities: ErpCapabilities;
  /** Names the ledger (company, database, file): part of every posting key, so it must never change for the same books. */
  readonly ledger: string;
  health(): Promise<ErpHealth>;
  validate(expected: ExpectedChart): Promise<readonly Finding[]>;
  /**
   * Read-only look-ups and the pure translation. May create a partner, keyed, where the configuration allows it and the journal says who
   * that is; a plan asks without saying so, and nobody is made.
   */
  prepare(request: PostRequest): Promise<PrepareOutcome>;
  post(prepared: PreparedPost): Promise<PostOutcome>;
  findByKey(key: PostingKey): Promise<FindOutcome>;
  /** By the ERP's own reference, for mark-as-posted. */
  findByReference(reference: string): Promise<FindOutcome>;
  resume(draft: ErpEntry, prepared: PreparedPost): Promise<PostOutcome>;
  reverse(request: ReverseRequest): Promise<PostOutcome>;
  /**
   * Where payments and credit notes are set against their invoices after the posting: does so for this entry, unless it is done. Asked
   * when the entry was found and nobody knows how far its post came. What fails after a few tries is told to a person. May be left out.
   */
  match?(entry: ErpEntry, journal: Journal): Promise<Told | undefined>;
  /** Looks at what is there first: asked twice for the same name and content, it is one file. */
  attach(reference: ErpReference, attachment: Attachment): Promise<AttachOutcome>;
  /** All entries under keys of ours with a posting date in the period, pages hidden, drafts included. Throws coded errors. */
  entries(period: { readonly from: IsoDate; readonly to: IsoDate }): AsyncIterable<ErpEntry>;
  close(): Promise<void>;
}

/** What the bridge hands to an adapter; an adapter reads no environment and no other file. */
export interface ErpServices {
  readonly clock: Clock;
  secret(reference: SecretReference): Secret;
  /** A directory of this tenant's own, for adapters that keep files. */
  readonly dataDirectory: string;
  readonly tenantName: string;
  /** Path of the tenant file's directory: relative paths in a configuration start there. */
  readonly configDirectory: string;
  readonly log: ErpLog;
  /** What the ERP wishes by Retry-After holds for its whole connection, over all processes: give it to every HTTP client. */
  readonly gate?: RequestGate;
  /** What the tenant's rules use each account for; for adapters that keep no chart of their own. */
  readonly accountClasses?: AccountClasses;
  /** Who is to split VAT, by the tenant's rules; left out: VAT has lines of its own. */
  readonly vatMode?: VatMode;
}

export interface ErpLog {
  debug(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Rises when an adapter that was right before is wrong after: a method more, another meaning. What is only added, and may be left out,
 * does not raise it.
 */
export const PORT_VERSION = 1;

export interface ErpAdapterDefinition<Config = unknown> {
  /** For adapters in packages of their own: PORT_VERSION of the kit that it was written with. */
  readonly port?: number;
  readonly name: string;
  readonly title: string;
  readonly configuration: z.ZodType<Config>;
  /** How long one call may take, all its requests together; the bridge cuts it there. Left out: 30 s. */
  callMsMax?(configuration: Config): number;
  /** @deprecated No effect: the bridge bounds every call of every adapter. Kept so that adapters that set it still compile. */
  readonly heedsBudget?: true;
  /** Where a person with a browser sees the entry, by what is configured alone; left out or null: nowhere that is known. */
  entryUrl?(configuration: Config, reference: ErpReference): string | null;
  create(configuration: Config, services: ErpServices): ErpAdapter;
}

/**
 * What differs between ERPs, declared by each adapter and decided on by the pipeline; there is no `if (odoo)` anywhere. The suite is red
 * where a capability is only a wish.
 */
export interface ErpCapabilities {
  /** How a resend is made safe. `native-key`: the ERP replays by key while it lives. `unique-reference`: it refuses a second. */
  readonly idempotency: 'native-key' | 'unique-reference' | 'none';
  /** How long a native key surely lives after the first send. */
  readonly nativeKeyLifeMs?: number;
  /** What findByKey can see. */
  readonly lookUp: 'posted-and-draft' | 'posted' | 'none';
  /** How long after an effect findByKey may still miss it. */
  readonly lookUpLagMs: number;
  /** What a successful post means. */
  readonly finality: 'posted' | 'draft' | 'async';
  /** false: create and post are separate steps, so a crash may leave a draft. */
  readonly atomicPost: boolean;
  /** What can be compared when an entry is read back. */
  readonly readBack: 'lines' | 'totals';
  readonly attachments: boolean;
  /** A file travels with the document that it belongs to, or not at all: `post` is given those that the source has. */
  readonly filesWithPost?: boolean;
  readonly dimensions: boolean;
  /**
   * What becomes of a document in another currency. `in-currency`: lines keep amount and currency beside ISK. `in-isk`: it is
   * booked in ISK, and the foreign amount stands in the texts. `documents-in-currency`: invoices, bills and credit notes are in their
   * currency, plain entries in ISK. `none`: it is refused.
   */
  readonly foreignCurrency: 'in-currency' | 'documents-in-currency' | 'in-isk' | 'none';
  /** With documents in their currency, the part by which the ERP's own krónur may differ from ours: its rate is rounded, or its own. */
  readonly foreignIskTolerance?: number;
  readonly subledger: boolean;
  /** What this connection does with VAT. Adapters that can do both declare what the tenant's rules ask for. */
  readonly vatMode: VatMode;
  /** It declares `erp-splits` where the rules ask for it. */
  readonly splitsVat?: boolean;
  /** Invoices, bills and credit notes of the ERP's own instead of plain entries, where the settings ask for them (`books: documents`, or supplier invoices). */
  readonly makesDocuments?: boolean;
  /** With documents, it matches a payment or a credit note with the invoice that it settles. */
  readonly matchesPayments?: boolean;
  /** With documents, a supplier's credit note is set against the bill whose number the journal names (`appliesToNo`). */
  readonly creditsBills?: boolean;
  readonly reverse: boolean;
  readonly keyLengthMax: number;
  /** How many postings may be under way at once on one connection. */
  readonly concurrency: number;
  /** Sends per second that the ERP's documented limits allow on one connection. */
  readonly requestsPerSecond: number;
  /** How long one call may take, all its requests together. The bridge keeps to it and says it here; adapters need not. */
  readonly callMsMax?: number;
}
