// What an ERP must be able to do to be an origin: list what changed, read it as records, be told. Each ERP does it in its own folder (`src/erp/*/origin`).
import type { Told as Words } from '../domain/message.js';
import type { SubmissionKind } from '../domain/submission.js';
import { told } from './told.js';
import { type OriginProblem, type OriginRecord, problemAt, type Told } from './origin.js';
import { contentText, readContent } from './content.js';
import { goesWith } from './file-patterns.js';
import { Decimal } from '../domain/money.js';
import type { ErpHand } from './origin-settings.js';

/** One thing of the ERP that was changed. */
export interface Listed {
  readonly id: string;
  /** When, by the ERP's clock: ISO without a zone, so that text sorts as time. */
  readonly at: string;
  /** Where the list goes on after it. */
  readonly position: string;
}

/** What one thing became. An invoice comes after its customer; what is none of ours becomes nothing. */
export interface Reading {
  readonly id: string;
  readonly records: readonly OriginRecord[];
  readonly problems: readonly OriginProblem[];
  /** Its place: the problems given here are all that it has. */
  readonly looked: string;
}

/** The things of one kind, in an order of their own that a page can be continued in. */
export interface ErpFeed {
  /** In the cursor, so it never changes. */
  readonly name: string;
  readonly kinds: readonly SubmissionKind[];
  /** What else its records are made of. Where that has changed everything is read again, which changes nothing of what is the same. */
  readonly basis?: string;
  /** Its stamps are to the second: what has the newest one may have changed again under it. */
  readonly isCoarse?: true;
  /** Changed at `since` or later, behind `after`; null: from the beginning. */
  list(since: string | null, after: string | null): Promise<ErpPage>;
  read(ids: readonly string[]): Promise<readonly Reading[]>;
  /** The id of what is called so; null: it is not there. */
  find(reference: string): Promise<string | null>;
}

export interface ErpPage {
  readonly entries: readonly Listed[];
  /** There are more behind the last one. */
  readonly isFull: boolean;
}

/** Something that people have put beside a document. */
export interface ErpFile {
  /** The document that it stands beside, by the id that its feed has. */
  readonly of: string;
  readonly name: string;
  /** null: it is no file, but a link to one. */
  readonly bytes: number | null;
  readonly at: string;
  /** Other bytes are another version. */
  readonly version: string;
}

/** null: it is gone, or another version by now. */
export type ReadErpFile = (named: Pick<ErpFile, 'at' | 'version'>) => Promise<Uint8Array | null>;

export interface ErpRecords {
  readonly feeds: readonly ErpFeed[];
  /** Left out: it hands out none. */
  readonly file?: ReadErpFile;
  /** What is not installed there and is needed for what it hands over, in words. */
  missing(): Promise<readonly Words[]>;
  /** What is set there so that something would happen twice, in words; left out: nothing that it knows of. */
  doubts?(): Promise<readonly Words[]>;
  /** Twice is once. */
  tell(told: Told): Promise<void>;
  close(): Promise<void>;
}

// A record as the port has it, from what an ERP says; or what keeps it from being one.
export interface ErpRecord {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly value: unknown;
  /** Where it has a place of its own. */
  readonly place?: string;
  /** Whether the ERP has it in its books, or the bridge is to book it; left out: the tenant file says. */
  readonly booked?: 'origin' | 'bridge';
}

/** Of all records of one thing; one that cannot be read keeps the others of it back too. */
export function asReading(id: number | string, place: string, all: readonly ErpRecord[]): Reading {
  const records: OriginRecord[] = [];
  for (const { kind, reference, value, booked, place: own = place } of all) {
    const read = readContent(kind, value);
    if (read.outcome === 'problem') return unfit(id, place, read.words);
    const content = contentText(read.content);
    records.push({ kind, reference, place: own, content, ...(booked === undefined ? {} : { booked }) });
  }
  return { id: String(id), records, problems: [], looked: place };
}

export function unfit(id: number | string, place: string, words: Words): Reading {
  return { id: String(id), records: [], problems: [problemAt(place, words)], looked: place };
}

// What an ERP says, without what it leaves empty: an empty field says nothing.
export function given(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = value?.trim() ?? '';
    if (text !== '') filled[name] = text;
  }
  return filled;
}

// What became of a record, in the few lines that an ERP can hold anywhere; the mark in them tells them from what people write.
export function noteOf({ kind, state, number, guid, paymentLink, why, mark, atService = {} }: Told): string {
  const lines = [
    `${kind} ${number ?? ''}`.trim() + `: ${state}`,
    why,
    guid === null ? null : `guid ${guid}`,
    paymentLink === null ? null : `payment link ${paymentLink}`,
    ...Object.entries(atService).map(([field, value]) => `${field} at the service: ${value.slice(0, 200)}`),
    `mark ${mark}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}

// At the service a kennitala is one customer; an ERP may have several with it. None of them speaks for it then, or each would overwrite what
// another has said: a person decides, by mending it in the ERP. Invoices of any of them go out all the same, each with its own customer, who is
// taken as it is where the service has the kennitala already.

/** Kennitala → what the ERP calls those that have it, where there are several. */
export type Twins = ReadonlyMap<string, string>;

export function twinsAmong(
  all: readonly { readonly record: ErpRecord | null; readonly name: string }[],
): Twins {
  const named = new Map<string, string[]>();
  for (const { record, name } of all)
    if (record !== null)
      named.set(record.reference, [...(named.get(record.reference) ?? []), name.slice(0, 80)]);
  const several = [...named].filter(([, names]) => names.length > 1);
  return new Map(several.map(([kennitala, names]) => [kennitala, names.slice(0, 10).join(', ')]));
}

/** What is sold, behind whom it was sold to. */
export function sold(sale: ErpRecord, customer: ErpRecord, twins: Twins): ErpRecord[] {
  if (!twins.has(customer.reference)) return [customer, sale];
  return [{ ...sale, value: { ...(sale.value as object), customer: customer.value } }];
}

// Files that people keep beside a document in their ERP. Those that the tenant file names go with it. Of each the name, the size and its
// version are read with the document; its bytes only when it leaves.

export interface ErpFiles {
  /** Beside these documents, the oldest first. */
  list(documents: readonly string[]): Promise<FoundFiles>;
}

interface FoundFiles {
  readonly files: readonly ErpFile[];
  /** There may be more than were asked for. */
  readonly isFull: boolean;
}

/** The same feed, its documents with their files. */
export function withFiles(feed: ErpFeed, patterns: readonly string[] | undefined, files: ErpFiles): ErpFeed {
  if (patterns === undefined || patterns.length === 0) return feed;
  const { name, kinds, basis, isCoarse } = feed;
  return {
    ...{ name, kinds },
    ...(basis === undefined ? {} : { basis }),
    ...(isCoarse === undefined ? {} : { isCoarse }),
    list: (since, after) => feed.list(since, after),
    find: (reference) => feed.find(reference),
    read: async (ids) => {
      const readings = await feed.read(ids);
      const documents = readings.filter(({ records }) => records.length > 0).map(({ id }) => id);
      const found = (await listAll(files, documents)).filter(({ name: file }) => goesWith(patterns, file));
      return readings.map((reading) =>
        attach(
          reading,
          found.filter(({ of }) => of === reading.id),
        ),
      );
    },
  };
}

/** None is left out because there are many. */
async function listAll(files: ErpFiles, documents: readonly string[]): Promise<readonly ErpFile[]> {
  if (documents.length === 0) return [];
  const found = await files.list(documents);
  if (!found.isFull || documents.length === 1) return found.files;
  const half = Math.ceil(documents.length / 2);
  const first = await listAll(files, documents.slice(0, half));
  return [...first, ...(await listAll(files, documents.slice(half)))];
}

/** A document comes behind its customer. */
function attach(reading: Reading, found: readonly ErpFile[]): Reading {
  const document = reading.records.at(-1);
  if (document === undefined || found.length === 0) return reading;
  const link = found.find(({ bytes }) => bytes === null);
  if (link !== undefined)
    return unfitReading(reading, told('FILE_IS_LINK', { file: link.name.slice(0, 200) }));
  const files = found.map(({ name, bytes, at, version }) => ({
    ...{ name: plainName(name), bytes: String(bytes), at, version },
  }));
  const value = { ...(JSON.parse(document.content) as object), files };
  const read = readContent(document.kind, value);
  if (read.outcome === 'problem') return unfitReading(reading, read.words);
  return {
    ...reading,
    records: [...reading.records.slice(0, -1), { ...document, content: contentText(read.content) }],
  };
}

function unfitReading({ id, looked }: Reading, words: Parameters<typeof problemAt>[1]): Reading {
  return { id, records: [], problems: [problemAt(looked, words)], looked };
}

/** People call files by the numbers of invoices, and those have slashes in them. */
function plainName(name: string): string {
  return name.replaceAll(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_');
}

// What items, invoices, orders and quotations of every ERP have in common: VAT, units, lines, references and totals.

const VAT_CODES: Readonly<Record<string, string>> = { '24': 'S', '11': 'AA', '0': 'Z' };

/** In percent. A rate that Iceland does not have is left for the schema to complain of. */
export function vatCode(percent: Decimal): string {
  return VAT_CODES[percent.toFixed()] ?? `${percent.toFixed()} %`;
}

const RATES: Readonly<Record<'S' | 'AA' | 'Z', number>> = { S: 24, AA: 11, Z: 0 };

/** Of a price that it is in. */
export function withoutVat(price: Decimal, code: keyof typeof RATES): Decimal {
  return price.div(new Decimal(RATES[code]).plus(100).div(100));
}

const UNITS: Readonly<Record<string, string>> = {
  ...{ u: 'C62', unit: 'C62', units: 'C62', pcs: 'C62', stk: 'C62' },
  ...{
    h: 'HUR',
    hour: 'HUR',
    hours: 'HUR',
    klst: 'HUR',
    d: 'DAY',
    day: 'DAY',
    days: 'DAY',
    dagar: 'DAY',
    min: 'MIN',
  },
  ...{ kg: 'KGS', t: 'TNE', l: 'LTR', m: 'MTR', km: 'KTM', kwh: 'KWH' },
  ...{ 'm²': 'MTK', m2: 'MTK', 'm³': 'MTQ', m3: 'MTQ' },
};

/** What the documents do not know is counted in pieces. */
function unitCode(unit: string | null | undefined): string {
  return UNITS[(unit ?? '').trim().toLowerCase()] ?? 'C62';
}

// A product of an ERP as an item. Its code is the number that it is known by: one without a code is none of ours, and a code that several
// products have speaks for none of them, or each would overwrite what another has said.
interface Product {
  readonly code: string;
  readonly name: string;
  /** Without VAT. */
  readonly price: Decimal;
  readonly tax: string;
  readonly unit: string | null | undefined;
  readonly isActive: boolean;
  readonly place?: string;
}

export function itemOf({ code, name, price, tax, unit, isActive, place }: Product): ErpRecord {
  const description = name.trim() === '' ? code : name;
  const value = {
    ...{ description, unit_price: price.toDecimalPlaces(4).toFixed(), tax },
    ...{ uom: unitCode(unit), active: isActive },
  };
  return { kind: 'item', reference: code, value, ...(place === undefined ? {} : { place }) };
}

/** null: nothing keeps it from being handed over. */
export function unfitItem({ reference }: ErpRecord, twins: Twins): Words | null {
  const items = twins.get(reference);
  if (items !== undefined) return told('ITEM_NUMBER_SHARED', { number: reference, items });
  return /[\][]/.test(reference) || reference.length > 100
    ? told('REFERENCE_UNFIT', { reference: reference.slice(0, 40) })
    : null;
}

// A line of an invoice or order, as every ERP has it, to a line of a record. The service takes whole quantities only (Document 1): a
// part is one line with its sum, and says in words how much it is.
interface SalesLine {
  readonly itemNumber: string;
  readonly description: string;
  readonly quantity: Decimal;
  readonly unit: string | null | undefined;
  readonly unitPrice: Decimal;
  /** Without VAT. */
  readonly amount: Decimal;
  readonly tax: string;
  readonly discountPercent?: Decimal;
}

export function lineOf(line: SalesLine): Readonly<Record<string, unknown>> {
  const { itemNumber: item_number, quantity, unit, unitPrice, amount, tax, discountPercent } = line;
  const description = line.description.trim() === '' ? item_number : line.description.trim();
  if (!quantity.isInteger()) {
    const counted = [quantity.toFixed(), unit ?? ''].join(' ').trim();
    const said = `${description} (${counted})`;
    return { item_number, description: said, qty: '1', uom: 'C62', unit_price: amount.toFixed(), tax };
  }
  return {
    ...{ item_number, description, qty: quantity.toFixed(), uom: unitCode(unit) },
    ...{ unit_price: unitPrice.toFixed(), tax },
    ...(discountPercent && !discountPercent.isZero()
      ? { discount: discountPercent.toFixed(), discount_type: true }
      : {}),
  };
}

// In ERPs where a quotation becomes the order (one record, in two stages), what a record at one stage is called.
export type Stage = 'order' | 'quote';

export function orderReference(stage: Stage, id: number): string {
  return `${stage} ${String(id)}`;
}

export function orderIdIn(stage: Stage, reference: string): string | null {
  const [, word, id] = /^([a-z]+) (\d{1,15})$/.exec(reference) ?? [];
  return word === stage && id !== undefined ? id : null;
}

// Sums in krónur are rounded by an ERP and are not by the service.
const ROUNDING_MAX = 1;

/** The ERP's own total where it is another one than its lines come to, so that the write rules of the service refuse it. */
export function amountUnless(counted: Decimal, total: Decimal): { readonly amount?: string } {
  const differs = counted.abs().minus(total.abs()).abs().greaterThan(ROUNDING_MAX);
  return differs ? { amount: total.abs().toFixed() } : {};
}

// Orders and quotations are in a module of their own, called `sale` in Odoo as in Tryton, which a company may not have.
const IN_IT: readonly ErpHand[] = ['orders', 'quotes'];

/** What is said where it is lacking; null: nothing that is handed over needs it. */
export function needsSales(system: 'Odoo' | 'Tryton', hands: readonly ErpHand[]): Words | null {
  const needed = hands.filter((hand) => IN_IT.includes(hand));
  if (needed.length === 0) return null;
  return told('MODULE_LACKING', { system, module: 'sale', setting: `\`hands: [${needed.join(', ')}]\`` });
}
