// What an account is: the five classes that every set of books knows. Plain-text accounting writes them before the account.
export const ACCOUNT_CLASSES = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'] as const;
export type AccountClass = (typeof ACCOUNT_CLASSES)[number];

/** Account → its class. */
export type AccountClasses = Readonly<Record<string, AccountClass>>;
