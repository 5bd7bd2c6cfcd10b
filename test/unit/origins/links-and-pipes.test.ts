// A watched folder that others may write to: names in it may be links, pipes or devices. None is followed, waited for or read without end,
// and people are told.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTime } from '../../../src/http/in-time.js';
import { FolderOrigin } from '../../../src/origins/folder/folder-origin.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { receiptFiles } from '../../../src/origins/receipt-files.js';
import type { Told } from '../../../src/origins/origin.js';

const YAML = 'name: hraun\n';
let place = '';
let directory = '';
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'ledgerbridge-links-'));
  directory = join(place, 'orders');
  await mkdir(directory);
  await writeFile(join(place, 'hraun.yaml'), YAML);
});
afterEach(async () => {
  // Whoever waits at a pipe is let go.
  for (const path of pipes.splice(0)) {
    try {
      closeSync(openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
    } catch {
      // It is not there any more.
    }
  }
  await rm(place, { recursive: true, force: true });
});

const pipes: string[] = [];
const pipe = (path: string) => {
  execFileSync('mkfifo', [path]);
  pipes.push(path);
};
const yaml = () => readFileSync(join(place, 'hraun.yaml'), 'utf8');
const invoice = JSON.stringify({
  ...{ kind: 'customer', kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@example.is' },
});
const told: Told = {
  ...{ kind: 'customer', reference: '5402696029', place: 'a.jsonl:1', state: 'created', guid: 'g' },
  ...{ number: null, paymentLink: null, mark: 'O1', why: null },
};

function watched(reader = recordFiles('order'), now = () => new Date()) {
  const origin = new FolderOrigin('orders', { directory, stableMs: 0 }, reader, { now });
  const look = (cursor: string | null = null) => inTime(origin.changes(cursor), 2_000);
  return { origin, look, tell: () => inTime(origin.tell(told), 2_000) };
}

describe('what became of a record is never written', () => {
  const NOT_WRITTEN = /results\/a\.jsonl\.jsonl cannot be written/;
  const PLACES: readonly [what: string, () => Promise<unknown>][] = [
    ['through a folder of results that is a link', () => symlink(place, join(directory, 'results'))],
    [
      'through a file of results that is a link',
      async () => {
        await mkdir(join(directory, 'results'));
        await symlink(join(place, 'hraun.yaml'), join(directory, 'results', 'a.jsonl.jsonl'));
      },
    ],
    [
      'into a file that has another name elsewhere',
      async () => {
        await mkdir(join(directory, 'results'));
        await link(join(place, 'hraun.yaml'), join(directory, 'results', 'a.jsonl.jsonl'));
      },
    ],
    [
      'into a pipe that answers nobody',
      async () => {
        await mkdir(join(directory, 'results'));
        pipe(join(directory, 'results', 'a.jsonl.jsonl'));
      },
    ],
    [
      'after reading a device that never ends',
      async () => {
        await mkdir(join(directory, 'results'));
        await symlink('/dev/zero', join(directory, 'results', 'a.jsonl.jsonl'));
      },
    ],
  ];
  test.each(PLACES)('%s, and somebody is told', async (_what, prepare) => {
    await prepare();
    const before = process.memoryUsage.rss();
    const { look, tell } = watched();
    const { cursor } = await look();
    await expect(tell()).rejects.toThrow(NOT_WRITTEN);
    expect(yaml()).toBe(YAML);
    expect(await readdir(place)).toEqual(['hraun.yaml', 'orders']);
    const { problems, cursor: next } = await look(cursor);
    expect(problems).toMatchObject([{ place: 'results', problem: expect.stringMatching(NOT_WRITTEN) }]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
    // Moved away, it is made anew, and the problem is none any more.
    await rm(join(directory, 'results'), { recursive: true });
    await tell();
    expect(readFileSync(join(directory, 'results', 'a.jsonl.jsonl'), 'utf8')).toContain('"created"');
    const after = await look(next);
    expect(after.problems).toEqual([]);
    expect(after.looked).toContain('results');
    expect(after.cursor).not.toBe(next);
  });
});

describe('what is read', () => {
  test('is no link and no pipe, and their names are told once', async () => {
    await writeFile(join(directory, 'a.jsonl'), invoice);
    await symlink(join(place, 'hraun.yaml'), join(directory, 'b.jsonl'));
    await symlink('/dev/zero', join(directory, 'c.csv'));
    pipe(join(directory, 'd.jsonl'));
    const { look } = watched();
    const { records, problems, cursor } = await look();
    expect(records).toHaveLength(1);
    expect(problems).toMatchObject([
      {
        place: '(links)',
        problem: expect.stringMatching(/^3 of the names .*: b\.jsonl, c\.csv, d\.jsonl\./),
      },
    ]);
    expect((await look(cursor)).cursor).toBe(cursor);
    for (const name of ['b.jsonl', 'c.csv', 'd.jsonl']) await rm(join(directory, name));
    expect(await look(cursor)).toMatchObject({ problems: [], looked: expect.arrayContaining(['(links)']) });
  });

  test.each(['a pipe', 'a link'])('is the file that was looked at, and not %s in its place', async (what) => {
    const file = join(directory, 'a.jsonl');
    await writeFile(file, invoice);
    let isSwapped = false;
    const swap = () => {
      if (!isSwapped) {
        isSwapped = true;
        renameSync(file, `${file}.part`);
        if (what === 'a pipe') pipe(file);
        else symlinkSync('/dev/zero', file);
      }
      return new Date();
    };
    const { look } = watched(recordFiles('order'), swap);
    expect((await look()).records).toEqual([]);
    rmSync(file);
    renameSync(`${file}.part`, file);
    expect((await look()).records).toHaveLength(1);
  });

  test('beside a receipt is no link and no pipe: the receipt waits, and is not sent without it', async () => {
    await writeFile(join(directory, 'a.pdf'), '%PDF');
    await symlink('nowhere', join(directory, 'a.pdf.json'));
    await writeFile(join(directory, 'b.pdf'), '%PDF-2');
    pipe(join(directory, 'b.pdf.json'));
    const { look } = watched(receiptFiles('optional'));
    const { records, problems } = await look();
    expect(records).toEqual([]);
    expect(problems).toMatchObject([
      { place: 'a.pdf:1', problem: expect.stringMatching(/^a\.pdf\.json: it is a link, a pipe or a device/) },
      { place: 'b.pdf:1', problem: expect.stringMatching(/^b\.pdf\.json: it is a link, a pipe or a device/) },
    ]);
    // The disk answers.
    await inTime(stat(directory), 1_000);
  });

  test('and a file that nobody may read spoils no other', async () => {
    await writeFile(join(directory, 'a.jsonl'), invoice, { mode: 0o000 });
    await writeFile(join(directory, 'b.jsonl'), invoice.replace('5402696029', '0101302129'));
    const isRoot = process.getuid?.() === 0;
    const { records, problems } = await watched().look();
    expect(records).toHaveLength(isRoot ? 2 : 1);
    if (!isRoot)
      expect(problems).toMatchObject([
        { place: 'a.jsonl:1', problem: expect.stringMatching(/may not read it/) },
      ]);
  });
});
