// The field types of the wire as zod schemas. Reading is tolerant (numbers as text, null for empty, 0/1 for booleans, as
// the documents show them side by side); writing is exact.
import { isLosslessNumber } from 'lossless-json';
import * as z from 'zod';
import { Decimal, ZERO } from '../domain/decimal.js';
import { storableText } from '../domain/storable-text.js';

/** Binary floats may arrive with all their digits (1366.6700000000001, 0.30000000000000004), which is still a number. */
export const PLAIN_NUMBER = /^-?\d{1,15}(\.\d{1,25})?([eE][+-]?\d{1,2})?$/;

/** Absent fields are read too: the documents do not say which ones always come. */
const field = z.unknown().optional();

/** Reads text, a number, or nothing at all; nothing is the empty string. */
export const text = field.transform((value, context): string => {
  const written = asText(value);
  if (written !== null) return written;
  context.addIssue({ code: 'custom', message: 'is neither text nor empty' });
  return z.NEVER;
});

export const requiredText = text.refine((written) => written !== '', 'is missing');

export const decimal = field.transform((value, context): Decimal => {
  const written = Decimal.isDecimal(value) ? value.toFixed() : asText(value)?.trim();
  if (written === '') return ZERO;
  if (written !== undefined && PLAIN_NUMBER.test(written)) return new Decimal(written);
  context.addIssue({ code: 'custom', message: 'is not a number' });
  return z.NEVER;
});

export const integer = decimal.transform((value, context): number => {
  if (value.isInteger() && value.abs().lt(Number.MAX_SAFE_INTEGER)) return value.toNumber();
  context.addIssue({ code: 'custom', message: 'is not a whole number' });
  return z.NEVER;
});

export const flag = field.transform((value, context): boolean => {
  if (typeof value === 'boolean') return value;
  const written = asText(value)?.toLowerCase();
  if (written === '1' || written === 'true') return true;
  if (written === '0' || written === 'false' || written === '') return false;
  context.addIssue({ code: 'custom', message: 'is neither true nor false' });
  return z.NEVER;
});

/** A nested value that is carried along without being judged. */
export const anything = field;

/** What a caller may give where the service wants a number: never rounded on the way. */
export type DecimalInput = Decimal | string | number;

export const money = z
  .custom<DecimalInput>(
    (value) => PLAIN_NUMBER.test(Decimal.isDecimal(value) ? value.toFixed() : (asText(value) ?? '')),
    'must be a number',
  )
  .transform((value) => new Decimal(Decimal.isDecimal(value) ? value : String(value)));

export const isoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date written Y-m-d')
  .refine(isCalendarDate, 'is not a day of the calendar');

/** Whole numbers as numbers or digits, so that a command line can pass them as it has them. */
export const whole = z
  .custom<number | string>((value) => /^\d{1,9}$/.test(asText(value) ?? ''), 'must be a whole number')
  .transform(Number);

/** The service's booleans are written 1 and 0 in its examples. */
export const bit = z
  .custom<boolean | number | string>(
    (value) => typeof value === 'boolean' || /^(0|1|true|false)$/.test(asText(value) ?? ''),
    'must be true or false',
  )
  .transform((value) => value === true || String(value) === '1' || value === 'true');

/** Where the documents say integer 0/1 and mean a yes or no. */
export const bitAsNumber = bit.transform((yes) => (yes ? 1 : 0));

export interface FilePart {
  readonly fileName: string;
  readonly content: Uint8Array;
}

export const filePart = z.custom<FilePart>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'fileName' in value &&
    typeof value.fileName === 'string' &&
    'content' in value &&
    value.content instanceof Uint8Array,
  'must be a file',
);

export function isFilePart(value: unknown): value is FilePart {
  return filePart.safeParse(value).success;
}

/** What is written there; empty where there is nothing, null where it is no text at all. PHP says false for nothing. */
export function asText(value: unknown): string | null {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number' || isLosslessNumber(value)) return String(value);
  return null;
}

function isCalendarDate(written: string): boolean {
  const at = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written);
}
