// One zod issue → what is wrong and what would be right, in the words of someone who edits the file. A value is repeated
// only where it cannot be a secret.
import type { z } from 'zod';
import { acceptsSecretReference } from '../domain/secret.js';
import { nearest } from './nearest.js';
import { descriptionOf, discriminatorValues, isObject, keysOf, schemaAt } from './schema-walk.js';

export interface Explained {
  readonly path: readonly PropertyKey[];
  /** Whether to point at the key (it should not be there, or be there twice) or at the value. */
  readonly pointAt: 'key' | 'value';
  readonly message: string;
  readonly remedy: string;
}

export interface Judged {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
  /** The scalar as the person wrote it. */
  written(path: readonly PropertyKey[]): string | null;
  /** false inside an adapter's settings, where any value may be a misplaced secret. */
  readonly mayRepeat: boolean;
}

type Issue = z.core.$ZodIssue;

export function explainIssue(issue: Issue, judged: Judged): readonly Explained[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue, key, judged));
  const at = { path: issue.path, pointAt: 'value' } as const;
  return [{ ...at, ...explainValue(issue, judged) }];
}

function explainValue(issue: Issue, judged: Judged): { message: string; remedy: string } {
  const schema = schemaAt(judged.schema, issue.path, judged.value);
  const isSecret = schema !== null && acceptsSecretReference(schema);
  const description = schema ? descriptionOf(schema) : null;
  const value = valueAt(judged.value, issue.path);
  const right = description ?? 'See docs/tenants.md.';
  const key = String(issue.path.at(-1) ?? 'file');
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    const parent = schemaAt(judged.schema, issue.path.slice(0, -1), judged.value);
    return choice(key, value, parent ? discriminatorValues(parent, issue.discriminator) : []);
  }
  if (value === undefined || (value === null && issue.code === 'invalid_type')) {
    return { message: `"${key}" is missing.`, remedy: `Add it: ${right}` };
  }
  if (isSecret) {
    return {
      message: `"${key}" must name a secret, not contain one.`,
      remedy: 'Write env:NAME or file:path, and change the secret if it was ever saved here.',
    };
  }
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue, value, right, judged);
    case 'invalid_value':
      return choice(key, judged.mayRepeat ? value : null, issue.values.map(String));
    case 'invalid_format':
      return issue.format === 'date'
        ? { message: `"${key}" is not a date.`, remedy: 'Write it as YYYY-MM-DD, for example 2026-01-31.' }
        : { message: issue.message, remedy: right };
    case 'too_small':
      return { message: sizeMessage(key, 'at least', issue.minimum, issue.origin), remedy: right };
    case 'too_big':
      return { message: sizeMessage(key, 'at most', issue.maximum, issue.origin), remedy: right };
    case 'custom':
      return { message: issue.message, remedy: remedyOf(issue) ?? right };
    default:
      return { message: issue.message, remedy: right };
  }
}

function unknownKey(issue: Issue, key: string, judged: Judged): Explained {
  const path = [...issue.path, key];
  const place = { path, pointAt: 'key' } as const;
  if (path.join('.') === 'source.maintenanceCode') {
    return {
      ...place,
      message: 'A maintenance code must never be sent to production.',
      remedy: 'Remove maintenanceCode, or set environment: development.',
    };
  }
  const schema = schemaAt(judged.schema, issue.path, judged.value);
  const known = schema ? (keysOf(schema, valueAt(judged.value, issue.path)) ?? []) : [];
  const near = nearest(key, known);
  const remedy = near ? `Did you mean "${near}"?` : `Known here: ${known.join(', ')}.`;
  return { ...place, message: `Unknown key "${key}".`, remedy };
}

function wrongType(
  issue: Extract<Issue, { code: 'invalid_type' }>,
  value: unknown,
  right: string,
  judged: Judged,
): { message: string; remedy: string } {
  const expected = TYPE_NAMES[issue.expected] ?? issue.expected;
  const message = `Expected ${expected}, found ${nameOf(value)}.`;
  if (issue.expected !== 'string' || (typeof value !== 'number' && typeof value !== 'boolean')) {
    return { message, remedy: right };
  }
  const written = judged.mayRepeat ? judged.written(issue.path) : null;
  return { message, remedy: written === null ? 'Put it in quotes.' : `Put it in quotes: "${written}".` };
}

function choice(
  key: string,
  value: unknown,
  allowed: readonly string[],
): { message: string; remedy: string } {
  const list = allowed.join(', ');
  if (value === undefined) return { message: `"${key}" is missing.`, remedy: `Add it, one of: ${list}.` };
  const near = typeof value === 'string' ? nearest(value, allowed) : null;
  const shown = typeof value === 'string' && value.length <= 60 ? `"${value}"` : 'This';
  return {
    message: `${shown} is not a value of "${key}".`,
    remedy: near ? `Did you mean "${near}"?` : `Use one of: ${list}.`,
  };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a group of keys',
  record: 'a group of keys',
  array: 'a list',
};

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction';
  return TYPE_NAMES[typeof value] ?? typeof value;
}

function sizeMessage(key: string, bound: string, limit: number | bigint, origin: string): string {
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
  return `"${key}" must be ${bound} ${String(limit)}${unit}.`;
}

function remedyOf(issue: Extract<Issue, { code: 'custom' }>): string | null {
  const remedy: unknown = issue.params?.['remedy'];
  return typeof remedy === 'string' ? remedy : null;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const segment of path) here = isObject(here) ? here[String(segment)] : undefined;
  return here;
}
