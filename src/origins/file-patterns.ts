// Which of the files beside a record go with it, by their names. Whoever says nothing sends none: what people keep beside an invoice is
// often meant for the house alone.
import * as z from 'zod';
import { schemaText } from './told.js';

const PATTERNS_MAX = 20;
const LEAVES_OUT = '!';

export const filePatterns = z
  .array(z.string().regex(/^!?[^/\\\p{Cc}!][^/\\\p{Cc}]{0,98}$/u, schemaText('FILE_PATTERN_UNFIT')))
  .max(PATTERNS_MAX)
  .refine(
    (patterns) => patterns.length === 0 || patterns.some((pattern) => !pattern.startsWith(LEAVES_OUT)),
    schemaText('FILE_PATTERNS_NAME_NONE'),
  )
  .default([]);

/** Capitals count for nothing, and one that is left out is left out wherever it stands in the list. */
export function goesWith(patterns: readonly string[], name: string): boolean {
  const isNamed = (left: boolean) =>
    patterns.some(
      (pattern) =>
        pattern.startsWith(LEAVES_OUT) === left &&
        fits(plain(left ? pattern.slice(1) : pattern), plain(name)),
    );
  return isNamed(false) && !isNamed(true);
}

/** One letter may be written as one sign or as two. */
function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** `*` is any signs, `?` is one. By going back to the last star alone, so that no pattern takes long. */
function fits(pattern: string, name: string): boolean {
  let [at, from] = [0, 0];
  let star = -1;
  for (let index = 0; index < name.length;) {
    if (pattern[at] === '*') {
      [star, from] = [at++, index];
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[index])) {
      at++;
      index++;
    } else if (star === -1) {
      return false;
    } else {
      at = star + 1;
      index = ++from;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
