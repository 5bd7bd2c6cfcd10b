// What differs between ERPs, declared by each adapter; the suite is red where a capability is only a wish.
import type { VatMode } from '../domain/vat-mode.js';

export type { VatMode } from '../domain/vat-mode.js';

/** Differences between ERPs are named here and decided on by the pipeline; there is no `if (odoo)` anywhere. */
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
