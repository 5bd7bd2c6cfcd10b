// One zod issue → what is wrong and what would be right, in the words of someone who edits the file. A value is repeated
// only where it cannot be a secret.
import type { z } from 'zod';
import { acceptsSecretReference } from '../domain/secret-reference.js';
import { nearest } from './nearest.js';
import { descriptionOf, discriminatorValues, isObject, keysOf, schemaAt, unwrap } from './schema-walk.js';

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

/** A misspelt key is one mistake, though zod sees two (a key too many and a key too few): it is said once. */
export function explainIssues(issues: readonly Issue[], judged: Judged): readonly Explained[] {
  const misspelt = issues.flatMap((issue) => unknownKeys(issue, judged));
  const said = new Set(misspelt.flatMap(({ meant }) => (meant === null ? [] : [pathText(meant)])));
  const rest = issues
    .filter((issue) => issue.code !== 'unrecognized_keys' && !said.has(pathText(issue.path)))
    .map((issue): Explained => ({ path: issue.path, pointAt: 'value', ...explainValue(issue, judged) }));
  return [...misspelt, ...rest];
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function explainValue(issue: Issue, judged: Judged): { message: string; remedy: string } {
  const schema = schemaAt(judged.schema, issue.path, judged.value);
  const isSecret = schema !== null && acceptsSecretReference(unwrap(schema));
  const description = schema ? descriptionOf(schema) : null;
  const value = valueAt(judged.value, issue.path);
  const right = description ?? 'See docs/tenants.md.';
  const key = issue.path.findLast((segment) => typeof segment === 'string') ?? 'file';
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
      return {
        message: sizeMessage(
          key,
          issue.inclusive === false ? 'more than' : 'at least',
          issue.minimum,
          issue.origin,
        ),
        remedy: right,
      };
    case 'too_big':
      return { message: sizeMessage(key, 'at most', issue.maximum, issue.origin), remedy: right };
    case 'invalid_union':
      return { message: anyOf(issue), remedy: right };
    case 'custom':
      return { message: issue.message, remedy: remedyOf(issue) ?? right };
    default:
      return { message: issue.message, remedy: right };
  }
}

interface UnknownKey extends Explained {
  /** The path that the key was probably meant to have. */
  readonly meant: readonly PropertyKey[] | null;
}

function unknownKeys(issue: Issue, judged: Judged): readonly UnknownKey[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(issue.path, key, judged));
  }
  if (issue.code !== 'invalid_union' || issue.discriminator === undefined) return [];
  // Without its discriminator zod looks no further into a union: see whether the person wrote it differently.
  const group = issue.path.slice(0, -1);
  const written = valueAt(judged.value, group);
  if (!isObject(written) || issue.discriminator in written) return [];
  const near = nearest(issue.discriminator, Object.keys(written));
  if (near === null) return [];
  const found = unknownKey(group, near, judged);
  return pathText(found.meant ?? []) === pathText(issue.path) ? [found] : [];
}

function unknownKey(group: readonly PropertyKey[], key: string, judged: Judged): UnknownKey {
  const path = [...group, key];
  const place = { path, pointAt: 'key', meant: null } as const;
  if (pathText(path) === 'source.maintenanceCode') {
    return {
      ...place,
      message: 'A maintenance code must never be sent to production.',
      remedy: 'Remove maintenanceCode, or set environment: development.',
    };
  }
  const schema = schemaAt(judged.schema, group, judged.value);
  const known = schema ? (keysOf(schema, valueAt(judged.value, group)) ?? []) : [];
  const near = nearest(key, known);
  const message = `Unknown key "${key}".`;
  if (near === null) return { ...place, message, remedy: `Known here: ${known.join(', ')}.` };
  return { ...place, meant: [...group, near], message, remedy: `Did you mean "${near}"?` };
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

function anyOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const messages = new Set(issue.errors.flat().map(({ message }) => message));
  return `This fits none of the allowed forms: ${[...messages].join('; or ')}.`;
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
