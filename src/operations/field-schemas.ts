// The schemas of declared fields (fields.ts): the API checks a request by them and describes it, and every act checks its input.
import * as z from 'zod';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { Field, Fields, InputOf } from './fields.js';

function schemaOf({ kind, required, charactersMax, range }: Field): z.ZodType {
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
      return z.iso.date();
  }
}

/** Of a body, for z.strictObject. */
export function bodyShape(fields: Fields): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const schema = schemaOf(one);
      const help = one.given ? one.help : `false: ${one.help}`;
      return [name, (one.required ? schema : schema.optional()).describe(help)];
    }),
  );
}

export function checkedInput<F extends Fields>(fields: F, input: InputOf<F>): InputOf<F> {
  const judged = z.strictObject(bodyShape(fields)).safeParse(input);
  if (judged.success) return judged.data as InputOf<F>;
  const [issue] = judged.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw coded('QUERY_INVALID', message('INPUT_UNUSABLE', { where, problem: issue?.message ?? '' }));
}
