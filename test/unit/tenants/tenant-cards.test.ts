import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../../src/tenants/tenant.js';
import { keepCards, keptCards } from '../../../src/tenants/tenant-cards.js';

let root: string;
let data: string;
let files: string;
let rules: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cards-'));
  [data, files, rules] = ['data', 'tenants', 'shared.rules'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([mkdir(data), mkdir(files)]);
  await writeFile(rules, 'accounts: {}');
  await writeFile(join(files, 'hraun.yaml'), 'name: hraun');
  await keepCards(data, files, { tenants: [hraun()], rulesFiles: [rules] });
});
afterEach(() => rm(root, { recursive: true }));

function hraun(): Tenant {
  const schedule = { cron: '*/5 * * * *', timeZone: 'Atlantic/Reykjavik' };
  const erp = { adapter: 'file', settings: { company: 'Hraun ehf.' } };
  const card = { name: 'hraun', title: 'Hraun ehf.', paused: false, cutOver: '2026-01-01', schedule, erp };
  return {
    ...card,
    file: join(files, 'hraun.yaml'),
    rules: { secret: 'not for a card' },
  } as unknown as Tenant;
}

describe('the cards of tenants', () => {
  it('say what a question needs of a file, and nothing else of it', async () => {
    const [card] = (await keptCards(data, files)) ?? [];
    expect(card).toMatchObject({ name: 'hraun', title: 'Hraun ehf.', erp: { adapter: 'file' } });
    expect(JSON.stringify(card)).not.toContain('not for a card');
    expect((await stat(join(data, 'tenant-cards.json'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a file is changed', () => writeFile(join(files, 'hraun.yaml'), 'name: other')],
    ['a file is only touched', () => utimes(join(files, 'hraun.yaml'), 1, 1)],
    ['a file comes', () => writeFile(join(files, 'nordur.yaml'), 'name: nordur')],
    ['a file goes', () => rm(join(files, 'hraun.yaml'))],
    ['rules that it extends are changed', () => writeFile(rules, 'accounts: { sales: "1" }')],
    ['they are half written', () => writeFile(join(data, 'tenant-cards.json'), '{"stamps":')],
  ])('count no longer as soon as %s', async (_what, change) => {
    expect(await keptCards(data, files)).not.toBeNull();
    await change();
    expect(await keptCards(data, files)).toBeNull();
  });

  it('are done without where nobody may write', async () => {
    await expect(
      keepCards(join(root, 'nowhere'), files, { tenants: [hraun()], rulesFiles: [] }),
    ).resolves.toBeUndefined();
  });
});
