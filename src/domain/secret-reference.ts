// How a configuration names a secret: by reference, never by value. Apart from secret.ts, which every command reads: checking
// schemas takes longer to load than most commands take to answer.
import * as z from 'zod';

const SECRET_REFERENCE = /^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/;

export const secretReference = z
  .string()
  .regex(SECRET_REFERENCE, 'must name a secret, not contain one: `env:NAME` or `file:path`')
  .describe('Where the secret is kept: env:NAME or file:path. Never the secret itself.');

export function isSecretReference(text: string): boolean {
  return SECRET_REFERENCE.test(text);
}

/** Whether a schema (of a tenant file, of an adapter's settings) is one of references, so that its input is never repeated. */
export function acceptsSecretReference(schema: z.core.$ZodType): boolean {
  const definition: { readonly checks?: readonly z.core.$ZodCheck[] } = schema._zod.def;
  return (definition.checks ?? []).some((check) => {
    const { pattern }: { pattern?: RegExp } = check._zod.def as z.core.$ZodCheckRegexDef;
    return pattern === SECRET_REFERENCE;
  });
}

export type SecretReference = z.infer<typeof secretReference>;
