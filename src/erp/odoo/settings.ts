// The settings of a connection to Odoo, what it can do by them, and everything that this adapter believes about Odoo. `Verified`: read in
// Odoo's documentation or source. `Assumed`: no document says so; the safest reading was taken. Change it here when a trial says otherwise.
import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import { books, deadlineMs, kennitala, partners, serviceUrl } from '../config-schemas.js';
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';
import { schemaText } from '../told.js';

/** Verified (account.move): the date of an entry in a locked period is moved on posting, not refused. Read, then compare. */
export const LOCK_DATE_FIELDS = [
  'fiscalyear_lock_date',
  'tax_lock_date',
  // Odoo 18 and later.
  'hard_lock_date',
  'sale_lock_date',
  'purchase_lock_date',
  // Odoo 17 and earlier.
  'period_lock_date',
] as const;

/** Verified (account.account): up to 18 an account that is out of use is deprecated; later ones are archived, and not found. */
export const BLOCKED_ACCOUNT_FIELDS = ['deprecated'] as const;

/** Verified (account.move.line): without it, version 17 adds the account's taxes and an automatic balancing line. */
export const NO_TAXES = [[6, 0, []]] as const;

/**
 * Assumed (recalled of account.move.line, 16 and later): the line of an invoice that is owed; it goes on the account that the partner has for
 * receivables or payables. `reconcile` on lines of the same account matches them.
 */
export const OWED = 'payment_term';

/** Ours: lines that are looked at to match two entries. */
export const MATCHED_LINES_MAX = 50;

/** Verified (external API): keys live three months at most. Ours: a fortnight is enough to make a new one. */
export const KEY_EXPIRY_WARNING_DAYS = 14;

/**
 * Verified (models.load, ir.model.data): an import under an external id creates the record, or takes the one that has the
 * id; (module, name) is unique in the database, so of two imports at once one gets a conflict. `__import__` is the module
 * that Odoo itself uses for imports, which no upgrade of a module removes. With this context an existing partner is left
 * as the bookkeepers have it.
 */
export const EXTERNAL_ID_START = '__import__.ledgerbridge_partner_';
export const IMPORT_ONCE = { mode: 'update', noupdate: true } as const;

/** Verified (PostgreSQL, English): what the slower of two such imports is told, inside an answer of 200. */
export const CONFLICT = /could not serialize|concurrent (update|insert)|duplicate key|same external ID/i;

/** Assumed: `ref` and `name` are text without a limit in the database; these keep screens readable. */
export const KEY_LENGTH_MAX = 64;
export const TEXT_LENGTH_MAX = 200;

/** Verified (ir.attachment): `checksum` is the SHA-1 of the content. */
export const ATTACHMENTS_MAX = 20;

/** Ours: bounds on what is read in one request, and on how many requests a listing makes. */
export const LINES_MAX = 2_000;
export const LINE_PAGES_MAX = 50;
export const ENTRIES_PAGE_SIZE = 100;
export const ENTRIES_PAGES_MAX = 10_000;

/** Assumed: the site's own limits; a default installation has a handful of workers. */
export const CONCURRENCY = 2;
export const REQUESTS_PER_SECOND = 5;

export const odooConfiguration = z
  .strictObject({
    url: serviceUrl.describe('Where Odoo is served, such as https://company.odoo.com.'),
    database: z.string().min(1).describe('Name of the database.'),
    protocol: z
      .enum(['json-2', 'json-rpc'])
      .default('json-2')
      .describe('json-2 for Odoo 19 and later, json-rpc for 18 and earlier.'),
    user: z.string().min(1).optional().describe('Log-in name; needed with json-rpc only.'),
    apiKey: secretReference.describe('API key of the user that books.'),
    apiKeyExpires: z.iso
      .date('must be a day, YYYY-MM-DD')
      .optional()
      .describe('Day on which the key expires; the bridge warns a fortnight before.'),
    company: kennitala.describe('Kennitala of the company whose books these are (its Company ID in Odoo).'),
    journal: z
      .string()
      .min(1)
      .default('EINV')
      .describe('Short code of the journal that entries are booked in.'),
    books,
    salesJournal: z
      .string()
      .min(1)
      .default('INV')
      .describe('Short code of the journal of customer invoices, with `books: documents`.'),
    purchaseJournal: z
      .string()
      .min(1)
      .default('BILL')
      .describe('Short code of the journal of vendor bills, with `books: documents`.'),
    dimensions: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe('Dimension in the rules → analytic plan in Odoo.'),
    taxes: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe(
        'VAT code in the rules → name of the tax in Odoo (`24%`, or `sale/24%` and `purchase/24%`), where the rules leave VAT to Odoo (`vat.mode: erp-splits`).',
      ),
    partners,
    deadlineMs,
  })
  .refine((settings) => settings.protocol !== 'json-rpc' || settings.user !== undefined, {
    path: ['user'],
    error: schemaText('USER_NEEDED'),
  });

export type OdooConfiguration = z.infer<typeof odooConfiguration>;

export function capabilitiesOf(
  configuration: OdooConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 0,
    finality: 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: 'in-currency',
    subledger: true,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    matchesPayments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: KEY_LENGTH_MAX,
    concurrency: CONCURRENCY,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
}
