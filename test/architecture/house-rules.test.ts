// Habits of the house that neither the compiler nor the linter sees.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './cruise.js';

const LINES_MAX = 600;
const ROOM_COMMENT_LINES_MIN = 2;

const TOPS = ['src', 'lab'];
const files = TOPS.flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((name) => `${top}/${name}`),
)
  .filter((name) => name.endsWith('.ts') && !name.startsWith('src/store/generated/'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, name), 'utf8') }));

const openingComment = (text: string): number => {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return end === -1 ? lines.length : end;
};

it('reads the sources', () => expect(files.length).toBeGreaterThan(50));

describe('every folder', () => {
  const folders = [...new Set(files.map(({ name }) => dirname(name)))].filter(
    (folder) => !TOPS.includes(folder),
  );

  it.each(folders)('%s opens with what it does and promises', (folder) => {
    const longest = Math.max(
      ...files.filter(({ name }) => dirname(name) === folder).map(({ text }) => openingComment(text)),
    );
    const isRoom = folder.split('/').length === 2;
    expect(longest).toBeGreaterThanOrEqual(isRoom ? ROOM_COMMENT_LINES_MIN : 1);
  });
});

describe('every file', () => {
  it(`has at most ${String(LINES_MAX)} lines`, () => {
    const long = files
      .map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('is named in kebab-case after something of the domain', () => {
    const odd = files
      .map(({ name }) => basename(name))
      .filter(
        (name) =>
          !/^[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(name) ||
          /(^|-)(utils?|helpers?|manager|misc)(-|\.)/.test(name),
      );
    expect(odd).toEqual([]);
  });

  it('leaves the environment to the settings and the command line', () => {
    // A server that is started as a child inherits PATH and the like; nothing is read from them.
    const inherits = ['src/store/embedded/server-user.ts'];
    const readers = files
      .filter(({ text }) => /process\.env\b/.test(text))
      .map(({ name }) => name)
      .filter(
        (name) =>
          name !== 'src/tenants/bridge-settings.ts' &&
          !name.startsWith('src/cli/') &&
          !name.startsWith('lab/bench/') &&
          !inherits.includes(name),
      );
    expect(readers).toEqual([]);
  });

  it('calls by its verb what has to wait for somebody: only a look at what is at hand is called …Of', () => {
    const waits = /async function \w+Of\b|const \w+Of = async\b|async #?\w+Of\(/;
    expect(files.filter(({ text }) => waits.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it('silences no check and leaves nothing for later', () => {
    const silenced = /eslint-disable|@ts-(ignore|expect-error|nocheck)|\bas any\b|\b(TODO|FIXME|XXX|HACK)\b/;
    expect(files.filter(({ text }) => silenced.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
