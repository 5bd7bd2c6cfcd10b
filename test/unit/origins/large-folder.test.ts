// A folder that is never emptied: every file gets its turn, whatever it is called and however many others there are.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileTurns, FolderOrigin } from '../../../src/origins/folder/folder-origin.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';

const numbered = (count: number) =>
  Array.from({ length: count }, (_none, index) => `a-${String(index).padStart(6, '0')}.jsonl`);
const customer = (kennitala: string) => JSON.stringify({ kind: 'customer', kennitala, name: 'Prufa ehf.' });

test('a new file that sorts behind ten thousand others is read, and somebody is told that the folder is large', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-large-'));
  try {
    // A link is no file, and is quicker made than one.
    await Promise.all(numbered(10_100).map((name) => symlink('nowhere', join(directory, name))));
    await writeFile(join(directory, 'z.jsonl'), customer('5402696029'));
    let nowMs = Date.parse('2026-03-01T08:00:00Z');
    const clock = { now: () => new Date(nowMs) };
    const origin = new FolderOrigin('orders', { directory, stableMs: 5_000 }, recordFiles('order'), clock);
    const found: string[] = [];
    const problems: string[] = [];
    let cursor: string | null = null;
    for (let look = 0; look < 20; look++, nowMs += 2_000) {
      const changes = await origin.changes(cursor);
      found.push(...changes.records.map(({ reference }) => reference));
      problems.push(...changes.problems.map(({ problem }) => problem));
      ({ cursor } = changes);
    }
    expect(found).toEqual(['5402696029']);
    expect(problems[0]).toMatch(/^the folder has 10101 files/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 30_000);

test('each look asks about a bounded number of files, and every one has its turn', () => {
  const names = numbered(30_000);
  const known = new Set(names.slice(0, 20_000));
  const turns = new FileTurns();
  const seen = new Set<string>();
  for (let look = 0; look < 5; look++) {
    const turn = turns.of(names, (name) => known.has(name));
    expect(turn.length).toBeLessThanOrEqual(7_000);
    for (const name of turn) seen.add(name);
    turns.next();
  }
  expect(seen.size).toBe(30_000);
});

test('those that were not read yet are looked at again before the next ones', () => {
  const names = numbered(5_000);
  const turns = new FileTurns();
  const first = turns.of(names, () => false);
  expect(turns.of(names, () => false)).toEqual(first);
  // Some of them are read meanwhile, and others come.
  turns.next();
  const others = [...names.slice(1_000), 'b.jsonl'];
  expect(turns.of(others, () => false)).toContain('a-002000.jsonl');
});
