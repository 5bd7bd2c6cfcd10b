// The fields that records of origins are made of. Numbers are text, digit for digit: JSON numbers come as they were written.
import { isLosslessNumber } from 'lossless-json';
import * as z from 'zod';
import { isCalendarDay } from '../../domain/calendar-day.js';
import { Decimal } from '../../domain/decimal.js';
import { readKennitala } from '../../domain/kennitala.js';
import type { Unfit } from '../../language/messages.js';

/** What a field should have been, for those who read another language. */
export function unfit(error: string, is: Unfit) {
  return { error, params: { unfit: is } };
}

const NUMBER = /^-?\d{1,15}(\.\d{1,10})?$/;
const TEXT_MAX = 4_000;

/** JSON numbers come as they were written, with all their digits. */
export const number = z
  .unknown()
  .transform((value) =>
    isLosslessNumber(value) ? value.value : typeof value === 'string' ? value.trim() : '',
  )
  .refine((written) => NUMBER.test(written), unfit('is not a number like 1990 or 1990.50', 'number'))
  .transform((written) => new Decimal(written).toFixed());
export const text = z.string().max(TEXT_MAX);
export const day = z.string().refine(isCalendarDay, unfit('is not a day like 2026-01-31', 'day'));
export const yesOrNo = z
  .union([z.boolean(), z.enum(['0', '1', 'true', 'false'])])
  .transform((value) => value === true || value === '1' || value === 'true');
export const kennitala = z
  .string()
  .refine((written) => readKennitala(written).format, unfit('is not a kennitala of ten digits', 'kennitala'))
  .transform((written) => readKennitala(written).digits ?? '');
