import { describe, expect, it } from 'vitest';
import { clipText } from '../../../../src/erp/line-text.js';

describe('clipText', () => {
  it.each([
    ['Þjónusta\r\n\tog   efni\u0000', 40, 'Þjónusta og efni'],
    ['abc def', 4, 'abc'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    ['a\u2028b', 10, 'a b'],
    ['e\u0301', 10, 'é'],
  ])('%j at most %i is %j', (text, max, expected) => {
    expect(clipText(text, max)).toBe(expected);
  });
});
