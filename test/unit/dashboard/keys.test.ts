// The help behind `?` names every key that does something, in both languages, and no other.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FRAME as english } from '../../../src/dashboard/language/en.js';
import { FRAME as icelandic } from '../../../src/dashboard/language/is.js';

const script = await readFile(new URL('../../../src/dashboard/assets/dashboard.js', import.meta.url), 'utf8');

function block(name: string): string {
  const text = new RegExp(`const ${name} = \\{(.*?)\\n  \\};`, 's').exec(script)?.[1];
  if (text === undefined) throw new Error(`dashboard.js has no ${name} any more`);
  return text;
}

const places = [...block('go').matchAll(/(\w): '\//g)].map(([, key]) => `g ${key}`);
const acts = [...block('press').matchAll(/^ {4}'?([\w/?]+)'?: \(\) =>/gm)].map(([, key]) => key);

test.each([
  ['English', english],
  ['Icelandic', icelandic],
])('the %s help names all keys', (_language, { keys }) => {
  const named = keys.flatMap(([key]) => (key.startsWith('g ') ? [key] : key.split('  ')));
  expect(places.length).toBeGreaterThan(10);
  // Esc leaves a field and closes a dialog; the browser does the latter.
  expect(named.toSorted()).toEqual([...places, ...acts, 'Esc'].toSorted());
});
