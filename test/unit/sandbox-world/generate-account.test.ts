import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { COST_CODES, type Invoice } from '../../../lab/sandbox/model.js';
import { generateAccount, type WorldOptions } from '../../../lab/sandbox/world/generate-account.js';
import { PROBLEMS } from '../../../lab/sandbox/world/problems.js';
import { TRADES, type TradeName } from '../../../lab/sandbox/world/trades.js';
import { isCompany, isValidKennitala } from './kennitala-rule.js';

const PERIOD = { from: '2024-07-01', to: '2025-06-30' } as const;
const world = (options: Partial<WorldOptions> = {}) =>
  generateAccount({ seed: 11, invoices: 600, costs: 600, ...PERIOD, ...options });
const everyday = world({ trade: 'travel' });
const tidy = world({ difficulty: 'tidy' });

/** Document 1, write rule 2: Σ lines + VAT, two decimals. */
function amountByRule(invoice: Invoice, exempt: boolean): string {
  const rates = { S: '0.24', AA: '0.11', Z: '0' } as const;
  let sum = new Decimal(0);
  for (const line of invoice.items) {
    const gross = new Decimal(line.unit_price).times(line.qty);
    const net = line.discount_type
      ? gross.times(new Decimal(100).minus(line.discount)).div(100)
      : gross.minus(line.discount);
    sum = sum.plus(net).plus(exempt ? 0 : net.times(rates[line.tax]));
  }
  return sum.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toString();
}

describe('the same seed', () => {
  it('gives the same account, and another seed another one', () => {
    expect(world({ trade: 'travel' })).toEqual(everyday);
    expect(world({ seed: 12 }).profile.registration_no).not.toBe(everyday.profile.registration_no);
  });

  it('keeps the company, its customers and its costs when only the number of invoices changes', () => {
    const larger = world({ trade: 'travel', invoices: 900, customers: everyday.customers.length });
    expect(larger.profile).toEqual(everyday.profile);
    expect(larger.customers).toEqual(everyday.customers);
    expect(larger.costs.map((cost) => cost.guid)).toEqual(everyday.costs.map((cost) => cost.guid));
  });
});

describe('every trade', () => {
  it.each(Object.keys(TRADES) as TradeName[])('%s: amounts are Σ lines + VAT to two decimals', (trade) => {
    const { invoices, customers } = world({ trade, invoices: 150, costs: 0 });
    const exempt = new Set(
      customers.filter((customer) => customer.tax_exempt).map((customer) => customer.guid),
    );
    const wrong = invoices.filter(
      (invoice) =>
        new Decimal(invoice.amount).div(100).toString() !==
        amountByRule(invoice, exempt.has(invoice.customer.guid)),
    );
    expect(wrong).toEqual([]);
    const taxed = invoices.filter(
      ({ customer, items }) => exempt.has(customer.guid) && items.some(({ tax }) => tax !== 'Z'),
    );
    expect(taxed.map(({ number }) => number)).toEqual([]);
    expect(invoices.every((invoice) => invoice.amount > 0)).toBe(true);
  });
});

describe('identities', () => {
  it('are valid kennitölur: companies by day + 40, people by their birthday', () => {
    const { profile, customers, costs } = everyday;
    const all = [
      profile.registration_no,
      ...customers.map((c) => c.registration_no),
      ...costs.map((c) => c.supplier_id),
    ];
    expect(all.filter((kennitala) => !isValidKennitala(kennitala))).toEqual([]);
    expect(isCompany(profile.registration_no)).toBe(true);
    const salaries = costs.filter((cost) => cost.cost_code === '3033');
    expect(salaries.length).toBeGreaterThan(0);
    expect(salaries.some((cost) => isCompany(cost.supplier_id))).toBe(false);
  });

  it('are unique among documents, and invoice numbers follow issue dates', () => {
    const documents = [...everyday.invoices, ...everyday.costs];
    expect(new Set(documents.map((document) => document.guid)).size).toBe(documents.length);
    expect(new Set(documents.map((document) => document.id)).size).toBe(documents.length);
    const numbered = everyday.invoices.filter((invoice) => invoice.number !== '');
    const numbers = numbered.map((invoice) => Number(invoice.number));
    expect(numbers).toEqual(numbers.map((_, index) => 1001 + index));
    const dates = numbered.map((invoice) => invoice.issue_date);
    expect(dates).toEqual([...dates].sort());
  });
});

describe('dates', () => {
  it('lie in the period, and issue ≤ due ≤ settlement (write rule 3)', () => {
    for (const invoice of everyday.invoices) {
      expect(invoice.issue_date >= PERIOD.from && invoice.created_date <= PERIOD.to).toBe(true);
      expect(invoice.issue_date <= invoice.created_date).toBe(true);
      expect(invoice.issue_date <= invoice.due_date && invoice.due_date <= invoice.settlement_date).toBe(
        true,
      );
    }
    for (const cost of everyday.costs)
      expect(
        cost.issue_date >= PERIOD.from &&
          cost.issue_date <= cost.created_date &&
          cost.created_date <= PERIOD.to,
      ).toBe(true);
  });

  it('include documents entered late and costs approved late, which a forward-only cursor misses', () => {
    expect(everyday.invoices.some((invoice) => invoice.created_date > invoice.issue_date)).toBe(true);
    expect(everyday.costs.some((cost) => (cost.xml_written_at ?? '').slice(0, 10) > cost.created_date)).toBe(
      true,
    );
  });
});

describe('credit notes', () => {
  it('refer to an earlier invoice of the same customer, once, and never exceed it (write rule 5)', () => {
    const byGuid = new Map(everyday.invoices.map((invoice) => [invoice.guid, invoice]));
    const credits = everyday.invoices.filter((invoice) => invoice.type === 'credit');
    expect(credits.length).toBeGreaterThan(5);
    for (const credit of credits) {
      const original = byGuid.get(credit.refer_guid ?? '');
      expect(original).toMatchObject({
        type: 'invoice',
        customer: credit.customer,
        currency: credit.currency,
      });
      expect(original!.credited_by).toEqual([credit.guid]);
      expect(original!.issue_date <= credit.issue_date).toBe(true);
      expect(credit.amount).toBeLessThanOrEqual(original!.amount);
      expect(original!.accounting_status).not.toBeNull();
    }
  });
});

describe('variety', () => {
  it('everyday: every status, tax, discount, currency, cost code and way to pay that a company meets', () => {
    const lines = everyday.invoices.flatMap((invoice) => invoice.items);
    const of = <T>(values: T[]) => new Set(values);
    expect(of(everyday.invoices.map((invoice) => invoice.status))).toEqual(
      of(['Sent', 'Paid', 'Draft', 'Cancelled', 'Collection']),
    );
    expect(of(lines.map((line) => line.tax))).toEqual(of(['S', 'AA', 'Z']));
    expect(lines.some((line) => line.discount !== '0' && line.discount_type)).toBe(true);
    expect(lines.some((line) => line.discount !== '0' && !line.discount_type)).toBe(true);
    expect(of(everyday.invoices.map((invoice) => invoice.currency)).size).toBeGreaterThan(2);
    expect(of(everyday.costs.map((cost) => cost.cost_code))).toEqual(of<string>([...COST_CODES]));
    expect(of(everyday.costs.map((cost) => cost.how_paid))).toEqual(of([1, 2, 3, 4]));
    expect(everyday.costs.some((cost) => cost.credit_note)).toBe(true);
    expect(
      everyday.costs.some((cost) => cost.accounting_status === 'New' && cost.xml_written_at === null),
    ).toBe(true);
    expect(everyday.costs.some((cost) => (cost.processing_until ?? '') > PERIOD.to)).toBe(true);
    expect(everyday.customers.some((customer) => customer.tax_exempt)).toBe(true);
  });

  it('a company of thirty costs shows every cost code too', () => {
    const { costs } = world({ costs: 30, difficulty: 'tidy' });
    expect(new Set(costs.map((cost) => cost.cost_code)).size).toBe(COST_CODES.length - 1);
  });

  it('krónur are mostly whole, and cost VAT is whole krónur always (write rule 8)', () => {
    const inKronur = tidy.invoices.filter((invoice) => invoice.currency === 'ISK');
    const whole = inKronur.filter((invoice) => invoice.amount % 100 === 0);
    expect(whole.length / inKronur.length).toBeGreaterThan(0.6);
    expect(tidy.costs.every((cost) => cost.vat_S % 100 === 0 && cost.vat_AA % 100 === 0)).toBe(true);
  });

  it('paid claims: deposited = amount + interest + charges − tax', () => {
    const claims = everyday.invoices.filter((invoice) => invoice.claim_status === 'paid');
    expect(claims.some((invoice) => invoice.default_interest_amount > 0)).toBe(true);
    for (const claim of claims)
      expect(claim.bank_transaction_amount).toBe(
        claim.amount + claim.default_interest_amount + claim.default_charge_amount - claim.capital_gains_tax,
      );
  });
});

describe('difficulty', () => {
  it('tidy: everything is handed to bookkeeping and has its XML, nothing is planted', () => {
    expect(tidy.planted).toEqual([]);
    expect(new Set(tidy.invoices.map((invoice) => invoice.accounting_status))).toEqual(new Set(['Created']));
    expect(
      tidy.costs.every((cost) => cost.accounting_status === 'Created' && cost.xml_written_at !== null),
    ).toBe(true);
    expect(tidy.invoices.some((invoice) => ['Draft', 'Cancelled'].includes(invoice.status))).toBe(false);
  });

  it('troubled: one of each problem, each on a document of its own, and only those differ from everyday', () => {
    const troubled = world({ trade: 'travel', difficulty: 'troubled' });
    expect(troubled.planted.map((each) => each.problem).sort()).toEqual(Object.keys(PROBLEMS).sort());
    const planted = new Set(troubled.planted.map((each) => each.guid));
    expect(planted.size).toBe(troubled.planted.length);
    const changed = [...troubled.invoices, ...troubled.costs].filter(
      (document, index) =>
        JSON.stringify(document) !== JSON.stringify([...everyday.invoices, ...everyday.costs][index]),
    );
    expect(new Set(changed.map((document) => document.guid))).toEqual(planted);
    const brokenSupplier = troubled.costs.filter((cost) => !isValidKennitala(cost.supplier_id));
    expect(brokenSupplier).toHaveLength(1);
  });

  it('documents issued before `postedBefore` are in the books already', () => {
    const { invoices } = world({ postedBefore: '2025-01-01', difficulty: 'tidy' });
    for (const invoice of invoices)
      expect(invoice.accounting_status).toBe(invoice.issue_date < '2025-01-01' ? 'Posted' : 'Created');
  });

  it('refuses a period that ends before it begins and a number of documents that is none', () => {
    expect(() => world({ from: '2025-07-01' })).toThrow(/no period from 2025-07-01 to 2025-06-30/);
    expect(() => world({ invoices: -1 })).toThrow(/whole number/);
  });
});

describe('speed', () => {
  it('20,000 documents take about half a second of one core, so 100,000 take a few', () => {
    const before = process.cpuUsage();
    const { invoices, costs } = world({ invoices: 10_000, costs: 10_000 });
    const { user } = process.cpuUsage(before);
    expect(invoices.length + costs.length).toBe(20_000);
    expect(user / 1000).toBeLessThan(3000);
  });
});
