// What is made for every document must be garbage as soon as it is used. V8 takes a function that is written where a property is assigned
// (`this.release = () => …`) for a method that stays: it is old from birth, and whatever it knows outlives every quick collection.
// A name of its own in between is enough.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOMS = [
  'domain',
  'http',
  'service',
  'pipeline',
  'outbound',
  'sync',
  'store',
  'telemetry',
  'erp/http',
  'erp/file',
];
const WRITTEN_THERE = /^\s*[\w.]+\.#?\w+ (\?\?)?= (async )?(function\b|\([^()]*\)(: [^=]+)? =>|\w+ =>)/m;
/** Once a connection. */
const LONG_LIVED = ['service/oauth/token-endpoint.ts'];

const filesOf = (rooms: readonly string[]) =>
  rooms
    .flatMap((room) =>
      readdirSync(join('src', room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('/generated/'));
const withIn = (files: readonly string[], look: RegExp) =>
  files.filter((file) => look.test(readFileSync(join('src', file), 'utf8')));

test('no function is written where a property is assigned, in what runs for every document', () => {
  const files = filesOf(ROOMS).filter((file) => !LONG_LIVED.includes(file));
  expect(files.length).toBeGreaterThan(200);
  expect(withIn(files, WRITTEN_THERE)).toEqual([]);
});

/** They do just that, with each value that they read: `madeOf` does not. */
const OF_THE_LIBRARY = /\.(transform|superRefine|preprocess)\(/;
const READERS = ['http', 'service', 'erp'];
const OF_SETTINGS = 'erp/config-schemas.ts';

test('no schema of what is read for every document has a transform of the library', () => {
  expect(withIn(filesOf(READERS), OF_THE_LIBRARY)).toEqual([OF_SETTINGS]);
});

test('the look at a file finds them', () => {
  expect(WRITTEN_THERE.test('    this.#release = () => {')).toBe(true);
  expect(WRITTEN_THERE.test('query.callback = (error, answer) => {')).toBe(true);
  expect(WRITTEN_THERE.test('    this.#release = release;')).toBe(false);
});
