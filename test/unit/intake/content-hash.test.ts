import { expect, it } from 'vitest';
import { parseLossless } from '../../../src/domain/lossless-json.js';
import { contentHash } from '../../../src/pipeline/content-hash.js';

const INVOICE =
  '{"guid":"a","amount":12.50,"status":"Paid","items":[{"qty":1.0,"text":""}],"accounting_status":"Created"}';

it('stays what it was for documents on record: another hash would park all that is under way', () => {
  expect(contentHash('invoice', INVOICE)).toBe(
    '5a18a24300f77bf7f7c41eeb0d9c901dadbf338625656959667999952e2a83f6',
  );
});

it('is the same of the text and of what was read of it', () => {
  const record = parseLossless(INVOICE) as Record<string, unknown>;
  expect(contentHash('invoice', INVOICE, record)).toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', INVOICE, record)).toBe(contentHash('invoice', INVOICE));
});

it('does not know what the service or the bridge changes later, nor how a number is written', () => {
  const posted = INVOICE.replace('Created', 'Posted').replace('12.50', '12.5').replace('1.0', '1');
  expect(contentHash('invoice', posted)).toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', INVOICE.replace('12.50', '12.51'))).not.toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', INVOICE.replace('Paid', 'Cancelled'))).not.toBe(
    contentHash('invoice', INVOICE),
  );
});
