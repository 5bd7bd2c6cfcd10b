// The two languages. English is the pattern: the type of the table comes from it, so a text that is missing in Icelandic
// does not compile.
import { ENGLISH } from './en.js';
import { ICELANDIC } from './is.js';
import type { Messages } from './en.js';

export type { Messages } from './en.js';
export const LANGUAGES = ['en', 'is'] as const;
export type Language = (typeof LANGUAGES)[number];
export const MESSAGES: Readonly<Record<Language, Messages>> = { en: ENGLISH, is: ICELANDIC };
