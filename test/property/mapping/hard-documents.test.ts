// What agrees on both papers is booked by them, or waits for a person: it never ends in Error, which nobody can take back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, sum } from '../../../src/domain/money.js';
import { type Journal, type LineRole, journalBreaches } from '../../../src/domain/journal.js';
import { say } from '../../../src/language/say.js';
import { map, rulesWith } from '../../unit/mapping/build.js';
import {
  CUSTOMS_CODE,
  FX_TABLE,
  type HardDocument,
  hardCost,
  hardInvoice,
} from './arbitrary-hard-documents.js';

const runs = (count: number): fc.Parameters<unknown> => ({
  numRuns: count * Number(process.env['TIMES'] ?? 1),
  seed: Number(process.env['SEED'] ?? 1),
});

const rules = rulesWith({
  accounts: { supplierPrepayments: '1650' },
  fx: { table: FX_TABLE },
  cost: {
    reverseCharge: 'both',
    reverseChargeCodes: ['2353'],
    codes: { [CUSTOMS_CODE]: { importVat: true } },
  },
});
/** Nobody has told it of prepayments or customs. */
const plain = rulesWith({ fx: { table: FX_TABLE } });

const VAT_ACCOUNTS = { invoice: { S: '2500', AA: '2501' }, cost: { S: '1600', AA: '1601' } } as const;

const size = ({ lines }: Journal, fits: (line: Journal['lines'][number]) => boolean) =>
  sum(lines.filter(fits).map(({ debit, credit }) => debit.minus(credit)));

/** A document is positive as a whole, whichever side of the books it is on. */
function expectExact({ kind, raw, exact, name }: HardDocument, journal: Journal): void {
  if (!exact) throw new Error(`${name} was booked, and nobody knows as what`);
  const breaches = journalBreaches(journal, { iskDecimals: 0 });
  if (breaches.length > 0) throw new Error(JSON.stringify(breaches));
  const roles = new Set<LineRole>(kind === 'invoice' ? ['receivable'] : ['payable', 'bank', 'clearing']);
  const control = size(journal, ({ role, account }) => roles.has(role) || account === '1650');
  if (!control.abs().eq(exact.total))
    throw new Error(`${name}: ${control.toFixed()}, not ${exact.total.toFixed()}`);
  const isTurned = control.isPositive() === (kind === 'cost');
  for (const tax of ['S', 'AA'] as const) {
    const booked = size(journal, ({ account }) => account === VAT_ACCOUNTS[kind][tax]);
    const found = (kind === 'cost') === isTurned ? booked.neg() : booked;
    const wanted = exact.vat[tax];
    if (found.minus(wanted).abs().gt(slackOf(journal))) {
      throw new Error(`${name} ${tax}: ${found.toFixed()}, not ${wanted.toFixed()} ${JSON.stringify(raw)}`);
    }
  }
}

/** In the currency it is exact; a cent of it may be some krónur. */
function slackOf({ currency, exchangeRate }: Journal): Decimal {
  return currency === 'ISK' ? new Decimal(0) : exchangeRate.times('0.02').plus(1);
}

function mapped({ kind, raw, context }: HardDocument, by = rules) {
  const outcome = map(kind, raw, by, context);
  if (outcome.outcome === 'reject') throw new Error(`${outcome.reason}: ${say('en', outcome.why)}`);
  return outcome;
}

test.each([
  ['invoices', hardInvoice],
  ['costs', hardCost],
])(
  'hard %s: what is exact on paper is booked with the VAT of the papers, and the rest waits',
  (_what, hard) => {
    const met = new Map<string, number>();
    fc.assert(
      fc.property(hard, (document) => {
        const outcome = mapped(document);
        const name = `${document.name.split(' in ')[0] ?? ''} ${outcome.outcome}`;
        met.set(name, (met.get(name) ?? 0) + 1);
        if (outcome.outcome === 'post') expectExact(document, outcome.journal);
        else if (document.exact)
          throw new Error(
            `${document.name}: ${outcome.reason} ${say('en', outcome.why)} ${JSON.stringify(document.raw)}`,
          );
      }),
      runs(900),
    );
    expect([...met].filter(([, count]) => count < 20)).toEqual([]);
  },
);

test('hard costs under rules that know of no prepayment and no customs: none ends in Error', () => {
  fc.assert(
    fc.property(hardCost, (document) => {
      const outcome = mapped(document, plain);
      if (outcome.outcome === 'post') expectExact(document, outcome.journal);
    }),
    runs(500),
  );
});
