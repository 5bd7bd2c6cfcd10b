// Rows on a page, and their order. A file of its own: the command line wants them when it starts, and not the schemas.
export const PAGE_MAX = 500;
export const PAGE_DEFAULT = 50;

/** By discovery or issue date, newest first, or by amount, largest first; `-up`: the other way round. */
export const DOCUMENT_ORDERS = ['found', 'issued', 'issued-up', 'amount', 'amount-up'] as const;
export type DocumentOrder = (typeof DOCUMENT_ORDERS)[number];
