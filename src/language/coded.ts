// An error whose text is a message, so that whoever shows it says it in the reader's language.
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErrorCode } from '../domain/errors/registry.js';
import type { Message } from '../domain/message.js';
import { type Language, say } from './say.js';

export function coded(
  code: ErrorCode,
  said: Message,
  options: { cause?: unknown; details?: Record<string, unknown> } = {},
): CodedError {
  return new CodedError(code, say('en', said), { ...options, said });
}

/** What was said when it was thrown; what another program said stays as it is. */
export function errorText(language: Language, error: CodedError): string {
  return error.said === undefined ? error.message : say(language, error.said);
}
