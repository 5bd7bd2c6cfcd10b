// Sales and purchase documents of Business Central, as its documentation and the AL source of the API pages say: drafts and posted ones in
// one set, numbers of its own, VAT by posting group, krónur by its own rates, ledger entries that merge lines of the same account.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Decimal, sum } from '../../../src/domain/money.js';
import { code, parse, text } from './business-central-bodies.js';
import { BcError, type BcLedger, type BcPartnerRow } from './business-central-ledger.js';
import { decimal, integer } from './fake-json.js';

const guid = z.guid();
const day = z.iso.date();

const SALES_HEAD = {
  customerNumber: code(20),
  externalDocumentNumber: code(35).default(''),
  postingDate: day,
  currencyCode: code(10).optional(),
  dueDate: day.optional(),
};
const PURCHASE_HEAD = {
  vendorNumber: code(20),
  postingDate: day,
  currencyCode: code(10).optional(),
  dueDate: day.optional(),
};
const LINE = {
  sequence: integer,
  lineType: z.enum(['Account', 'Comment']),
  lineObjectNumber: code(20).optional(),
  description: text(100).default(''),
  quantity: integer.default(0),
  taxCode: code(20).optional(),
};

/** What each set takes: everything else in a body is read-only or unknown, and refused. */
interface SetRow {
  readonly head: z.ZodType<Record<string, unknown>>;
  readonly lines: string;
  readonly mark: string;
  readonly partner: string;
  readonly price: string;
  readonly kind: 'customers' | 'vendors';
  readonly credit: boolean;
  readonly series: string;
  /** The day that people write on it. */
  readonly date: string;
}

export const FAKE_SETS = [
  'salesInvoices',
  'salesCreditMemos',
  'purchaseInvoices',
  'purchaseCreditMemos',
  'salesOrders',
  'salesQuotes',
] as const;
export type FakeSet = (typeof FAKE_SETS)[number];

const SETS: Readonly<Record<FakeSet, SetRow>> = {
  salesInvoices: {
    head: z.strictObject({
      ...SALES_HEAD,
      invoiceDate: day.optional(),
      customerPurchaseOrderReference: text(35).default(''),
    }),
    ...{ lines: 'salesInvoiceLines', mark: 'externalDocumentNumber', partner: 'customerNumber' },
    ...{ price: 'unitPrice', kind: 'customers', credit: false, series: 'S-INV', date: 'invoiceDate' },
  },
  salesCreditMemos: {
    head: z.strictObject({ ...SALES_HEAD, creditMemoDate: day.optional(), invoiceId: guid.optional() }),
    ...{ lines: 'salesCreditMemoLines', mark: 'externalDocumentNumber', partner: 'customerNumber' },
    ...{ price: 'unitPrice', kind: 'customers', credit: true, series: 'S-CR', date: 'creditMemoDate' },
  },
  purchaseInvoices: {
    head: z.strictObject({
      ...PURCHASE_HEAD,
      invoiceDate: day.optional(),
      vendorInvoiceNumber: code(35).default(''),
      pricesIncludeTax: z.boolean().optional(),
    }),
    ...{ lines: 'purchaseInvoiceLines', mark: 'vendorInvoiceNumber', partner: 'vendorNumber' },
    ...{ price: 'unitCost', kind: 'vendors', credit: false, series: 'P-INV', date: 'invoiceDate' },
  },
  purchaseCreditMemos: {
    head: z.strictObject({
      ...PURCHASE_HEAD,
      creditMemoDate: day.optional(),
      vendorCreditMemoNumber: code(35).default(''),
      invoiceId: guid.optional(),
    }),
    ...{ lines: 'purchaseCreditMemoLines', mark: 'vendorCreditMemoNumber', partner: 'vendorNumber' },
    ...{ price: 'unitCost', kind: 'vendors', credit: true, series: 'P-CR', date: 'creditMemoDate' },
  },
  salesOrders: {
    head: z.strictObject({ ...SALES_HEAD, orderDate: day, requestedDeliveryDate: day.optional() }),
    ...{ lines: 'salesOrderLines', mark: 'externalDocumentNumber', partner: 'customerNumber' },
    ...{ price: 'unitPrice', kind: 'customers', credit: false, series: 'S-ORD', date: 'orderDate' },
  },
  salesQuotes: {
    head: z.strictObject({ ...SALES_HEAD, documentDate: day, validUntilDate: day.optional() }),
    ...{ lines: 'salesQuoteLines', mark: 'externalDocumentNumber', partner: 'customerNumber' },
    ...{ price: 'unitPrice', kind: 'customers', credit: false, series: 'S-QUO', date: 'documentDate' },
  },
};

export interface BcDocumentLineRow {
  readonly id: string;
  readonly sequence: number;
  readonly lineType: string;
  readonly lineObjectNumber: string;
  readonly description: string;
  readonly quantity: number;
  readonly price: Decimal;
  readonly taxCode: string;
  readonly net: Decimal;
  readonly tax: Decimal;
  readonly dimensionSetLines: { id: string; code: string; valueCode: string }[];
}

export interface BcDocumentRow {
  readonly set: FakeSet;
  readonly id: string;
  number: string;
  status: 'Draft' | 'Open' | 'Paid' | 'Canceled' | 'Sent';
  readonly head: Record<string, unknown>;
  readonly partner: BcPartnerRow;
  /** Empty: krónur. */
  readonly currencyCode: string;
  readonly pricesIncludeTax: boolean;
  lines: BcDocumentLineRow[];
  /** Posting gives it before anything can be refused, and it stays. */
  postingNumber?: string;
  invoiceId: string;
  remaining: Decimal;
  etag: number;
  /** When it was last changed, to the millisecond. */
  modified: string;
}

export class BcDocuments {
  readonly rows: BcDocumentRow[] = [];
  /** Krónur for one of the currency, from a day on. */
  readonly rates: { currencyCode: string; startingDate: string; rate: Decimal }[] = [];
  /** What the next posts are refused with. */
  refusals: string[] = [];
  readonly #ledger: BcLedger;
  #numbers = 1000;

  constructor(ledger: BcLedger) {
    this.#ledger = ledger;
  }

  create(set: FakeSet, body: unknown): BcDocumentRow {
    const facts = SETS[set];
    const head = parse(facts.head, body);
    const number = String(head[facts.partner]);
    const partner = this.#ledger[facts.kind].find((each) => each.number === number);
    if (!partner)
      throw refusal(`The ${facts.kind === 'customers' ? 'sell-to customer' : 'vendor'} cannot be found.`);
    const currency = (head['currencyCode'] as string | undefined) ?? partner.currencyCode;
    const currencyCode = currency === 'ISK' ? '' : currency;
    if (currencyCode !== '' && !this.rates.some((rate) => rate.currencyCode === currencyCode))
      throw refusal('The "currencyCode" does not match to a Currency.');
    if (head['invoiceId'] !== undefined) this.#invoice(set, String(head['invoiceId']));
    const row: BcDocumentRow = {
      ...{ set, id: randomUUID(), number: `${facts.series}${String(++this.#numbers)}`, status: 'Draft' },
      ...{
        head,
        partner,
        currencyCode,
        lines: [],
        remaining: new Decimal(0),
        etag: 1,
        modified: this.#ledger.stamp(),
      },
      invoiceId: (head['invoiceId'] as string | undefined) ?? '',
      pricesIncludeTax:
        (head['pricesIncludeTax'] as boolean | undefined) ?? partner.pricesIncludeTax ?? false,
    };
    this.rows.push(row);
    return row;
  }

  addLine(set: FakeSet, id: string, body: unknown): BcDocumentLineRow {
    const row = this.draft(set, id);
    const { price } = SETS[set];
    const sent = parse(z.strictObject({ ...LINE, [price]: decimal.optional() }), body);
    if (row.lines.some(({ sequence }) => sequence === sent.sequence))
      throw new BcError(400, 'Internal_EntityWithSameKeyExists', 'The line already exists.');
    const isAccount = sent.lineType === 'Account';
    if (isAccount) this.#checkAccount(sent.lineObjectNumber ?? '');
    const group = sent.taxCode ?? '';
    const rate = isAccount ? this.#rateOf(group) : new Decimal(0);
    const unit = (sent as Record<string, unknown>)[price] as Decimal | undefined;
    const amount = this.#round(row, (unit ?? new Decimal(0)).times(sent.quantity));
    const net = row.pricesIncludeTax ? this.#round(row, amount.div(rate.plus(1))) : amount;
    const tax = row.pricesIncludeTax ? amount.minus(net) : this.#round(row, net.times(rate));
    const line: BcDocumentLineRow = {
      ...{ id: randomUUID(), sequence: sent.sequence, lineType: sent.lineType, taxCode: group },
      ...{ lineObjectNumber: sent.lineObjectNumber ?? '', description: sent.description },
      ...{ quantity: sent.quantity, price: unit ?? new Decimal(0), net, tax },
      dimensionSetLines: (row.partner.defaultDimensions ?? []).map((each) => ({ id: randomUUID(), ...each })),
    };
    row.lines.push(line);
    this.touch(row);
    return line;
  }

  change(set: FakeSet, id: string, body: unknown): void {
    const row = this.draft(set, id);
    const sent = parse(z.strictObject({ invoiceId: guid }), body);
    if (!SETS[set].credit) throw new BcError(400, 'BadRequest', "Could not find a property 'invoiceId'.");
    this.#invoice(set, sent.invoiceId);
    row.invoiceId = sent.invoiceId;
    this.touch(row);
  }

  /** A number that posting gave is not lost: an empty document is posted under it. */
  remove(set: FakeSet, id: string): void {
    const row = this.draft(set, id);
    this.rows.splice(this.rows.indexOf(row), 1);
    if (row.postingNumber === undefined) return;
    const empty = { ...row, id: randomUUID(), number: row.postingNumber, lines: [], invoiceId: '' };
    this.rows.push({ ...empty, status: 'Open', remaining: new Decimal(0) });
  }

  post(set: FakeSet, id: string): void {
    const row = this.draft(set, id);
    const items = row.lines.filter(({ lineType }) => lineType === 'Account');
    if (items.length === 0) throw refusal('Please add at least one line item to the document.');
    if (items.some(({ quantity }) => quantity === 0)) throw refusal('One or more lines have no quantity.');
    row.postingNumber ??= `P${SETS[set].series}${String(++this.#numbers)}`;
    const [refused] = this.refusals.splice(0, 1);
    if (refused !== undefined) throw refusal(refused);
    this.#checkPosting(row);
    this.#apply(row);
    this.#book(row, items);
    row.number = row.postingNumber;
    row.status = row.remaining.isZero() ? 'Paid' : 'Open';
    this.touch(row);
  }

  /** Every change has a time of its own. */
  touch(row: BcDocumentRow): void {
    row.etag++;
    row.modified = this.#ledger.stamp();
  }

  draft(set: FakeSet, id: string): BcDocumentRow {
    const row = this.rows.find((each) => each.set === set && each.id === id);
    if (!row) throw new BcError(404, 'BadRequest_NotFound', 'The document does not exist.');
    if (row.status !== 'Draft') throw refusal('The action can be applied to a draft only.');
    return row;
  }

  lineOf(set: FakeSet, id: string): BcDocumentLineRow {
    const line = this.rows
      .filter((row) => row.set === set && row.status === 'Draft')
      .flatMap(({ lines }) => lines)
      .find((each) => each.id === id);
    if (!line) throw new BcError(404, 'BadRequest_NotFound', 'The line does not exist.');
    return line;
  }

  /** As the API shows them. */
  shown(set: FakeSet): Record<string, unknown>[] {
    const { lines, credit, mark, partner, date, price } = SETS[set];
    return this.rows
      .filter((row) => row.set === set)
      .map((row) => ({
        '@odata.etag': `W/"${String(row.etag)}"`,
        ...{ id: row.id, number: row.number, status: row.status, postingDate: row.head['postingDate'] },
        ...{ [mark]: row.head[mark], [partner]: row.partner.number, dueDate: row.head['dueDate'] ?? '' },
        ...{ [date]: row.head[date] ?? row.head['postingDate'], lastModifiedDateTime: row.modified },
        ...(set === 'salesInvoices'
          ? {
              customerPurchaseOrderReference: row.head['customerPurchaseOrderReference'],
              remainingAmount: row.status === 'Draft' ? totalOf(row) : row.remaining,
            }
          : {}),
        ...(credit ? this.#credited(row) : {}),
        ...(set === 'salesOrders'
          ? { requestedDeliveryDate: row.head['requestedDeliveryDate'] ?? '0001-01-01' }
          : {}),
        currencyCode: row.currencyCode === '' ? 'ISK' : row.currencyCode,
        pricesIncludeTax: row.pricesIncludeTax,
        totalAmountIncludingTax: totalOf(row),
        [lines]: row.lines.map(({ net, tax, price: unit, ...line }) => ({
          ...line,
          ...{ [price]: unit, unitOfMeasureCode: '', discountPercent: new Decimal(0) },
          taxPercent: line.lineType === 'Account' ? this.#rateOf(line.taxCode).times(100) : new Decimal(0),
          ...{ netAmount: net, netTaxAmount: tax, netAmountIncludingTax: net.plus(tax) },
        })),
      }));
  }

  #credited({ invoiceId }: BcDocumentRow): Record<string, unknown> {
    if (invoiceId === '') return { invoiceId: undefined, invoiceNumber: '' };
    return { invoiceId, invoiceNumber: this.rows.find(({ id }) => id === invoiceId)?.number ?? '' };
  }

  #checkAccount(number: string): void {
    const account = this.#ledger.accounts.get(number);
    if (!account) throw refusal('Account does not exist.');
    if (account.blocked || !account.directPosting)
      throw new BcError(
        400,
        'Application_FieldValidationException',
        `Direct Posting must be equal to 'Yes' in G/L Account: No.=${number}.`,
      );
  }

  #rateOf(group: string): Decimal {
    const known = this.#ledger.vatGroups.get(group);
    if (known) return new Decimal(known.rate);
    if (group !== '' && group === this.#ledger.noVatGroup) return new Decimal(0);
    const message = `The VAT Posting Setup does not exist. VAT Prod. Posting Group='${group}'`;
    throw new BcError(400, 'Internal_RecordNotFound', message);
  }

  #invoice(set: FakeSet, id: string): BcDocumentRow {
    const wanted = set === 'salesCreditMemos' ? 'salesInvoices' : 'purchaseInvoices';
    const found = this.rows.find((row) => row.set === wanted && row.id === id && row.status !== 'Draft');
    if (!found) throw refusal('The "invoiceId" does not match to an Invoice.');
    return found;
  }

  #checkPosting(row: BcDocumentRow): void {
    this.#ledger.checkDay(String(row.head['postingDate']));
    if (row.partner.blocked === 'All') throw refusal('The customer or vendor is blocked.');
    if (totalOf(row).isNegative()) throw refusal('The total amount for the invoice must be 0 or greater.');
    const { kind, mark, credit } = SETS[row.set];
    if (kind !== 'vendors') return;
    const number = String(row.head[mark]);
    if (number === '')
      throw refusal('You need to enter the document number of the document from the vendor.');
    const isTwice = this.rows.some(
      (other) =>
        other.status !== 'Draft' &&
        other.set === row.set &&
        other.partner.number === row.partner.number &&
        other.head[mark] === number,
    );
    const name = credit ? 'Purchase Cr. Memo' : 'Purchase Invoice';
    if (isTwice) throw refusal(`${name} ${number} already exists for this vendor.`);
  }

  /** A credit memo takes from what is open of its invoice. */
  #apply(row: BcDocumentRow): void {
    row.remaining = totalOf(row);
    if (row.invoiceId === '') return;
    const invoice = this.#invoice(row.set, row.invoiceId);
    if (invoice.remaining.isZero()) throw refusal('There is no Cust. Ledger Entry within the filter.');
    const applied = Decimal.min(invoice.remaining, row.remaining);
    invoice.remaining = invoice.remaining.minus(applied);
    row.remaining = row.remaining.minus(applied);
    if (invoice.remaining.isZero()) invoice.status = 'Paid';
  }

  /** Lines of the same account, group and dimensions are one ledger entry; the control account takes what is left, so that it balances. */
  #book(row: BcDocumentRow, items: readonly BcDocumentLineRow[]): void {
    const { kind, credit } = SETS[row.set];
    const sign = (kind === 'customers') === credit ? 1 : -1;
    const merged = new Map<string, { account: string; amount: Decimal; line: BcDocumentLineRow | null }>();
    const add = (name: string, account: string, amount: Decimal, line: BcDocumentLineRow | null) => {
      const known = merged.get(name);
      merged.set(name, { account, amount: (known?.amount ?? new Decimal(0)).plus(amount), line });
    };
    for (const line of items) {
      const dimensions = line.dimensionSetLines.map((each) => `${each.code}=${each.valueCode}`).sort();
      const name = [line.lineObjectNumber, line.taxCode, ...dimensions].join('|');
      add(name, line.lineObjectNumber, this.#inKronur(row, line.net.times(sign)), line);
      const vat = this.#ledger.vatGroups.get(line.taxCode);
      if (vat) add(`VAT ${vat.account}`, vat.account, this.#inKronur(row, line.tax.times(sign)), null);
    }
    const entries = [...merged.values()].filter(({ amount }) => !amount.isZero());
    const owed = sum(entries.map(({ amount }) => amount)).negated();
    const control = this.#ledger.controls[kind === 'customers' ? 'customers' : 'suppliers'];
    this.#ledger.enterTogether(
      [
        ...entries.map(({ account, amount, line }) => ({
          ...{ account, amount, dimensionSetLines: line?.dimensionSetLines ?? [] },
        })),
        { account: control, amount: owed, dimensionSetLines: [] },
      ],
      {
        documentNumber: row.postingNumber ?? '',
        documentType: credit ? 'Credit_x0020_Memo' : 'Invoice',
        postingDate: String(row.head['postingDate']),
        description: `${credit ? 'Credit Memo' : 'Invoice'} ${row.number}`,
      },
    );
  }

  #inKronur(row: BcDocumentRow, amount: Decimal): Decimal {
    if (row.currencyCode === '') return amount;
    const date = String(row.head['postingDate']);
    const [latest] = this.rates
      .filter((rate) => rate.currencyCode === row.currencyCode && rate.startingDate <= date)
      .sort((one, other) => (one.startingDate < other.startingDate ? 1 : -1));
    if (!latest) throw refusal('There is no Currency Exchange Rate within the filter.');
    return amount.times(latest.rate).toDecimalPlaces(this.#ledger.options.amountDecimals);
  }

  #round({ currencyCode }: BcDocumentRow, amount: Decimal): Decimal {
    return amount.toDecimalPlaces(currencyCode === '' ? this.#ledger.options.amountDecimals : 2);
  }
}

function totalOf({ lines }: BcDocumentRow): Decimal {
  return sum(lines.map(({ net, tax }) => net.plus(tax)));
}

function refusal(message: string): BcError {
  return new BcError(400, 'Application_DialogException', message);
}

/** `salesInvoiceLines` → `salesInvoices`. */
export function setOfLines(lines: string): FakeSet | undefined {
  return FAKE_SETS.find((set) => SETS[set].lines === lines);
}
