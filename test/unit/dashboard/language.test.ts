import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../src/dashboard/language/en.js';
import { ICELANDIC } from '../../../src/dashboard/language/is.js';

/** Path → text; a text that is made from numbers and names is made from samples. */
function texts(table: unknown, path = ''): Map<string, string> {
  if (typeof table === 'string') return new Map([[path, table]]);
  if (typeof table === 'function') {
    const make = table as (...given: unknown[]) => string;
    return new Map([2, 21].map((sample) => [`${path}(${String(sample)})`, make(sample, sample)]));
  }
  const entries = Object.entries(table as Record<string, unknown>);
  return new Map(
    entries.flatMap(([name, inner]) => [...texts(inner, path === '' ? name : `${path}.${name}`)]),
  );
}

/** Names, signs and keys are the same in every language; Sent is a word of both. */
const SAME = /^(keys\.\d+\.0|queues\.backends\..*|tenants\.erp|units\..*|document\.sends)$/;

describe('the two languages', () => {
  const [english, icelandic] = [texts(ENGLISH), texts(ICELANDIC)];

  it('have the same texts, none of them empty', () => {
    expect([...icelandic.keys()].sort()).toEqual([...english.keys()].sort());
    expect(english.size).toBeGreaterThan(300);
    for (const table of [english, icelandic])
      expect([...table].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('leave nothing in English in the Icelandic table', () => {
    const left = [...icelandic].filter(([path, text]) => text === english.get(path) && !SAME.test(path));
    expect(left).toEqual([]);
  });

  it('count as Icelanders do: 1, 21 and 101 are singular, 11 is not', () => {
    const { documents } = ICELANDIC.problems;
    expect([1, 2, 11, 21, 101, 111].map(documents)).toEqual([
      '1 skjal',
      '2 skjöl',
      '11 skjöl',
      '21 skjal',
      '101 skjal',
      '111 skjöl',
    ]);
  });
});

it('names every key that the pages listen to in their help, in both languages', () => {
  const script = readFileSync(new URL('../../../src/dashboard/assets/dashboard.js', import.meta.url), 'utf8');
  const after = (opening: string) =>
    script.slice(script.indexOf(opening), script.indexOf('};', script.indexOf(opening)));
  const goes = [...after('const go = {').matchAll(/\b([a-z]): '\//g)].map(([, key]) => `g ${key ?? ''}`);
  const presses = [...after('const press = {').matchAll(/^ {4}'?([\w/?]+)'?: /gm)].map(
    ([, key]) => key ?? '',
  );
  expect(goes.length + presses.length).toBeGreaterThan(15);
  for (const { keys } of [ENGLISH, ICELANDIC]) {
    const named = keys.flatMap(([key]) => (key.startsWith('g ') ? [key] : key.split(/ +/)));
    expect([...goes, ...presses].filter((key) => !named.includes(key))).toEqual([]);
  }
});
