// What is wrong with the fields of a record. What else an origin says of it is its own, and is quoted.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

/** What a field should have been; empty: only the schema can say. */
export type Unfit =
  | 'number'
  | 'day'
  | 'time'
  | 'kennitala'
  | 'after-from'
  | 'line'
  | 'missing'
  | 'unknown-field'
  | 'one-of'
  | 'too-long'
  | 'too-short'
  | '';

export const ORIGINS = {
  FIELDS_UNFIT: ({ fields }: { fields: readonly Message[] }, say: Say) =>
    fields.map((field) => say(field)).join('; '),
  /** `names`: the fields or values that it is about. */
  FIELD_UNFIT: ({ field, problem }: { field: string; problem: string; unfit: Unfit; names: string }) =>
    `${field} ${problem}`.trim(),
  AT_RECORD: ({ at, what }: { at: string; what: Message }, say: Say) => `${at}: ${say(what)}`,
} satisfies TextTable;
