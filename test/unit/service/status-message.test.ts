import { describe, expect, it } from 'vitest';
import { fitMessage } from '../../../src/service/api-source.js';

describe('the message written back', () => {
  it('is left alone when it fits', () => {
    expect(fitMessage('Bókað: 2026-17', 500)).toBe('Bókað: 2026-17');
  });

  it('is at most 500 characters and 500 bytes, and no half character', () => {
    const fitted = fitMessage('þ💶'.repeat(300), 500);
    expect(Buffer.byteLength(fitted)).toBeLessThanOrEqual(500);
    expect(fitted).not.toContain('\uFFFD');
    expect(fitted.endsWith('…')).toBe(true);
  });

  it('is one line', () => {
    expect(fitMessage('one\r\n two', 500)).toBe('one two');
  });
});
