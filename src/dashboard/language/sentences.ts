// The sentences of the operations in the language of the reader. They come from tables, in English, and are told apart by
// their text; what an ERP, a source or a person wrote behind them stays as it was written.
import { ICELANDIC_CURES } from './icelandic-cures.js';
import { ICELANDIC_REASONS } from './icelandic-reasons.js';
import { ICELANDIC_STATES } from './icelandic-states.js';
import type { Language } from './messages.js';

interface Phrase {
  readonly begins: string;
  /** Null: the text itself. */
  readonly pattern: RegExp | null;
  readonly icelandic: string;
}

const GAP = '{}';
const PHRASES: readonly Phrase[] = Object.entries({
  ...ICELANDIC_REASONS,
  ...ICELANDIC_CURES,
  ...ICELANDIC_STATES,
})
  .map(([english, icelandic]) => ({
    begins: english.split(GAP)[0] ?? '',
    pattern: english.includes(GAP) ? patternOf(english) : null,
    icelandic,
  }))
  // The longer one first: some sentences are the beginning of others.
  .sort(
    (a, b) => Number(a.pattern !== null) - Number(b.pattern !== null) || b.begins.length - a.begins.length,
  );

function patternOf(english: string): RegExp {
  const parts = english.split(GAP).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  // What begins with a gap begins with a number; anything else would be a guess.
  const gap = english.startsWith(GAP) ? String.raw`(\d{1,9})` : '(.{1,100}?)';
  return new RegExp(`^${parts.join(gap)}`);
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
    if (match) return { said: icelandic.replace(GAP, () => match[1] ?? ''), length: match[0].length };
  }
  return null;
}

/** Up to where another sentence may begin. */
function asItIs(text: string): Found {
  const said = /^.*?[.:!?](?=\s)/s.exec(text)?.[0] ?? text;
  return { said, length: said.length };
}
