// The facts of a UBL 2.1 invoice or credit note that bookkeeping stands on. Elements are found by namespace, not by
// prefix. What the cross-check needs (currency, amount to pay) must be there; the rest may be missing.
import { Decimal, ZERO } from '../../../domain/decimal.js';
import { plainKennitala } from '../../../domain/kennitala.js';
import { isCalendarDay } from '../../../domain/calendar-day.js';
import { onceOf } from '../../../domain/once-of.js';
import type { IsoDate, SourceCost } from '../../../domain/source-document.js';
import { decodeXml } from './decode-xml.js';
import { CAC, CBC, money, NotUbl, NUMBER } from './amounts.js';
import { all, at, text } from './elements.js';
import { readTaxes, type UblTaxes } from './read-taxes.js';
import { readXml, type XmlElement } from './read-xml.js';

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
