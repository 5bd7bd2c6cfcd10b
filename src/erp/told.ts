// How an adapter says something: as a value with its English text, so that every reader is told in a language of theirs. An adapter
// outside this repository may give the text alone; it is quoted then.
import { CodedError } from '../domain/errors/coded-error.js';
import { type Message, type Told, wordsOf } from '../domain/message.js';
import type { Finding, RefusedFacts, Rejected, RejectionCode } from './erp-adapter.js';

export { saidBy, told } from '../language/messages.js';
export { schemaText } from '../language/schema-texts.js';
export { type Message, type Told, wordsOf };

export function rejected(code: RejectionCode, words: Told, about: RefusedFacts = {}): Rejected {
  return { outcome: 'rejected', code, ...wordsOf(words), ...about };
}

/** What a connection check could not find out, or found wrong. */
export function failedCheck(words: Told, remedy: Told): Finding {
  return { severity: 'error', ...wordsOf(words), ...remedyOf(remedy) };
}

/** What to do about it, for a finding. */
export function remedyOf({ message: remedy, said: cure }: Told): Pick<Finding, 'remedy' | 'cure'> {
  return cure === undefined ? { remedy } : { remedy, cure };
}

/** An adapter outside this repository has the text alone. */
export function asTold(words: Told | string): Told {
  return typeof words === 'string' ? { message: words } : wordsOf(words);
}

/** A list of entries that could not be read to its end. */
export function listFailed(words: Told): CodedError {
  return new CodedError('ERP_LIST_FAILED', words.message, { said: words.said });
}
