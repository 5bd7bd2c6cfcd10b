// A cost as the e-invoice it came as: Peppol BIS Billing 3.0 in UBL 2.1, an Invoice or a CreditNote. Written when asked
// for and always the same for the same cost. Promises: payable equals the cost's amount, VAT per percent equals vat_S and
// vat_AA, sums add up, and Iceland's own rules hold (kennitala under scheme 0196, addresses, 12-digit accounts, eindagi).
import { addDays } from '../clock.js';
import type { AccountProfile, Cost, Hundredths } from '../model.js';
import { supplierFacts, type SupplierFacts } from './supplier-facts.js';
import { vatParts, type VatPart } from './cost-vat.js';
import { element, optionalElement, type Xml } from './xml.js';

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
