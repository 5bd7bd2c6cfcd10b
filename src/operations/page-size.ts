// Rows on a page. A file of its own: the command line wants the numbers when it starts, and not the schemas.
export const PAGE_MAX = 500;
export const PAGE_DEFAULT = 50;
