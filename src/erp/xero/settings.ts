// The settings of a connection to Xero, what it can do by them, and everything that this adapter believes about Xero. `Verified`: read in
// Xero's OpenAPI document or developer pages. `Assumed`: neither says so. Change it here when a trial says otherwise.
import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  books,
  deadlineMs,
  foreignWithDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';
import { schemaText } from '../told.js';

/** Verified: a key of up to 128 characters is held for six minutes, also when the answer was a 500. Ours: a minute less. */
export const NATIVE_KEY_LIFE_MS = 5 * 60 * 1000;
export const KEY_HELD_MS = 6 * 60 * 1000;

/**
 * Verified: connections made since March 2026 know only the scopes of single endpoints, older ones may know only the broad
 * one. Who asks for a scope that the connection does not have is refused as a whole, so the second is tried then.
 */
export const SCOPES = {
  journals: [
    'accounting.manualjournals accounting.settings.read accounting.attachments',
    'accounting.transactions accounting.settings.read accounting.attachments',
  ],
  documents: [
    'accounting.manualjournals accounting.invoices accounting.payments accounting.contacts accounting.settings.read accounting.attachments',
    'accounting.transactions accounting.contacts accounting.settings.read accounting.attachments',
  ],
} as const;

/** Assumed: the 400 for another body under a living key says so in these words. */
export const OTHER_BODY = /idempotency/i;

/** Verified: sixty calls a minute, five at once, five thousand a day, for each organisation. */
export const CONCURRENCY = 4;
export const REQUESTS_PER_SECOND = 1;

/** Verified: at most two tracking categories on a line. */
export const TRACKING_MAX = 2;

/** Assumed: no length is published; these keep lists readable. */
export const NARRATION_LENGTH_MAX = 250;
export const DESCRIPTION_LENGTH_MAX = 250;

/** Verified: bank accounts and these system accounts are refused in manual journals. */
export const CLOSED_TO_JOURNALS = ['DEBTORS', 'CREDITORS'] as const;

/**
 * Assumed (recalled of the OpenAPI document): a journal with `Inclusive` amounts has VAT taken out by the TaxType of each line, which is shown as TaxAmount; lines
 * without VAT say NONE. The account of the VAT is not shown, so the entry that is read back names it so.
 */
export const NO_TAX_TYPE = 'NONE';
export const VAT_ACCOUNT = 'VAT';

/** Verified: with a page, lines come along. Ours: bounds. */
export const PAGE_SIZE = 100;
export const LIST_PAGES_MAX = 1_000;

/** Assumed: `where` takes Contains on a narration, as it does on other texts. */
export const narrationContains = (key: string): string => `Narration.Contains("${key}")`;

/** Verified (developer pages): days in a filter. */
export const daysBetween = (from: string, to: string): string =>
  `Date>=${dateTime(from)} AND Date<=${dateTime(to)}`;

function dateTime(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `DateTime(${year ?? 0}, ${month ?? 0}, ${date ?? 0})`;
}

/** Verified: a number of 255 characters, unique for sales (invoices, and credit notes among themselves) and not for bills. Names likewise. */
export const NUMBER_LENGTH_MAX = 255;
export const NAME_LENGTH_MAX = 255;

/** Verified (OpenAPI example): what a sale with a number that another one has is told. Assumed for credit notes. */
export const NUMBER_TAKEN = /(invoice|credit note) (#|number) ?must be unique/i;

/** Verified (OpenAPI example): what a new contact with the name of another active one is told. */
export const NAME_TAKEN = /contact name .* already assigned/i;

/** Verified: "max length = [18].[6]". Assumed (by the examples of payments): currency for one of the base currency. */
export const CURRENCY_RATE_DECIMALS = 6;

/** Ours: six decimals are half a millionth of a króna for one of the currency, at 200 krónur for it one part in ten thousand. */
export const ISK_TOLERANCE = 0.0001;

/** Assumed: texts of a filter stand in double quotes, and there is no way to write one inside. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '')}"`;

const numberField = { Invoices: 'InvoiceNumber', CreditNotes: 'CreditNoteNumber' } as const;

/** Assumed: Contains on texts, guarded against those that are empty, as in the examples of the developer pages. */
export const documentMarked = (list: keyof typeof numberField, mark: string): string =>
  ['Reference', numberField[list]]
    .map((field) => `(${field}!=null AND ${field}.Contains(${quoted(mark)}))`)
    .join(' OR ');

/** Assumed: StartsWith as Contains, and the type of an invoice beside it. */
export const billsNumbered = (number: string): string =>
  `Type=="ACCPAY" AND InvoiceNumber!=null AND InvoiceNumber.StartsWith(${quoted(number)})`;

export const documentNumbered = (list: keyof typeof numberField, number: string): string =>
  `${numberField[list]}==${quoted(number)}`;

const accountCodes = z.record(z.string().min(1), z.string().min(1)).default({});

export const xeroConfiguration = z
  .strictObject({
    tenantId: z
      .guid('must be a GUID: the id of the connected organisation')
      .describe('Value of xero-tenant-id.'),
    company: kennitala.describe(
      "Kennitala of the company; compared with the organisation's registration number and tax number.",
    ),
    taxNumber: z
      .string()
      .min(1)
      .optional()
      .describe('Tax ID number that Xero shows for the organisation, where that is not the kennitala.'),
    clientId: z.string().min(1).describe('Client id of the custom connection.'),
    clientSecret: secretReference.describe('Client secret of the custom connection.'),
    clearingAccounts: accountCodes
      .refine((accounts) => new Set(Object.values(accounts)).size === Object.keys(accounts).length, {
        error: schemaText('CLEARING_ACCOUNTS_SHARED'),
      })
      .describe(
        'Account in the rules → Xero account that stands in for it, for receivables, payables and banks.',
      ),
    dimensions: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe('Dimension in the rules → tracking category in Xero.'),
    baseUrl: serviceUrl.default('https://api.xero.com'),
    identityUrl: serviceUrl.default('https://identity.xero.com'),
    books,
    subledger,
    partners,
    foreignDocuments: foreignWithDocuments,
    deadlineMs,
  })
  .refine(
    ({ books: kept, subledger: { customers, suppliers } }) =>
      kept === 'journals' || (customers.length === 1 && suppliers.length === 1),
    {
      path: ['subledger'],
      error: schemaText('SUBLEDGER_INCOMPLETE'),
    },
  )
  .refine(
    ({ books: kept, subledger: { customers, suppliers }, clearingAccounts }) =>
      kept === 'journals' || [...customers, ...suppliers].every((account) => account in clearingAccounts),
    {
      path: ['clearingAccounts'],
      error: schemaText('CLEARING_ACCOUNT_NEEDED'),
    },
  )
  .refine(({ books: kept, foreignDocuments }) => kept === 'documents' || foreignDocuments !== 'in-currency', {
    path: ['foreignDocuments'],
    error: schemaText('CURRENCY_NEEDS_DOCUMENTS'),
  });

export type XeroConfiguration = z.infer<typeof xeroConfiguration>;

const FOREIGN = {
  'in-isk': 'in-isk',
  'in-currency': 'documents-in-currency',
  refuse: 'none',
} as const;

export function capabilitiesOf(
  configuration: XeroConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  return {
    idempotency: 'native-key',
    nativeKeyLifeMs: NATIVE_KEY_LIFE_MS,
    lookUp: 'posted-and-draft',
    lookUpLagMs: 2_000,
    finality: 'posted',
    atomicPost: true,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: FOREIGN[configuration.foreignDocuments],
    ...(configuration.foreignDocuments === 'in-currency' ? { foreignIskTolerance: ISK_TOLERANCE } : {}),
    subledger: configuration.books === 'documents',
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    matchesPayments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: 128,
    concurrency: CONCURRENCY,
    requestsPerSecond: REQUESTS_PER_SECOND,
  };
}
