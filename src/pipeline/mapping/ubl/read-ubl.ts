// The facts of a UBL 2.1 invoice or credit note that bookkeeping stands on. Elements are found by namespace, not by
// prefix. What the cross-check needs (currency, amount to pay) must be there; the rest may be missing.
import { Decimal, sum, ZERO } from '../../../domain/decimal.js';
import { isCalendarDay } from '../../../domain/calendar-day.js';
import type { IsoDate } from '../../../domain/source-document.js';
import { decodeXml } from './decode-xml.js';
import { readXml, type XmlElement } from './read-xml.js';

const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';
const ROOTS: ReadonlyMap<string, 'Invoice' | 'CreditNote'> = new Map([
  ['urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 Invoice', 'Invoice'],
  ['urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2 CreditNote', 'CreditNote'],
]);
const CREDIT_TYPE_CODES = new Set(['381', '81', '83', '396', '532']);
const ICELANDIC_REGISTER = '0196';

export interface UblTax {
  readonly percent: Decimal;
  readonly taxable: Decimal;
  readonly tax: Decimal;
}

export interface UblDocument {
  readonly isCreditNote: boolean;
  /** Empty when the file has none. */
  readonly id: string;
  readonly issueDate: IsoDate | null;
  readonly dueDate: IsoDate | null;
  /** Eindagi: the last day before interest runs. */
  readonly settlementDate: IsoDate | null;
  readonly currency: string;
  readonly supplierKennitala: string;
  readonly supplierName: string;
  /** Upper case; empty when the file does not say. */
  readonly supplierCountry: string;
  readonly taxes: readonly UblTax[];
  /** In the document's currency. */
  readonly taxTotal: Decimal;
  /** Only where a foreign document states its VAT in ISK too. */
  readonly taxTotalIsk: Decimal | null;
  readonly payable: Decimal;
  readonly accountingCost: string;
  readonly project: string;
  readonly buyerReference: string;
  readonly order: string;
}

export type UblReading =
  | { readonly outcome: 'read'; readonly ubl: UblDocument }
  | { readonly outcome: 'unreadable'; readonly problem: string };

/** Thrown inside this file only; readUbl turns it into an `unreadable` outcome. */
class NotUbl extends Error {}

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
  const type = ROOTS.get(`${root.namespace} ${root.name}`);
  if (type === undefined) throw new NotUbl(`<${root.name}> is neither a UBL Invoice nor a UBL CreditNote`);
  const payable = money(at(root, [CAC, 'LegalMonetaryTotal'], [CBC, 'PayableAmount']), 'PayableAmount');
  if (payable === null) throw new NotUbl('it has no PayableAmount');
  const supplier = at(root, [CAC, 'AccountingSupplierParty'], [CAC, 'Party']);
  const typeCode = text(root, [CBC, `${type}TypeCode`]);
  return {
    isCreditNote: type === 'CreditNote' || CREDIT_TYPE_CODES.has(typeCode) || payable.lt(0),
    id: text(root, [CBC, 'ID']),
    issueDate: day(text(root, [CBC, 'IssueDate'])),
    dueDate: day(text(root, [CBC, 'DueDate']) || text(root, [CAC, 'PaymentMeans'], [CBC, 'PaymentDueDate'])),
    settlementDate: day(eindagi(root)),
    currency: required(root, 'DocumentCurrencyCode'),
    supplierKennitala: supplier ? supplierKennitala(supplier) : '',
    supplierName: supplier
      ? text(supplier, [CAC, 'PartyLegalEntity'], [CBC, 'RegistrationName']) ||
        text(supplier, [CAC, 'PartyName'], [CBC, 'Name'])
      : '',
    supplierCountry: supplier
      ? text(supplier, [CAC, 'PostalAddress'], [CAC, 'Country'], [CBC, 'IdentificationCode']).toUpperCase()
      : '',
    ...readTaxes(root),
    payable,
    accountingCost: text(root, [CBC, 'AccountingCost']),
    project: text(root, [CAC, 'ProjectReference'], [CBC, 'ID']),
    buyerReference: text(root, [CBC, 'BuyerReference']),
    order: text(root, [CAC, 'OrderReference'], [CBC, 'ID']),
  };
}

/** The TaxTotal with subtotals is in the document's currency; one without may repeat the VAT in ISK. */
function readTaxes(root: XmlElement): Pick<UblDocument, 'taxes' | 'taxTotal' | 'taxTotalIsk'> {
  const totals = all(root, CAC, 'TaxTotal');
  const hasSubtotals = (total: XmlElement) => at(total, [CAC, 'TaxSubtotal']) !== undefined;
  const inIsk = totals
    .filter((total) => !hasSubtotals(total))
    .map((total) => at(total, [CBC, 'TaxAmount']))
    .find((amount) => amount?.attributes.get('currencyID') === 'ISK');
  const taxes = totals.flatMap((total) => all(total, CAC, 'TaxSubtotal')).map(readTax);
  return {
    taxes,
    taxTotal: sum(taxes.map(({ tax }) => tax)),
    taxTotalIsk: money(inIsk, 'TaxAmount'),
  };
}

function readTax(subtotal: XmlElement): UblTax {
  const percent = money(at(subtotal, [CAC, 'TaxCategory'], [CBC, 'Percent']), 'Percent');
  return {
    percent: percent ?? ZERO,
    taxable: money(at(subtotal, [CBC, 'TaxableAmount']), 'TaxableAmount') ?? ZERO,
    tax: money(at(subtotal, [CBC, 'TaxAmount']), 'TaxAmount') ?? ZERO,
  };
}

function supplierKennitala(party: XmlElement): string {
  const candidates = [
    ...all(party, CAC, 'PartyLegalEntity').flatMap((entity) => all(entity, CBC, 'CompanyID')),
    ...all(party, CBC, 'EndpointID'),
    ...all(party, CAC, 'PartyIdentification').flatMap((entity) => all(entity, CBC, 'ID')),
  ];
  const found = candidates.find((element) => element.attributes.get('schemeID') === ICELANDIC_REGISTER);
  return found?.text.trim() ?? '';
}

function eindagi(root: XmlElement): string {
  const reference = all(root, CAC, 'AdditionalDocumentReference').find(
    (element) => text(element, [CBC, 'DocumentDescription']).toUpperCase() === 'EINDAGI',
  );
  return reference ? text(reference, [CBC, 'ID']) : '';
}

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

function text(from: XmlElement, ...steps: readonly Step[]): string {
  return at(from, ...steps)?.text.trim() ?? '';
}

function required(root: XmlElement, name: string): string {
  const found = text(root, [CBC, name]);
  if (found === '') throw new NotUbl(`it has no ${name}`);
  return found;
}

const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;

function money(element: XmlElement | undefined, name: string): Decimal | null {
  const written = element?.text.trim() ?? '';
  if (written === '') return null;
  if (!NUMBER.test(written)) throw new NotUbl(`${name} is not a number`);
  return new Decimal(written.replace(/^\+/, ''));
}

/** xsd:date may carry a time zone. A day that does not exist counts as not given. */
function day(written: string): IsoDate | null {
  const date = written.slice(0, 10);
  return isCalendarDay(date) ? date : null;
}
