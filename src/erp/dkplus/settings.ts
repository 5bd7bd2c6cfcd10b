// The settings of a connection to dkPlus, what it can do by them, and everything that this adapter believes about dkPlus.
// `Verified`: read in dk's swagger document or examples. `Assumed`: the documents are silent; the safest reading was taken.
import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import { deadlineMs, kennitala, partners, serviceUrl, subledger } from '../config-schemas.js';
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';

/** Verified: the swagger's model of a journal takes a code and lines; four characters is what dk's journal codes have. */
export const JOURNAL_CODE_LENGTH_MAX = 4;

/** Assumed: no length is published. Twenty characters are what our keys need; texts are cut rather than refused. */
export const REFERENCE_LENGTH_MAX = 20;
export const TEXT_LENGTH_MAX = 40;

/**
 * Verified: a line has a currency and no rate, a transaction shows both; dk's table of currencies has one rate each, without a day.
 * Assumed: the amount of such a line is in its currency, and dk reckons the krónur by that table. Ours: further off than this, the
 * document goes in ISK instead.
 */
export const RATE_TOLERANCE = 0.01;

/**
 * Verified (swagger document, dk's examples): a supplier invoice takes a reference, a currency with its rate, lines on accounts and files;
 * those that nobody has booked are listed whole, with their reference and lines. Assumed: what is booked of one has the reference of the
 * invoice on its transactions, in the ledger or at least with the supplier; it is booked on the date of the invoice; `Expenses` takes any
 * account of the ledger; the amounts of its lines come to the amount of the invoice.
 */
export const INVOICE_LINE_TYPE = 'Expenses';

/** Verified (dk's examples): a description and a text of an invoice have so much room. */
export const INVOICE_TEXT_LENGTH_MAX = 2_000;

/** Verified: `GET /generalledger/transaction/page/{page}/{count}` takes a reference; 100 is its default page. */
export const PAGE_SIZE = 100;
/** Ours: 50 pages are 5,000 transactions under one look-up, far beyond any one entry. */
export const LOOK_UP_PAGES_MAX = 50;
export const LIST_PAGES_MAX = 10_000;

/**
 * Verified: transactions can be filtered by when they were created, not by their journal date. Assumed: nobody books more
 * than ninety days ahead, so a period's entries were created at most that long before it.
 */
export const BOOKED_AHEAD_DAYS = 90;

/** Assumed: no limits are published. Few and slow is polite. */
export const CONCURRENCY = 2;
export const REQUESTS_PER_SECOND = 4;

export const dkPlusConfiguration = z
  .strictObject({
    baseUrl: serviceUrl.default('https://api.dkplus.is/api/v1').describe('Where dkPlus is served.'),
    token: secretReference.describe('The API token that dkPlus shows under its settings (a GUID).'),
    company: kennitala.describe(
      'Kennitala of the company whose books these are; another company is refused.',
    ),
    journalCode: z
      .string()
      .min(1)
      .max(JOURNAL_CODE_LENGTH_MAX, `must have at most ${JOURNAL_CODE_LENGTH_MAX} characters`)
      .default('EINV')
      .describe('Code of the journal that entries are booked through.'),
    dim1: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim1.'),
    dim2: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim2.'),
    dim3: z.string().min(1).optional().describe('Name of the dimension in the rules that goes into Dim3.'),
    subledger,
    partners,
    customerGroup: z.string().min(1).optional().describe('dk customer group of customers that are created.'),
    foreignDocuments: z
      .enum(['in-isk', 'in-currency', 'refuse'])
      .default('in-isk')
      .describe(
        "Documents in another currency: in-isk books them in ISK with the foreign amount in the texts; in-currency books their lines in their currency where dk's own rate is the document's, within one part in a hundred, and otherwise as in-isk; refuse parks them.",
      ),
    supplierInvoices: z
      .enum(['journals', 'approval'])
      .default('journals')
      .describe(
        'approval: costs on account become supplier invoices in dk, with their file, which people there approve and book. journals: they are booked at once.',
      ),
    deadlineMs,
  })
  .refine(
    ({ supplierInvoices, subledger: { suppliers } }) =>
      supplierInvoices === 'journals' || suppliers.length > 0,
    {
      path: ['subledger', 'suppliers'],
      error: 'must name the account of the suppliers with `supplierInvoices: approval`',
    },
  );

export type DkPlusConfiguration = z.infer<typeof dkPlusConfiguration>;

export type DkDimensionField = 'Dim1' | 'Dim2' | 'Dim3';
export type DimensionSettings = Pick<DkPlusConfiguration, 'dim1' | 'dim2' | 'dim3'>;

/** dk's dimensions that are used, each with the name that the rules have for it. */
export function dimensionNames(settings: DimensionSettings): readonly [DkDimensionField, string][] {
  const { dim1, dim2, dim3 } = settings;
  const all = [['Dim1', dim1] as const, ['Dim2', dim2] as const, ['Dim3', dim3] as const];
  return all.flatMap(([field, name]) => (name === undefined ? [] : [[field, name]]));
}

const FOREIGN = { 'in-isk': 'in-isk', 'in-currency': 'documents-in-currency', refuse: 'none' } as const;

export function capabilitiesOf(
  configuration: DkPlusConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  const { subledger, foreignDocuments, supplierInvoices } = configuration;
  const isApproved = supplierInvoices === 'approval';
  return {
    idempotency: 'none',
    // Journals that were saved and not posted are listed nowhere, so that nothing proves an absence.
    lookUp: 'posted',
    lookUpLagMs: 2_000,
    finality: isApproved ? 'draft' : 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: false,
    ...(isApproved ? { filesWithPost: true } : {}),
    dimensions: dimensionNames(configuration).length > 0,
    foreignCurrency: FOREIGN[foreignDocuments],
    ...(foreignDocuments === 'in-currency' ? { foreignIskTolerance: RATE_TOLERANCE } : {}),
    subledger: subledger.customers.length + subledger.suppliers.length > 0,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    reverse: true,
    keyLengthMax: REFERENCE_LENGTH_MAX,
    concurrency: CONCURRENCY,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
}
