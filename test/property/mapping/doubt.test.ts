// What a bookkeeper would notice and arithmetic alone does not: rates near and far, aurar, stated bases, residuals. Each is
// reckoned here from how the document was made, not from what the mapper says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, sum, roundTo } from '../../../src/domain/money.js';
import type { JournalLine } from '../../../src/domain/journal.js';
import { say } from '../../../src/language/say.js';
import { base64, cost, invoice, item, map, rulesWith, ublXml, type Raw } from '../../unit/mapping/build.js';

const runs = (count: number): fc.Parameters<unknown> => ({
  numRuns: count * Number(process.env['TIMES'] ?? 1),
  seed: Number(process.env['SEED'] ?? 1),
});

const CURRENCIES = { EUR: 145, USD: 130, DKK: 19.4, JPY: 0.9 } as const;
const decimalsOf = (currency: string) => (currency === 'JPY' ? 0 : 2);
const RATE = { S: new Decimal('0.24'), AA: new Decimal('0.11') };

interface ForeignCost {
  readonly raw: Raw;
  readonly rules: ReturnType<typeof rulesWith>;
  readonly amount: Decimal;
  /** ISK, as the supplier reckoned it. */
  readonly vat: Decimal;
  readonly hasUntaxed: boolean;
}

/** `near`: how many hundredths of a percent the table is off the supplier's rate. */
const foreignCost = (near: fc.Arbitrary<number>): fc.Arbitrary<ForeignCost> =>
  fc
    .record({
      currency: fc.constantFrom(...(Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[])),
      cents: fc.tuple(
        fc.integer({ min: 5_000, max: 9_000_000 }),
        fc.integer({ min: 0, max: 3_000_000 }),
        fc.constantFrom(0, 0, 1_700_000),
      ),
      percent: fc.integer({ min: 70, max: 130 }),
      near,
      isAurar: fc.boolean(),
      says: fc.constantFrom('nothing', 'taxable', 'tax', 'both', 'own'),
      root: fc.constantFrom('Invoice' as const, 'CreditNote' as const),
    })
    .map((made) => {
      const { currency } = made;
      const decimals = decimalsOf(currency);
      const [s, aa, z] = made.cents.map((value) => roundTo(new Decimal(value).div(100), decimals));
      if (!s || !aa || !z) throw new Error('three of them');
      const supplier = roundTo(new Decimal(CURRENCIES[currency]).times(made.percent).div(100), 4);
      const table = roundTo(supplier.times(10_000 + made.near).div(10_000), 6);
      const vats = { S: roundTo(s.times(RATE.S), decimals), AA: roundTo(aa.times(RATE.AA), decimals) };
      const inIsk = (value: Decimal) => roundTo(value.times(supplier), made.isAurar ? 2 : 0);
      const amount = sum([s, aa, z, vats.S, vats.AA]);
      const isOwn = made.says === 'own';
      const taxable = made.says === 'taxable' || made.says === 'both' || isOwn;
      const taxes =
        made.says === 'nothing'
          ? []
          : [
              { percent: 24, tax: vats.S, ...(taxable ? { taxable: s } : {}) },
              { percent: 11, tax: vats.AA, ...(taxable ? { taxable: aa } : {}) },
              { percent: 0, tax: 0, ...(taxable ? { taxable: z } : {}) },
            ];
      const xml = ublXml({
        root: made.root,
        currency,
        payable: amount,
        taxes,
        ...(made.says === 'both' ? { taxIsk: inIsk(vats.S.plus(vats.AA)).toFixed() } : {}),
      });
      const raw = cost({
        currency,
        amount: amount.toFixed(),
        vat_S: (isOwn ? vats.S : inIsk(vats.S)).toFixed(),
        vat_AA: (isOwn ? vats.AA : inIsk(vats.AA)).toFixed(),
        xml: base64(xml),
      });
      const rules = rulesWith({ fx: { table: { [currency]: { '2025-03-10': table.toFixed() } } } });
      const vat = sum([vats.S, vats.AA]).times(isOwn ? table : supplier);
      return { raw, rules, amount, vat, hasUntaxed: !z.isZero() };
    });

test('a foreign cost near the table’s rate is booked, with its VAT and without a part that nobody stated', () => {
  fc.assert(
    fc.property(foreignCost(fc.integer({ min: -60, max: 60 })), (made) => {
      const outcome = map('cost', made.raw, made.rules);
      if (outcome.outcome !== 'post') throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
      const { lines, exchangeRate } = outcome.journal;
      const size = (role: string) =>
        sum(lines.filter((each) => each.role === role).map(({ debit, credit }) => debit.plus(credit)));
      const untaxed = lines.filter(({ vatCode }) => vatCode === 'I0');
      if (!made.hasUntaxed && untaxed.length > 0) throw new Error('a part without VAT that nobody stated');
      if (!size('bank').eq(roundTo(made.amount.times(exchangeRate), 0))) throw new Error('another total');
      if (size('vat-in').minus(made.vat).abs().gt(made.vat.times('0.002').plus(5))) {
        throw new Error(`VAT ${size('vat-in').toFixed()}, not ${made.vat.toFixed()}`);
      }
    }),
    runs(700),
  );
});

test('no rate, however far, makes Error of a foreign cost', () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(foreignCost(fc.integer({ min: -6_000, max: 15_000 })), (made) => {
      const { outcome } = map('cost', made.raw, made.rules);
      outcomes.add(outcome);
      return outcome === 'post' || outcome === 'park';
    }),
    runs(500),
  );
  expect([...outcomes].sort()).toEqual(['park', 'post']);
});

test('the base of a cost in ISK is the one it was made of, to the króna', () => {
  const made = fc.record({
    base: fc.integer({ min: 100, max: 9_999_999 }),
    tax: fc.constantFrom('S' as const, 'AA' as const),
    untaxed: fc.constantFrom(0, 20, 4_000),
    stated: fc.boolean(),
  });
  fc.assert(
    fc.property(made, ({ base, tax, untaxed, stated }) => {
      const net = new Decimal(base).div(10);
      const vat = roundTo(net.times(RATE[tax]), 2);
      const amount = net.plus(vat).plus(untaxed);
      const ubl = {
        taxes: [
          { percent: tax === 'S' ? 24 : 11, tax: vat, ...(stated ? { taxable: net } : {}) },
          ...(untaxed > 0 && stated ? [{ percent: 0, tax: 0, taxable: untaxed }] : []),
        ],
      };
      const vats = tax === 'S' ? { vat_S: vat.toFixed(), vat_AA: 0 } : { vat_S: 0, vat_AA: vat.toFixed() };
      const outcome = map('cost', cost({ amount: amount.toFixed(), ...vats }, ubl));
      if (outcome.outcome !== 'post') throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
      const booked = sum(
        outcome.journal.lines
          .filter(({ role, vatCode }) => role === 'expense' && vatCode !== 'I0')
          .map(({ debit }) => debit),
      );
      // Half a króna for the rounding of each of amount, VAT and base.
      return booked.minus(net).abs().lte('1.5');
    }),
    runs(1000),
  );
});

test('no invoice is booked whose totals hold more than a fee or a discount beyond its lines', () => {
  const made = fc.record({
    price: fc.integer({ min: 100, max: 900_000 }),
    factor: fc.constantFrom(0, 0.001, 0.1, 0.5, 0.8, 0.95, 1, 1.05, 1.2, 2, 10, 1000),
    tax: fc.constantFrom('S', 'AA', 'Z'),
    other: fc.integer({ min: 0, max: 50_000 }),
  });
  fc.assert(
    fc.property(made, ({ price, factor, tax, other }) => {
      const rates = { S: 1.24, AA: 1.11, Z: 1 };
      const amount = new Decimal(price).times(rates[tax as 'S']).plus(other);
      const field = { S: 'total_24vat', AA: 'total_11vat', Z: 'total_0vat' }[tax as 'S'];
      const totals = { total_24vat: 0, total_11vat: 0, total_0vat: 0 } as Record<string, number>;
      totals[field] = price;
      totals['total_0vat'] = (totals['total_0vat'] ?? 0) + other;
      const items = [item({ price, qty: factor, tax }), item({ price: other, tax: 'Z' })];
      const outcome = map('invoice', invoice({ amount: amount.toFixed(2), ...totals, items }));
      if (outcome.outcome !== 'post') return outcome.outcome === 'park';
      const residual = sum(
        outcome.journal.lines
          .filter(({ role }) => role === 'residual')
          .map(({ debit, credit }) => debit.plus(credit)),
      );
      return residual.lte(amount.times('0.25').plus(2));
    }),
    runs(600),
  );
});

test('a foreign invoice is never booked at a rate of one, which is what nobody filled in', () => {
  const made = fc.record({
    currency: fc.constantFrom(...(Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[])),
    price: fc.integer({ min: 1_000, max: 900_000 }),
    written: fc.constantFrom<unknown>(1, '1', '1.0', '1.000000', 0, null, undefined),
    hasTable: fc.boolean(),
    type: fc.constantFrom('invoice', 'credit'),
  });
  fc.assert(
    fc.property(made, ({ currency, price, written, hasTable, type }) => {
      const amount = new Decimal(price).times('1.24').toFixed(decimalsOf(currency));
      const raw = invoice({
        ...{ currency, amount, type, refer_guid: type === 'credit' ? 'original' : '' },
        ...{ exchange_rate: written, items: [item({ price })] },
      });
      const table = hasTable ? { [currency]: { '2025-03-10': String(CURRENCIES[currency]) } } : {};
      const outcome = map('invoice', raw, rulesWith({ fx: { table } }));
      if (!hasTable) return outcome.outcome === 'park' && outcome.reason === 'FX_RATE_MISSING';
      return outcome.outcome === 'post' && outcome.journal.exchangeRate.eq(CURRENCIES[currency]);
    }),
    runs(300),
  );
});

test('a reverse charge owes all of its VAT on what is left without foreign VAT, takes back the deductible part, and names its code on every line', () => {
  const made = fc.record({
    cents: fc.integer({ min: 1_000, max: 9_000_000 }),
    percent: fc.constantFrom(0, 40, 100),
    rate: fc.constantFrom('S' as const, 'AA' as const),
    root: fc.constantFrom('Invoice' as const, 'CreditNote' as const),
    rates: fc.integer({ min: 120, max: 180 }),
    foreign: fc.constantFrom(0, 0, 19, 23, 25.5),
  });
  fc.assert(
    fc.property(made, ({ cents, percent, rate, root, rates, foreign }) => {
      const code = { reverseChargeRate: rate, vatDeductiblePercent: percent };
      const rules = rulesWith({
        cost: { reverseCharge: 'both', codes: { '2353': code } },
        vat: { reverseChargeAA: 'RC11' },
        fx: { table: { EUR: { '2025-03-10': rates } } },
      });
      const net = new Decimal(cents).div(100);
      const tax = roundTo(net.times(foreign).div(100), 2);
      const amount = net.plus(tax);
      const taxes = tax.isZero() ? [] : [{ percent: foreign, tax, taxable: net }];
      const raw = cost(
        { amount: amount.toFixed(), currency: 'EUR', vat_S: 0 },
        { country: 'IE', root, taxes },
      );
      const outcome = map('cost', raw, rules);
      if (outcome.outcome !== 'post') throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
      const sign = root === 'Invoice' ? 1 : -1;
      const total = (role: string) =>
        sum(
          outcome.journal.lines
            .filter((line) => line.role === role)
            .map(({ debit, credit }) => debit.minus(credit)),
        ).times(sign);
      const gross = roundTo(amount.times(rates), 0);
      const price = gross.minus(roundTo(tax.times(rates), 0));
      const vat = roundTo(price.times(RATE[rate]), 0);
      const back = vat.times(percent).div(100);
      if (!total('reverse-charge-out').eq(vat.neg())) throw new Error('owed');
      if (total('reverse-charge-in').minus(back).abs().gt('0.5')) throw new Error('taken back');
      if (!total('expense').eq(gross.plus(vat).minus(total('reverse-charge-in')))) throw new Error('expense');
      const isForeignVat = ({ vatCode, debit, credit }: JournalLine) =>
        vatCode === 'I0' && debit.plus(credit).eq(gross.minus(price));
      const coded = outcome.journal.lines.filter((line) => line.role !== 'bank' && !isForeignVat(line));
      return coded.every(({ vatCode }) => vatCode === (rate === 'S' ? 'RC24' : 'RC11'));
    }),
    runs(300),
  );
});
