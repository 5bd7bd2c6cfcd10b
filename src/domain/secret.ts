// A Secret cannot be printed by accident: string conversion, JSON and util.inspect all show ***.
// Configuration names secrets only by reference (`env:NAME`, `file:path`); the value exists from resolution on.
import { inspect } from 'node:util';
import { z } from 'zod';

const MASK = '***';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The one way to the value. Call it where it goes on the wire, never to keep the result. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

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
