// The field types of the wire as zod schemas. Reading is tolerant (numbers as text, null for empty, 0/1 for booleans, as
// the documents show them side by side); writing is exact.
import { isLosslessNumber } from 'lossless-json';
import * as z from 'zod';
import { Decimal, ZERO } from '../domain/money.js';
import { madeOf } from '../domain/made-of.js';
import { storableText } from '../domain/text.js';

/** Binary floats may arrive with all their digits (1366.6700000000001, 0.30000000000000004), which is still a number. */
export const PLAIN_NUMBER = /^-?\d{1,15}(\.\d{1,25})?([eE][+-]?\d{1,2})?$/;

/** Absent fields are read too: the documents do not say which ones always come. */
const field = z.unknown().optional();

/** Reads text, a number, or nothing at all; nothing is the empty string. */
export const text = madeOf(field, (value, refuse) => asText(value) ?? refuse('is neither text nor empty'));

export const requiredText = text.refine((written) => written !== '', 'is missing');

export const decimal = madeOf(field, (value, refuse) => {
  const written = Decimal.isDecimal(value) ? value.toFixed() : asText(value)?.trim();
  if (written === '') return ZERO;
  if (written !== undefined && PLAIN_NUMBER.test(written)) return new Decimal(written);
  return refuse('is not a number');
});

export const integer = madeOf(decimal, (value, refuse) =>
  value.isInteger() && value.abs().lt(Number.MAX_SAFE_INTEGER)
    ? value.toNumber()
    : refuse('is not a whole number'),
);

export const flag = madeOf(field, (value, refuse) => {
  if (typeof value === 'boolean') return value;
  const written = asText(value)?.toLowerCase();
  if (written === '1' || written === 'true') return true;
  if (written === '0' || written === 'false' || written === '') return false;
  return refuse('is neither true nor false');
});

/** A nested value that is carried along without being judged. */
export const anything = field;

/** What a caller may give where the service wants a number: never rounded on the way. */
export type DecimalInput = Decimal | string | number;

export const money = madeOf(
  z.custom<DecimalInput>(
    (value) => PLAIN_NUMBER.test(Decimal.isDecimal(value) ? value.toFixed() : (asText(value) ?? '')),
    'must be a number',
  ),
  (value) => new Decimal(Decimal.isDecimal(value) ? value : String(value)),
);

export const isoDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date written Y-m-d')
  .refine(isCalendarDate, 'is not a day of the calendar');

/** Whole numbers as numbers or digits, so that a command line can pass them as it has them. */
export const whole = madeOf(
  z.custom<number | string>((value) => /^\d{1,9}$/.test(asText(value) ?? ''), 'must be a whole number'),
  Number,
);

/** The service's booleans are written 1 and 0 in its examples. */
export const bit = madeOf(
  z.custom<boolean | number | string>(
    (value) => typeof value === 'boolean' || /^(0|1|true|false)$/.test(asText(value) ?? ''),
    'must be true or false',
  ),
  (value) => value === true || String(value) === '1' || value === 'true',
);

/** Where the documents say integer 0/1 and mean a yes or no. */
export const bitAsNumber = madeOf(bit, (yes) => (yes ? 1 : 0));

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

/** What is wrong with what was read, for people: the first of it. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined
    ? 'does not fit'
    : [issue.path.join('.'), issue.message].filter(Boolean).join(' ');
}
