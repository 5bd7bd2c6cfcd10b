// What a record of an origin says, in the names of the API documents where they have one. Strict: a misspelt field is a problem, not
// something that is left out silently. Numbers are text, digit for digit. Every origin reads its records into these shapes.
import * as z from 'zod';
import { Decimal, sum } from '../domain/money.js';
import type { SubmissionKind } from '../domain/submission.js';
import { told, type Words, type Unfit, message } from '../language/messages.js';
import { isCalendarDay } from '../domain/local-time.js';
import { readKennitala } from '../domain/kennitala.js';
import { asWritten, readDay, readTax, readYesOrNo, writtenText } from '../domain/written-values.js';
import type { Message } from '../domain/message.js';

// The fields that records of origins are made of. Numbers are text, digit for digit: JSON numbers come as they were written, and are taken
// wherever the API documents show text.

/** What a field should have been, for those who read another language. */
function unfit(error: string, is: Unfit) {
  return { error, params: { unfit: is } };
}

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;
const TEXT_MAX = 4_000;

const number = z
  .unknown()
  .transform(writtenText)
  .refine((written) => NUMBER.test(written), unfit('not a number like 1990 or 1990.50', 'number'))
  .transform((written) => new Decimal(written).toFixed());
const text = z.preprocess(asWritten, z.string().max(TEXT_MAX));
const filledText = z.preprocess(asWritten, z.string().min(1).max(TEXT_MAX));
/** Of what is base64: a picture of some 300 kB. */
const LONG_MAX = 400_000;
const longText = z.preprocess(asWritten, z.string().max(LONG_MAX));
const day = z
  .unknown()
  .transform(readDay)
  .refine(isCalendarDay, unfit('not a day like 2026-01-31 or 31.1.2026', 'day'));
const yesOrNo = z
  .unknown()
  .transform(readYesOrNo)
  .refine((read) => read !== null, unfit('neither yes nor no', 'yes-or-no'));
const tax = z
  .unknown()
  .transform(readTax)
  .refine((read) => read !== '', unfit('not one of S (24 %), AA (11 %), Z (0 %)', 'tax'))
  .transform((read) => read as 'S' | 'AA' | 'Z');
const kennitala = z
  .unknown()
  .transform((value) => readKennitala(writtenText(value)))
  .refine(({ format }) => format, unfit('not a kennitala of ten digits', 'kennitala'))
  .transform(({ digits }) => digits ?? '');

/** One of a few words, in capitals or not. */
function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess((value) => {
    const written = asWritten(value);
    return typeof written === 'string' ? written.trim().toLowerCase() : written;
  }, z.enum(words));
}

// A cost as an origin has it: a receipt by its file alone, or everything that is known of it (create-cost-adv of Document 1).

/** The bytes stay at the origin; they are sent only while they are these. */
const namedFile = z.strictObject({
  name: filledText,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: number,
});

/** One of the files that go with an invoice. */
export const attachedFile = namedFile
  .extend({
    /** Left out: nobody has read its bytes yet, and its origin knows it by its version. */
    sha256: namedFile.shape.sha256.optional(),
    /** Where the origin keeps it, where its name alone does not say. */
    at: text.optional(),
    /** What its origin calls these bytes of it: other bytes are another version. */
    version: text.optional(),
  })
  .refine(({ sha256, at, version }) => sha256 !== undefined || (at !== undefined && version !== undefined));
export type AttachedFile = z.output<typeof attachedFile>;

export const costContent = z.strictObject({
  file: namedFile.optional(),
  /** The day on which the file was last changed: nothing of it can have been sent before. */
  seen: day.optional(),
  date: day.optional(),
  description: text.optional(),
  amount: number.optional(),
  how_paid: number.optional(),
  supplier_name: text.optional(),
  supplier_id: kennitala.optional(),
  type: text.optional(),
  vat_11: number.optional(),
  vat_24: number.optional(),
  credit_note: yesOrNo.optional(),
});

export type CostContent = z.output<typeof costContent>;

/** What makes it another content: neither its name nor when it was touched does. */
export function costIdentity({ file, seen: _seen, ...rest }: CostContent): object {
  return { ...rest, sha256: file?.sha256 };
}

// One thing that is sold, as an origin has it; its reference is the number that the origin knows it by. The VAT of an item is always given:
// the service takes one without it for 0 % (Document 1), and whoever invoices it there would charge none.

export const itemContent = z.strictObject({
  /** Its name; its number is written before it. */
  description: filledText,
  /** Without VAT. */
  unit_price: number,
  tax,
  uom: text.default('C62'),
  category: text.optional(),
  /** Left out: what the service has stays. */
  active: yesOrNo.optional(),
});

export type ItemContent = z.output<typeof itemContent>;

// Tasks and dated hours, as an origin has them. An hour is written by when it began and when it ended.

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = z.string().refine((written) => TIME.test(written), unfit('not a time like 08:30', 'time'));

/** What a task costs an hour; its customer is a record of its own. */
const taskFields = {
  name: filledText,
  description: text.optional(),
  unit_price: number,
  tax,
  uom: text.default('HUR'),
  category: text.optional(),
};

export const hoursContent = z
  .strictObject({
    /** The reference of its task. */
    task: filledText,
    date: day,
    from: time,
    to: time,
    description: text.optional(),
    /** It was a mistake: what stands at the service is deleted again. */
    deleted: yesOrNo.optional(),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    ...unfit('which is not after from', 'after-from'),
  });

export type HoursContent = z.output<typeof hoursContent>;

function minutes(written: string): number {
  const [hours = '0', rest = '0'] = written.split(':');
  return Number(hours) * 60 + Number(rest);
}

export function hoursOf({ from, to }: Pick<HoursContent, 'from' | 'to'>): Decimal {
  return new Decimal(minutes(to) - minutes(from)).div(60);
}

const customerFields = {
  name: filledText.optional(),
  email: text.optional(),
  address: text.optional(),
  zip: text.optional(),
  city: text.optional(),
  phone_number: text.optional(),
  vat: text.optional(),
  lang: oneOf(['is', 'en']).optional(),
  currency: text.optional(),
  output_select: oneOf(['2', '3', '4']).optional(),
  trading_partner_id: text.optional(),
  due_date: number.optional(),
  settlement_date: number.optional(),
  tax_exempt: yesOrNo.optional(),
  /** Code of the terms of payment. */
  term: text.optional(),
  photo: longText.optional(),
  is_claim: yesOrNo.optional(),
  is_discount: yesOrNo.optional(),
};

export const customerContent = z.strictObject({ kennitala, ...customerFields });

const LINES_MAX = 1_000;
/** More than ever go, so that the service's limit is told in its own words. */
const NAMED_MAX = 100;

/** What a line need not say when it names an item of the service, which has it all; until then it stands for itself. */
function withItem(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('guid' in value)) return value;
  const { guid } = value;
  return { item_number: guid, description: guid, unit_price: '0', tax: 'Z', ...value };
}

const lineFields = z
  .strictObject({
    /** Of an item of the service. */
    guid: filledText.optional(),
    item_number: filledText,
    description: filledText,
    qty: number,
    uom: text.default('C62'),
    unit_price: number,
    tax,
    discount: number.optional(),
    /** true = percent, false = price. */
    discount_type: yesOrNo.optional(),
  })
  .transform((line) => (line.guid === undefined ? inWholeUnits(line) : line));
const line = z.preprocess(withItem, lineFields);

export const invoiceContent = z.strictObject({
  customer: customerContent.optional(),
  /** In its place: the customer's guid at the service. */
  customer_guid: filledText.optional(),
  currency: text.default('ISK'),
  /** Given by the origin, so that the invoice can be found again whatever was forgotten here. */
  issue_date: day,
  due_date: day.optional(),
  settlement_date: day.optional(),
  delivery_date: day.optional(),
  description: text.optional(),
  booking: text.optional(),
  cost_provide: text.optional(),
  terms: text.optional(),
  /** What the origin makes of the lines; left out: it is counted here. */
  amount: number.optional(),
  lines: z.array(line).min(1, 'needs at least one line').max(LINES_MAX),
  /** Off the whole invoice: percent or an amount, as `discount_type` says (true = percent). */
  discount_value: number.optional(),
  discount_type: yesOrNo.optional(),
  /** Left out: there is one when `discount_value` says so. */
  is_discount: yesOrNo.optional(),
  payment_fee: number.optional(),
  is_claim: yesOrNo.optional(),
  is_payment_link: yesOrNo.optional(),
  mark_paid: yesOrNo.optional(),
  method_payment: number.optional(),
  /** A credit note: the reference of the invoice that it credits, or its guid at the service. */
  credit_of: text.optional(),
  ref_invoice_guid: text.optional(),
  /** Uploaded first; the service takes them with invoices only. */
  files: z.array(attachedFile).max(NAMED_MAX).optional(),
});

export type CustomerContent = z.output<typeof customerContent>;
export type InvoiceContent = z.output<typeof invoiceContent>;

export type Reading<Content> =
  | { readonly outcome: 'read'; readonly content: Content }
  | { readonly outcome: 'problem'; readonly words: Words };

export const taskContent = z.strictObject({ customer: customerContent, ...taskFields });
export type TaskContent = z.output<typeof taskContent>;

export const INTERVALS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const;

/** One template; what is counted in days is counted from the day of each invoice. */
export const subscriptionContent = invoiceContent
  .omit({
    ...{ issue_date: true, due_date: true, settlement_date: true, delivery_date: true, mark_paid: true },
    ...{ method_payment: true, is_payment_link: true, credit_of: true, ref_invoice_guid: true },
    ...{ files: true, customer_guid: true },
  })
  .extend({
    customer: customerContent,
    name: filledText,
    interval: z.enum(INTERVALS),
    start_date: day,
    /** The last day on which it makes an invoice. */
    end_date: day.optional(),
    /** `recurring_link_national` of the service. */
    link_national: yesOrNo.optional(),
    due_days: number.optional(),
    settlement_days: number.optional(),
  });
export type SubscriptionContent = z.output<typeof subscriptionContent>;

export type Content =
  | SubscriptionContent
  | CustomerContent
  | ItemContent
  | InvoiceContent
  | CostContent
  | TaskContent
  | HoursContent;

const SCHEMAS: Readonly<Record<SubmissionKind, z.ZodType<Content>>> = {
  invoice: invoiceContent,
  draft: invoiceContent,
  order: invoiceContent,
  quote: invoiceContent,
  customer: customerContent,
  item: itemContent,
  cost: costContent,
  task: taskContent,
  hours: hoursContent,
  subscription: subscriptionContent,
};

const PROBLEMS_SHOWN = 5;

/** `at`: what a problem is told of, where its place does not say; `placeOf`: where people find a field of it. */
export function readContent(
  kind: SubmissionKind,
  value: unknown,
  at?: string,
  placeOf?: PlaceOfField,
): Reading<Content> {
  const read = SCHEMAS[kind].safeParse(value);
  if (read.success) return { outcome: 'read', content: read.data };
  const fields = read.error.issues.slice(0, PROBLEMS_SHOWN).map((issue) => fieldUnfit(issue, value, placeOf));
  const words = told('FIELDS_UNFIT', { fields });
  return {
    outcome: 'problem',
    words: at === undefined ? words : told('AT_RECORD', { at, what: words.said }),
  };
}

/** The same content is the same text. */
export function contentText(content: object): string {
  return JSON.stringify(sorted(content));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

const VAT_PERCENT = { S: 24, AA: 11, Z: 0 } as const;

/** Write rule 2 of the service: the lines and their VAT, to two decimals. */
export function totalOf({ lines, amount }: Pick<InvoiceContent, 'lines' | 'amount'>): string {
  if (amount !== undefined) return new Decimal(amount).toFixed(2);
  const totals = lines.map(({ qty, unit_price: price, discount = '0', discount_type: isPercent, tax }) => {
    const gross = new Decimal(qty).times(price);
    const net =
      isPercent === true
        ? gross.times(new Decimal(1).minus(new Decimal(discount).div(100)))
        : gross.minus(discount);
    return net.times(new Decimal(100 + VAT_PERCENT[tax]).div(100));
  });
  return sum(totals).toDecimalPlaces(2).toFixed(2);
}

// The service takes whole quantities only (Document 1). A part of a unit is one line with its sum, which says in words how much it is: the
// same for every origin.

interface Line {
  readonly description: string;
  readonly qty: string;
  readonly uom: string;
  readonly unit_price: string;
}

const PIECES = 'C62';
/** As many as a field of a record has. */
const DECIMALS_MAX = 10;
const SUM_MAX = new Decimal('1e15');

function inWholeUnits<Of extends Line>(line: Of): Of {
  const [qty, price] = [new Decimal(line.qty), new Decimal(line.unit_price)];
  const sum = qty.times(price).toDecimalPlaces(DECIMALS_MAX);
  // A sum that no field takes is left for the service's rule to refuse.
  if (qty.isInteger() || sum.abs().gte(SUM_MAX)) return line;
  const counted = line.uom === PIECES ? qty.toFixed() : `${qty.toFixed()} ${line.uom}`;
  const description = `${line.description} (${counted} × ${price.toFixed()})`;
  return { ...line, description, qty: '1', uom: PIECES, unit_price: sum.toFixed() };
}

// What is wrong with one field of a record, as a value: where it is, what was found there and what is allowed.

const LENGTH_MAX = 200;
const FOUND_MAX = 60;

type Path = readonly PropertyKey[];

/** How people find a field: by its column and row in a file of rows, or by its name in JSON. */
interface FieldPlace {
  readonly field: string;
  readonly row?: number;
}

export type PlaceOfField = (path: Path) => FieldPlace;

function fieldUnfit(issue: z.core.$ZodIssue, record: unknown, placeOf?: PlaceOfField): Message {
  const [unfit, names] = whatOf(issue, record);
  const path = unfit === 'unknown-field' ? [...issue.path, ''] : issue.path;
  const { field, row = 0 } = placeOf?.(path) ?? { field: nameOf(path) };
  return message('FIELD_UNFIT', {
    field: field.slice(0, LENGTH_MAX),
    ...{ row, line: lineOf(path), found: found(valueAt(record, issue.path)) },
    ...{ problem: issue.message.slice(0, LENGTH_MAX), unfit },
    names: names.join(', ').slice(0, LENGTH_MAX),
  });
}

/** The name of the field alone: of which line it is, is said beside it. */
function nameOf(path: Path): string {
  const [first, , ...inLine] = path;
  return (first === 'lines' && inLine.length > 0 ? inLine : path).map(String).filter(Boolean).join('.');
}

/** From 1; 0: it is of no single line. */
function lineOf([first, index]: Path): number {
  return first === 'lines' && typeof index === 'number' ? index + 1 : 0;
}

function valueAt(record: unknown, path: Path): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[name];
  }
  return value;
}

/** As it was written; empty: it is no single value. */
function found(value: unknown): string {
  const written = asWritten(value);
  if (typeof written === 'boolean') return String(written);
  return typeof written === 'string' ? written.slice(0, FOUND_MAX) : '';
}

function whatOf(issue: z.core.$ZodIssue, record: unknown): [Unfit, readonly string[]] {
  const value = valueAt(record, issue.path);
  if (value === undefined || value === null || value === '') return ['missing', []];
  switch (issue.code) {
    case 'custom':
      return [(issue.params?.['unfit'] as Unfit | undefined) ?? '', []];
    case 'unrecognized_keys':
      return ['unknown-field', issue.keys];
    case 'invalid_value':
      return ['one-of', issue.values.map(String)];
    case 'invalid_type':
      return ['no-text', []];
    case 'too_big':
      return ['too-long', [String(issue.maximum)]];
    case 'too_small':
      return [issue.origin === 'array' ? 'line' : 'missing', []];
    default:
      return ['', []];
  }
}
