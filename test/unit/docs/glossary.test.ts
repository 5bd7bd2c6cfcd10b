// The glossary and the dashboard use the same words.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGLISH } from '../../../src/dashboard/language/en.js';
import { ICELANDIC } from '../../../src/dashboard/language/is.js';
import { POSTING_STATES } from '../../../src/domain/posting.js';

const page = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('gives each state of a posting the words of the dashboard', () => {
  const shown = rows.filter(([term = '']) => term.startsWith('`')).map(([state, , en, is]) => [state, en, is]);
  expect(shown).toEqual(
    POSTING_STATES.map((state) => [`\`${state}\``, ENGLISH.states[state], ICELANDIC.states[state]]),
  );
});

it('gives each term once, with a meaning and an Icelandic word', () => {
  const terms = rows.filter(([term = '']) => term !== 'Term' && term !== 'State').map(([term]) => term);
  expect(terms.length).toBeGreaterThan(70);
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  expect(rows.filter((cells) => cells.some((cell) => cell === ''))).toEqual([]);
});
