// What is wrong in a file of settings and what would be right: in English for the command line, and as values for readers of the pages.
import type { z } from 'zod';
import type { Message } from '../domain/message.js';
import { say } from '../language/say.js';

export interface ProblemWords {
  readonly message: string;
  /** What would be right. */
  readonly remedy: string;
  /** The same as values; a problem that no page shows has none. */
  readonly said?: { readonly message: Message; readonly remedy: Message };
}

export function problemWords(message: Message, remedy: Message): ProblemWords {
  return { message: say('en', message), remedy: say('en', remedy), said: { message, remedy } };
}

/** An issue for a refinement to add, as `wordsOfIssue` reads it. */
export function saidIssue(message: Message, remedy: Message, path: readonly PropertyKey[] = []) {
  const words = problemWords(message, remedy);
  return { code: 'custom' as const, message: words.message, path: [...path], params: { words } };
}

/** null: the issue says no more than its text. */
export function wordsOfIssue(issue: z.core.$ZodIssueCustom): ProblemWords | null {
  const words: unknown = issue.params?.['words'];
  return typeof words === 'object' && words !== null ? (words as ProblemWords) : null;
}
