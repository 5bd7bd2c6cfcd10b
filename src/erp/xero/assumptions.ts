// Everything this adapter believes about Xero, in one place. `verified`: read in Xero's OpenAPI document or developer
// pages. `assumed`: neither says so. Change it here when a trial says otherwise.

/** Verified: a key of up to 128 characters is held for six minutes, also when the answer was a 500. Ours: a minute less. */
export const NATIVE_KEY_LIFE_MS = 5 * 60 * 1000;
export const KEY_HELD_MS = 6 * 60 * 1000;

/**
 * Verified: connections made since March 2026 know only the scopes of single endpoints, older ones may know only the broad
 * one. Who asks for a scope that the connection does not have is refused as a whole, so the second is tried then.
 */
export const SCOPES = [
  'accounting.manualjournals accounting.settings.read accounting.attachments',
  'accounting.transactions accounting.settings.read accounting.attachments',
] as const;

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

/** Assumed: status alone may be sent to change a draft. */
export const STATUS_ALONE = true;
