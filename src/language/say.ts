// From values to text, in the language of whoever reads it. Never throws: a value that another version of the bridge kept, with
// a code or a parameter that this one does not know, is shown as it stands.
import type { Message, Param, Reason } from '../domain/message.js';
import { ENGLISH } from './english/index.js';
import { ICELANDIC } from './icelandic/index.js';
import type { ReasonRow, Say } from './table.js';
import { answerQuoted, answerText } from './answers.js';

export const LANGUAGES = ['en', 'is'] as const;
export type Language = (typeof LANGUAGES)[number];

type AnyRow = ((params: unknown, say: Say) => string) | ReasonRow;
const TABLES = { en: ENGLISH, is: ICELANDIC } as unknown as Readonly<
  Record<Language, Readonly<Record<string, AnyRow>>>
>;

export function say(language: Language, message: Message): string {
  const { asWritten } = message.params;
  if (typeof asWritten === 'string') return asWritten;
  // What to do stands with the reason, and is said by its code.
  if (message.code === 'CURE') return cureText(language, textOf(message.params['reason']));
  const row = rowOf(language, message.code);
  if (row === undefined) return unknownText(message);
  if (typeof row === 'function') return filled(row, language, message);
  return [row.says, filled(row.detail, language, message)].filter((text) => text !== '').join(' ');
}

function textOf(param: Param): string {
  return typeof param === 'string' ? param : '';
}

/** What to do about a reason. */
export function cureText(language: Language, code: string): string {
  const row = rowOf(language, code);
  return typeof row === 'object' && 'cure' in row ? row.cure : CURE_UNKNOWN[language];
}

/** What a reason or a warning says of every document alike. */
export function noteText(language: Language, code: string): string {
  const row = rowOf(language, code);
  return typeof row === 'object' ? row.says : code;
}

/** What a reason is about; empty where it is about nothing but itself. */
export function subjectText(language: Language, message: Message): string {
  const row = rowOf(language, message.code);
  return typeof row === 'object' ? filled(row.about, language, message) : '';
}

/** The same of a reason on record, which keeps the English one. */
export function reasonSubject(language: Language, reason: Reason): string {
  if (language === 'en' || reason.subject === '' || 'asWritten' in reason.params) return reason.subject;
  return subjectText(language, reason) || reason.subject;
}

const CURE_UNKNOWN: Readonly<Record<Language, string>> = {
  en: 'Look at its attempts and its audit, mend what they name, then replay it.',
  is: 'Skoðaðu tilraunir þess og feril, lagaðu það sem þar er nefnt og keyrðu það svo aftur.',
};

function rowOf(language: Language, code: string): AnyRow | undefined {
  return Object.hasOwn(TABLES[language], code) ? TABLES[language][code] : undefined;
}

function filled(
  row: ((params: never, say: Say) => string) | undefined,
  language: Language,
  message: Message,
): string {
  if (row === undefined) return '';
  try {
    return row(message.params as never, (inner) => say(language, inner));
  } catch {
    return unknownText(message);
  }
}

function unknownText({ code, params }: Message): string {
  const texts = Object.values(params).filter((param) => typeof param === 'string');
  return [code, ...texts].join(' ');
}

// What is kept in a column of text, a value or the words of another program, for a reader.

export function keptText(language: Language, kept: string): string {
  const told: Say = (said) => say(language, said);
  return language === 'is' ? answerQuoted(kept, told) : answerText(kept, told);
}
