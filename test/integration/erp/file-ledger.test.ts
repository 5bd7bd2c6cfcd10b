import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freshKey, sale } from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { CHART } from '../../support/erp/sample-chart.js';

const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function open(settings: Record<string, unknown> = {}): { erp: ErpAdapter; directory: string } {
  const directory = temporaryDirectory();
  directories.push(directory);
  const erp = fileAdapter.create(fileAdapter.configuration.parse(settings), erpServices({}, directory));
  return { erp, directory };
}

async function post(erp: ErpAdapter, key = freshKey(), date = CHART.openDate) {
  const outcome = await erp.prepare({ key, journal: sale(CHART, { date }) });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  const posted = await erp.post(outcome.prepared);
  if (posted.outcome !== 'posted') throw new Error(JSON.stringify(posted));
  return { key, reference: posted.reference };
}

async function entry(erp: ErpAdapter, key: string) {
  const found = await erp.findByKey(key);
  if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
  return found.entry;
}

describe('journal files', () => {
  test('can be read by whoever runs the bridge and by nobody else, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      const directory = join(temporaryDirectory(), 'books', 'hraun');
      directories.push(directory);
      const settings = fileAdapter.configuration.parse({ formats: ['journal', 'csv'] });
      const erp = fileAdapter.create(settings, erpServices({}, directory));
      const { reference } = await post(erp);
      await erp.attach(reference, {
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('x'),
      });
      const made = readdirSync(directory, { recursive: true, withFileTypes: true });
      expect(made.length).toBeGreaterThan(5);
      const open = [{ parentPath: directory, name: '.' }, ...made]
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => (statSync(path).mode & 0o077) !== 0);
      expect(open).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  test('of two companies that are pointed at one directory at once one has the books and the other is told', async () => {
    for (let round = 0; round < 20; round++) {
      const directory = temporaryDirectory();
      directories.push(directory);
      const companies = ['4504013150', '5501011230', '5402696029'].map((company) =>
        fileAdapter.create(fileAdapter.configuration.parse({ company }), erpServices({}, directory)),
      );
      const outcomes = await Promise.all(
        companies.map((erp) => erp.prepare({ key: freshKey(), journal: sale(CHART) })),
      );
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['prepared', 'rejected', 'rejected']);
    }
  });

  test('of two reversals at once under different keys one is booked and the other refused', async () => {
    const { erp } = open();
    const { key } = await post(erp);
    const original = await entry(erp, key);
    const request = { original, date: CHART.reversalDate, reason: 'Rangt' };
    const outcomes = await Promise.all([
      erp.reverse({ ...request, key: freshKey() }),
      erp.reverse({ ...request, key: freshKey() }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['posted', 'rejected']);
  });

  test('an attachment stays beside its entry, whatever its name says', async () => {
    const { erp, directory } = open();
    const { reference, key } = await post(erp);
    for (const fileName of ['../../../../etc/passwd', '..', 'C:\\windows\\x.pdf', 'reikningur æ.pdf', ''])
      expect(
        await erp.attach(reference, { fileName, contentType: 'application/pdf', content: Buffer.from('x') }),
      ).toEqual({ outcome: 'attached' });
    const kept = readdirSync(join(directory, 'books', 'attachments', key)).sort();
    expect(kept).toEqual(['C_windows_x.pdf', 'attachment', 'passwd', 'reikningur æ.pdf']);
  });

  test('entries come by period over months, numbered within each, with reversed ones marked', async () => {
    const { erp } = open();
    const keys: string[] = [];
    for (const date of ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'])
      keys.push((await post(erp, freshKey(), date)).key);
    await erp.reverse({
      key: freshKey(),
      original: await entry(erp, keys[1]!),
      date: '2026-02-15',
      reason: 'Rangt',
    });
    const listed = [];
    for await (const each of erp.entries({ from: '2026-02-01', to: '2026-02-28' })) listed.push(each);
    expect(listed.map(({ reference, reversed }) => [reference.number, reversed ?? false])).toEqual([
      ['2026-02/1', true],
      ['2026-02/2', false],
      ['2026-02/3', true],
    ]);
    const byNumber = await erp.findByReference('2026-02/2');
    expect(byNumber).toMatchObject({ outcome: 'one', entry: { key: keys[2] } });
  });

  test('whoever looks sees what another process had written before, though many look at once', async () => {
    const { erp, directory } = open();
    const other = fileAdapter.create(fileAdapter.configuration.parse({}), erpServices({}, directory));
    const days = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-03`);
    for (const day of days) await post(other, freshKey(), day);
    const unseen: string[] = [];
    let isOver = false;
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await erp.findByKey(freshKey());
    });
    try {
      for (let round = 0; round < 60; round++) {
        // The first of the files that are looked at: a look that began earlier has passed it.
        const { key } = await post(other, freshKey(), days[0]);
        if ((await erp.findByKey(key)).outcome !== 'one') unseen.push(key);
      }
    } finally {
      isOver = true;
      await Promise.all(others);
    }
    expect(unseen).toEqual([]);
  });

  test('relative directories start at the tenant file, and only asked-for formats are written', async () => {
    const { erp, directory } = open({ directory: 'bækur', formats: ['csv'] });
    await post(erp);
    const files = readdirSync(join(directory, 'bækur')).filter((name) => name.startsWith('2026'));
    expect(files.sort()).toEqual(['2026-03.csv', '2026-03.jsonl']);
    expect(existsSync(join(directory, 'books'))).toBe(false);
  });

  test('a directory that cannot be is a matter of the connection, not of the document', async () => {
    const { erp, directory } = open({ directory: 'file/books' });
    writeFileSync(join(directory, 'file'), '');
    expect((await erp.health()).outcome).toBe('auth');
    expect((await erp.prepare({ key: freshKey(), journal: sale(CHART) })).outcome).toBe('auth');
    expect((await erp.findByKey(freshKey())).outcome).toBe('auth');
  });

  test('thousands of entries in a month do not slow the next one down', async () => {
    const { erp } = open();
    const prepared = await Promise.all(
      Array.from({ length: 3_000 }, async () => {
        const outcome = await erp.prepare({ key: freshKey(), journal: sale(CHART) });
        return outcome.outcome === 'prepared' ? outcome.prepared : undefined;
      }),
    );
    await Promise.all(prepared.map((each) => erp.post(each!)));
    const started = performance.now();
    for (let count = 0; count < 50; count++) await post(erp);
    // A rewrite of the month for every entry would take many times this, on any machine.
    expect((performance.now() - started) / 50).toBeLessThan(150);
  });
});
