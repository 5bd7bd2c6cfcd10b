import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { Cost } from '../../../lab/sandbox/model.js';
import { costUbl } from '../../../lab/sandbox/render/cost-ubl.js';
import { generateAccount } from '../../../lab/sandbox/world/generate-account.js';

const { profile, costs } = generateAccount({
  seed: 'ubl',
  invoices: 0,
  costs: 400,
  from: '2025-01-01',
  to: '2025-06-30',
});

interface Subtotal {
  readonly base: number;
  readonly vat: number;
  readonly category: string;
  readonly percent: string | undefined;
  readonly reason: string | undefined;
}

interface Ubl {
  readonly cost: Cost;
  readonly root: string;
  readonly document: Node;
  readonly subtotals: readonly Subtotal[];
  readonly lines: readonly Node[];
}

type Node = Readonly<Record<string, unknown>>;
const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  removeNSPrefix: true,
  isArray: (name) => ['TaxTotal', 'TaxSubtotal', 'InvoiceLine', 'CreditNoteLine'].includes(name),
});

function at(node: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, name) => (typeof found === 'object' && found !== null ? (found as Node)[name] : undefined),
      node,
    );
}
const textAt = (node: unknown, path: string): string | undefined => {
  const found = at(node, path);
  return typeof found === 'object' && found !== null
    ? String((found as Node)['#text'])
    : (found as string | undefined);
};
const numberAt = (node: unknown, path: string): number => Number(textAt(node, path));
const cents = (amount: number): number => Math.round(amount * 100);

function read(cost: Cost): Ubl {
  const [root, document] = Object.entries(parser.parse(costUbl(profile, cost)) as Node).at(-1)!;
  const subtotals = (at(document, 'TaxTotal') as Node[]).flatMap(
    (total) => (total['TaxSubtotal'] ?? []) as Node[],
  );
  return {
    cost,
    root,
    document: document as Node,
    lines: at(document, `${root}Line`) as Node[],
    subtotals: subtotals.map((each) => ({
      base: numberAt(each, 'TaxableAmount'),
      vat: numberAt(each, 'TaxAmount'),
      category: textAt(each, 'TaxCategory.ID')!,
      percent: textAt(each, 'TaxCategory.Percent'),
      reason: textAt(each, 'TaxCategory.TaxExemptionReason'),
    })),
  };
}

const documents = costs.map(read);
const failing = (holds: (ubl: Ubl) => boolean): string[] =>
  documents.filter((ubl) => !holds(ubl)).map((ubl) => `${ubl.cost.guid} ${costUbl(profile, ubl.cost)}`);
const sum = (numbers: number[]): number => cents(numbers.reduce((total, each) => total + each, 0));
const SUPPLIER = 'AccountingSupplierParty.Party';
const CUSTOMER = 'AccountingCustomerParty.Party';
const isIcelandic = (ubl: Ubl): boolean =>
  textAt(ubl.document, `${SUPPLIER}.PostalAddress.Country.IdentificationCode`) === 'IS';
const sellerVat = (ubl: Ubl): string | undefined =>
  textAt(ubl.document, `${SUPPLIER}.PartyTaxScheme.CompanyID`);
const eindagi = (ubl: Ubl): string | undefined => textAt(ubl.document, 'AdditionalDocumentReference.ID');
const all = (ubl: Ubl, holds: (subtotal: Subtotal) => boolean): boolean => ubl.subtotals.every(holds);

describe('the UBL of a cost agrees with the cost', () => {
  it.each<[string, (ubl: Ubl) => boolean]>([
    [
      'is a CreditNote 381 for a credit note and an Invoice 380 otherwise',
      ({ cost, root, document }) =>
        cost.credit_note
          ? root === 'CreditNote' && textAt(document, 'CreditNoteTypeCode') === '381'
          : root === 'Invoice' && textAt(document, 'InvoiceTypeCode') === '380',
    ],
    [
      'has the same currency and the amount as payable',
      ({ cost, document }) =>
        textAt(document, 'DocumentCurrencyCode') === cost.currency &&
        cents(numberAt(document, 'LegalMonetaryTotal.PayableAmount')) === cost.amount,
    ],
    [
      'has vat_S at 24 percent and vat_AA at 11 percent, both category S, in krónur',
      ({ cost, subtotals }) =>
        cost.currency !== 'ISK' ||
        (sum(
          subtotals.filter((each) => each.percent === '24' && each.category === 'S').map((each) => each.vat),
        ) === cost.vat_S &&
          sum(
            subtotals
              .filter((each) => each.percent === '11' && each.category === 'S')
              .map((each) => each.vat),
          ) === cost.vat_AA),
    ],
    [
      'says its VAT in krónur too when it is foreign',
      ({ cost, document }) => {
        const second = (at(document, 'TaxTotal') as Node[])[1];
        if (cost.currency === 'ISK' || cost.vat_S === 0)
          return second === undefined && !('TaxCurrencyCode' in document);
        return (
          textAt(document, 'TaxCurrencyCode') === 'ISK' && cents(numberAt(second, 'TaxAmount')) === cost.vat_S
        );
      },
    ],
    [
      "has the supplier's kennitala under scheme 0196, as endpoint and as legal id",
      ({ cost, document }) =>
        ['EndpointID', 'PartyLegalEntity.CompanyID'].every(
          (path) =>
            textAt(document, `${SUPPLIER}.${path}`) === cost.supplier_id &&
            at(document, `${SUPPLIER}.${path}.@_schemeID`) === '0196',
        ),
    ],
  ])('%s', (_promise, holds) => {
    expect(failing(holds)).toEqual([]);
  });
});

describe('rules of EN 16931 and Peppol BIS Billing 3.0', () => {
  it.each<[string, (ubl: Ubl) => boolean]>([
    [
      'BR-CO-10 lines add up',
      ({ document, lines }) =>
        sum(lines.map((line) => numberAt(line, 'LineExtensionAmount'))) ===
        cents(numberAt(document, 'LegalMonetaryTotal.LineExtensionAmount')),
    ],
    [
      'BR-CO-14 VAT subtotals add up',
      ({ document, subtotals }) =>
        sum(subtotals.map((each) => each.vat)) ===
        cents(numberAt((at(document, 'TaxTotal') as Node[])[0], 'TaxAmount')),
    ],
    [
      'BR-CO-15 inclusive = exclusive + VAT, BR-CO-16 = payable',
      ({ document, subtotals }) => {
        const total = (name: string) => cents(numberAt(document, `LegalMonetaryTotal.${name}`));
        return (
          total('TaxInclusiveAmount') ===
            total('TaxExclusiveAmount') + sum(subtotals.map((each) => each.vat)) &&
          total('PayableAmount') === total('TaxInclusiveAmount')
        );
      },
    ],
    [
      'BR-CO-17 VAT = base × percent within 1',
      (ubl) => all(ubl, ({ base, vat, percent }) => Math.abs(base * (Number(percent ?? 0) / 100) - vat) < 1),
    ],
    [
      'BR-CO-18 one subtotal per category and percent',
      ({ subtotals }) =>
        new Set(subtotals.map((each) => `${each.category}${each.percent ?? ''}`)).size === subtotals.length,
    ],
    [
      'BR-CO-25 an invoice to be paid has a due date',
      ({ root, document }) => root === 'CreditNote' || textAt(document, 'DueDate') !== undefined,
    ],
    [
      'BR-S-02, BR-E-02, BR-Z-02 the seller has a VAT number',
      (ubl) => all(ubl, (each) => each.category === 'O') || /^[A-Z]{2}\d{5,6}$/.test(sellerVat(ubl) ?? ''),
    ],
    [
      'BR-O-02 outside VAT nobody has one, BR-O-05 no percent, BR-O-11 no other category',
      (ubl) =>
        all(ubl, (each) => each.category !== 'O') ||
        (ubl.subtotals.length === 1 &&
          sellerVat(ubl) === undefined &&
          textAt(ubl.document, `${CUSTOMER}.PartyTaxScheme.CompanyID`) === undefined &&
          ubl.subtotals[0]?.percent === undefined),
    ],
    [
      'BR-E-10, BR-O-10 say why, BR-S-10, BR-Z-10 do not',
      (ubl) => all(ubl, ({ category, reason }) => ['E', 'O'].includes(category) === (reason !== undefined)),
    ],
    [
      'PEPPOL-EN16931-R003 a buyer reference',
      ({ document }) => textAt(document, 'BuyerReference') !== undefined,
    ],
    [
      'PEPPOL-EN16931-R008 no empty elements',
      ({ cost }) => !/<(\S+)[^>]*><\/\1>|\/>/.test(costUbl(profile, cost)),
    ],
    [
      'PEPPOL-EN16931-R010, R020 both have an electronic address',
      ({ document }) =>
        [SUPPLIER, CUSTOMER].every((party) => at(document, `${party}.EndpointID.@_schemeID`) === '0196'),
    ],
    [
      'PEPPOL-EN16931-R120 line = quantity × price',
      ({ root, lines }) =>
        lines.every((line) => {
          const quantity = numberAt(line, root === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity');
          return (
            cents(quantity * numberAt(line, 'Price.PriceAmount')) ===
            cents(numberAt(line, 'LineExtensionAmount'))
          );
        }),
    ],
    [
      'IS-R-003, IS-R-005 streets and postal codes',
      (ubl) =>
        !isIcelandic(ubl) ||
        [SUPPLIER, CUSTOMER].every((party) =>
          ['StreetName', 'PostalZone'].every(
            (name) => textAt(ubl.document, `${party}.PostalAddress.${name}`) !== undefined,
          ),
        ),
    ],
    [
      'IS-R-006 a claim (9) has an account of twelve digits, in ledger 66',
      (ubl) =>
        textAt(ubl.document, 'PaymentMeans.PaymentMeansCode') !== '9' ||
        /^\d{4}66\d{6}$/.test(textAt(ubl.document, 'PaymentMeans.PayeeFinancialAccount.ID') ?? ''),
    ],
    [
      'IS-R-008, IS-R-009, IS-R-010 eindagi is a date and not before the due date',
      (ubl) => {
        const date = eindagi(ubl);
        return (
          date === undefined || (/^\d{4}-\d\d-\d\d$/.test(date) && date >= textAt(ubl.document, 'DueDate')!)
        );
      },
    ],
  ])('%s', (_rule, holds) => {
    expect(failing(holds)).toEqual([]);
  });

  it('the sample has what these rules are about', () => {
    expect(new Set(documents.flatMap((ubl) => ubl.subtotals.map((each) => each.category)))).toEqual(
      new Set(['S', 'E', 'Z', 'O']),
    );
    expect(documents.some((ubl) => ubl.root === 'CreditNote')).toBe(true);
    expect(documents.some((ubl) => !isIcelandic(ubl))).toBe(true);
    expect(documents.some((ubl) => eindagi(ubl) !== undefined)).toBe(true);
    expect(documents.some((ubl) => ubl.subtotals.length > 1)).toBe(true);
    expect(documents.some((ubl) => 'TaxCurrencyCode' in ubl.document)).toBe(true);
  });

  it('text that is dangerous in XML arrives as it was, without what XML cannot hold', () => {
    const cost = {
      ...costs[0]!,
      description: '<b>"Blek" & pappír</b>\u0000\u001b þægð',
      supplier_name: 'A & B <ehf.>',
    };
    const { document } = read(cost);
    expect(textAt(document, 'Note')).toBe('<b>"Blek" & pappír</b> þægð');
    expect(textAt(document, `${SUPPLIER}.PartyName.Name`)).toBe('A & B <ehf.>');
  });
});
