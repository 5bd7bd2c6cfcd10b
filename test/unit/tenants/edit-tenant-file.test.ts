import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lineChanges } from '../../../src/domain/journal.js';
import { editTenantFile, saveTenantFile } from '../../../src/tenants/edit-tenant-file.js';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-edit-'));
  file = join(directory, 'hraun.yaml');
  await writeFile(file, FILE, { mode: 0o640 });
});
afterEach(() => rm(directory, { recursive: true }));

const FILE = `# Hraun slf., since 2026
name: hraun
title: Hraun slf.
source:
    environment: production
    baseUrl: https://example.is
    auth:
        type: credentials
        username: hraun
        apiKey: env:HRAUN # in the vault
cutOver: 2026-01-01
erp:
    adapter: file
rules:
    extends: [default]
    cost:
        codes:
            "2000": { account: "6000" } # rent
`;
const code = (account: string, name = '2443') => ({
  path: ['rules', 'cost', 'codes', name],
  value: { account },
});

describe('a tenant file that is changed from a page', () => {
  it('gets the missing line and keeps everything else as it was: comments, quotes, indentation, mode', async () => {
    const edited = await editTenantFile(file, [code('6940')]);
    expect(edited.problems).toEqual([]);
    expect(
      lineChanges(edited.before, edited.after).filter(({ sign }) => sign === '+' || sign === '-'),
    ).toEqual([{ sign: '+', text: '            "2443": { account: "6940" }' }]);
    await saveTenantFile(edited);
    expect(await readFile(file, 'utf8')).toBe(edited.after);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(directory)).toEqual(['hraun.yaml']);
  });

  it('gets groups that were not there, and those that were empty', async () => {
    await writeFile(file, FILE.replace(/rules:[^]*/, 'rules:\n    fx:\n'));
    const rate = { path: ['rules', 'fx', 'table', 'GBP', '2026-10-22'], value: '182.5' };
    const edited = await editTenantFile(file, [rate, code('6940')]);
    expect(edited.problems).toEqual([]);
    expect(edited.after).toContain('GBP:');
    expect(edited.after).toContain('2026-10-22: "182.5"');
  });

  it('is not saved when it would not be valid, and says which line', async () => {
    const rate = { path: ['rules', 'fx', 'table', 'GBP', '2026-10-22'], value: 'many' };
    const edited = await editTenantFile(file, [rate]);
    expect(edited.problems[0]).toMatchObject({ severity: 'error', line: 22 });
    await expect(saveTenantFile(edited)).rejects.toMatchObject({ code: 'TENANT_FILE_REFUSED' });
    expect(await readFile(file, 'utf8')).toBe(FILE);
  });

  it('is not written over what somebody else wrote meanwhile, nor by two at once', async () => {
    const [one, other] = [
      await editTenantFile(file, [code('6940')]),
      await editTenantFile(file, [code('6950')]),
    ];
    const saved = await Promise.allSettled([saveTenantFile(one), saveTenantFile(other)]);
    expect(saved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(saved.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'TENANT_FILE_CHANGED' },
    });
  });
});

describe('the difference of two texts', () => {
  it('shows a few lines around each change and folds the rest', () => {
    const before = Array.from({ length: 30 }, (_, line) => `line ${String(line)}`);
    const after = before.with(15, 'another').toSpliced(20, 1);
    const shown = lineChanges(before.join('\n'), after.join('\n')).map(({ sign, text }) => `${sign}${text}`);
    expect(shown).toEqual([
      '…',
      ' line 12',
      ' line 13',
      ' line 14',
      '-line 15',
      '+another',
      ' line 16',
      ' line 17',
      ' line 18',
      ' line 19',
      '-line 20',
      ' line 21',
      ' line 22',
      ' line 23',
      '…',
    ]);
  });

  it('is nothing when nothing changes', () => expect(lineChanges('a\nb', 'a\nb')).toEqual([]));
});
