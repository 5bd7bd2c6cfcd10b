// CSV of invoices and customers: one row a line of an invoice, rows with the same reference are one invoice. A column that is not known
// is a problem of the file, a row that cannot be read one of its record; the other records are not held up by it.
import { CsvError, parse } from 'csv-parse/sync';
import { told, type Words } from '../told.js';
import type { RawProblem, RawReading, RawRecord } from './raw-record.js';

const LINE_COLUMNS = [
  'item_number',
  'description',
  'qty',
  'uom',
  'unit_price',
  'tax',
  'discount',
  'discount_type',
];
const CUSTOMER_COLUMNS: Readonly<Record<string, string>> = {
  kennitala: 'kennitala',
  customer_name: 'name',
  customer_email: 'email',
  customer_address: 'address',
  customer_zip: 'zip',
  customer_city: 'city',
  customer_phone_number: 'phone_number',
  customer_output_select: 'output_select',
  customer_trading_partner_id: 'trading_partner_id',
  customer_lang: 'lang',
};
const INVOICE_COLUMNS = [
  ...[
    'kind',
    'reference',
    'currency',
    'issue_date',
    'due_date',
    'settlement_date',
    'delivery_date',
    'booking',
  ],
  ...[
    'cost_provide',
    'terms',
    'amount',
    'is_claim',
    'is_payment_link',
    'mark_paid',
    'method_payment',
    'credit_of',
  ],
  ...['ref_invoice_guid', 'invoice_description', 'files'],
];
const OWN_COLUMNS = [
  ...[
    'kind',
    'kennitala',
    'name',
    'email',
    'address',
    'zip',
    'city',
    'phone_number',
    'vat',
    'lang',
    'currency',
  ],
  ...['output_select', 'trading_partner_id', 'due_date', 'settlement_date', 'tax_exempt'],
];

const TASK_COLUMNS = ['reference', 'name', 'description', 'unit_price', 'tax', 'uom', 'category'];
const ITEM_COLUMNS = ['item_number', 'description', 'unit_price', 'tax', 'uom', 'category', 'active'];
const HOURS_COLUMNS = ['reference', 'task', 'date', 'from', 'to', 'description', 'deleted'];

/** Between the names of files in one cell: no name of a file has it on any system that people use. */
const FILES_BETWEEN = '|';

interface Row {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

export function readRows(text: string): RawReading {
  const problems: RawProblem[] = [];
  let rows: Row[];
  try {
    rows = rowsOf(text, problems);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records: [], problems: [{ line: 1, words: unreadable(error) }] };
  }
  const [first] = rows;
  if (!first) return { records: [], problems };
  const { columns, read } = tableOf(first.cells);
  const unknown = Object.keys(first.cells).filter((name) => !columns.includes(name));
  if (unknown.length > 0)
    return {
      records: [],
      problems: [{ line: 1, words: told('NO_SUCH_COLUMN', { columns: unknown.join(', ') }) }],
    };
  return { records: read(rows, problems), problems };
}

interface Table {
  readonly columns: readonly string[];
  readonly read: (rows: readonly Row[], problems: RawProblem[]) => RawRecord[];
}

/** What a file is about is told by its columns. */
function tableOf(cells: Readonly<Record<string, string>>): Table {
  const customer = Object.keys(CUSTOMER_COLUMNS);
  if ('qty' in cells)
    return { columns: [...INVOICE_COLUMNS, ...LINE_COLUMNS, ...customer], read: invoicesOf };
  if ('task' in cells) return { columns: HOURS_COLUMNS, read: (rows) => rows.map(hoursOf) };
  if ('item_number' in cells) return { columns: ITEM_COLUMNS, read: (rows) => rows.map(itemOf) };
  if ('unit_price' in cells)
    return { columns: [...TASK_COLUMNS, ...customer], read: (rows) => rows.map(taskOf) };
  return { columns: OWN_COLUMNS, read: (rows) => rows.map(customerOf) };
}

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

function rowsOf(text: string, problems: RawProblem[]): Row[] {
  const parsed = parse(text, {
    bom: true,
    columns: (header: readonly string[]) => header.map((name) => name.trim().toLowerCase()),
    delimiter: [',', ';', '\t'],
    info: true,
    trim: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) problems.push({ line: Number(error['lines'] ?? 1), words: unreadable(error) });
      return undefined;
    },
  }) as unknown as { info: { lines: number }; record: Record<string, string> }[];
  return parsed.map(({ info, record }) => ({ line: info.lines, cells: record }));
}

function unreadable(error: CsvError): Words {
  switch (error.code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return told('ROW_CELLS', { cells: countOf(error['record']), columns: countOf(error['columns']) });
    case 'CSV_QUOTE_NOT_CLOSED':
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return told('ROW_QUOTES');
    default:
      return told('FILE_NO_CSV', { why: error.message });
  }
}

function countOf(cells: unknown): number {
  return Array.isArray(cells) ? cells.length : 0;
}

function customerOf({ line, cells }: Row): RawRecord {
  const { kind = 'customer', ...fields } = filled(cells);
  return { kind, reference: fields['kennitala'] ?? '', line, value: fields };
}

function invoicesOf(rows: readonly Row[], problems: RawProblem[]): RawRecord[] {
  const byReference = new Map<string, Row[]>();
  for (const row of rows) {
    const reference = row.cells['reference'] ?? '';
    if (reference === '') problems.push({ line: row.line, words: told('REFERENCE_MISSING') });
    else byReference.set(reference, [...(byReference.get(reference) ?? []), row]);
  }
  return [...byReference].flatMap(([reference, of]): RawRecord[] => {
    const head = headOf(of, problems);
    return head === null ? [] : [{ ...invoiceOf(head, of), reference }];
  });
}

/** What stands on the first row of an invoice holds for all of them; another row may repeat it or leave it empty. */
function headOf(rows: readonly Row[], problems: RawProblem[]): Record<string, string> | null {
  const [first, ...others] = rows;
  if (!first) return null;
  const head = omit(filled(first.cells), LINE_COLUMNS);
  for (const { line, cells } of others) {
    const differs = Object.entries(omit(filled(cells), LINE_COLUMNS)).filter(
      ([name, value]) => head[name] !== value,
    );
    if (differs.length === 0) continue;
    const names = differs.map(([name]) => name).join(', ');
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
