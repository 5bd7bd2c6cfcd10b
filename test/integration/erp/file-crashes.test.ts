import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freshKey, sale } from '../../../lab/kit/conformance/journals.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { runChild } from '../../support/erp/run-child.js';
import { CHART } from '../../support/erp/sample-chart.js';

const MONTH = CHART.openDate.slice(0, 7);
const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory;
}

function connect(directory: string, services = erpServices({}, directory)) {
  return fileAdapter.create(fileAdapter.configuration.parse({ formats: ['journal', 'beancount'] }), services);
}

async function post(erp: ReturnType<typeof connect>, key: string, journal = sale(CHART)) {
  const outcome = await erp.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return erp.post(outcome.prepared);
}

function book(directory: string, extension: string): string {
  return readFileSync(join(directory, 'books', `${MONTH}.${extension}`), 'utf8');
}

function keysIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1]!);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

const IN_RECORD = /^\{"key":"([A-Z2-7]+)"/gm;
const IN_BEANCOUNT = /^ {2}key: "([A-Z2-7]+)"$/gm;

describe('journal files and crashes', () => {
  test('three processes that are killed again and again lose nothing and double nothing', async () => {
    const directory = newDirectory();
    const answered = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const running = Array.from({ length: 3 }, () => runChild('file-poster', [directory, '2000']));
      // Killed in the middle of the work: as soon as each has been answered a few times, at different depths.
      await Promise.all(
        running.map(async (script, index) => {
          await script.line(() => script.lines.length >= 5 + 7 * index + round);
          script.child.kill('SIGKILL');
          await script.ended;
        }),
      );
      for (const script of running)
        for (const line of script.lines) {
          expect(line).toMatch(/^posted [A-Z2-7]{20}$/);
          answered.add(line.split(' ')[1]!);
        }
    }
    await connect(directory).health();
    const recorded = keysIn(book(directory, 'jsonl'), IN_RECORD);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect([...answered].filter((key) => !recorded.includes(key))).toEqual([]);
    expect(keysIn(book(directory, 'beancount'), IN_BEANCOUNT)).toEqual(recorded);
  });

  test('five processes that post the same keys at once make one entry of each', async () => {
    const directory = newDirectory();
    const keys = Array.from({ length: 10 }, freshKey);
    const running = Array.from({ length: 5 }, () => runChild('file-poster', [directory, '0', ...keys]));
    expect(await Promise.all(running.map((script) => script.ended))).toEqual([0, 0, 0, 0, 0]);
    for (const script of running) expect(script.lines).toHaveLength(keys.length);
    expect(keysIn(book(directory, 'jsonl'), IN_RECORD).sort()).toEqual([...keys].sort());
    expect(keysIn(book(directory, 'beancount'), IN_BEANCOUNT).sort()).toEqual([...keys].sort());
  });

  test('a write torn anywhere is removed, what came before stays, and the key can be posted again', async () => {
    const directory = newDirectory();
    const [kept, torn] = [freshKey(), freshKey()];
    const first = connect(directory);
    await post(first, kept);
    const before = bytesOf(book(directory, 'jsonl'));
    const journalOfTorn = sale(CHART);
    await post(first, torn, journalOfTorn);
    const [record, journal, beancount] = ['jsonl', 'journal', 'beancount'].map((each) =>
      book(directory, each),
    );
    const path = join(directory, 'books', `${MONTH}.jsonl`);
    for (let size = before + 1; size < bytesOf(record!); size += 37) {
      writeFileSync(path, record!);
      writeFileSync(join(directory, 'books', `${MONTH}.journal`), journal!.slice(0, -3));
      truncateSync(path, size);
      const services = erpServices({}, directory);
      const erp = connect(directory, services);
      expect((await erp.findByKey(torn)).outcome).toBe('none');
      expect((await post(erp, torn, journalOfTorn)).outcome).toBe('posted');
      expect(services.warnings.map(({ message }) => message)).toContain(
        'an unfinished write was removed from the books',
      );
      expect(keysIn(book(directory, 'jsonl'), IN_RECORD)).toEqual([kept, torn]);
      expect(keysIn(book(directory, 'beancount'), IN_BEANCOUNT)).toEqual([kept, torn]);
      expect(book(directory, 'journal')).toBe(journal);
      expect(book(directory, 'beancount')).toBe(beancount);
    }
  });

  test('a record that changed in the middle stops everything instead of vanishing', async () => {
    const directory = newDirectory();
    const erp = connect(directory);
    const [first, second] = [freshKey(), freshKey()];
    await post(erp, first);
    await post(erp, second);
    const path = join(directory, 'books', `${MONTH}.jsonl`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"12400"', '"12401"'));
    await expect(connect(directory).findByKey(second)).rejects.toMatchObject({ code: 'ERP_FILE_DAMAGED' });
    await expect(post(connect(directory), freshKey())).rejects.toMatchObject({ code: 'ERP_FILE_DAMAGED' });
  });

  test('a book that somebody edited is set aside and written anew from the record', async () => {
    const directory = newDirectory();
    await post(connect(directory), freshKey());
    const right = book(directory, 'journal');
    writeFileSync(join(directory, 'books', `${MONTH}.journal`), right.replace('12400', '99999'));
    const services = erpServices({}, directory);
    const erp = connect(directory, services);
    await post(erp, freshKey());
    expect(book(directory, 'journal').startsWith(right)).toBe(true);
    const aside = readdirSync(join(directory, 'books')).filter((name) => name.includes('.set-aside-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(directory, 'books', aside[0]!), 'utf8')).toContain('99999');
  });

  test('a disk that takes no more is transient, and leaves no half entry behind', async () => {
    const directory = newDirectory();
    // 48 blocks of 1024 bytes a file; the shell ignores the signal so that the write itself fails.
    const limit = ['bash', '-c', 'trap "" XFSZ; ulimit -f 48; exec "$@"', 'limited'];
    const script = runChild('file-poster', [directory, '200'], limit);
    await script.ended;
    const outcomes = new Set(script.lines.map((line) => line.split(' ')[0]));
    expect(outcomes).toEqual(new Set(['posted', 'transient']));
    const answered = script.lines
      .filter((line) => line.startsWith('posted'))
      .map((line) => line.split(' ')[1]!);
    const erp = connect(directory);
    await erp.health();
    const recorded = keysIn(book(directory, 'jsonl'), IN_RECORD);
    expect(answered.filter((key) => !recorded.includes(key))).toEqual([]);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect((await post(erp, freshKey())).outcome).toBe('posted');
  });
});
