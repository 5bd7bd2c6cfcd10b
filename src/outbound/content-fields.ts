// The fields that records of origins are made of. Numbers are text, digit for digit: JSON numbers come as they were written, and are taken
// wherever the API documents show text.
import * as z from 'zod';
import { isCalendarDay } from '../domain/local-time.js';
import { Decimal } from '../domain/decimal.js';
import { readKennitala } from '../domain/kennitala.js';
import type { Unfit } from '../language/messages.js';
import { asWritten, readDay, readTax, readYesOrNo, writtenText } from '../domain/written-values.js';

/** What a field should have been, for those who read another language. */
export function unfit(error: string, is: Unfit) {
  return { error, params: { unfit: is } };
}

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;
const TEXT_MAX = 4_000;

export const number = z
  .unknown()
  .transform(writtenText)
  .refine((written) => NUMBER.test(written), unfit('not a number like 1990 or 1990.50', 'number'))
  .transform((written) => new Decimal(written).toFixed());
export const text = z.preprocess(asWritten, z.string().max(TEXT_MAX));
export const filledText = z.preprocess(asWritten, z.string().min(1).max(TEXT_MAX));
/** Of what is base64: a picture of some 300 kB. */
const LONG_MAX = 400_000;
export const longText = z.preprocess(asWritten, z.string().max(LONG_MAX));
export const day = z
  .unknown()
  .transform(readDay)
  .refine(isCalendarDay, unfit('not a day like 2026-01-31 or 31.1.2026', 'day'));
export const yesOrNo = z
  .unknown()
  .transform(readYesOrNo)
  .refine((read) => read !== null, unfit('neither yes nor no', 'yes-or-no'));
export const tax = z
  .unknown()
  .transform(readTax)
  .refine((read) => read !== '', unfit('not one of S (24 %), AA (11 %), Z (0 %)', 'tax'))
  .transform((read) => read as 'S' | 'AA' | 'Z');
export const kennitala = z
  .unknown()
  .transform((value) => readKennitala(writtenText(value)))
  .refine(({ format }) => format, unfit('not a kennitala of ten digits', 'kennitala'))
  .transform(({ digits }) => digits ?? '');

/** One of a few words, in capitals or not. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess((value) => {
    const written = asWritten(value);
    return typeof written === 'string' ? written.trim().toLowerCase() : written;
  }, z.enum(words));
}
