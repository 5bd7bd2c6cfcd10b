// A list is declared once: its filters, its columns, and which of them each surface shows (document-list.ts).
import type { Fields } from './fields.js';

export interface Column<Row> {
  readonly value: (row: Row) => string;
  /** Put together for people from other columns; the CSV file has all columns but these, in the order of the declaration. */
  readonly derived?: boolean;
  /** Heading in the table of the command line. */
  readonly heading?: string;
  readonly isMoney?: boolean;
  /** A click on the heading of the page sorts by it. */
  readonly sorts?: string;
}

export interface List<Row> {
  readonly filters: Fields;
  /** Order and place. */
  readonly paging: Fields;
  readonly columns: Readonly<Record<string, Column<Row>>>;
  /** Columns of the command line, and of the page; each of these has a heading in every language of the dashboard. */
  readonly cli: readonly string[];
  readonly page: readonly string[];
}

export function csvColumns<Row>(columns: Readonly<Record<string, Column<Row>>>) {
  return Object.entries(columns).filter(([, { derived }]) => !derived);
}
