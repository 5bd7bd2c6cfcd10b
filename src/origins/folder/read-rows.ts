// Files of rows: CSV and what spreadsheets save. One row a line of an invoice, rows with the same reference are one invoice. A column that is
// not known is a problem of the file, a row that cannot be read one of its record; the other records are not held up by it.
import type { PlaceOfField } from '../content.js';
import { told, type Words } from '../told.js';
import {
  type CellReading,
  dayOrder,
  decimalSign,
  readCell,
  readDayCell,
  readNumber,
  readTable,
  type TextTable,
  type UnfitRow,
  type RawProblem,
  type RawReading,
  type RawRecord,
} from './read-table.js';
import {
  type CellKind,
  cellKind,
  CUSTOMER_COLUMNS,
  type Heading,
  LINE_COLUMNS,
  readHeading,
  type TableKind,
} from './columns.js';

/** Between the names of files in one cell: no name of a file has it on any system that people use. */
const FILES_BETWEEN = '|';

interface Row {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

export function readRows(text: string): RawReading {
  const table = readTable(text);
  if ('said' in table) return { records: [], problems: [{ line: 1, words: table }] };
  return readTableRows(table);
}

export function readTableRows(table: TextTable): RawReading {
  const heading = readHeading(table.header.cells);
  if ('said' in heading) return { records: [], problems: [{ line: table.header.line, words: heading }] };
  if (table.rows.length === 0 && table.unfit.length === 0)
    return { records: [], problems: [{ line: table.header.line, words: told('TABLE_EMPTY') }] };
  const { rows, unfit } = readCells(table, heading);
  const problems: RawProblem[] = unfit.map(({ line, words }) => ({ line, words }));
  const records = TABLES[heading.kind]({ rows, problems, unfit, heading }).map((record) => ({
    placeOf: placeIn(heading, [record.line]),
    ...record,
  }));
  return { records, problems };
}

/** By its column, as the file calls it; `lines`: the rows of the lines of a record. */
function placeIn({ kind, names }: Heading, lines: readonly number[]): PlaceOfField {
  return (path) => {
    const column = columnOf(kind, path.map(String));
    const row = path[0] === 'lines' ? lines[Number(path[1])] : undefined;
    return { field: names.get(column) ?? column, ...(row === undefined ? {} : { row }) };
  };
}

function columnOf(kind: TableKind, [first = '', second = '', third = '']: readonly string[]): string {
  if (first === 'lines') return third;
  if (first === 'customer')
    return Object.entries(CUSTOMER_COLUMNS).find(([, field]) => field === second)?.[0] ?? 'kennitala';
  return kind === 'invoices' && first === 'description' ? 'invoice_description' : first;
}

/** A row of which a number or a day can mean two things cannot be read. */
function readCells(
  table: TextTable,
  { kind, columns, names }: Heading,
): { readonly rows: readonly Row[]; readonly unfit: readonly UnfitRow[] } {
  const kinds = columns.map((column) => cellKind(kind, column));
  const allOf = (kind: CellKind) =>
    table.rows.flatMap(({ cells }) => cells.filter((_cell, index) => kinds[index] === kind));
  const decimal = decimalSign(allOf('number'), table.delimiter);
  const order = dayOrder(allOf('day'));
  const readAs = (kind: CellKind, cell: string): CellReading => {
    if (kind === 'number') return readNumber(cell, decimal);
    return kind === 'day' ? readDayCell(cell, order) : { value: readCell(kind, cell) };
  };
  const rows: Row[] = [];
  const unfit = [...table.unfit];
  for (const { line, cells } of table.rows) {
    const read: Record<string, string> = {};
    const unclear: Words[] = [];
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? '';
      const cellIs = kinds[index] ?? 'text';
      const reading = readAs(cellIs, cell);
      const code = cellIs === 'day' ? 'DAY_UNCLEAR' : 'NUMBER_UNCLEAR';
      if (reading === 'unclear')
        unclear.push(told(code, { column: names.get(column) ?? column, found: cell }));
      else read[column] = reading.value;
    }
    const [words] = unclear;
    if (words === undefined) rows.push({ line, cells: read });
    else unfit.push({ line, cells, words });
  }
  return { rows, unfit };
}

interface Table {
  readonly rows: readonly Row[];
  readonly unfit: readonly UnfitRow[];
  readonly heading: Heading;
  readonly problems: RawProblem[];
}

const TABLES: Readonly<Record<TableKind, (table: Table) => RawRecord[]>> = {
  invoices: invoicesOf,
  hours: ({ rows }) => rows.map(hoursOf),
  items: ({ rows }) => rows.map(itemOf),
  tasks: ({ rows }) => rows.map(taskOf),
  customers: ({ rows }) => rows.map(customerOf),
};

function hoursOf({ line, cells }: Row): RawRecord {
  const { reference = '', ...value } = filled(cells);
  return { kind: 'hours', reference, line, value };
}

function taskOf({ line, cells }: Row): RawRecord {
  const { reference = '', ...rest } = filled(cells);
  const { customer, value } = withCustomer(rest);
  return { kind: 'task', reference, line, value: { ...value, customer } };
}

function itemOf({ line, cells }: Row): RawRecord {
  const { item_number: reference = '', ...value } = filled(cells);
  return { kind: 'item', reference, line, value };
}

function withCustomer(cells: Readonly<Record<string, string>>) {
  const customer: Record<string, string> = {};
  const value: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    const field = CUSTOMER_COLUMNS[name];
    if (field === undefined) value[name] = cell;
    else customer[field] = cell;
  }
  return { customer, value };
}

function customerOf({ line, cells }: Row): RawRecord {
  const { kind = 'customer', ...fields } = filled(cells);
  return { kind, reference: fields['kennitala'] ?? '', line, value: fields };
}

function invoicesOf({ rows, problems, unfit, heading }: Table): RawRecord[] {
  const byReference = new Map<string, Row[]>();
  for (const row of rows) {
    const reference = row.cells['reference'] ?? '';
    if (reference === '') problems.push({ line: row.line, words: told('REFERENCE_MISSING') });
    else byReference.set(reference, [...(byReference.get(reference) ?? []), row]);
  }
  return [...byReference].flatMap(([reference, of]): RawRecord[] => {
    const lacks = unfit.find(({ cells }) => cells === null || cells.includes(reference));
    if (lacks !== undefined) {
      const words = told('RECORD_LACKS_ROW', { reference, line: lacks.line });
      problems.push({ line: of[0]?.line ?? 1, words });
      return [];
    }
    const head = headOf(of, problems, heading);
    if (head === null) return [];
    const placeOf = placeIn(
      heading,
      of.map(({ line }) => line),
    );
    return [{ ...invoiceOf(head, of), reference, placeOf }];
  });
}

/** What stands on the first row of an invoice holds for all of them; another row may repeat it or leave it empty. */
function headOf(
  rows: readonly Row[],
  problems: RawProblem[],
  { names: called }: Heading,
): Record<string, string> | null {
  const [first, ...others] = rows;
  if (!first) return null;
  const head = omit(filled(first.cells), LINE_COLUMNS);
  for (const { line, cells } of others) {
    const differs = Object.entries(omit(filled(cells), LINE_COLUMNS)).filter(
      ([name, value]) => head[name] !== value,
    );
    if (differs.length === 0) continue;
    const names = differs.map(([name]) => called.get(name) ?? name).join(', ');
    const words = told('ROW_DIFFERS', { names, reference: head['reference'] ?? '' });
    problems.push({ line, words });
    return null;
  }
  return head;
}

function invoiceOf(
  head: Readonly<Record<string, string>>,
  rows: readonly Row[],
): Omit<RawRecord, 'reference'> {
  const { kind = 'invoice', reference: _own, invoice_description: description, files, ...rest } = head;
  const { customer, value } = withCustomer(rest);
  if (description !== undefined) value['description'] = description;
  if (files !== undefined) value['files'] = files.split(FILES_BETWEEN).map((name) => name.trim());
  if (Object.keys(customer).length > 0) value['customer'] = customer;
  value['lines'] = rows.map(({ cells }) => pick(filled(cells), LINE_COLUMNS));
  return { kind, line: rows[0]?.line ?? 1, value };
}

/** An empty cell says nothing. */
function filled(cells: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== ''));
}

function omit(cells: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([name]) => !names.includes(name)));
}

function pick(cells: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([name]) => names.includes(name)));
}
