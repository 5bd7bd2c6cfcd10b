// What is wrong with one field of a record, as a value: the English is what the schema says.
import type * as z from 'zod';
import type { Message } from '../../domain/message.js';
import { message, type Unfit } from '../../language/messages.js';

const LENGTH_MAX = 200;

export function fieldUnfit(issue: z.core.$ZodIssue): Message {
  const [unfit, names] = whatOf(issue);
  return message('FIELD_UNFIT', {
    field: issue.path.join('.').slice(0, LENGTH_MAX),
    problem: issue.message.slice(0, LENGTH_MAX),
    unfit,
    names: names.join(', ').slice(0, LENGTH_MAX),
  });
}

function whatOf(issue: z.core.$ZodIssue): [Unfit, readonly string[]] {
  switch (issue.code) {
    case 'custom':
      return [(issue.params?.['unfit'] as Unfit | undefined) ?? '', []];
    case 'unrecognized_keys':
      return ['unknown-field', issue.keys];
    case 'invalid_value':
      return ['one-of', issue.values.map(String)];
    case 'invalid_type':
      return [issue.message.endsWith('received undefined') ? 'missing' : '', []];
    case 'too_big':
      return ['too-long', []];
    case 'too_small':
      return [issue.origin === 'array' ? 'line' : 'too-short', []];
    default:
      return ['', []];
  }
}
