import { describe, expect, it } from 'vitest';
import {
  count,
  day,
  decimal,
  kennitala,
  moment,
  money,
  relative,
  span,
} from '../../../src/dashboard/language/format.js';
import { MESSAGES } from '../../../src/dashboard/language/messages.js';

describe('numbers and moments as Icelanders write them', () => {
  it('groups by points and keeps every digit', () => {
    expect(money('1234567', 'ISK')).toBe('1.234.567 kr.');
    expect(money('-1234.5', 'ISK')).toBe('−1.234,50 kr.');
    expect(money('98881.2', 'ISK')).toBe('98.881,20 kr.');
    expect(money('100.00', 'ISK')).toBe('100 kr.');
    expect(money('2811.08', 'GBP')).toBe('2.811,08 GBP');
    expect(money('7', 'EUR')).toBe('7,00 EUR');
    expect(decimal('12345678901234567890.123456')).toBe('12.345.678.901.234.567.890,123456');
    expect(decimal('-0.00')).toBe('0');
    expect(count(0)).toBe('0');
    expect(count(1000)).toBe('1.000');
  });

  it('writes days and moments in UTC, which is Icelandic time', () => {
    expect(day('2026-11-15')).toBe('15.11.2026');
    expect(day('soon')).toBe('soon');
    expect(moment('2026-11-15T13:05:59.000Z')).toBe('15.11.2026 13:05');
    expect(kennitala('1207851239')).toBe('120785-1239');
  });

  it('says how long ago in both languages', () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const at = '2026-11-15T11:56:00Z';
    expect(relative(at, now, MESSAGES.en.units)).toBe('4 min ago');
    expect(relative(at, now, MESSAGES.is.units)).toBe('fyrir 4 mín.');
    expect(relative('2026-11-15T12:03:00Z', now, MESSAGES.en.units)).toBe('in 3 min');
    expect(span(3 * 86_400_000, MESSAGES.en.units)).toBe('3 d');
  });
});
