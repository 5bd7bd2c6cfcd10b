// What is wrong with a tenant file, in the reader's language; values that a file may hold are masked where they look like secrets.
import { maskSecrets } from '../domain/secret.js';
import { asSaid } from '../language/messages.js';
import { type Language, say } from '../language/say.js';
import type { ProblemWords } from '../tenants/problem-words.js';

export function problemInWords(
  language: Language,
  { message, remedy, said }: ProblemWords,
): { readonly message: string; readonly remedy: string } {
  const inWords = (text: string, value = asSaid(text)) => maskSecrets(say(language, value));
  return { message: inWords(message, said?.message), remedy: inWords(remedy, said?.remedy) };
}
