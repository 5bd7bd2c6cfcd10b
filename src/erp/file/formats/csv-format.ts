// Comma-separated, one row a line, quoted throughout, safe to open in a spreadsheet: a text that would start a formula is
// kept from it by an apostrophe.
import type { JournalJson } from '../../../domain/journal-json.js';
import type { LedgerRecord } from '../records.js';
import type { BookFormat } from './book-format.js';

type Line = JournalJson['lines'][number];

const COLUMNS: readonly [string, (record: LedgerRecord, line: Line) => string | undefined][] = [
  ['key', (record) => record.key],
  ['number', (record) => record.number],
  ['kind', (record) => record.kind],
  ['reverses', (record) => record.reverses],
  ['date', (record) => record.journal.postingDate],
  ['document_date', (record) => record.journal.documentDate],
  ['due_date', (record, line) => line.dueDate ?? record.journal.dueDate],
  ['document', (record) => record.journal.documentNo],
  ['reference', (record) => record.journal.externalReference],
  ['description', (record) => record.journal.description],
  ['account', (_record, line) => line.account],
  ['debit', (_record, line) => line.debit],
  ['credit', (_record, line) => line.credit],
  ['currency', (_record, line) => line.currency],
  ['currency_amount', (_record, line) => line.currencyAmount],
  ['vat_code', (_record, line) => line.vatCode],
  ['vat_base', (_record, line) => line.vatBase],
  ['counterparty', (_record, line) => line.counterparty],
  ['counterparty_name', (record, line) => nameOf(record.journal, line.counterparty)],
  ['dimensions', (_record, line) => dimensionText(line)],
  ['text', (_record, line) => line.text],
];

export function csvFormat(): BookFormat {
  return {
    extension: 'csv',
    head: row(COLUMNS.map(([name]) => name)),
    entry: (record) =>
      record.journal.lines.map((line) => row(COLUMNS.map(([, value]) => value(record, line) ?? ''))).join(''),
    main: () => null,
  };
}

function row(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMULA_START = /^[\s\p{Cc}]*[=+\-@|%]/u;

/** Quoted; a text that a spreadsheet would run as a formula gets an apostrophe, a number stays a number. */
export function cell(text: string): string {
  const shown = !NUMBER.test(text) && FORMULA_START.test(text) ? `'${text}` : text;
  return `"${shown.replace(/"/g, '""')}"`;
}

function dimensionText(line: Line): string {
  return Object.entries(line.dimensions ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
}

function nameOf({ party, parties }: JournalJson, kennitala: string | undefined): string | undefined {
  if (kennitala === undefined) return undefined;
  return party?.name ?? parties?.find((one) => one.kennitala === kennitala)?.name;
}
