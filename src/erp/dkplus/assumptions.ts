// Everything this adapter believes about dkPlus, in one place. `verified`: read in dk's swagger document or examples.
// `assumed`: the documents are silent; the safest reading was taken. Change it here when a trial says otherwise.

/** Verified: the swagger's model of a journal takes a code and lines; four characters is what dk's journal codes have. */
export const JOURNAL_CODE_LENGTH_MAX = 4;

/**
 * Assumed: the swagger names the posting switches `Option`, dk's own examples say `Options`. Both are sent; a service that
 * ignores unknown fields takes the one it knows, and the read-back notices when neither was taken.
 */
export const POSTING_SWITCHES = ['Option', 'Options'] as const;

/** Assumed: no length is published. Twenty characters are what our keys need; texts are cut rather than refused. */
export const REFERENCE_LENGTH_MAX = 20;
export const TEXT_LENGTH_MAX = 40;

/** Assumed: customers and vendors are numbered by kennitala, which is dk's habit. */
export const PARTNER_NUMBER_IS_KENNITALA = true;

/**
 * Verified: a line may name its voucher. Assumed: an existing one may be named again. A reversal is booked under the voucher
 * of what it undoes, which is how the two are seen together, by a person in dk and by the adapter.
 */
export const REVERSAL_SHARES_VOUCHER = true;

/**
 * Verified (transactions have TaxCode and TaxPercent): an account with a VAT code takes gross amounts. Assumed: the transaction that dk
 * makes for the VAT has the reference, the text and the voucher of the line that it was taken from.
 */
export const VAT_SHARES_REFERENCE = true;

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

/** Verified: the answer to a journal is empty, so it is read back. Assumed: it shows within a second. */
export const READ_BACK_PAUSES_MS = [0, 200, 800] as const;

/** Assumed: no limits are published. Few and slow is polite. */
export const CONCURRENCY = 2;
export const REQUESTS_PER_SECOND = 4;
