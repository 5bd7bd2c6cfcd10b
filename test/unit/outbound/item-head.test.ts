import { describe, expect, test } from 'vitest';
import { behindHead, headNumber, headOf, withHead } from '../../../src/domain/source-document.js';

describe('the number of an item stands at the head of its description', () => {
  test.each([
    ['', 'A-100', '[A-100] Stóll'],
    ['shop', 'A-100', '[shop/A-100] Stóll'],
    ['', '5', '[5] Stóll'],
  ])('of series "%s", %s: %s', (series, reference, description) => {
    const number = headNumber(series, reference);
    expect(withHead(number, ' Stóll ')).toBe(description);
    expect(headOf(description)).toBe(number);
    expect(behindHead(description)).toBe('Stóll');
  });

  test.each(['5 kg hveiti', 'A-100 Stóll', 'Stóll [A-100]', '[] Stóll', ''])(
    '"%s" has none',
    (description) => {
      expect(headOf(description)).toBeNull();
      expect(behindHead(description)).toBe(description);
    },
  );
});
