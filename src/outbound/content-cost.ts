// A cost as an origin has it: a receipt by its file alone, or everything that is known of it (create-cost-adv of Document 1).
import * as z from 'zod';
import { day, filledText, kennitala, number, text, yesOrNo } from './content-fields.js';

/** The bytes stay at the origin; they are sent only while they are these. */
const namedFile = z.strictObject({
  name: filledText,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: number,
});

/** One of the files that go with an invoice. */
export const attachedFile = namedFile
  .extend({
    /** Left out: nobody has read its bytes yet, and its origin knows it by its version. */
    sha256: namedFile.shape.sha256.optional(),
    /** Where the origin keeps it, where its name alone does not say. */
    at: text.optional(),
    /** What its origin calls these bytes of it: other bytes are another version. */
    version: text.optional(),
  })
  .refine(({ sha256, at, version }) => sha256 !== undefined || (at !== undefined && version !== undefined));
export type AttachedFile = z.output<typeof attachedFile>;

export const costContent = z.strictObject({
  file: namedFile.optional(),
  /** The day on which the file was last changed: nothing of it can have been sent before. */
  seen: day.optional(),
  date: day.optional(),
  description: text.optional(),
  amount: number.optional(),
  how_paid: number.optional(),
  supplier_name: text.optional(),
  supplier_id: kennitala.optional(),
  type: text.optional(),
  vat_11: number.optional(),
  vat_24: number.optional(),
  credit_note: yesOrNo.optional(),
});

export type CostContent = z.output<typeof costContent>;

/** What makes it another content: neither its name nor when it was touched does. */
export function costIdentity({ file, seen: _seen, ...rest }: CostContent): object {
  return { ...rest, sha256: file?.sha256 };
}
