// Error at the source is one-way. Every code that leads to it is here, with a document that cannot become right, and with those of the
// same code that a person, a rule or time can cure.
import { expect, test } from 'vitest';
import { REASONS } from '../../../src/pipeline/mapping/outcome.js';
import {
  base64,
  cost,
  invoice,
  item,
  map,
  rulesWith,
  sampleRules,
  stopped,
  type Raw,
  type UblShape,
} from './build.js';

const sale = (over: Raw, rules = sampleRules) => stopped(map('invoice', invoice(over), rules));
const bill = (over: Raw, ubl: Partial<UblShape> = {}, rules = sampleRules) =>
  stopped(map('cost', cost(over, ubl), rules));
const strict = rulesWith({ invoice: { whenLinesDiffer: 'reject' }, cost: { whenXmlMissing: 'reject' } });
const euros = { currency: 'EUR', amount: 124, items: [item({ price: 100 })] };

const CERTAIN = {
  UNKNOWN_STATUS: () => sale({ status: 'Lost' }),
  UNKNOWN_CURRENCY: () => sale({ currency: 'XXX' }),
  UNKNOWN_TYPE: () => sale({ type: 'offer' }),
  UNKNOWN_VAT_CODE: () => sale({ items: [item({ price: 100000, tax: 'X' })] }),
  NEGATIVE_INVOICE: () => sale({ amount: -124000 }),
  NEGATIVE_COST: () => bill({ amount: -12400, xml: null }),
  CREDIT_WITHOUT_REFERENCE: () => sale({ type: 'credit' }),
  VAT_TOTALS_MISMATCH: () => sale({ total_24vat: 100000, total_11vat: 50 }),
  TOTALS_MISMATCH: () => sale({ amount: 250000 }),
  FX_RATE_IMPLAUSIBLE: () => sale({ ...euros, exchange_rate: '0.0067' }),
  XML_MISSING: () => bill({ xml: null }, {}, strict),
  XML_MISMATCH: () => bill({}, { payable: 12500 }),
  VAT_IMPLAUSIBLE: () => bill({ vat_S: 12401 }, { taxes: [] }),
  VAT_NOT_ALLOWED: () => bill({ cost_code: '3033' }),
} as const;

test.each(Object.entries(CERTAIN))('%s is Error where it cannot become right', (code, certain) => {
  const { outcome, reason } = certain();
  expect({ outcome, reason }).toEqual({ outcome: 'reject', reason: code });
});

test('no other code leads to Error', () => {
  const rejecting = Object.entries(REASONS).flatMap(([code, outcome]) =>
    outcome === 'reject' ? [code] : [],
  );
  expect(rejecting.sort()).toEqual(Object.keys(CERTAIN).sort());
});

test.each([
  ['NEGATIVE_COST', 'the e-invoice comes to as much', () => bill({ amount: -12400 }, { payable: -12400 })],
  [
    'NEGATIVE_COST',
    'the e-invoice is a credit note',
    () => bill({ amount: -12400 }, { root: 'CreditNote', payable: 12400 }),
  ],
  ['FX_RATE_IMPLAUSIBLE', 'fx.reference may be old', () => sale({ ...euros, exchange_rate: 1498 })],
  [
    'XML_MISMATCH',
    'the e-invoice states no VAT',
    () => bill({}, { taxes: [{ percent: 0, tax: 0, taxable: 12400 }] }),
  ],
  ['VAT_IMPLAUSIBLE', 'it may be import VAT', () => bill({ vat_S: 5000 }, { taxes: [] })],
  ['XML_UNREADABLE', 'it can be made anew', () => bill({ xml: base64('%PDF-1.7') })],
] as const)('%s waits for a person where %s', (code, _why, doubtful) => {
  const { outcome, reason } = doubtful();
  expect({ outcome, reason }).toEqual({ outcome: 'park', reason: code });
});
