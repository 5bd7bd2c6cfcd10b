// The settings of a connection to Business Central, what it can do by them, and everything that this adapter believes about Business Central.
// `verified`: read in Microsoft's documentation or source. `assumed`: neither says so. Change it here when a trial says otherwise.
import * as z from 'zod';
import { secretReference } from '../../domain/secret-reference.js';
import {
  books,
  deadlineMs,
  foreignWithDocuments,
  partners,
  serviceUrl,
  subledger,
} from '../config-schemas.js';
import type { ErpCapabilities, VatMode } from '../erp-adapter.js';

/** Verified (tables 81, 17 and 232): Code[20] for a document number, Code[10] for a batch, Text[100], Code[35]. */
export const DOCUMENT_NUMBER_LENGTH_MAX = 20;
export const BATCH_CODE_LENGTH = 10;
export const DESCRIPTION_LENGTH_MAX = 100;
export const EXTERNAL_DOCUMENT_NUMBER_LENGTH_MAX = 35;
export const CODE_LENGTH_MAX = 20;

/** Verified (tables 18 and 23): a longer text is refused, and the new customer with it. */
export const ADDRESS_LENGTH_MAX = 100;
export const CITY_LENGTH_MAX = 30;
export const EMAIL_LENGTH_MAX = 80;

/** Verified (operational limits): operations in one `$batch`. */
export const BATCH_OPERATIONS_MAX = 100;

/** Verified (operational limits): 6,000 requests in five minutes, five at once. A posting needs about eight requests. */
export const CONCURRENCY = 4;
export const REQUESTS_PER_SECOND = 2;

/** Verified (AL, IncStr): with "Increment Batch Name" the last number anywhere in a code is counted up, so ours have none. */
export const BATCH_CODE_START = 'LB';
export const BATCH_CODE_END = 'X';

/** Ours: a journal that could not be deleted after its post is in nobody's way, but there would be one a document. */
export const TIDY_UP_PAUSES_MS = [0, 250, 1_000] as const;

/** Verified (AL): the account type of a new line is G/L Account, so only the others are sent. */
export const SUBLEDGER_ACCOUNT_TYPES = { customer: 'Customer', supplier: 'Vendor' } as const;

/** Verified (generalLedgerSetup): a blank date is sent as the first day of year one. */
export const BLANK_DATE = '0001-01-01';

/**
 * Assumed: nothing on a ledger entry that the API shows names the customer, so the kennitala closes the description of
 * subledger lines, where people look for it as well, and is read back from there.
 */
export const KENNITALA_MARK = 'kt.';

/** Ours: how a journal is called until its dimensions are on it. Such a one is no draft of ours yet, but rubbish to replace. */
export const UNFINISHED_NAME = 'ledgerbridge, being made';
export const FINISHED_NAME = 'ledgerbridge';

/** Assumed: a job queue that has not posted a journal for half an hour has failed. */
export const SCHEDULED_MINUTES_MAX = 30;

/** Ours: entries show at once when posting is immediate; a few tries bridge a slow replica. */
export const READ_BACK_PAUSES_MS = [0, 200, 800] as const;

/** Ours: bounds on pages. */
export const ENTRIES_PAGE_SIZE = 500;
export const ENTRIES_PAGES_MAX = 10_000;
export const ACCOUNTS_MAX = 10_000;
export const JOURNALS_MAX = 500;

/** Verified (AL source): Code[35] for the external document number and both numbers of a vendor. */
export const MARK_LENGTH_MAX = 35;

/** Verified (enumerations in OData): a name with a space is written so. */
export function plainName(name: string): string {
  return name.replaceAll('_x0020_', ' ');
}

/** Verified (resource types): what the status of a posted document can be; `Draft` and `In Review` are not posted. */
export const POSTED_STATUSES: ReadonlySet<string> = new Set(['Open', 'Paid', 'Canceled', 'Corrective']);

/** Ours: Business Central reckons krónur by its own rates; one that is further off than this is an error in its table, or in the document. */
export const RATE_TOLERANCE = 0.01;

/** Ours: documents in one page of a list, and ledger entries of so many of them at a time. */
export const DOCUMENTS_PAGE_SIZE = 100;
export const DOCUMENTS_PAGES_MAX = 10_000;
export const NUMBERS_AT_ONCE = 20;

/** Ours: how often a draft is made anew when another process makes one of the same document at the same moment. */
export const DRAFT_TRIES_MAX = 5;
export const DRAFT_PAUSE_MS_MAX = 400;

/** Verified (operational limits), as above; a document needs about fourteen requests. */
export const DOCUMENTS_PER_SECOND = 1;

const guid = z.guid('must be a GUID such as 0f8fad5b-d9cb-469f-a165-70867728950e');

export const businessCentralConfiguration = z
  .strictObject({
    tenantId: guid.describe('Microsoft Entra tenant of the company.'),
    environment: z
      .string()
      .min(1)
      .default('Production')
      .describe('Name of the Business Central environment.'),
    companyId: guid.describe('Id of the company in that environment.'),
    companyName: z.string().min(1).describe('Its name, so that a mistaken id is noticed.'),
    clientId: guid.describe('Application (client) id of the registered app.'),
    clientSecret: secretReference.describe('Client secret of the registered app.'),
    posting: z
      .enum(['immediate', 'job-queue'])
      .default('immediate')
      .describe('job-queue when General Ledger Setup says "Post with Job Queue".'),
    dimensions: z
      .record(z.string(), z.string().min(1).max(CODE_LENGTH_MAX))
      .default({})
      .describe('Dimension in the rules → dimension code in Business Central.'),
    subledger,
    partners,
    partnersBy: z
      .enum(['number', 'taxRegistrationNumber'])
      .default('number')
      .describe('Field of customers and vendors that holds the kennitala.'),
    baseUrl: serviceUrl.default('https://api.businesscentral.dynamics.com'),
    loginUrl: serviceUrl.default('https://login.microsoftonline.com'),
    books,
    noVatGroup: z
      .string()
      .min(1)
      .max(CODE_LENGTH_MAX)
      .optional()
      .describe(
        'VAT product posting group without VAT; with `books: documents` lines without a VAT code have it.',
      ),
    foreignDocuments: foreignWithDocuments,
    deadlineMs,
  })
  .refine(
    ({ books: kept, subledger: { customers, suppliers } }) =>
      kept === 'journals' || (customers.length === 1 && suppliers.length === 1),
    {
      path: ['subledger'],
      error: 'must name one account of customers and one of suppliers with `books: documents`',
    },
  )
  .refine(({ books: kept, noVatGroup }) => kept === 'journals' || noVatGroup !== undefined, {
    path: ['noVatGroup'],
    error: 'must be named with `books: documents`: every line of a document has a VAT product posting group',
  })
  .refine(({ books: kept, foreignDocuments }) => kept === 'documents' || foreignDocuments !== 'in-currency', {
    path: ['foreignDocuments'],
    error: 'can be `in-currency` only with `books: documents`: journal lines of the API have no currency',
  });

export type BusinessCentralConfiguration = z.infer<typeof businessCentralConfiguration>;

// What this connection can do, by its settings and the tenant's rules.

const FOREIGN = {
  'in-isk': 'in-isk',
  'in-currency': 'documents-in-currency',
  refuse: 'none',
} as const;

export function capabilitiesOf(
  configuration: BusinessCentralConfiguration,
  vatMode: VatMode = 'explicit-lines',
): ErpCapabilities {
  const { books, foreignDocuments, posting, subledger } = configuration;
  const isDocuments = books === 'documents';
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 1_000,
    finality: posting === 'job-queue' ? 'async' : 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: Object.keys(configuration.dimensions).length > 0,
    foreignCurrency: FOREIGN[foreignDocuments],
    ...(foreignDocuments === 'in-currency' ? { foreignIskTolerance: RATE_TOLERANCE } : {}),
    subledger: subledger.customers.length + subledger.suppliers.length > 0,
    vatMode,
    splitsVat: true,
    makesDocuments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: DOCUMENT_NUMBER_LENGTH_MAX,
    concurrency: CONCURRENCY,
    requestsPerSecond: isDocuments ? DOCUMENTS_PER_SECOND : REQUESTS_PER_SECOND,
  };
}
