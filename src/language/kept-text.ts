// What is kept in a column of text, a value or the words of another program, for a reader.
import { answerQuoted, answerText } from './answers.js';
import { type Language, say } from './say.js';
import type { Say } from './table.js';

export function keptText(language: Language, kept: string): string {
  const told: Say = (said) => say(language, said);
  return language === 'is' ? answerQuoted(kept, told) : answerText(kept, told);
}
