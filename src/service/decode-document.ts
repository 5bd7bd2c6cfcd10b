// One raw record → one SourceDocument. Tolerant of what the service may do (numbers as text, nulls for empties, new fields
// and values), strict about what a booking stands on: a guid, an amount that is a number, lines that are objects.
import type { Guid } from '../domain/ids.js';
import { isLosslessNumber } from 'lossless-json';
import { isCalendarDay } from '../domain/local-time.js';
import { Decimal, ZERO } from '../domain/money.js';
import type {
  InvoiceCustomer,
  InvoiceItem,
  SourceCost,
  SourceDocument,
  SourceInvoice,
  SourceKind,
} from '../domain/source-document.js';
import { asText, PLAIN_NUMBER } from './wire-types.js';

export type JsonObject = Readonly<Record<string, unknown>>;

export type DecodeOutcome =
  | { readonly outcome: 'decoded'; readonly document: SourceDocument }
  | { readonly outcome: 'malformed'; readonly guid: Guid | null; readonly problem: string };

/** Thrown inside this file only; decodeDocument turns it into a `malformed` outcome. */
class FieldProblem extends Error {}

export function decodeDocument(kind: SourceKind, raw: unknown): DecodeOutcome {
  const guid = isObject(raw) && typeof raw['guid'] === 'string' && raw['guid'] !== '' ? raw['guid'] : null;
  try {
    if (!isObject(raw)) throw new FieldProblem('the record is not an object');
    if (guid === null) throw new FieldProblem('guid is missing');
    return { outcome: 'decoded', document: kind === 'invoice' ? decodeInvoice(raw) : decodeCost(raw) };
  } catch (error) {
    if (error instanceof FieldProblem) return { outcome: 'malformed', guid, problem: error.message };
    throw error;
  }
}

function decodeInvoice(raw: JsonObject): SourceInvoice {
  const rate = amount(raw, 'exchange_rate');
  return {
    kind: 'invoice',
    guid: text(raw, 'guid'),
    number: text(raw, 'number'),
    amount: requiredAmount(raw, 'amount'),
    currency: text(raw, 'currency'),
    status: text(raw, 'status'),
    type: text(raw, 'type'),
    referGuid: text(raw, 'refer_guid'),
    accountingStatus: text(raw, 'accounting_status'),
    accountingMessage: text(raw, 'accounting_message'),
    createdDate: date(raw, 'created_date'),
    issueDate: date(raw, 'issue_date'),
    dueDate: date(raw, 'due_date'),
    settlementDate: date(raw, 'settlement_date'),
    deliveryDate: date(raw, 'delivery_date'),
    description: text(raw, 'description'),
    booking: text(raw, 'booking'),
    costProvide: text(raw, 'cost_provide'),
    terms: text(raw, 'terms'),
    updatedTimestamp: text(raw, 'updated_timestamp'),
    claimStatus: text(raw, 'claim_status'),
    capitalGainsTax: amount(raw, 'capital_gains_tax'),
    otherDefaultCostsAmount: amount(raw, 'other_default_costs_amount'),
    defaultChargeAmount: amount(raw, 'default_charge_amount'),
    defaultInterestAmount: amount(raw, 'default_interest_amount'),
    bankTransactionAmount: amount(raw, 'bank_transaction_amount'),
    total24Vat: amount(raw, 'total_24vat'),
    total11Vat: amount(raw, 'total_11vat'),
    total0Vat: amount(raw, 'total_0vat'),
    exchangeRate: rate.isZero() ? null : rate,
    items: objects(raw, 'items').map(decodeLine),
    customer: decodeCustomer(raw['customer']),
  };
}

/** A problem says on which line it is; people count from one. */
function decodeLine(raw: JsonObject, index: number): InvoiceItem {
  try {
    return decodeItem(raw);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw new FieldProblem(`items, line ${String(index + 1)}: ${error.message}`);
  }
}

const PRICING_FIELDS = ['qty', 'unit_price'] as const;

function decodeItem(raw: JsonObject): InvoiceItem {
  const isWhole = !isEmptyField(raw['qty']) && !isEmptyField(raw['unit_price']);
  // Lines that are as they should be cost nothing more: there are many.
  if (isWhole) return decodeFields(raw);
  return { ...decodeFields(raw), unstated: PRICING_FIELDS.filter((field) => isEmptyField(raw[field])) };
}

function decodeFields(raw: JsonObject): InvoiceItem {
  return {
    guid: text(raw, 'guid'),
    itemNumber: text(raw, 'item_number'),
    description: text(raw, 'description'),
    qty: amount(raw, 'qty'),
    uom: text(raw, 'uom'),
    tax: text(raw, 'tax'),
    unitPrice: amount(raw, 'unit_price'),
    discount: amount(raw, 'discount'),
    discountIsPercent: flag(raw, 'discount_type'),
  };
}

function decodeCustomer(value: unknown): InvoiceCustomer {
  const raw = isObject(value) ? value : {};
  return {
    guid: text(raw, 'guid'),
    name: text(raw, 'name'),
    address: text(raw, 'address'),
    zip: text(raw, 'zip'),
    city: text(raw, 'city'),
    registrationNo: text(raw, 'registration_no'),
    email: text(raw, 'email'),
  };
}

function decodeCost(raw: JsonObject): SourceCost {
  return {
    kind: 'cost',
    guid: text(raw, 'guid'),
    description: text(raw, 'description'),
    supplierId: text(raw, 'supplier_id'),
    amount: requiredAmount(raw, 'amount'),
    currency: text(raw, 'currency'),
    vatAA: amount(raw, 'vat_AA'),
    vatS: amount(raw, 'vat_S'),
    isCreditNote: flag(raw, 'credit_note'),
    costCode: text(raw, 'cost_code'),
    howPaid: text(raw, 'how_paid'),
    issueDate: date(raw, 'issue_date'),
    createdDate: date(raw, 'created_date'),
    xmlBase64: optionalText(raw, 'xml'),
    fileName: text(raw, 'file_name'),
    fileExtension: text(raw, 'file_extension'),
    fileBase64: optionalText(raw, 'file'),
    accountingStatus: text(raw, 'accounting_status'),
    updatedTimestamp: text(raw, 'updated_timestamp'),
    projectName: text(raw, 'project_name'),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

function text(raw: JsonObject, field: string): string {
  const written = asText(raw[field]);
  if (written !== null) return written;
  throw new FieldProblem(`${field} is neither text nor empty`);
}

function optionalText(raw: JsonObject, field: string): string | null {
  const value = text(raw, field);
  return value === '' ? null : value;
}

/** Before the point, also where an exponent writes them: beyond that, sums would lose their krónur. */
const DIGITS_MAX = 15;
/** A number as PLAIN_NUMBER has it, only longer: it is told from what is no number at all. */
const LONG_NUMBER = /^-?\d{1,60}(\.\d{1,60})?([eE][+-]?\d{1,3})?$/;

function isEmptyField(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function amount(raw: JsonObject, field: string): Decimal {
  // Most amounts of most records are zero or absent.
  if (raw[field] === undefined || raw[field] === null) return ZERO;
  const written = text(raw, field).trim();
  if (written === '' || written === '0') return ZERO;
  const isPlain = PLAIN_NUMBER.test(written);
  if (!isPlain && !LONG_NUMBER.test(written))
    throw new FieldProblem(`${field} is not a number: ${written.slice(0, 40)}`);
  const value = new Decimal(written);
  if (value.e >= DIGITS_MAX) throw new FieldProblem(tooLarge(field, written));
  if (!isPlain)
    throw new FieldProblem(`${field} has more decimals than can be read: ${written.slice(0, 40)}`);
  return value;
}

function tooLarge(field: string, written: string): string {
  return `${field} is 10^15 or more, which is beyond what is booked: ${written.slice(0, 40)}`;
}

function requiredAmount(raw: JsonObject, field: string): Decimal {
  if (text(raw, field).trim() === '') throw new FieldProblem(`${field} is missing`);
  return amount(raw, field);
}

/** How MySQL writes that there is no date. */
const NO_DATE = '0000-00-00';

function date(raw: JsonObject, field: string): string {
  const written = text(raw, field).trim();
  const day = written.slice(0, 10);
  if (day === '' || day === NO_DATE) return '';
  if (!isCalendarDay(day)) throw new FieldProblem(`${field} is not a date: ${written.slice(0, 40)}`);
  return day;
}

function flag(raw: JsonObject, field: string): boolean {
  const value = raw[field];
  if (typeof value === 'boolean') return value;
  const written = text(raw, field);
  return written === '1' || written === 'true';
}

function objects(raw: JsonObject, field: string): readonly JsonObject[] {
  const value = raw[field];
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new FieldProblem(`${field} is not a list`);
  return value.map((entry: unknown, index) => {
    if (!isObject(entry)) throw new FieldProblem(`${field}, line ${String(index + 1)}: it is not an object`);
    return entry;
  });
}
