// Which files go, by their names.
import { describe, expect, test } from 'vitest';
import { filePatterns, goesWith } from '../../../src/origins/file-patterns.js';

describe('a file', () => {
  test.each([
    [[], 'a.pdf', false],
    [['*'], 'a.pdf', true],
    [['*.pdf'], 'A.PDF', true],
    [['*.pdf'], 'a.pdf.txt', false],
    [['skilm?lar*.pdf'], 'Skilmálar 2026.pdf', true],
    // As a Mac writes it.
    [['skilmálar.pdf'], 'Skilma\u0301lar.pdf', true],
    [['*', '!*innra*'], 'Innra mat.pdf', false],
    [['!*innra*', '*.pdf'], 'mat.pdf', true],
    [['a.pdf'], 'a_pdf', false],
    [['*a*b'], 'xaxxb', true],
    [['*a*b'], 'xaxxbx', false],
  ] as const)('by %j: %s goes: %s', (patterns, name, goes) => {
    expect(goesWith(patterns, name)).toBe(goes);
  });

  test('is judged at once, whatever the pattern', () => {
    const began = performance.now();
    expect(goesWith([`${'*a'.repeat(49)}b`], 'a'.repeat(4_000))).toBe(false);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

test.each([[['']], [['a/b']], [['!']], [['!!x']], [['x'.repeat(101)]], [['!*.pdf']], ['*.pdf']])(
  '%j is no list of patterns',
  (given) => {
    expect(filePatterns.safeParse(given).success).toBe(false);
  },
);
