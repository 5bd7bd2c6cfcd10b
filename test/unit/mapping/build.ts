// Raw documents as the service gives them, and e-invoices to go with costs.
import { say } from '../../../src/language/say.js';
import { readFileSync } from 'node:fs';
import { Decimal } from '../../../src/domain/money.js';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { decodeContext } from '../../../src/pipeline/mapping/context.js';
import { mapDocument } from '../../../src/pipeline/mapping/map-document.js';
import type { MappedToPost, MappingOutcome, NotPosted } from '../../../src/pipeline/mapping/outcome.js';
import { parseRules, type TenantRules, deepMergeRules } from '../../../src/pipeline/mapping/rules.js';

export type Raw = Record<string, unknown>;

export function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../fixtures/mapping/${name}`, import.meta.url), 'utf8'));
}

export const sampleRules: TenantRules = parseRules(fixture('rules.default.json'), 'fixture');

export function rulesWith(over: Raw): TenantRules {
  return parseRules(deepMergeRules(sampleRules, over), 'test');
}

let serial = 0;
export function guid(): string {
  serial += 1;
  return `00000000-0000-4000-9000-${String(serial).padStart(12, '0')}`;
}

export interface ItemShape {
  qty?: unknown;
  price: unknown;
  tax?: string;
  discount?: unknown;
  percent?: boolean;
  number?: string;
  guid?: string;
}

export function item({
  qty = 1,
  price,
  tax = 'S',
  discount = 0,
  percent = false,
  number = 'V1',
  guid: id,
}: ItemShape): Raw {
  return {
    guid: id ?? guid(),
    item_number: number,
    description: `Vara ${number}`,
    qty,
    uom: 'C62',
    tax,
    unit_price: price,
    discount,
    discount_type: percent ? 1 : 0,
  };
}

export function invoice(over: Raw = {}): Raw {
  return {
    guid: guid(),
    number: '1001',
    amount: 124000,
    currency: 'ISK',
    status: 'Sent',
    created_date: '2025-03-10',
    issue_date: '2025-03-10',
    due_date: '2025-03-24',
    settlement_date: '2025-03-24',
    delivery_date: '2025-03-10',
    description: '',
    booking: '',
    cost_provide: '',
    terms: '',
    type: 'invoice',
    refer_guid: '',
    accounting_status: 'Created',
    accounting_message: '',
    claim_status: '',
    capital_gains_tax: 0,
    other_default_costs_amount: 0,
    default_charge_amount: 0,
    default_interest_amount: 0,
    bank_transaction_amount: 0,
    total_24vat: 0,
    total_11vat: 0,
    total_0vat: 0,
    exchange_rate: 1,
    items: [item({ price: 100000 })],
    customer: { guid: guid(), name: 'Dæmi ehf.', registration_no: '4101212040', city: 'Reykjavík' },
    ...over,
  };
}

export interface UblShape {
  root?: 'Invoice' | 'CreditNote';
  id?: string;
  typeCode?: string;
  currency?: string;
  country?: string;
  kennitala?: string;
  /** More of the supplier's party. */
  party?: string;
  payable: unknown;
  /** With VAT, whatever was paid beforehand; and what was. Left out unless given. */
  inclusive?: unknown;
  prepaid?: unknown;
  taxes?: { percent: unknown; tax: unknown; taxable?: unknown }[];
  taxIsk?: string | number;
  /** The total beside the subtotals; 0 where it is left out. */
  taxTotal?: string | number;
  extra?: string;
}

export function ublXml(shape: UblShape): string {
  const {
    root = 'Invoice',
    currency = 'ISK',
    country = 'IS',
    payable,
    taxes = [],
    taxIsk,
    extra = '',
  } = shape;
  const subtotals = taxes.map(
    ({ percent, tax, taxable = 0 }) =>
      `<cac:TaxSubtotal><cbc:TaxableAmount currencyID="${currency}">${String(taxable)}</cbc:TaxableAmount>` +
      `<cbc:TaxAmount currencyID="${currency}">${String(tax)}</cbc:TaxAmount>` +
      `<cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>${String(percent)}</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>`,
  );
  const due = root === 'Invoice' ? '<cbc:DueDate>2025-03-25</cbc:DueDate>' : '';
  return (
    `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" ` +
    'xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" ' +
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">' +
    `<cbc:ID>${shape.id ?? 'F-1001'}</cbc:ID><cbc:IssueDate>2025-03-10</cbc:IssueDate>${due}` +
    `<cbc:${root}TypeCode>${shape.typeCode ?? (root === 'Invoice' ? '380' : '381')}</cbc:${root}TypeCode>` +
    `<cbc:DocumentCurrencyCode>${currency}</cbc:DocumentCurrencyCode>${extra}` +
    `<cac:AccountingSupplierParty><cac:Party>${shape.party ?? ''}<cac:PostalAddress><cac:Country>` +
    `<cbc:IdentificationCode>${country}</cbc:IdentificationCode></cac:Country></cac:PostalAddress>` +
    '<cac:PartyLegalEntity><cbc:RegistrationName>Birgir ehf.</cbc:RegistrationName>' +
    (shape.kennitala === undefined
      ? ''
      : `<cbc:CompanyID schemeID="0196">${shape.kennitala}</cbc:CompanyID>`) +
    '</cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>' +
    `<cac:TaxTotal><cbc:TaxAmount currencyID="${currency}">${String(shape.taxTotal ?? 0)}</cbc:TaxAmount>${subtotals.join('')}</cac:TaxTotal>` +
    (taxIsk === undefined
      ? ''
      : `<cac:TaxTotal><cbc:TaxAmount currencyID="ISK">${String(taxIsk)}</cbc:TaxAmount></cac:TaxTotal>`) +
    `<cac:LegalMonetaryTotal>${amountElement('TaxInclusiveAmount', shape.inclusive, currency)}` +
    `${amountElement('PrepaidAmount', shape.prepaid, currency)}<cbc:PayableAmount currencyID="${currency}">${String(payable)}</cbc:PayableAmount>` +
    `</cac:LegalMonetaryTotal></${root}>`
  );
}

function amountElement(name: string, amount: unknown, currency: string): string {
  return amount === undefined ? '' : `<cbc:${name} currencyID="${currency}">${String(amount)}</cbc:${name}>`;
}

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** With an e-invoice that agrees, unless `ubl` or `xml` says otherwise. */
export function cost(over: Raw = {}, ubl: Partial<UblShape> = {}): Raw {
  const raw: Raw = {
    guid: guid(),
    description: 'Kostnaður',
    supplier_id: '5501192180',
    amount: 12400,
    currency: 'ISK',
    vat_AA: 0,
    vat_S: 2400,
    cost_code: '2353',
    how_paid: 2,
    file: null,
    file_name: '',
    file_extension: '',
    issue_date: '2025-03-10',
    created_date: '2025-03-11',
    accounting_status: 'Created',
    project_name: '',
    ...over,
  };
  if ('xml' in over) return raw;
  const isIsk = raw['currency'] === 'ISK';
  const agreeing: UblShape = {
    payable: raw['amount'],
    currency: String(raw['currency']),
    taxes: isIsk
      ? [
          { percent: 24, tax: raw['vat_S'] },
          { percent: 11, tax: raw['vat_AA'] },
        ]
      : [],
    ...ubl,
  };
  return { ...raw, xml: base64(ublXml(agreeing)) };
}

export function map(
  kind: 'invoice' | 'cost',
  raw: Raw,
  rules = sampleRules,
  context: Raw = {},
): MappingOutcome {
  const decoded = decodeDocument(kind, raw);
  if (decoded.outcome === 'malformed') throw new Error(decoded.problem);
  return mapDocument(decoded.document, rules, decodeContext(context, decoded.document.guid));
}

export function posted(outcome: MappingOutcome): MappedToPost {
  if (outcome.outcome !== 'post') throw new Error(`not posted: ${outcome.reason} ${say('en', outcome.why)}`);
  return outcome;
}

export function stopped(outcome: MappingOutcome): NotPosted {
  if (outcome.outcome === 'post') throw new Error('it was posted');
  return outcome;
}

/** `1500 D 124000`, `3000 K 100000 U24`, with the currency amount last. */
export function shown(journal: MappedToPost['journal'] | undefined): string[] {
  return (journal?.lines ?? []).map((line) =>
    [
      line.account,
      line.debit.gt(0) ? 'D' : 'K',
      line.debit.plus(line.credit).toFixed(),
      ...(line.vatCode === undefined ? [] : [line.vatCode]),
      ...(line.currencyAmount === undefined ? [] : [line.currencyAmount.toFixed()]),
    ].join(' '),
  );
}

export const codes = (outcome: MappingOutcome): string[] => outcome.warnings.map(({ code }) => code);

export const dec = (value: string | number): Decimal => new Decimal(value);
