// What a PHP service writes where one would not expect it, and what is made of it.
import { describe, expect, it } from 'vitest';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { type JsonObject, parseJson } from '../../../src/service/wire-json.js';
import { customer, dashboardInvoice, task } from '../../../src/service/wire-shapes.js';
import { PLAIN_NUMBER } from '../../../src/service/wire-types.js';

const FLOATS = ['0.3333333333333333', '0.30000000000000004', '1366.6700000000001', '1.0e-7', '-0.1'];

describe('records of the service', () => {
  it.each(FLOATS)('may hold %s wherever a number is read', (written) => {
    const raw = parseJson(
      `{"guid":"a","total_time":${written},"amount":${written},"items":[{"margin":${written}}]}`,
    ) as JsonObject;
    const worked = task.read(raw);
    expect(worked.ok && worked.value.total_time.eq(written)).toBe(true);
    const sold = dashboardInvoice.read(raw);
    expect(sold.ok && sold.value.items?.[0]?.margin.eq(written)).toBe(true);
    const cost = decodeDocument('cost', raw);
    expect(cost.outcome === 'decoded' && cost.document.amount.eq(written)).toBe(true);
  });

  it.each(['', '1,5', '0x10', 'NaN', 'Infinity', '1.', `0.${'3'.repeat(26)}`])(
    'hold no number in "%s"',
    (written) => {
      expect(PLAIN_NUMBER.test(written)).toBe(false);
    },
  );

  it('may say false where a text is empty, as PHP does', () => {
    expect(customer.read({ guid: 'a', photo: false, email: false })).toMatchObject({
      ok: true,
      value: { photo: '', email: '' },
    });
    expect(customer.read({ guid: false })).toEqual({ ok: false, problem: 'guid is missing' });
    expect(customer.read({ guid: 'a', photo: true })).toEqual({
      ok: false,
      problem: 'photo is neither text nor empty',
    });
    expect(decodeDocument('cost', { guid: 'a', amount: 1, file: false })).toMatchObject({
      outcome: 'decoded',
      document: { fileBase64: null },
    });
  });
});
