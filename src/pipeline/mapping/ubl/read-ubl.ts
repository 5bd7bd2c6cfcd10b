// The facts of a UBL 2.1 invoice or credit note that bookkeeping stands on. Elements are found by namespace, not by
// prefix. What the cross-check needs (currency, amount to pay) must be there; the rest may be missing.
import { isUtf8 } from 'node:buffer';
import { Decimal, ZERO, sum } from '../../../domain/money.js';
import { plainKennitala } from '../../../domain/kennitala.js';
import { isCalendarDay } from '../../../domain/local-time.js';
import { onceOf } from '../../../domain/once-of.js';
import type { IsoDate, SourceCost } from '../../../domain/source-document.js';
import { readXml, type XmlElement } from '../../../domain/read-xml.js';

const ROOTS: ReadonlyMap<string, 'Invoice' | 'CreditNote'> = new Map([
  ['urn:oasis:names:specification:ubl:schema:xsd:Invoice-2', 'Invoice'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2', 'CreditNote'],
]);
const CREDIT_TYPE_CODES = new Set(['381', '81', '83', '396', '532']);
const ICELANDIC_REGISTER = '0196';

export interface UblLine {
  /** Name, description and number of the item, and what the supplier notes. */
  readonly text: string;
  /** Without VAT, in the document's currency. */
  readonly amount: Decimal;
  readonly percent: Decimal | null;
}

export interface UblDocument extends UblTaxes {
  readonly isCreditNote: boolean;
  /** Empty when the file has none. */
  readonly id: string;
  readonly issueDate: IsoDate | null;
  readonly dueDate: IsoDate | null;
  /** Eindagi: the last day before interest runs. */
  readonly settlementDate: IsoDate | null;
  /** What was delivered when: a period, or a day. */
  readonly delivered: { readonly from: IsoDate; readonly until: IsoDate } | null;
  readonly currency: string;
  /** Of the company that the name belongs to, else of its endpoint or identification; without spaces and dashes. */
  readonly supplierKennitala: string;
  readonly supplierName: string;
  /** Upper case; empty when the file does not say. */
  readonly supplierCountry: string;
  readonly payable: Decimal;
  /** What the document is about with VAT, whatever was paid beforehand. */
  readonly total: Decimal;
  /** TaxInclusiveAmount; null where the file has none. */
  readonly inclusive: Decimal | null;
  readonly accountingCost: string;
  /**
   * Read when somebody asks: a long e-invoice has hundreds, and few rules look at them. No getter: with one, the engine was seen
   * to keep every document that was read, with all its elements, until a full collection of garbage.
   */
  readonly lines: () => readonly UblLine[];
  readonly project: string;
  readonly buyerReference: string;
  readonly order: string;
  /** The supplier's number of the bill that a credit note is for; empty when the file names none, or several. */
  readonly credits: string;
}

export type UblReading =
  | { readonly outcome: 'read'; readonly ubl: UblDocument }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** The e-invoice of a cost, read once; null where it has none. */
export const ublOf = onceOf(({ xmlBase64 }: SourceCost): UblReading | null =>
  xmlBase64 === null ? null : readUbl(xmlBase64),
);

export function readUbl(base64: string): UblReading {
  const decoded = decodeXml(base64);
  if (decoded.outcome === 'unreadable') return decoded;
  const xml = readXml(decoded.text);
  if (xml.outcome === 'unreadable') return xml;
  try {
    return { outcome: 'read', ubl: readDocument(xml.root) };
  } catch (error) {
    if (error instanceof NotUbl) return { outcome: 'unreadable', problem: error.message };
    throw error;
  }
}

function readDocument(root: XmlElement): UblDocument {
  const type = ROOTS.get(root.namespace);
  if (type === undefined || type !== root.name)
    throw new NotUbl(`<${root.name}> is neither a UBL Invoice nor a UBL CreditNote`);
  const totals = readTotals(root);
  const { total } = totals;
  const currency = required(root, 'DocumentCurrencyCode');
  const supplier = at(root, [CAC, 'AccountingSupplierParty'], [CAC, 'Party']);
  const typeCode = text(root, [CBC, `${type}TypeCode`]);
  const isCreditNote = type === 'CreditNote' || CREDIT_TYPE_CODES.has(typeCode) || total.lt(0);
  return {
    isCreditNote,
    id: text(root, [CBC, 'ID']),
    issueDate: day(text(root, [CBC, 'IssueDate'])),
    dueDate: day(text(root, [CBC, 'DueDate']) || text(root, [CAC, 'PaymentMeans'], [CBC, 'PaymentDueDate'])),
    settlementDate: day(eindagi(root)),
    delivered: delivered(root),
    currency,
    supplierKennitala: supplier ? supplierKennitala(supplier) : '',
    supplierName: supplier
      ? text(supplier, [CAC, 'PartyLegalEntity'], [CBC, 'RegistrationName']) ||
        text(supplier, [CAC, 'PartyName'], [CBC, 'Name'])
      : '',
    supplierCountry: supplier
      ? text(supplier, [CAC, 'PostalAddress'], [CAC, 'Country'], [CBC, 'IdentificationCode']).toUpperCase()
      : '',
    ...readTaxes(root, currency, isCreditNote),
    ...totals,
    accountingCost: text(root, [CBC, 'AccountingCost']),
    lines: () => all(root, CAC, `${type}Line`).map(readLine),
    project: text(root, [CAC, 'ProjectReference'], [CBC, 'ID']),
    buyerReference: text(root, [CBC, 'BuyerReference']),
    order: text(root, [CAC, 'OrderReference'], [CBC, 'ID']),
    credits: creditedBill(root),
  };
}

/** Which part of a credit note that names several bills belongs to which of them, it does not say. */
function creditedBill(root: XmlElement): string {
  const named = all(root, CAC, 'BillingReference')
    .map((reference) => text(reference, [CAC, 'InvoiceDocumentReference'], [CBC, 'ID']))
    .filter((id) => id !== '');
  const [bill = '', another] = new Set(named);
  return another === undefined ? bill : '';
}

/** Prepaid money makes the amount to pay smaller, perhaps zero or negative; the document is about no less for it. */
function readTotals(root: XmlElement): Pick<UblDocument, 'payable' | 'total' | 'inclusive'> {
  const totals = theOne(root, CAC, 'LegalMonetaryTotal');
  const read = (name: string) => (totals ? money(theOne(totals, CBC, name), name) : null);
  const payable = read('PayableAmount');
  if (payable === null) throw new NotUbl('it has no PayableAmount');
  const prepaid = read('PrepaidAmount') ?? ZERO;
  const inclusive = read('TaxInclusiveAmount');
  if (prepaid.isZero() && !payable.isZero()) return { payable, total: payable, inclusive };
  return { payable, total: inclusive ?? payable.plus(prepaid), inclusive };
}

/** A document that states its total twice does not say which one is owed. */
function theOne(from: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const [one, another] = all(from, namespace, name);
  if (another !== undefined) throw new NotUbl(`it has ${name} twice`);
  return one;
}

/** Tolerant: a line decides on an account, never on an amount of the cost. */
function readLine(line: XmlElement): UblLine {
  const item = at(line, [CAC, 'Item']);
  const parts = item
    ? [
        text(item, [CBC, 'Name']),
        text(item, [CBC, 'Description']),
        text(item, [CAC, 'SellersItemIdentification'], [CBC, 'ID']),
      ]
    : [];
  const written = text(line, [CBC, 'LineExtensionAmount']);
  const percent = item ? text(item, [CAC, 'ClassifiedTaxCategory'], [CBC, 'Percent']) : '';
  return {
    text: [...parts, text(line, [CBC, 'Note']), text(line, [CBC, 'AccountingCost'])].join('\n'),
    amount: NUMBER.test(written) ? new Decimal(written.replace(/^\+/, '')) : ZERO,
    percent: NUMBER.test(percent) ? new Decimal(percent) : null,
  };
}

function supplierKennitala(party: XmlElement): string {
  const candidates = [
    ...all(party, CAC, 'PartyLegalEntity').flatMap((entity) => all(entity, CBC, 'CompanyID')),
    ...all(party, CBC, 'EndpointID'),
    ...all(party, CAC, 'PartyIdentification').flatMap((entity) => all(entity, CBC, 'ID')),
  ];
  const found = candidates.find((element) => element.attributes.get('schemeID') === ICELANDIC_REGISTER);
  return plainKennitala(found?.text ?? '');
}

function eindagi(root: XmlElement): string {
  const reference = all(root, CAC, 'AdditionalDocumentReference').find(
    (element) => text(element, [CBC, 'DocumentDescription']).toUpperCase() === 'EINDAGI',
  );
  return reference ? text(reference, [CBC, 'ID']) : '';
}

function delivered(root: XmlElement): UblDocument['delivered'] {
  const period = at(root, [CAC, 'InvoicePeriod']);
  const [start, end] = ['StartDate', 'EndDate'].map((name) => day(period ? text(period, [CBC, name]) : ''));
  const from = start ?? day(text(root, [CAC, 'Delivery'], [CBC, 'ActualDeliveryDate'])) ?? end ?? null;
  return from === null ? null : { from, until: end ?? from };
}

function required(root: XmlElement, name: string): string {
  const found = text(root, [CBC, name]);
  if (found === '') throw new NotUbl(`it has no ${name}`);
  return found;
}

/** xsd:date may carry a time zone. A day that does not exist counts as not given. */
function day(written: string): IsoDate | null {
  const date = written.slice(0, 10);
  return isCalendarDay(date) ? date : null;
}

// The VAT that a UBL document states, by rate. Positive as a whole; what is taken back within it is negative.
interface UblTax {
  /** null: the file does not say, and the amounts do not tell. */
  readonly percent: Decimal | null;
  /** Zero where the file does not say. */
  readonly taxable: Decimal;
  readonly tax: Decimal;
}

interface UblTaxes {
  /** In the document's currency, as is the total; empty where the file has the total alone. */
  readonly taxes: readonly UblTax[];
  /** null: the file states no VAT in the document's currency, not even zero. Its sign is that of `byRate`. */
  readonly taxTotal: Decimal | null;
  /** Only where a foreign document states its VAT in ISK too. */
  readonly taxTotalIsk: Decimal | null;
  /** Positive as a whole, also on a credit note: what is negative here is taken back within the document (a deposit, a return). */
  readonly byRate: Readonly<Record<'S' | 'AA' | 'Z', { readonly tax: Decimal; readonly taxable: Decimal }>>;
  /** Every subtotal has a percent, and there is one at least. */
  readonly hasRates: boolean;
}

/** A foreign document may state its VAT twice: in its own currency, and in ISK for the tax authorities. */
function readTaxes(root: XmlElement, currency: string, isCreditNote: boolean): UblTaxes {
  const totals = all(root, CAC, 'TaxTotal');
  const inIsk = currency === 'ISK' ? [] : totals.filter((total) => currencyOf(total) === 'ISK');
  const own = totals.filter((total) => !inIsk.includes(total));
  const taxes = own.flatMap((total) => all(total, CAC, 'TaxSubtotal')).map(readTax);
  const taxTotal = taxes.length > 0 ? sum(taxes.map(({ tax }) => tax)) : taxAmount(own);
  const isTurned = isNegative(taxes, taxTotal, isCreditNote);
  return {
    taxes,
    byRate: perRate(taxes, isTurned),
    hasRates: taxes.length > 0 && taxes.every(({ percent }) => percent !== null),
    taxTotal: taxTotal !== null && isTurned ? taxTotal.neg() : taxTotal,
    taxTotalIsk: taxAmount(inIsk),
  };
}

/** Credit notes come in either sign. Where no bases are stated, VAT below zero says so of a credit note alone. */
function isNegative(taxes: readonly UblTax[], taxTotal: Decimal | null, isCreditNote: boolean): boolean {
  const bases = sum(taxes.map(({ taxable }) => taxable));
  if (taxes.some(({ taxable }) => !taxable.isZero())) return bases.plus(taxTotal ?? ZERO).lt(0);
  return isCreditNote && (taxTotal?.lt(0) ?? false);
}

type ByRate = UblTaxes['byRate'];
const NOTHING = { tax: ZERO, taxable: ZERO };

/** Key on the percent: 11 % arrives as category S with Percent 11; AA is no Peppol category. */
function perRate(taxes: readonly UblTax[], isTurned: boolean): ByRate {
  const rates = { S: NOTHING, AA: NOTHING, Z: NOTHING };
  for (const { percent, tax, taxable } of taxes) {
    const rate = percent === null ? undefined : RATE_NAMES.get(percent.toNumber());
    if (rate === undefined) continue;
    const known = rates[rate];
    rates[rate] = { tax: sum([known.tax, tax]), taxable: sum([known.taxable, taxable]) };
  }
  const turned = ({ tax, taxable }: typeof NOTHING) => ({ tax: tax.neg(), taxable: taxable.neg() });
  return isTurned ? { S: turned(rates.S), AA: turned(rates.AA), Z: turned(rates.Z) } : rates;
}

const RATE_NAMES: ReadonlyMap<number, keyof ByRate> = new Map([
  [24, 'S'],
  [11, 'AA'],
  [0, 'Z'],
]);

function currencyOf(total: XmlElement): string {
  return at(total, [CBC, 'TaxAmount'])?.attributes.get('currencyID') ?? '';
}

function taxAmount(totals: readonly XmlElement[]): Decimal | null {
  const amounts = totals
    .map((total) => money(at(total, [CBC, 'TaxAmount']), 'TaxAmount'))
    .filter((amount) => amount !== null);
  return amounts.length === 0 ? null : sum(amounts);
}

function readTax(subtotal: XmlElement): UblTax {
  const percent = money(at(subtotal, [CAC, 'TaxCategory'], [CBC, 'Percent']), 'Percent');
  const taxable = money(at(subtotal, [CBC, 'TaxableAmount']), 'TaxableAmount') ?? ZERO;
  const tax = money(at(subtotal, [CBC, 'TaxAmount']), 'TaxAmount') ?? ZERO;
  return { percent: percent ?? percentOf(tax, taxable), taxable, tax };
}

const HUNDRED = new Decimal(100);
const KNOWN_PERCENTS = [new Decimal(24), new Decimal(11)];

/** Where the file names no percent, the amounts may: VAT that is one of the rates to the last króna. */
function percentOf(tax: Decimal, taxable: Decimal): Decimal | null {
  if (tax.isZero()) return ZERO;
  const fits = (percent: Decimal) => taxable.times(percent).div(HUNDRED).minus(tax).abs().lt(1);
  const fitting = KNOWN_PERCENTS.filter(fits);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

// base64 → text. The encoding is taken from the byte order mark, else from the XML declaration, else it is UTF-8; bytes
// that do not fit it are refused, never replaced.
type XmlText =
  | { readonly outcome: 'text'; readonly text: string }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** E-invoices may carry a PDF inside; more than this is no invoice. */
export const XML_BYTES_MAX = 12 * 1024 * 1024;
const BASE64_LENGTH_MAX = Math.ceil(XML_BYTES_MAX / 3) * 4 * 1.05;
/** Without the white space that may break its lines: a pattern that allows it anywhere can be made to try for hours. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const DECLARED = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/;
const READABLE = new Set(['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252']);
const DECLARATION_BYTES = 300;

export function decodeXml(base64: string): XmlText {
  if (base64.length > BASE64_LENGTH_MAX) return unreadable('it is too large');
  const bytes = Buffer.from(base64, 'base64');
  // What is written back the same is base64 as nearly everybody writes it; the pattern is for the rest.
  if (bytes.toString('base64') !== base64 && !BASE64.test(base64.replaceAll(/\s+/g, '')))
    return unreadable('it is not base64');
  const encoding = encodingOf(bytes);
  if (encoding === null) return unreadable('its encoding is not one that is read');
  // What nearly all files are; the decoder below would do the same, slower.
  if (encoding === 'utf-8' && isUtf8(bytes))
    return { outcome: 'text', text: withoutMark(bytes.toString('utf8')) };
  try {
    return { outcome: 'text', text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return unreadable(`it is not ${encoding} as it says`);
  }
}

function encodingOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const declared =
    DECLARED.exec(bytes.toString('latin1', 0, DECLARATION_BYTES))?.[1]?.toLowerCase() ?? 'utf-8';
  return READABLE.has(declared) ? declared : null;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function unreadable(problem: string): XmlText {
  return { outcome: 'unreadable', problem };
}

// Elements of a document by namespace and name, step by step.

type Step = readonly [namespace: string, name: string];

function at(from: XmlElement, ...steps: readonly Step[]): XmlElement | undefined {
  let element: XmlElement | undefined = from;
  for (const [namespace, name] of steps) {
    element = element?.children.find((child) => child.name === name && child.namespace === namespace);
  }
  return element;
}

function all(from: XmlElement, namespace: string, name: string): XmlElement[] {
  return from.children.filter((child) => child.name === name && child.namespace === namespace);
}

/** Empty where it is not there. */
function text(from: XmlElement, ...steps: readonly Step[]): string {
  return at(from, ...steps)?.text.trim() ?? '';
}

// Names and amounts of UBL, as its readers share them.
const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** Thrown while a file is read; readUbl turns it into an `unreadable` outcome. */
class NotUbl extends Error {}

const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;
const LONG_NUMBER = /^[+-]?\d{16,60}(\.\d{0,60})?$/;

function money(element: XmlElement | undefined, name: string): Decimal | null {
  const written = element?.text.trim() ?? '';
  if (written === '') return null;
  if (LONG_NUMBER.test(written)) throw new NotUbl(`${name} is 10^15 or more, which is beyond what is booked`);
  if (!NUMBER.test(written)) throw new NotUbl(`${name} is not a number`);
  return new Decimal(written.replace(/^\+/, ''));
}
