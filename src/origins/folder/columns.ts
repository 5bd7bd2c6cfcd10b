// The columns of files of rows, in the names of the API documents and in Icelandic. What a file is about is told by its columns.
import { told, type Words } from '../told.js';

export const LINE_COLUMNS: readonly string[] = [
  ...['item_number', 'description', 'qty', 'uom', 'unit_price', 'tax', 'discount', 'discount_type'],
];

export const CUSTOMER_COLUMNS: Readonly<Record<string, string>> = {
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
  ...['cost_provide', 'terms', 'amount', 'is_claim', 'is_payment_link', 'mark_paid', 'method_payment'],
  ...['credit_of', 'ref_invoice_guid', 'invoice_description', 'files'],
  ...['customer_guid', 'discount_value', 'is_discount', 'payment_fee'],
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
  ...['term', 'photo', 'is_claim', 'is_discount'],
];
const TASK_COLUMNS = ['reference', 'name', 'description', 'unit_price', 'tax', 'uom', 'category'];
const ITEM_COLUMNS = ['item_number', 'description', 'unit_price', 'tax', 'uom', 'category', 'active'];
const HOURS_COLUMNS = ['reference', 'task', 'date', 'from', 'to', 'description', 'deleted'];

/** What an Icelandic name may mean: the first of them that the file can have. */
const ICELANDIC: Readonly<Record<string, readonly string[]>> = {
  tegund: ['kind'],
  tilvísun: ['reference'],
  tilvísunarnúmer: ['reference'],
  pöntunarnúmer: ['reference'],
  nafn: ['customer_name', 'name'],
  nafn_viðskiptavinar: ['customer_name', 'name'],
  viðskiptavinur: ['customer_name', 'name'],
  greiðandi: ['customer_name', 'name'],
  netfang: ['customer_email', 'email'],
  heimilisfang: ['customer_address', 'address'],
  póstnúmer: ['customer_zip', 'zip'],
  staður: ['customer_city', 'city'],
  sveitarfélag: ['customer_city', 'city'],
  sími: ['customer_phone_number', 'phone_number'],
  símanúmer: ['customer_phone_number', 'phone_number'],
  tungumál: ['customer_lang', 'lang'],
  vsk_númer: ['vat'],
  vsknúmer: ['vat'],
  gjaldmiðill: ['currency'],
  mynt: ['currency'],
  útgáfudagur: ['issue_date'],
  útgáfudagsetning: ['issue_date'],
  dagsetning: ['issue_date', 'date'],
  dagur: ['issue_date', 'date'],
  gjalddagi: ['due_date'],
  eindagi: ['settlement_date'],
  afhendingardagur: ['delivery_date'],
  afhending: ['delivery_date'],
  skýring_reiknings: ['invoice_description'],
  athugasemd: ['invoice_description', 'description'],
  athugasemdir: ['invoice_description', 'description'],
  bókun: ['booking'],
  skilmálar: ['terms'],
  upphæð: ['amount'],
  samtals: ['amount'],
  krafa: ['is_claim'],
  greiðslutengill: ['is_payment_link'],
  greitt: ['mark_paid'],
  greiðslumáti: ['method_payment'],
  kreditreikningur_fyrir: ['credit_of'],
  fylgiskjöl: ['files'],
  vörunúmer: ['item_number'],
  vörunr: ['item_number'],
  lýsing: ['description'],
  skýring: ['description'],
  vara: ['description'],
  magn: ['qty'],
  fjöldi: ['qty'],
  eining: ['uom'],
  mælieining: ['uom'],
  einingaverð: ['unit_price'],
  einingarverð: ['unit_price'],
  verð: ['unit_price'],
  vsk: ['tax'],
  virðisaukaskattur: ['tax'],
  vsk_flokkur: ['tax'],
  afsláttur: ['discount'],
  tegund_afsláttar: ['discount_type'],
  flokkur: ['category'],
  vöruflokkur: ['category'],
  virk: ['active'],
  virkt: ['active'],
  heiti: ['name', 'description'],
  verk: ['task'],
  verkefni: ['task'],
  frá: ['from'],
  til: ['to'],
  eytt: ['deleted'],
};

export type TableKind = 'invoices' | 'customers' | 'items' | 'hours' | 'tasks';

const COLUMNS: Readonly<Record<TableKind, readonly string[]>> = {
  invoices: [...INVOICE_COLUMNS, ...LINE_COLUMNS, ...Object.keys(CUSTOMER_COLUMNS)],
  customers: OWN_COLUMNS,
  items: ITEM_COLUMNS,
  hours: HOURS_COLUMNS,
  tasks: [...TASK_COLUMNS, ...Object.keys(CUSTOMER_COLUMNS)],
};
const KNOWN: ReadonlySet<string> = new Set([...Object.values(COLUMNS).flat(), ...Object.keys(ICELANDIC)]);

function plain(written: string): string {
  return written
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[.:]$/, '')
    .replaceAll(/[\s-]+/g, '_');
}

/** How many of these are names that some file has. */
export function countKnown(header: readonly string[]): number {
  return header.filter((name) => KNOWN.has(plain(name))).length;
}

export interface Heading {
  readonly kind: TableKind;
  /** The column of each cell. */
  readonly columns: readonly string[];
  /** What the file calls each of them. */
  readonly names: ReadonlyMap<string, string>;
}

/** Words: a column is not known, or is there twice. */
export function readHeading(header: readonly string[]): Heading | Words {
  const plains = header.map(plain);
  const may = new Set(plains.flatMap((name) => ICELANDIC[name] ?? [name]));
  const kind = kindOf(may);
  const known = COLUMNS[kind];
  const columns = plains.map((name) =>
    known.includes(name) ? name : ICELANDIC[name]?.find((meant) => known.includes(meant)),
  );
  const asShown = header.map(shown);
  const unknown = asShown.filter((_name, index) => columns[index] === undefined);
  if (unknown.length > 0)
    return told('NO_SUCH_COLUMN', { columns: unknown.join(', '), allowed: known.join(', ') });
  const named = columns.filter((column) => column !== undefined);
  const twice = named.find((column, index) => named.indexOf(column) !== index);
  const names = new Map(named.map((column, index) => [column, asShown[index] ?? column]));
  if (twice === undefined) return { kind, columns: named, names };
  const both = asShown.filter((_name, index) => columns[index] === twice);
  return told('COLUMN_TWICE', { columns: [...new Set(both)].join(', ') });
}

/** A cell of the header without a name has a place. */
function shown(name: string, index: number): string {
  return name.trim() === '' ? `(${String(index + 1)})` : name.trim().slice(0, 60);
}

function kindOf(names: ReadonlySet<string>): TableKind {
  if (names.has('qty')) return 'invoices';
  if (names.has('task')) return 'hours';
  if (names.has('item_number')) return 'items';
  return names.has('unit_price') ? 'tasks' : 'customers';
}

const NUMBERS: Readonly<Record<TableKind, readonly string[]>> = {
  invoices: ['qty', 'unit_price', 'discount', 'amount', 'method_payment', 'discount_value', 'payment_fee'],
  customers: ['due_date', 'settlement_date'],
  items: ['unit_price'],
  hours: [],
  tasks: ['unit_price'],
};
const DAYS: Readonly<Record<TableKind, readonly string[]>> = {
  invoices: ['issue_date', 'due_date', 'settlement_date', 'delivery_date'],
  customers: [],
  items: [],
  hours: ['date'],
  tasks: [],
};
const YES_OR_NO = [
  'is_claim',
  'is_discount',
  'is_payment_link',
  'mark_paid',
  'discount_type',
  'tax_exempt',
  'active',
  'deleted',
];

export type CellKind = 'number' | 'day' | 'yes-or-no' | 'tax' | 'text';

export function cellKind(table: TableKind, column: string): CellKind {
  if (NUMBERS[table].includes(column)) return 'number';
  if (DAYS[table].includes(column)) return 'day';
  if (YES_OR_NO.includes(column)) return 'yes-or-no';
  return column === 'tax' ? 'tax' : 'text';
}
