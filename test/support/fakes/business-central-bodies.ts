// What Business Central accepts in a body: the fields that exist, at the lengths that they have, and nothing else.
import { z } from 'zod';
import { BcError } from './business-central-ledger.js';
import { decimal, integer } from './fake-json.js';

const short = (length: number) =>
  z.string().refine((value) => value.length <= length, {
    error: `The length of the string must be less than or equal to ${length} characters.`,
    params: { code: 'Application_StringExceededLength' },
  });

/** A field of type Text keeps what it is given. */
export const text = short;

/** A field of type Code is kept in upper case, without spaces around it. */
export const code = (length: number) => short(length).transform((value) => value.trim().toUpperCase());

const lineBody = z.strictObject({
  lineNumber: integer,
  accountType: z.enum(['G/L Account', 'Customer', 'Vendor', 'Bank Account']).default('G/L Account'),
  accountNumber: code(20),
  postingDate: z.iso.date(),
  documentNumber: code(20),
  externalDocumentNumber: code(35).default(''),
  amount: decimal,
  description: text(100).default(''),
  taxCode: code(20).optional(),
});

export const journalBody = z.strictObject({
  code: code(10),
  displayName: text(100),
  journalLines: z.array(lineBody).default([]),
});

export const partnerBody = z.strictObject({
  number: code(20),
  displayName: text(100),
  addressLine1: text(100).optional(),
  postalCode: code(20).optional(),
  city: text(30).optional(),
  country: code(10).optional(),
  email: text(80).optional(),
  taxRegistrationNumber: text(20).default(''),
});

export const batchBody = z.strictObject({
  requests: z
    .array(
      z.strictObject({
        method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown(),
      }),
    )
    .max(100),
});

export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const own = issue?.code === 'custom' ? (issue.params?.['code'] as string | undefined) : undefined;
  throw new BcError(400, own ?? 'BadRequest', z.prettifyError(parsed.error));
}
