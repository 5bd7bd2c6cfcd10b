// Kennitölur that pass the checksum: six digits of a date (companies: day + 40), two of a serial, check digit, century.
import { checkDigit } from '../kennitala.js';
import type { Random } from '../random.js';
import { between } from './chance.js';

const SERIALS_TRIED_MAX = 200;

export function companyKennitala(random: Random): string {
  return kennitala(random, between(random, 41, 68), between(random, 1969, 2024));
}

export function personKennitala(random: Random): string {
  return kennitala(random, between(random, 1, 28), between(random, 1945, 2004));
}

/** Well-formed, but the check digit is wrong. */
export function withWrongCheckDigit(valid: string): string {
  return `${valid.slice(0, 8)}${(Number(valid[8]) + 1) % 10}${valid.slice(9)}`;
}

/** One serial in eleven has no check digit and was never given to anybody, so the next is tried. */
function kennitala(random: Random, day: number, year: number): string {
  const date = [day, between(random, 1, 12), year % 100]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  for (let tried = 0; tried < SERIALS_TRIED_MAX; tried++) {
    const firstEight = date + String(between(random, 20, 99));
    const digit = checkDigit(firstEight);
    if (digit !== null) return `${firstEight}${digit}${year < 2000 ? 9 : 0}`;
  }
  throw new RangeError(`No serial of ${date} has a check digit.`);
}
