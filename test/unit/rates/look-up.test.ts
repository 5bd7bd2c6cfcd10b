// When a rate is asked for: for foreign documents that state none, and for nobody else.
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { type ContextSources, lookUpContext } from '../../../src/sync/mapping-context.js';
import { cost, invoice, item, rulesWith, type Raw } from '../mapping/build.js';

const asked: string[] = [];
const desk = (over: Raw = {}) =>
  ({
    tenant: {
      rules: rulesWith({ fx: { source: 'sedlabanki', ...over } }),
      rates: {
        rateOn: (currency: string, day: string) => {
          asked.push(`${currency} ${day}`);
          return Promise.resolve(
            currency === 'USD'
              ? { outcome: 'unavailable', problem: 'HTTP 503' }
              : { outcome: 'found', day, rate: new Decimal(150), origin: 'bank' },
          );
        },
      },
    },
    store: {},
  }) as unknown as ContextSources;

async function contextOf(kind: 'invoice' | 'cost', raw: Raw, over: Raw = {}) {
  const decoded = decodeDocument(kind, raw);
  if (decoded.outcome !== 'decoded') throw new Error(decoded.problem);
  asked.length = 0;
  return lookUpContext(desk(over), decoded.document);
}

const foreign = (over: Raw) => invoice({ amount: 100, items: [item({ price: 100, tax: 'Z' })], ...over });

test('a foreign document without a rate of its own asks for the rate of its day', async () => {
  expect(await contextOf('cost', cost({ currency: 'EUR' }))).toMatchObject({ rate: { day: '2025-03-10' } });
  expect(await contextOf('invoice', foreign({ currency: 'EUR', exchange_rate: 1 }))).toMatchObject({
    rate: { origin: 'bank' },
  });
  expect(asked).toEqual(['EUR 2025-03-10']);
  expect(await contextOf('cost', cost({ currency: 'USD' }))).toEqual({ ratesProblem: 'HTTP 503' });
});

test('nobody is asked for ISK, for a rate that is stated, or for one that the table has', async () => {
  await contextOf('cost', cost());
  expect(asked).toEqual([]);
  await contextOf('invoice', foreign({ currency: 'EUR', exchange_rate: 150 }));
  expect(asked).toEqual([]);
  await contextOf('cost', cost({ currency: 'EUR' }), { table: { EUR: { '2025-03-10': 149 } } });
  expect(asked).toEqual([]);
});

test('whether the customer is exempt is asked where the lines with VAT do not give the amount, and only there', async () => {
  const looked: string[] = [];
  const source = {
    customer: (guid: string) => {
      looked.push(guid);
      return Promise.resolve({ guid, taxExempt: true });
    },
  };
  const look = (over: Raw) => {
    const customer = { guid: 'c', name: 'A', registration_no: '4101212040' };
    const decoded = decodeDocument('invoice', invoice({ customer, ...over }));
    if (decoded.outcome !== 'decoded') throw new Error(decoded.problem);
    const { tenant, store } = desk();
    return lookUpContext(
      { tenant: { ...tenant, source }, store } as unknown as ContextSources,
      decoded.document,
    );
  };
  expect(await look({})).toEqual({});
  expect(looked).toEqual([]);
  // A fee that only the totals show: the amount is more than the lines without VAT, and less than with it.
  expect(await look({ amount: 101000, total_24vat: 101000 })).toEqual({ customer: { taxExempt: true } });
  expect(looked).toEqual(['c']);
});

test('a credit note without a rate asks for the rate of its original, or of the day of that', async () => {
  const look = (original: Raw) => {
    const decoded = decodeDocument('invoice', foreign({ currency: 'EUR', guid: 'original', ...original }));
    const credit = decodeDocument(
      'invoice',
      foreign({ currency: 'EUR', type: 'credit', refer_guid: 'original', issue_date: '2025-06-10' }),
    );
    if (decoded.outcome !== 'decoded' || credit.outcome !== 'decoded') throw new Error('malformed');
    const source = { get: () => Promise.resolve({ outcome: 'found', document: decoded.document }) };
    const { tenant, store } = desk();
    asked.length = 0;
    return lookUpContext(
      { tenant: { ...tenant, source }, store } as unknown as ContextSources,
      credit.document,
    );
  };
  const stated = await look({ exchange_rate: '142.5' });
  expect(stated.original?.exchangeRate?.toFixed()).toBe('142.5');
  expect(asked).toEqual([]);
  expect(await look({ exchange_rate: 1 })).toMatchObject({ rate: { day: '2025-03-10' } });
  expect(asked).toEqual(['EUR 2025-03-10']);
  // What another currency was worth says nothing of this one.
  expect(await look({ currency: 'USD', exchange_rate: 130 })).toMatchObject({ rate: { day: '2025-03-10' } });
});
