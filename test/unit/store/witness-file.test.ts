// The file of the witness: what stands in it after any number of marks is what a later process has to go by.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WitnessFile } from '../../../src/store/witness-file.js';

const KEPT = 64;
const NOW = Date.now();
let directory = '';
let files: WitnessFile[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'witness-file-'));
  files = [];
});

afterEach(() => {
  for (const file of files) file.close();
  rmSync(directory, { recursive: true });
});

function open(name: string): WitnessFile {
  const file = new WitnessFile(directory, name, NOW);
  files.push(file);
  return file;
}

function markAll(file: WitnessFile, count: number): string[] {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    file.mark(id);
    file.write();
  }
  return ids;
}

it.each([1, KEPT - 1, KEPT, KEPT + 1, 3 * KEPT + 7])(
  'after %i marks the latest are in the file, and no others',
  (count) => {
    const file = open('a');
    const ids = markAll(file, count);
    const kept = ids.slice(-KEPT);
    expect(file.marks()).toEqual(kept);
    expect(readFileSync(join(directory, 'a'), 'utf8').trim().split('\n').sort()).toEqual([...kept].sort());
    expect([...open('b').marks()].sort()).toEqual([...kept].sort());
  },
);

it('marks that came together are written together', () => {
  const file = open('a');
  markAll(file, KEPT);
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const id of ids) file.mark(id);
  const before = readFileSync(join(directory, 'a'), 'utf8');
  for (const id of ids) expect(before).not.toContain(id);
  file.write();
  const after = readFileSync(join(directory, 'a'), 'utf8');
  for (const id of ids) expect(after).toContain(id);
});

it('what was asked for does not change while others go on marking', () => {
  const file = open('a');
  markAll(file, KEPT);
  const asked = file.marks();
  const kept = [...asked];
  markAll(file, 3);
  expect(asked).toEqual(kept);
});

it('what a database has forgotten is kept apart, whatever is marked after it', () => {
  const file = open('a');
  const ids = markAll(file, KEPT + 10);
  const forgotten = ids.slice(-4);
  file.refute(forgotten);
  const later = markAll(file, 20);
  const kept = [...ids.slice(0, -4), ...later].slice(-KEPT);
  expect(file.marks()).toEqual(kept);
  const next = open('b');
  expect([...next.marks()].sort()).toEqual([...kept].sort());
  for (const id of forgotten) expect(readFileSync(join(directory, 'a'), 'utf8')).toContain(`!${id}\n`);
});
