// The accounting status of a document at the source. Document 1, "States and transitions".
export const ACCOUNTING_STATUSES = ['New', 'Created', 'Posted', 'Skipped', 'Error'] as const;

/** What the API accepts from us; New and Created are the service's own. */
export const WRITABLE_STATUSES = ['Posted', 'Skipped', 'Error'] as const;
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];

/** Rule of update-cost; we hold invoices to the same. Counted in characters and in bytes, as the unit is unstated. */
export const ACCOUNTING_MESSAGE_MAX = 500;
