import { describe, expect, it } from 'vitest';
import { money } from '../../../src/cli/table.js';
import { groupThousands, trimEndOf, trimStartOf, writtenNumber } from '../../../src/domain/text.js';
import { amountsIn } from '../../../src/language/icelandic/amounts.js';
import { errorIn } from '../../../src/erp/business-central/client.js';

describe('text operations', () => {
  it('removes one character from an end and leaves the rest', () => {
    expect(trimEndOf('1.500', '0')).toBe('1.5');
    expect(trimEndOf('000', '0')).toBe('');
    expect(trimEndOf('', '0')).toBe('');
    expect(trimStartOf('//a/b', '/')).toBe('a/b');
  });

  it('groups digits by thousands, and leaves what is no number unchanged', () => {
    expect(['1', '123', '1234', '1234567'].map(groupThousands)).toEqual(['1', '123', '1.234', '1.234.567']);
    expect(groupThousands('1e21')).toBe('1e21');
  });
});

const LONG = 100_000;
const digits = '7'.repeat(LONG);

describe('time grows with the length of a text and no faster', () => {
  const took = (work: () => unknown): number => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };

  it.each([
    ['an amount on the command line', () => money(`${digits}x`)],
    ['an amount in a message', () => writtenNumber(`${digits}x.${'0'.repeat(LONG)}1`)],
    ['amounts in an Icelandic sentence', () => amountsIn(`${digits}x`)],
    [
      'a refusal of Business Central',
      () => errorIn({ error: { code: 'x', message: `a${' '.repeat(LONG)}b` } }),
    ],
  ])('%s of 100,000 characters takes less than a second', (_, work) => {
    expect(took(work)).toBeLessThan(1_000);
  });
});
