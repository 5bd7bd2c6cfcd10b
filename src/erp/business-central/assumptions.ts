// Everything this adapter believes about Business Central, in one place. `verified`: read in Microsoft's documentation or
// in the published AL source of the API pages. `assumed`: neither says so. Change it here when a trial says otherwise.

/**
 * Verified (AL source of the page): a journal line's `taxCode` is its VAT product posting group, and it is read back from there. Assumed:
 * it is kept when a line is made; the draft is read before it is posted, and refused where it was not. That the amount is gross and VAT is
 * taken out when it is posted is how general journals work; the general posting type (sale or purchase) comes from the account.
 */
export const TAX_CODE_IS_VAT_GROUP = true;

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

/** Assumed: attachments of a posted entry are created below it; the documents list the navigation, not the call. */
export const ATTACHMENTS_BELOW_ENTRY = true;

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

/**
 * Recalled: when a draft is deleted to which posting had given a number already, Business Central posts an empty document under that number,
 * so that the series has no gap, and copies the head with our key. Nothing is owed on it, and that tells it from ours.
 */
export const EMPTY_DOCUMENT_FILLS_GAP = true;

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
