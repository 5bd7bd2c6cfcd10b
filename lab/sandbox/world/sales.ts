// Invoices and credit notes. Every amount is Σ lines + VAT by the service's own arithmetic (write rule 2), every credit
// note refers to an earlier invoice of the same customer, and numbers follow issue dates.
import { addDays, daysBetween } from '../clock.js';
import type { Customer, DateText, DecimalText, Invoice, InvoiceLine, Item, Hundredths } from '../model.js';
import { totalsOf } from '../money.js';
import type { Random } from '../random.js';
import type { Buyer } from './buyers.js';
import {
  between,
  happens,
  pick,
  skewed,
  weighted,
  officeHour,
  type WorkingDays,
  type Difficulty,
} from './working-days.js';
import type { Trade } from './trades.js';
import { iskPerUnit } from '../service/exchange-rates.js';

const FIRST_NUMBER = 1001;
const CREDIT_SHARE = 0.04;
const TERMS = [
  '',
  '',
  'Greiðist á eindaga.',
  'Dráttarvextir reiknast frá gjalddaga ef greitt er eftir eindaga.',
];
/** Invoices that a credit note can still be written for; older ones are left alone. */
const CREDITABLE_MAX = 200;

export interface Seller {
  readonly random: Random;
  readonly trade: Trade;
  readonly buyers: readonly Buyer[];
  readonly catalogue: readonly Item[];
  readonly days: WorkingDays;
  readonly difficulty: Difficulty;
}

export function salesOf(seller: Seller, count: number): Invoice[] {
  const { random, difficulty } = seller;
  const creditable: Invoice[] = [];
  let number = FIRST_NUMBER;
  return seller.days.draw(random, count).map((issueDate, index) => {
    const place = { id: index + 1, number: '', issueDate };
    if (happens(random, difficulty.drafts)) return asDraft(invoice(seller, place));
    const numbered = { ...place, number: String(number++) };
    if (creditable.length > 0 && happens(random, CREDIT_SHARE))
      return creditNote(seller, numbered, taken(random, creditable));
    const sold = invoice(seller, numbered);
    if (happens(random, difficulty.cancelled)) sold.status = 'Cancelled';
    else if (creditable.length < CREDITABLE_MAX) creditable.push(sold);
    else creditable[random.below(CREDITABLE_MAX)] = sold;
    return sold;
  });
}

interface Place {
  readonly id: number;
  readonly number: string;
  readonly issueDate: DateText;
}

function invoice(seller: Seller, place: Place): Invoice {
  const { random, trade } = seller;
  const { customer, printed } = pick(random, seller.buyers);
  const { currency } = customer;
  const rate = rateOn(currency, place.issueDate);
  const items = linesOf(seller, customer, rate);
  const dueDate = addDays(place.issueDate, customer.due_date);
  const base = {
    ...blank(seller, place),
    amount: totalsOf(items).amount,
    currency,
    due_date: dueDate,
    settlement_date: addDays(place.issueDate, customer.settlement_date),
    delivery_date: happens(random, 0.4) ? place.issueDate : null,
    description: pick(random, trade.descriptions),
    booking: happens(random, 0.15) ? `B-${between(random, 1000, 9999)}` : '',
    cost_provide: happens(random, 0.3) ? pick(random, trade.costLocations) : '',
    terms: pick(random, TERMS),
    exchange_rate: rate,
    items,
    customer: printed,
    xml_status: customer.output_select === '2' ? 'delivered' : '',
  };
  return { ...base, ...paymentOf(seller, base, customer.is_claim) };
}

/** Old invoices are mostly paid, some of them are being collected, the rest wait. */
function paymentOf(
  { random, days }: Seller,
  { amount, currency, settlement_date }: Pick<Invoice, 'amount' | 'currency' | 'settlement_date'>,
  byClaim: boolean,
): Partial<Invoice> & Pick<Invoice, 'status'> {
  const daysPast = daysBetween(settlement_date, days.to);
  const claimed = byClaim && currency === 'ISK';
  const paid = daysPast > -5 && happens(random, daysPast > 30 ? 0.92 : 0.6);
  if (paid) {
    return claimed
      ? { status: 'Paid', ...paidClaim(random, amount, happens(random, 0.25)) }
      : { status: 'Paid', method_payment: pick(random, [2, 3, 4, 9, 9]) };
  }
  const status = daysPast > 30 && claimed ? 'Collection' : 'Sent';
  return { status, ...(claimed ? openClaim(random) : {}) };
}

function linesOf(
  { random, trade, catalogue }: Seller,
  { currency, tax_exempt }: Pick<Customer, 'currency' | 'tax_exempt'>,
  rate: DecimalText,
): InvoiceLine[] {
  const count = weighted(random, [
    [1, 45],
    [2, 25],
    [3, 15],
    [4, 9],
    [6, 6],
  ] as const);
  // Foreign customers mostly buy for use abroad, which carries no VAT; some buy here.
  const exported = currency !== 'ISK' && happens(random, 0.75);
  return Array.from({ length: count }, () => {
    const index = random.below(catalogue.length);
    const sold = catalogue[index];
    const traded = trade.items[index];
    if (sold === undefined || traded === undefined) throw new RangeError('The catalogue is empty.');
    const price =
      currency === 'ISK' ? sold.unit_price : String(Math.max(1, Math.round(traded.price / Number(rate))));
    return {
      guid: sold.guid,
      item_number: sold.item_number,
      description: sold.description,
      qty: skewed(random, 1, traded.quantityMax),
      uom: sold.uom,
      tax: exported || tax_exempt ? 'Z' : sold.tax,
      unit_price: price,
      ...discountOf(random, Number(price)),
    };
  });
}

function discountOf(random: Random, price: number): Pick<InvoiceLine, 'discount' | 'discount_type'> {
  if (happens(random, 0.8)) return { discount: '0', discount_type: true };
  if (happens(random, 0.7))
    return { discount: String(pick(random, [5, 10, 10, 15, 20, 25])), discount_type: true };
  const step = price >= 1000 ? 100 : 1;
  return { discount: String(Math.max(1, Math.floor((price * 0.1) / step)) * step), discount_type: false };
}

function creditNote(seller: Seller, place: Place, original: Invoice): Invoice {
  const { random, difficulty } = seller;
  const whole = original.items.length === 1 || happens(random, 0.6);
  const items = whole ? original.items : original.items.slice(0, 1);
  const credit: Invoice = {
    ...blank(seller, place),
    type: 'credit',
    refer_guid: original.guid,
    amount: totalsOf(items).amount,
    currency: original.currency,
    exchange_rate: original.exchange_rate,
    items,
    customer: original.customer,
    description: `Kreditreikningur vegna reiknings ${original.number}`,
    cost_provide: original.cost_provide,
  };
  original.credited_by = [...original.credited_by, credit.guid];
  if (whole && happens(random, difficulty.creditedCancelled)) original.status = 'Cancelled';
  return credit;
}

function asDraft(invoice: Invoice): Invoice {
  return {
    ...invoice,
    ...NO_CLAIM,
    status: 'Draft',
    accounting_status: null,
    method_payment: null,
    xml_status: '',
  };
}

function blank({ random, days, difficulty }: Seller, { id, number, issueDate }: Place): Invoice {
  const createdDate = happens(random, difficulty.enteredLate)
    ? days.later(issueDate, between(random, 1, 20))
    : issueDate;
  const createdAt = officeHour(random, createdDate);
  return {
    guid: random.guid(),
    id,
    number,
    amount: 0,
    currency: 'ISK',
    status: 'Sent',
    created_date: createdDate,
    issue_date: issueDate,
    due_date: issueDate,
    settlement_date: issueDate,
    delivery_date: null,
    description: '',
    booking: '',
    cost_provide: '',
    terms: '',
    type: 'invoice',
    refer_guid: null,
    accounting_status: 'Created',
    accounting_message: '',
    updated_timestamp: createdAt,
    xml_status: '',
    ...NO_CLAIM,
    exchange_rate: '1',
    items: [],
    customer: NOBODY,
    created_at: createdAt,
    method_payment: null,
    credited_by: [],
    payment_link: null,
    files: [],
    origin: null,
  };
}

const NOBODY = {
  guid: '',
  name: '',
  address: '',
  zip: '',
  city: '',
  registration_no: '',
  email: '',
} as const;

/** Taken out, so that nothing is credited twice. */
function taken(random: Random, invoices: Invoice[]): Invoice {
  const index = random.below(invoices.length);
  const chosen = invoices[index];
  const last = invoices.pop();
  if (chosen === undefined || last === undefined) throw new RangeError('Nothing to choose from.');
  if (chosen !== last) invoices[index] = last;
  return chosen;
}

// What a bank claim adds to an invoice: interest and charges when it was paid late, less the tax withheld from interest.

type ClaimFields = Pick<
  Invoice,
  | 'claim_id'
  | 'claim_status'
  | 'capital_gains_tax'
  | 'other_default_costs_amount'
  | 'default_charge_amount'
  | 'default_interest_amount'
  | 'bank_transaction_amount'
>;

const NO_CLAIM: ClaimFields = {
  claim_id: '',
  claim_status: '',
  capital_gains_tax: 0,
  other_default_costs_amount: 0,
  default_charge_amount: 0,
  default_interest_amount: 0,
  bank_transaction_amount: 0,
};

const CAPITAL_GAINS_TAX = 0.22;
const LATE_CHARGE: Hundredths = 95_000;

function openClaim(random: Random): ClaimFields {
  return { ...NO_CLAIM, claim_id: claimId(random), claim_status: 'sent' };
}

/** Deposited = amount + interest + charges − tax on the interest. */
function paidClaim(random: Random, amount: Hundredths, paidLate: boolean): ClaimFields {
  const interest = paidLate ? Math.round((amount * between(random, 5, 60)) / 10_000 / 100) * 100 : 0;
  const charge = paidLate ? LATE_CHARGE : 0;
  const tax = Math.round((interest * CAPITAL_GAINS_TAX) / 100) * 100;
  return {
    claim_id: claimId(random),
    claim_status: 'paid',
    capital_gains_tax: tax,
    other_default_costs_amount: 0,
    default_charge_amount: charge,
    default_interest_amount: interest,
    bank_transaction_amount: amount + interest + charge - tax,
  };
}

/** Bank, ledger 66 of claims, number. */
function claimId(random: Random): string {
  return `0${between(random, 101, 899)}-66-${between(random, 100_000, 999_999)}`;
}

// What foreign money costs in krónur on a day: the sandbox's fixed rate with a slow swing of three percent.

const SWING = 0.03;
const DAYS_PER_SWING = 290;

export function rateOn(currency: string, day: DateText): DecimalText {
  if (currency === 'ISK') return '1';
  const middle = Number(iskPerUnit(currency));
  const phase = currency.charCodeAt(0) + currency.charCodeAt(1);
  const turn = (daysBetween('2020-01-01', day) / DAYS_PER_SWING) * 2 * Math.PI + phase;
  return (middle * (1 + SWING * Math.sin(turn))).toFixed(middle < 1 ? 4 : 2);
}
