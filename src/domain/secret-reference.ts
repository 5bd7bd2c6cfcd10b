// How a configuration names a secret: by reference, never by value. Apart from secret.ts, which every command reads: checking
// schemas takes longer to load than most commands take to answer.
import * as z from 'zod';

const SECRET_REFERENCE = /^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/;

export const secretReference = z
  .string()
  .regex(SECRET_REFERENCE, 'must name a secret, not contain one: `env:NAME` or `file:path`')
  .refine((text) => !isSecretOfTheBridge(text), 'must not name a secret of the bridge itself')
  .describe('Where the secret is kept: env:NAME or file:path. Never the secret itself.');

/** Secrets of the bridge itself. A tenant file that names one would send it to an address that the same file names. */
export const SECRETS_OF_THE_BRIDGE = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'REDIS_URL',
  'LEDGERBRIDGE_KEY',
  'LEDGERBRIDGE_KEY_PREVIOUS',
  'LEDGERBRIDGE_SIGNING_KEY',
  'LEDGERBRIDGE_S3_SECRET',
] as const;

export function isSecretOfTheBridge(reference: string): boolean {
  return SECRETS_OF_THE_BRIDGE.some((name) => reference === `env:${name}`);
}

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
