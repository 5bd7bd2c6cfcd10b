// The schemas of declared fields (fields.ts): the API checks a request by them and describes it, and every act checks its input.
import * as z from 'zod';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isoDate } from './views/common.js';
import type { Field, Fields, InputOf } from './fields.js';

function schemaOf({ kind, required, charactersMax, values, range }: Field): z.ZodType {
  switch (kind) {
    case 'flag':
      return z.boolean();
    case 'text':
      return z
        .string()
        .trim()
        .min(required ? 1 : 0)
        .max(charactersMax);
    case 'whole':
      return z.int().min(range[0]).max(range[1]);
    case 'day':
      return isoDate;
    case 'amount':
      return z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/);
    case 'currency':
      return z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR');
    case 'choice':
      return z.enum(values);
    case 'choices':
      return z.array(z.enum(values)).max(20);
  }
}

/** Of a body, for z.strictObject. */
export function bodyShape(fields: Fields): Record<string, z.ZodType> {
  return shapeOf(fields, schemaOf);
}

/** The same for the query of an address, where everything is text. */
export function queryShape(fields: Fields): Record<string, z.ZodType> {
  const fromText = (read: (text: string) => unknown, one: Field) =>
    z.string().transform(read).pipe(schemaOf(one));
  return shapeOf(fields, (one) => {
    if (one.kind === 'choices') return fromText((typed) => typed.split(','), one);
    if (one.kind === 'flag') return z.enum(['true', 'false']).transform((typed) => typed === 'true');
    return one.kind === 'whole' ? fromText(Number, one) : schemaOf(one);
  });
}

function shapeOf(fields: Fields, schemaFor: (one: Field) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const schema = schemaFor(one);
      const help = one.given ? one.help : `false: ${one.help}`;
      return [name, (one.required ? schema : schema.optional()).describe(help)];
    }),
  );
}

/** `told`: how a refusal is worded. */
export function checkedInput<F extends Fields>(
  fields: F,
  input: InputOf<F>,
  told: 'INPUT_UNUSABLE' | 'SEARCH_UNUSABLE' = 'INPUT_UNUSABLE',
): InputOf<F> {
  const judged = z.strictObject(bodyShape(fields)).safeParse(input);
  if (judged.success) return judged.data as InputOf<F>;
  const [issue] = judged.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw coded('QUERY_INVALID', message(told, { where, problem: issue?.message ?? '' }));
}
