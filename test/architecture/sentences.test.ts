// What people are told is a value with a code; the sentence is made last. So nothing of ours may read a sentence to decide something.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONDITIONS_IN_ENGLISH } from '../../src/language/conditions/english.js';
import { INCIDENTS } from '../../src/language/incidents/english.js';
import { ROOT } from './cruise.js';

/** Adapters and clients read what others wrote; the sandbox is another program. */
const OUTSIDE = /^(src\/(erp|service|http|store\/generated|store\/embedded)|lab\/(sandbox|kit))\//;
const ENGLISH = join(ROOT, 'src/language/english');

/** The English half of the texts that are in the folder of an ERP. */
const erpTexts = readdirSync(join(ROOT, 'src/erp'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('/texts.ts'))
  .map((name) =>
    readFileSync(join(ROOT, 'src/erp', name), 'utf8')
      .split(/export const \w+_ICELANDIC/, 1)
      .join(),
  );
const messages = [
  ...readdirSync(ENGLISH).map((name) => readFileSync(join(ENGLISH, name), 'utf8')),
  ...erpTexts,
];
const tables = [
  ...messages,
  readFileSync(join(ROOT, 'src/language/incidents/english.ts'), 'utf8'),
  readFileSync(join(ROOT, 'src/language/conditions/english.ts'), 'utf8'),
];
/** What the tables say, and the codes they say it under. */
const told = tables.flatMap((text) => [
  ...text.matchAll(/(['`])((?:(?!\1)[^\\\n]|\\.)*)\1/g),
  ...text.matchAll(/()\b([A-Z]+(?:_[A-Z]+)+)\b/g),
]);
const corpus = told.map((match) => match[2] ?? '').join('\n');

const LETTERS_MIN = 7;

/** The words that a regular expression looks for, without what is a sign or a choice. */
function wordsOf(pattern: string): string[] {
  return pattern
    .replaceAll(/\\[a-zA-Z]|\[[^\]]*\]|\(\?[:<!=][^)]*?>?|\{[^}]*\}/g, '\n')
    .split(/[^\p{L}_ ]+/u)
    .map((words) => words.trim())
    .filter((words) => words.length >= LETTERS_MIN && /\p{L}[ _]\p{L}/u.test(words));
}

/** Regular expressions over what we say, and questions to the text of something that has a code. */
function readings(text: string): string[] {
  const code = text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '');
  const patterns = [...code.matchAll(/(?<=[(,=:?&|!]\s*)\/((?:[^/\\\n[]|\\.|\[[^\]\n]*\])+)\/[a-z]*/g)];
  const sentences = patterns.filter(([, pattern = '']) =>
    wordsOf(pattern).some((words) => corpus.includes(words)),
  );
  const asked = code.matchAll(
    /\.(sentence|title|nextStep|whatToDo|cure)\)?\.(includes|startsWith|endsWith|match|indexOf|search)\(|\.(test|exec)\([^)]*\.(sentence|title|nextStep|cure)\b/g,
  );
  return [...sentences, ...asked].map(([found]) => found);
}

describe('no program reads what it told a person', () => {
  const files = ['src', 'lab']
    .flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
    )
    .filter((name) => name.endsWith('.ts') && !OUTSIDE.test(name));

  it('knows the tables', () => {
    expect(corpus.length).toBeGreaterThan(10_000);
    expect(Object.keys({ ...INCIDENTS, ...CONDITIONS_IN_ENGLISH }).length).toBeGreaterThan(15);
    expect(files.length).toBeGreaterThan(200);
  });

  it('in no file', () => {
    const found = files.flatMap((name) =>
      readings(readFileSync(join(ROOT, name), 'utf8')).map((reading) => `${name}: ${reading}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'const [, name] = /^dimension (\\S+), has no value in the dimension table/.exec(subject) ?? [];',
    "if (state === 'parked' && /OUTCOME_UNKNOWN|UNCERTAIN/.test(code)) return;",
    "if (problem.sentence.startsWith('The ERP')) return;",
    'const found = pattern.exec(row.sentence);',
  ])('would be seen: %s', (breach) => {
    expect(readings(breach)).not.toEqual([]);
  });
});

describe('a code', () => {
  it('stands in one table of messages only, since they are spread into one', () => {
    const codes = messages.flatMap((text) =>
      [...text.matchAll(/^ {2}([A-Z]+(?:_[A-Z]+)*):/gm)].map(([, code]) => code),
    );
    expect(codes.length).toBeGreaterThan(150);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });
});
