// What is wrong with one field of a record, as a value: where it is, what was found there and what is allowed.
import type * as z from 'zod';
import type { Message } from '../domain/message.js';
import { message, type Unfit } from '../language/messages.js';
import { asWritten } from '../domain/written-values.js';

const LENGTH_MAX = 200;
const FOUND_MAX = 60;

type Path = readonly PropertyKey[];

/** How people find a field: by its column and row in a file of rows, or by its name in JSON. */
export interface FieldPlace {
  readonly field: string;
  readonly row?: number;
}

export type PlaceOfField = (path: Path) => FieldPlace;

export function fieldUnfit(issue: z.core.$ZodIssue, record: unknown, placeOf?: PlaceOfField): Message {
  const [unfit, names] = whatOf(issue, record);
  const path = unfit === 'unknown-field' ? [...issue.path, ''] : issue.path;
  const { field, row = 0 } = placeOf?.(path) ?? { field: nameOf(path) };
  return message('FIELD_UNFIT', {
    field: field.slice(0, LENGTH_MAX),
    ...{ row, line: lineOf(path), found: found(valueAt(record, issue.path)) },
    ...{ problem: issue.message.slice(0, LENGTH_MAX), unfit },
    names: names.join(', ').slice(0, LENGTH_MAX),
  });
}

/** The name of the field alone: of which line it is, is said beside it. */
function nameOf(path: Path): string {
  const [first, , ...inLine] = path;
  return (first === 'lines' && inLine.length > 0 ? inLine : path).map(String).filter(Boolean).join('.');
}

/** From 1; 0: it is of no single line. */
function lineOf([first, index]: Path): number {
  return first === 'lines' && typeof index === 'number' ? index + 1 : 0;
}

function valueAt(record: unknown, path: Path): unknown {
  let value = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[name];
  }
  return value;
}

/** As it was written; empty: it is no single value. */
function found(value: unknown): string {
  const written = asWritten(value);
  if (typeof written === 'boolean') return String(written);
  return typeof written === 'string' ? written.slice(0, FOUND_MAX) : '';
}

function whatOf(issue: z.core.$ZodIssue, record: unknown): [Unfit, readonly string[]] {
  const value = valueAt(record, issue.path);
  if (value === undefined || value === null || value === '') return ['missing', []];
  switch (issue.code) {
    case 'custom':
      return [(issue.params?.['unfit'] as Unfit | undefined) ?? '', []];
    case 'unrecognized_keys':
      return ['unknown-field', issue.keys];
    case 'invalid_value':
      return ['one-of', issue.values.map(String)];
    case 'invalid_type':
      return ['no-text', []];
    case 'too_big':
      return ['too-long', [String(issue.maximum)]];
    case 'too_small':
      return [issue.origin === 'array' ? 'line' : 'missing', []];
    default:
      return ['', []];
  }
}
