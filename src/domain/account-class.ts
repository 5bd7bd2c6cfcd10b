// What an account is: the five classes that every set of books knows. Plain-text accounting writes them before the account.
export const ACCOUNT_CLASSES = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'] as const;
export type AccountClass = (typeof ACCOUNT_CLASSES)[number];

/** Account → its class. */
export type AccountClasses = Readonly<Record<string, AccountClass>>;

// Who works out the VAT of a document. `explicit-lines`: the journal, VAT has lines of its own. `erp-splits`: the ERP, from a code on
// gross lines.
export const VAT_MODES = ['explicit-lines', 'erp-splits'] as const;
export type VatMode = (typeof VAT_MODES)[number];
