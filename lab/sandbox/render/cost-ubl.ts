// A cost as the e-invoice it came as: Peppol BIS Billing 3.0 in UBL 2.1, an Invoice or a CreditNote. Written when asked
// for and always the same for the same cost. Promises: payable equals the cost's amount, VAT per percent equals vat_S and
// vat_AA, sums add up, and Iceland's own rules hold (kennitala under scheme 0196, addresses, 12-digit accounts, eindagi).
import { addDays } from '../clock.js';
import type { AccountProfile, Cost, Hundredths } from '../model.js';
import { vatParts, type VatPart, isFromAbroad } from './cost-vat.js';
import { PLACES, STREETS } from '../world/names.js';

// Just enough XML: elements, attributes and text, escaped, with the characters dropped that XML 1.0 cannot hold.

/** An element, or nothing where a value is missing. */
type Xml = string | null;

function element(
  name: string,
  content: string | readonly Xml[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const inside =
    typeof content === 'string' ? escaped(content) : content.filter((each) => each !== null).join('');
  const given = Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`)
    .join('');
  return `<${name}${given}>${inside}</${name}>`;
}

/** Nothing when the text is empty: UBL knows no empty elements. */
function optionalElement(name: string, text: string): Xml {
  return text === '' ? null : element(name, text);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const IMPOSSIBLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(IMPOSSIBLE, '').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd';
const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** Kennitala in the ISO 6523 list of registers. */
const KENNITALA_SCHEME = '0196';
/** By how_paid: a claim in the bank (krafa), a debit card, a credit card, cash. */
const PAYMENT_MEANS = { 1: '9', 2: '48', 3: '54', 4: '10' } as const;

interface Document {
  readonly cost: Cost;
  readonly supplier: SupplierFacts;
  readonly parts: readonly VatPart[];
  readonly root: 'Invoice' | 'CreditNote';
  readonly dueDate: string;
  /** Outside VAT nobody's VAT number may stand in the document. */
  readonly outsideVat: boolean;
}

export function costUbl(profile: AccountProfile, cost: Cost): string {
  const supplier = supplierFacts(cost);
  const parts = vatParts(cost);
  const document: Document = {
    cost,
    supplier,
    parts,
    root: cost.credit_note ? 'CreditNote' : 'Invoice',
    dueDate: cost.how_paid === 1 ? addDays(cost.issue_date, supplier.termDays) : cost.issue_date,
    outsideVat: parts.every((part) => part.category === 'O'),
  };
  const content = [
    ...header(document),
    ...references(document),
    element('cac:AccountingSupplierParty', [supplierParty(document)]),
    element('cac:AccountingCustomerParty', [customerParty(profile, document)]),
    paymentMeans(document),
    ...taxTotals(document),
    monetaryTotal(document),
    ...parts.map((part, index) => line(document, part, index + 1)),
  ];
  const body = element(document.root, content, {
    xmlns: `${NAMESPACE}:${document.root}-2`,
    'xmlns:cac': `${NAMESPACE}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${NAMESPACE}:CommonBasicComponents-2`,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** UBL fixes the order of elements, and the two kinds of document differ in it. */
function header({ cost, root, dueDate, parts }: Document): Xml[] {
  const vat = sum(parts, 'vat');
  return [
    element('cbc:CustomizationID', CUSTOMIZATION),
    element('cbc:ProfileID', PROFILE),
    element('cbc:ID', cost.supplier_invoice_number || cost.guid.slice(0, 8)),
    element('cbc:IssueDate', cost.issue_date),
    ...(root === 'Invoice'
      ? [element('cbc:DueDate', dueDate), element('cbc:InvoiceTypeCode', '380')]
      : [element('cbc:CreditNoteTypeCode', '381')]),
    optionalElement('cbc:Note', cost.description),
    element('cbc:DocumentCurrencyCode', cost.currency),
    cost.currency !== 'ISK' && vat > 0 ? element('cbc:TaxCurrencyCode', 'ISK') : null,
    element('cbc:BuyerReference', cost.project_name || 'Bókhald'),
  ];
}

function references({ cost, root, dueDate, supplier }: Document): Xml[] {
  const isClaim = root === 'Invoice' && cost.how_paid === 1 && !supplier.abroad;
  return [
    root === 'CreditNote' && cost.credits !== ''
      ? element('cac:BillingReference', [
          element('cac:InvoiceDocumentReference', [element('cbc:ID', cost.credits)]),
        ])
      : null,
    isClaim
      ? element('cac:AdditionalDocumentReference', [
          element('cbc:ID', addDays(dueDate, supplier.graceDays)),
          element('cbc:DocumentDescription', 'EINDAGI'),
        ])
      : null,
    root === 'Invoice' && cost.project_name !== ''
      ? element('cac:ProjectReference', [element('cbc:ID', cost.project_name)])
      : null,
  ];
}

function supplierParty({ cost, supplier, outsideVat }: Document): string {
  const kennitala = { schemeID: KENNITALA_SCHEME };
  return element('cac:Party', [
    cost.supplier_id === '' ? null : element('cbc:EndpointID', cost.supplier_id, kennitala),
    element('cac:PartyName', [element('cbc:Name', supplier.name)]),
    address(supplier.street, supplier.city, supplier.zip, supplier.country),
    outsideVat ? null : partyTaxScheme(supplier.vatNumber),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', supplier.name),
      cost.supplier_id === '' ? null : element('cbc:CompanyID', cost.supplier_id, kennitala),
    ]),
  ]);
}

function customerParty(profile: AccountProfile, { outsideVat }: Document): string {
  const kennitala = { schemeID: KENNITALA_SCHEME };
  const vatNumber = profile.vat_no.replace(/^IS/, '');
  return element('cac:Party', [
    element('cbc:EndpointID', profile.registration_no, kennitala),
    element('cac:PartyName', [element('cbc:Name', profile.name)]),
    address(profile.address, profile.city, profile.zip, 'IS'),
    outsideVat || vatNumber === '' ? null : partyTaxScheme(`IS${vatNumber}`),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', profile.name),
      element('cbc:CompanyID', profile.registration_no, kennitala),
    ]),
  ]);
}

function address(street: string, city: string, zip: string, country: string): string {
  return element('cac:PostalAddress', [
    optionalElement('cbc:StreetName', street),
    optionalElement('cbc:CityName', city),
    optionalElement('cbc:PostalZone', zip),
    element('cac:Country', [element('cbc:IdentificationCode', country)]),
  ]);
}

function partyTaxScheme(vatNumber: string): string {
  return element('cac:PartyTaxScheme', [element('cbc:CompanyID', vatNumber), VAT_SCHEME]);
}

const VAT_SCHEME = element('cac:TaxScheme', [element('cbc:ID', 'VAT')]);

function paymentMeans({ cost, root, dueDate, supplier }: Document): string {
  return element('cac:PaymentMeans', [
    element(
      'cbc:PaymentMeansCode',
      supplier.abroad && cost.how_paid === 1 ? '30' : PAYMENT_MEANS[cost.how_paid],
    ),
    root === 'CreditNote' ? element('cbc:PaymentDueDate', dueDate) : null,
    cost.how_paid === 1
      ? element('cac:PayeeFinancialAccount', [element('cbc:ID', supplier.bankAccount)])
      : null,
  ]);
}

function taxTotals({ cost, parts }: Document): Xml[] {
  const vat = sum(parts, 'vat');
  return [
    element('cac:TaxTotal', [
      amount('cbc:TaxAmount', vat, cost.currency),
      ...parts.map((part) =>
        element('cac:TaxSubtotal', [
          amount('cbc:TaxableAmount', part.base, cost.currency),
          amount('cbc:TaxAmount', part.vat, cost.currency),
          taxCategory('cac:TaxCategory', part, part.reason),
        ]),
      ),
    ]),
    cost.currency !== 'ISK' && vat > 0
      ? element('cac:TaxTotal', [amount('cbc:TaxAmount', cost.vat_S + cost.vat_AA, 'ISK')])
      : null,
  ];
}

function taxCategory(name: string, part: VatPart, reason: string | null): string {
  return element(name, [
    element('cbc:ID', part.category),
    part.category === 'O' ? null : element('cbc:Percent', String(part.percent)),
    reason === null ? null : element('cbc:TaxExemptionReason', reason),
    VAT_SCHEME,
  ]);
}

function monetaryTotal({ cost, parts }: Document): string {
  const net = sum(parts, 'base');
  return element('cac:LegalMonetaryTotal', [
    amount('cbc:LineExtensionAmount', net, cost.currency),
    amount('cbc:TaxExclusiveAmount', net, cost.currency),
    amount('cbc:TaxInclusiveAmount', net + sum(parts, 'vat'), cost.currency),
    amount('cbc:PayableAmount', cost.amount, cost.currency),
  ]);
}

function line({ cost, root }: Document, part: VatPart, number: number): string {
  // A price is never negative; where figures contradict each other the quantity takes the sign.
  const quantity = part.base < 0 ? '-1' : '1';
  return element(`cac:${root}Line`, [
    element('cbc:ID', String(number)),
    element(root === 'Invoice' ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity', quantity, {
      unitCode: 'C62',
    }),
    amount('cbc:LineExtensionAmount', part.base, cost.currency),
    element('cac:Item', [
      element('cbc:Name', cost.description || 'Vara eða þjónusta'),
      taxCategory('cac:ClassifiedTaxCategory', part, null),
    ]),
    element('cac:Price', [amount('cbc:PriceAmount', Math.abs(part.base), cost.currency)]),
  ]);
}

function amount(name: string, value: Hundredths, currencyID: string): string {
  const text = value % 100 === 0 ? String(value / 100) : (value / 100).toFixed(2);
  return element(name, text, { currencyID });
}

function sum(parts: readonly VatPart[], what: 'base' | 'vat'): Hundredths {
  return parts.reduce((total, part) => total + part[what], 0);
}

// What a supplier's invoice shows beyond what a cost keeps: address, VAT number, account, terms. Derived from the
// supplier's kennitala, so that the same supplier is the same on every invoice.

interface SupplierFacts {
  readonly name: string;
  readonly abroad: boolean;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly vatNumber: string;
  /** Bank, ledger 66 of claims and number: 4 + 2 + 6 digits. */
  readonly bankAccount: string;
  readonly termDays: number;
  /** Days from the due date (gjalddagi) to the last day without interest (eindagi). */
  readonly graceDays: number;
}

const COUNTRY_OF_CURRENCY: Readonly<Record<string, readonly [string, string, string]>> = {
  EUR: ['IE', 'D04 V4X7', 'Dublin'],
  USD: ['US', '94107', 'San Francisco'],
  GBP: ['GB', 'EC2A 4NE', 'London'],
  DKK: ['DK', '1620', 'København'],
  NOK: ['NO', '0155', 'Oslo'],
  SEK: ['SE', '111 22', 'Stockholm'],
  PLN: ['PL', '00-001', 'Warszawa'],
  CHF: ['CH', '8001', 'Zürich'],
  CAD: ['CA', 'M5V 2T6', 'Toronto'],
};

export function supplierFacts(cost: Cost): SupplierFacts {
  const number = seedOf(cost.supplier_id || cost.supplier_name);
  const abroad = isFromAbroad(cost);
  const [country, zip, city] = abroad
    ? (COUNTRY_OF_CURRENCY[cost.currency] ?? ['US', '10001', 'New York'])
    : ['IS', ...(PLACES[number % PLACES.length] ?? ['101', 'Reykjavík'])];
  const street = STREETS[number % STREETS.length] ?? 'Aðalgata';
  return {
    name: cost.supplier_name || cost.supplier_id || 'Óþekktur birgir',
    abroad,
    street: abroad ? `${number % 200} Harbour Street` : `${street} ${(number % 80) + 1}`,
    zip,
    city,
    country,
    vatNumber: `${abroad ? country : 'IS'}${10_000 + (number % 130_000)}`,
    bankAccount: `0${String(101 + (number % 800))}66${String(number % 1_000_000).padStart(6, '0')}`,
    termDays: 10 + (number % 3) * 10,
    graceDays: 10,
  };
}

function seedOf(text: string): number {
  let seed = 7;
  for (const character of text) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return seed;
}
