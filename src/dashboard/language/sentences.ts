// The sentences of the operations in the language of the reader. They come from tables, in English, and are told apart by
// their text; what an ERP, a source or a person wrote behind them stays as it was written.
import { ICELANDIC_ERRORS } from './icelandic-errors.js';
import { ICELANDIC_RULES } from './icelandic-rules.js';
import type { Language } from './messages.js';

interface Phrase {
  readonly begins: string;
  /** Null: the text itself. */
  readonly pattern: RegExp | null;
  readonly icelandic: string;
}

const GAP = '{}';
const NAME = '{name}';
/** How a tenant may be called. */
const A_NAME = '([a-z0-9][a-z0-9-]{0,62})';
const PHRASES: readonly Phrase[] = Object.entries({
  ...ICELANDIC_ERRORS,
  ...ICELANDIC_RULES,
})
  // The longer one first: some sentences are the beginning of others.
  .sort(([a], [b]) => b.length - a.length)
  .map(([english, icelandic]) => ({
    begins: english.startsWith(NAME) ? '' : (english.split(GAP)[0] ?? ''),
    pattern: english.includes(GAP) || english.includes(NAME) ? patternOf(english) : null,
    icelandic,
  }))
  .sort(
    (a, b) => Number(a.pattern !== null) - Number(b.pattern !== null) || b.begins.length - a.begins.length,
  );

function patternOf(english: string): RegExp {
  const [name, text] = english.startsWith(NAME) ? [A_NAME, english.slice(NAME.length)] : ['', english];
  const parts = text.split(GAP).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const last = parts.length - 1;
  const filled = parts.map((part, index) => {
    if (index === last) return part;
    // What begins with a gap begins with a number; anything else would be a guess. At the end it is one word.
    if (index === 0 && name === '' && part === '') return String.raw`(\d{1,9})`;
    return part + (index === last - 1 && parts[last] === '' ? String.raw`(\S{1,160})` : '(.{1,160}?)');
  });
  return new RegExp(`^${name}${filled.join('')}`);
}

const SENTENCES_MAX = 20;

export function inLanguage(language: Language, english: string): string {
  if (language === 'en') return english;
  let [said, rest] = ['', english];
  for (let sentences = 0; sentences < SENTENCES_MAX && rest !== ''; sentences++) {
    const found = translate(rest) ?? asItIs(rest);
    said += found.said;
    rest = rest.slice(found.length);
    const space = /^\s*/.exec(rest)?.[0] ?? '';
    said += space;
    rest = rest.slice(space.length);
  }
  return said + rest;
}

interface Found {
  readonly said: string;
  readonly length: number;
}

function translate(text: string): Found | null {
  for (const { begins, pattern, icelandic } of PHRASES) {
    if (!text.startsWith(begins)) continue;
    if (pattern === null) return { said: icelandic, length: begins.length };
    const match = pattern.exec(text);
    if (match) return { said: fill(icelandic, match.slice(1)), length: match[0].length };
  }
  return null;
}

function fill(icelandic: string, gaps: readonly string[]): string {
  let next = 0;
  return icelandic.replaceAll(GAP, () => gaps[next++] ?? '');
}

/** Up to where another sentence may begin; people end theirs without a full stop, and what to do comes last. */
function asItIs(text: string): Found {
  const said = /^.*?[.:!?](?=\s)/s.exec(text)?.[0] ?? beforeLast(text);
  return { said, length: said.length };
}

function beforeLast(text: string): string {
  const last = PHRASES.find(({ begins, pattern }) => pattern === null && text.endsWith(` ${begins}`));
  return last ? text.slice(0, -last.begins.length - 1) : text;
}
