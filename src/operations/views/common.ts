// What operators see, as schemas: the types of the functions, the JSON of the command line and the OpenAPI file of the API
// all come from here, so that they cannot disagree. Moments are ISO text in UTC, amounts decimal text.
import * as z from 'zod';
import { POSTING_STATES } from '../../domain/posting.js';
import { BOOKED_KINDS, SOURCE_KINDS } from '../../domain/source-document.js';

export const instant = z.iso.datetime().describe('UTC, for example 2026-11-15T13:05:00.000Z.');
export const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('A decimal number as text, so that no digit is lost.');
export const count = z.int().min(0);
export const uuid = z.uuid();
export const isoDate = z.iso.date();
export const sourceKind = z.enum(SOURCE_KINDS);
export const bookedKind = z
  .enum(BOOKED_KINDS)
  .describe('payment, release: of a document that was booked before.');
export const postingState = z.enum(POSTING_STATES);

/** Why a posting is where it is. */
export const reason = z
  .object({
    code: z.string().describe('Stable; docs/reference/errors.md and docs/reference/mapping.md list them.'),
    subject: z
      .string()
      .describe('What it is about: a cost code, an account, a dimension value. May be empty.'),
    sentence: z.string(),
    cure: z.string().describe('What would move it.'),
  })
  .meta({ id: 'Reason' });
export type ReasonView = z.infer<typeof reason>;

/** A page by key: ask for the next one with `after`. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next: z.string().nullable().describe('Pass it as `after` to get the next page; null at the end.'),
  });
}

export interface Page<Item> {
  items: Item[];
  next: string | null;
}

export { PAGE_DEFAULT, PAGE_MAX } from '../page-size.js';
