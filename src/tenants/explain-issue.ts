// One zod issue → what is wrong and what would be right, in the words of someone who edits the file. A value is repeated
// only where it cannot be a secret.
import type { z } from 'zod';
import { acceptsSecretReference } from '../domain/secret-reference.js';
import type { Message } from '../domain/message.js';
import { type Bound, type DescribedIn, message } from '../language/messages.js';
import { schemaSaid } from '../language/schema-texts.js';
import { nearest } from './nearest.js';
import { type ProblemWords, problemWords, wordsOfIssue } from './problem-words.js';
import { descriptionOf, discriminatorValues, isObject, keysOf, schemaAt, unwrap } from './schema-walk.js';

export interface Explained {
  readonly path: readonly PropertyKey[];
  /** Whether to point at the key (it should not be there, or be there twice) or at the value. */
  readonly pointAt: 'key' | 'value';
  readonly words: ProblemWords;
}

export interface Judged {
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
  /** The scalar as the person wrote it. */
  written(path: readonly PropertyKey[]): string | null;
  /** false inside an adapter's settings, where any value may be a misplaced secret. */
  readonly mayRepeat: boolean;
  /** Which page describes the keys. */
  readonly page: DescribedIn;
}

type Issue = z.core.$ZodIssue;

/** A misspelt key is one mistake, though zod sees two (a key too many and a key too few): it is said once. */
export function explainIssues(issues: readonly Issue[], judged: Judged): readonly Explained[] {
  const misspelt = issues.flatMap((issue) => unknownKeys(issue, judged));
  const said = new Set(misspelt.flatMap(({ meant }) => (meant === null ? [] : [pathText(meant)])));
  const rest = issues
    .filter((issue) => issue.code !== 'unrecognized_keys' && !said.has(pathText(issue.path)))
    .map((issue): Explained => ({ path: issue.path, pointAt: 'value', words: explainValue(issue, judged) }));
  return [...misspelt, ...rest];
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}

function explainValue(issue: Issue, judged: Judged): ProblemWords {
  const schema = schemaAt(judged.schema, issue.path, judged.value);
  const isSecret = schema !== null && acceptsSecretReference(unwrap(schema));
  const value = valueAt(judged.value, issue.path);
  const description = (schema && descriptionOf(schema)) ?? '';
  const right = message('DESCRIBED', { description, page: judged.page });
  const key = issue.path.findLast((segment) => typeof segment === 'string') ?? 'file';
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    const parent = schemaAt(judged.schema, issue.path.slice(0, -1), judged.value);
    return choice(key, value, parent ? discriminatorValues(parent, issue.discriminator) : []);
  }
  if (value === undefined || (value === null && issue.code === 'invalid_type'))
    return problemWords(message('KEY_MISSING', { key }), message('ADD_IT', { described: right }));
  if (isSecret) return problemWords(message('SECRET_NOT_NAMED', { key }), message('NAME_THE_SECRET'));
  return explainGiven(issue, { key, value, right, judged });
}

interface Place {
  readonly key: string;
  readonly value: unknown;
  /** What would be right, as the schema describes it. */
  readonly right: Message;
  readonly judged: Judged;
}

/** Of a value that is there. */
function explainGiven(issue: Issue, { key, value, right, judged }: Place): ProblemWords {
  switch (issue.code) {
    case 'invalid_type':
      return problemWords(issueSaid(issue, key, value), quotesOr(right, issue, value, judged));
    case 'invalid_value':
      return choice(key, judged.mayRepeat ? value : null, issue.values.map(String));
    case 'invalid_format':
      return problemWords(
        issueSaid(issue, key, value),
        issue.format === 'date' ? message('WRITE_A_DATE') : right,
      );
    case 'custom':
      return wordsOfIssue(issue) ?? problemWords(schemaSaid(issue.message), right);
    default:
      return problemWords(issueSaid(issue, key, value), right);
  }
}

/** What is wrong, by the kind of it. */
function issueSaid(issue: Issue, key: string, value: unknown): Message {
  switch (issue.code) {
    case 'invalid_type':
      return message('TYPE_UNFIT', { expected: issue.expected, found: typeOf(value) });
    case 'invalid_format':
      return formatSaid(issue, key);
    case 'too_small':
      return sizeSaid(key, issue.inclusive === false ? 'more-than' : 'at-least', issue.minimum, issue.origin);
    case 'too_big':
      return sizeSaid(key, 'at-most', issue.maximum, issue.origin);
    case 'invalid_union': {
      const forms = issue.errors.flat().map((inner) => issueSaid(inner, key, value));
      const distinct = new Map(forms.map((form) => [JSON.stringify(form), form]));
      return message('FITS_NO_FORM', { forms: [...distinct.values()] });
    }
    default:
      return schemaSaid(issue.message);
  }
}

function formatSaid(issue: Extract<Issue, { code: 'invalid_format' }>, key: string): Message {
  switch (issue.format) {
    case 'date':
      return message('NO_DATE', { key });
    case 'email':
      return message('NO_EMAIL', { key });
    default:
      return schemaSaid(issue.message);
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
    const words = problemWords(message('MAINTENANCE_CODE_MISPLACED'), message('REMOVE_MAINTENANCE_CODE'));
    return { ...place, words };
  }
  const schema = schemaAt(judged.schema, group, judged.value);
  const known = schema ? (keysOf(schema, valueAt(judged.value, group)) ?? []) : [];
  const near = nearest(key, known);
  const unknown = message('KEY_UNKNOWN', { key });
  if (near === null) {
    const words = problemWords(unknown, message('KNOWN_KEYS', { keys: known.join(', ') }));
    return { ...place, words };
  }
  return {
    ...place,
    meant: [...group, near],
    words: problemWords(unknown, message('DID_YOU_MEAN', { near })),
  };
}

/** Text that YAML took for something else only needs its quotes. */
function quotesOr(
  right: Message,
  issue: Extract<Issue, { code: 'invalid_type' }>,
  value: unknown,
  judged: Judged,
): Message {
  if (issue.expected !== 'string' || (typeof value !== 'number' && typeof value !== 'boolean')) return right;
  return message('PUT_IN_QUOTES', { written: (judged.mayRepeat && judged.written(issue.path)) || '' });
}

function choice(key: string, value: unknown, allowed: readonly string[]): ProblemWords {
  const values = allowed.join(', ');
  if (value === undefined)
    return problemWords(message('KEY_MISSING', { key }), message('ADD_ONE_OF', { values }));
  const near = typeof value === 'string' ? nearest(value, allowed) : null;
  const shown = typeof value === 'string' && value.length <= 60 ? { value } : {};
  return problemWords(
    message('VALUE_NOT_OF', { key, ...shown }),
    near === null ? message('USE_ONE_OF', { values }) : message('DID_YOU_MEAN', { near }),
  );
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isInteger(value) ? 'fraction' : typeof value;
}

function sizeSaid(key: string, bound: Bound, limit: number | bigint, of: string): Message {
  return message('SIZE_UNFIT', { key, bound, limit: String(limit), of });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const segment of path) here = isObject(here) ? here[String(segment)] : undefined;
  return here;
}
