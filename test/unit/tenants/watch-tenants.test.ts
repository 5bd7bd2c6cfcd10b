import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type TenantChange, watchTenants } from '../../../src/tenants/watch-tenants.js';
import { changed, GOOD, load, PAPER_LEDGER, tenantDirectory } from './tenant-directory.js';

const BROKEN = changed(['title:', 'titel:']);
const FJORDUR = changed(
  ['name: hraun', 'name: fjordur'],
  ['username: hraun', 'username: fjordur'],
  ['hraun.journal', 'fjordur.journal'],
);

async function watched(directory: string, options: { pollMs?: number; debounceMs?: number } = {}) {
  const changes: TenantChange[] = [];
  const watch = watchTenants(await load(directory), {
    directory,
    adapters: [PAPER_LEDGER],
    onChange: (change) => changes.push(change),
    pollMs: 3_600_000,
    debounceMs: 3_600_000,
    ...options,
  });
  onTestFinished(() => watch.stop());
  return { watch, changes, names: () => watch.current().map(({ name }) => name) };
}

describe('reload on change', () => {
  it('says which tenants changed, came and went', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { watch, changes } = await watched(directory);
    await writeFile(join(directory, 'fjordur.yaml'), FJORDUR);
    await writeFile(join(directory, 'hraun.yaml'), `${GOOD}  accounts: {bank: '1911'}\n`);
    const before = watch.current()[0]?.rulesVersion;
    await watch.reload();
    await rm(join(directory, 'fjordur.yaml'));
    await watch.reload();
    expect(changes.map(({ added, changed: edited, removed }) => ({ added, edited, removed }))).toEqual([
      { added: ['fjordur'], edited: ['hraun'], removed: [] },
      { added: [], edited: [], removed: ['fjordur'] },
    ]);
    expect(watch.current()[0]?.rulesVersion).not.toBe(before);
  });

  it('hands on the very tenants that are as they were, and only them', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD, 'fjordur.yaml': FJORDUR });
    const { watch } = await watched(directory);
    const [fjordur, hraun] = watch.current();
    await writeFile(join(directory, 'hraun.yaml'), GOOD.replace('slf.', 'ehf.'));
    await watch.reload();
    expect(watch.current()[0]).toBe(fjordur);
    expect(watch.current()[1]).not.toBe(hraun);
  });

  it('reads nothing again while nothing was written since the start, a rules file included', async () => {
    const directory = await tenantDirectory({
      'tenants/hraun.yaml': GOOD.replace(/extends: \[(.*)\]/, 'extends: [$1, ../rules.yaml]'),
      'rules.yaml': 'accounts: {bank: "1911"}\n',
    });
    let reads = 0;
    const watch = watchTenants(await load(join(directory, 'tenants')), {
      directory: join(directory, 'tenants'),
      // Asked for whenever a file is read.
      get adapters() {
        reads++;
        return [PAPER_LEDGER];
      },
      onChange: () => undefined,
      pollMs: 5,
    });
    onTestFinished(() => watch.stop());
    await sleep(100);
    expect(reads).toBe(0);
    await writeFile(join(directory, 'rules.yaml'), 'accounts: {bank: "1912"}\n# again\n');
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), 5_000);
  });

  it('keeps a good tenant when its file breaks, and says what is wrong', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { watch, changes, names } = await watched(directory);
    const good = watch.current()[0];
    await writeFile(join(directory, 'hraun.yaml'), BROKEN);
    await watch.reload();
    expect(watch.current()[0]).toBe(good);
    expect(changes).toMatchObject([{ kept: ['hraun'], changed: [], problems: [{ path: 'titel' }] }]);
    await writeFile(join(directory, 'hraun.yaml'), GOOD.replace('slf.', 'ehf.'));
    await watch.reload();
    expect(names()).toEqual(['hraun']);
    expect(changes[1]).toMatchObject({ changed: ['hraun'], kept: [], problems: [] });
  });

  it('says of each tenant that goes on where its file is broken, a rules file included, and from when the version is that holds', async () => {
    const directory = await tenantDirectory({
      'tenants/hraun.yaml': GOOD.replace(/extends: \[(.*)\]/, 'extends: [$1, ../ours.yaml]'),
      'tenants/fjordur.yaml': FJORDUR,
      'ours.yaml': "accounts: {bank: '1911'}\n",
    });
    const ours = join(directory, 'ours.yaml');
    const written = new Date('2026-03-02T10:14:00.000Z');
    await utimes(ours, written, written);
    const { watch } = await watched(join(directory, 'tenants'));
    const said = () =>
      watch.broken().map(({ tenant, problem, versionOf }) => [tenant.name, problem.file, versionOf]);
    expect(said()).toEqual([]);
    await writeFile(ours, "accounts: {bank: '1911'}\nacounts: {}\n");
    await watch.reload();
    expect(said()).toEqual([['hraun', ours, written]]);
    expect(watch.broken()[0]?.problem.line).toBe(2);
    await writeFile(ours, "accounts: {bank: '1911'}\n");
    await watch.reload();
    expect(said()).toEqual([]);
  });

  it('keeps a good tenant when another file takes its name', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { watch, changes } = await watched(directory);
    await writeFile(join(directory, 'a-copy.yaml'), GOOD.replace('hraun.journal', 'copy.journal'));
    await watch.reload();
    expect(watch.current()).toMatchObject([
      { name: 'hraun', erp: { settings: { file: 'books/hraun.journal' } } },
    ]);
    expect(changes[0]?.kept).toEqual(['hraun']);
  });

  it('keeps every tenant when the directory cannot be read', async () => {
    const directory = await tenantDirectory({ 'tenants/hraun.yaml': GOOD, 'tenants/fjordur.yaml': FJORDUR });
    const { watch, names } = await watched(join(directory, 'tenants'));
    await rename(join(directory, 'tenants'), join(directory, 'away'));
    await watch.reload();
    expect(names()).toEqual(['fjordur', 'hraun']);
  });

  it('lets a tenant go when its file is renamed to something that is not read', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { watch, changes, names } = await watched(directory);
    await rename(join(directory, 'hraun.yaml'), join(directory, 'hraun.yaml.bak'));
    await watch.reload();
    expect(names()).toEqual([]);
    expect(changes[0]?.removed).toEqual(['hraun']);
  });

  it('is silent when a file was only touched', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { watch, changes } = await watched(directory);
    await writeFile(join(directory, 'hraun.yaml'), `# a comment\n${GOOD}`);
    await watch.reload();
    expect(changes).toEqual([]);
  });

  it('notices by itself when the file system tells', async () => {
    const directory = await tenantDirectory({ 'hraun.yaml': GOOD });
    const { changes } = await watched(directory, { debounceMs: 10 });
    await writeFile(join(directory, 'fjordur.yaml'), FJORDUR);
    await vi.waitFor(() => expect(changes[0]?.added).toEqual(['fjordur']), { timeout: 5_000, interval: 20 });
  });

  it('notices by looking, when a rules file outside the directory changes', async () => {
    const directory = await tenantDirectory({
      'tenants/hraun.yaml': `${GOOD.trimEnd().slice(0, -1)}, ../ours.yaml]\n`,
      'ours.yaml': "accounts: {bank: '1911'}\n",
    });
    const { changes } = await watched(join(directory, 'tenants'), { pollMs: 20 });
    await writeFile(join(directory, 'ours.yaml'), "accounts: {bank: '1912'}\n# longer\n");
    await vi.waitFor(() => expect(changes[0]?.changed).toEqual(['hraun']), { timeout: 5_000, interval: 20 });
  });
});
