// A year of a generated company: sales at three rates, export apart from exempt, foreign customers and suppliers, reverse charge,
// costs that are not deductible, credit notes; invoices paid at once, late with interest and costs, in parts, and payments that were
// taken back. Mapped as the bridge maps them; what each customer owes is reckoned from the documents alone.
import fc from 'fast-check';
import { CURRENCY_CODES, currencyDecimals, roundTo, Decimal, sum, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import type { SourceInvoice } from '../../../src/domain/source-document.js';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { mapPayment } from '../../../src/pipeline/mapping/map-payment.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { costCase, invoiceCase } from '../../property/mapping/arbitrary-documents.js';
import { rulesWith, sampleRules, type Raw } from '../../unit/mapping/build.js';
import { TRYTON_PLACES } from './tryton-company.js';

export const CUSTOMERS = ['4101212040', '5501192180', '4504013150', '6204830369'];

/** A rate of the first of each month, a little apart from the month before. */
const monthlyRates = (currency: string): Raw =>
  Object.fromEntries(
    Array.from({ length: 12 }, (_, month) => [
      `2026-${String(month + 1).padStart(2, '0')}-01`,
      new Decimal(sampleRules.fx.reference[currency] ?? 1)
        .times(100 + ((month * 7) % 5))
        .div(100)
        .toFixed(6),
    ]),
  );

export const YEAR_RULES = rulesWith({
  accounts: { exchangeGain: '8030', exchangeLoss: '8130' },
  invoice: { settlement: 'all', cases: [{ when: { item: 'V3', tax: 'Z' }, vatCode: 'UX', account: '3025' }] },
  cost: { reverseCharge: 'both' },
  dimensions: { invoice: { cost_provide: 'costLocation' }, cost: {} },
  vat: { outsideReturn: ['U0'] },
  fx: {
    maxAgeDays: 31,
    table: Object.fromEntries(
      CURRENCY_CODES.filter((code) => code !== 'ISK').map((code) => [code, monthlyRates(code)]),
    ),
  },
});

export interface Year {
  readonly journals: readonly Journal[];
  /** Of the journals, those that are payments after posting. */
  readonly payments: number;
  /** What is open of each invoice by the documents alone, in krónur of the day of the invoice. */
  readonly debts: readonly Debt[];
}

export interface Debt {
  /** The guid of the invoice, which all of its journals name. */
  readonly reference: string;
  readonly kennitala: string;
  readonly isk: Decimal;
}

export function debtOf(kennitala: string, debts: readonly Debt[]): Decimal {
  return sum(debts.filter((debt) => debt.kennitala === kennitala).map(({ isk }) => isk));
}

/** A day of 2026, in no order: documents come as they come. */
const dayAt = (index: number) =>
  new Date(Date.UTC(2026, 0, 1 + ((index * 37) % 330))).toISOString().slice(0, 10);
const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** `each` invoices and as many costs. */
export function yearOfACompany(each: number): Year {
  const layers = new RuleLayers(YEAR_RULES);
  const journals: Journal[] = [];
  const debts: Debt[] = [];
  let payments = 0;
  fc.sample(invoiceCase, { numRuns: each, seed: 2026 }).forEach(({ document: made, context }, index) => {
    const document = invoiceAt(made, index);
    const outcome = mapRecord({ kind: 'invoice', document, context }, layers);
    if (outcome.outcome !== 'post') return;
    const settled = outcome.settlement ? [outcome.settlement] : [];
    const later = paymentsOf(document, outcome.journal, settled, index);
    journals.push(outcome.journal, ...settled, ...later.journals);
    payments += later.journals.length;
    const { registration_no: kennitala } = document['customer'] as { registration_no: string };
    const { externalReference: reference } = outcome.journal;
    debts.push({ reference, kennitala, isk: owed(later.last) });
  });
  fc.sample(costCase, { numRuns: each, seed: 2027 }).forEach((made, index) => {
    const document: Raw = { ...made, issue_date: dayAt(index) };
    const outcome = mapRecord({ kind: 'cost', document }, layers);
    if (outcome.outcome === 'post') journals.push(outcome.journal);
  });
  return { journals, payments, debts };
}

function invoiceAt(made: Raw, index: number): Raw {
  return {
    ...made,
    number: String(index + 1),
    issue_date: dayAt(index),
    cost_provide: index % 3 === 0 ? TRYTON_PLACES[index % TRYTON_PLACES.length] : '',
    customer: { guid: 'c', name: 'Dæmi ehf.', registration_no: CUSTOMERS[index % CUSTOMERS.length] },
    ...(index % 10 === 9 ? { type: 'credit', refer_guid: 'original' } : {}),
  };
}

/** How the invoice shows after each thing that happens to its payment, by turns. */
function readingsOf(document: Raw, index: number): Raw[] {
  if (document['type'] === 'credit' || document['status'] === 'Paid') return [];
  const paid = { ...document, status: 'Paid' };
  if (document['currency'] !== 'ISK')
    return index % 2 === 0 ? [paid] : index % 7 === 0 ? [paid, document] : [];
  const amount = new Decimal(String(document['amount']));
  const part = {
    ...document,
    claim_status: 'sent',
    bank_transaction_amount: roundTo(amount.times('0.4'), 0).toFixed(),
  };
  const late = {
    ...{
      ...paid,
      claim_status: 'paid',
      default_charge_amount: 950,
      default_interest_amount: 1000,
      capital_gains_tax: 220,
    },
    bank_transaction_amount: amount.plus(1730).toFixed(),
  };
  const stories: Raw[][] = [[], [late], [part], [part, late], [paid], [late, document], [part, paid, part]];
  return stories[index % stories.length] ?? [];
}

function paymentsOf(document: Raw, booked: Journal, before: readonly Journal[], index: number) {
  const settled = [...before];
  const journals: Journal[] = [];
  let last = document;
  for (const [number, reading] of readingsOf(document, index).entries()) {
    const day = daysAfter(String(document['issue_date']), 10 * (number + 1));
    const paying = { booked, settled: [...settled], day };
    const outcome = mapPayment(decoded(reading), YEAR_RULES, {}, paying);
    if (outcome.outcome !== 'post') throw new Error(`${outcome.reason} for ${JSON.stringify(reading)}`);
    settled.push(outcome.journal);
    journals.push(outcome.journal);
    last = reading;
  }
  return { journals, last };
}

function decoded(raw: Raw): SourceInvoice {
  const read = decodeDocument('invoice', raw);
  if (read.outcome !== 'decoded' || read.document.kind !== 'invoice') throw new Error('not an invoice');
  return read.document;
}

/** A credit note is one by its type, whichever sign its figures have; it is never paid. */
function owed(document: Raw): Decimal {
  const isCredit = document['type'] === 'credit';
  if (document['status'] === 'Paid' && !isCredit) return ZERO;
  const isIsk = document['currency'] === 'ISK';
  const decimals = isIsk ? 0 : currencyDecimals(String(document['currency']));
  const amount = roundTo(new Decimal(String(document['amount'])), decimals).abs();
  const isk = roundTo(amount.times(isIsk ? 1 : String(document['exchange_rate'])), 0);
  return isk.minus(String(document['bank_transaction_amount'] ?? 0)).times(isCredit ? -1 : 1);
}
