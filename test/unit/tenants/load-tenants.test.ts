import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/domain/canonical-json.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';
import { nearest } from '../../../src/tenants/nearest.js';
import { changed, GOOD, load, problemsOf, tenantDirectory } from './tenant-directory.js';

const other = (...edits: readonly (readonly [string, string])[]) =>
  changed(['name: hraun', 'name: fjordur'], ['hraun.journal', 'fjordur.journal'], ...edits);
const DEVELOPMENT: readonly (readonly [string, string])[] = [
  ['environment: production', 'environment: development\n  maintenanceCode: env:MAINT'],
];

describe('a good tenant file', () => {
  it('is loaded with its defaults filled in', async () => {
    const { tenants, problems } = await load(await tenantDirectory({ 'hraun.yaml': GOOD }));
    expect(problems).toEqual([]);
    expect(tenants).toHaveLength(1);
    expect(tenants[0]).toMatchObject({
      name: 'hraun',
      title: 'Hraun slf.',
      cutOver: '2026-01-01',
      schedule: { cron: '*/5 * * * *', timeZone: 'Atlantic/Reykjavik' },
      erp: { adapter: 'paper-ledger', settings: { file: 'books/hraun.journal', format: 'hledger' } },
      limits: { source: { requestsPerSecond: 20, concurrency: 4 }, erp: { postingsPerSecond: null } },
      weight: 1,
      notifications: { webhooks: [] },
      paused: false,
    });
    expect(tenants[0]?.rules.accounts.receivable).toBe('1500');
    expect(tenants[0]?.rulesVersion).toMatch(/^[0-9a-f]{16}$/);
  });

  it('may leave the cut-over date out, so that the tenant connects but posts nothing', async () => {
    const text = changed(['cutOver: 2026-01-01\n', '']);
    const { tenants, problems } = await load(await tenantDirectory({ 'hraun.yaml': text }));
    expect(problems).toEqual([]);
    expect(tenants[0]?.cutOver).toBeNull();
  });

  it('loads beside a broken one, and the broken one does not load', async () => {
    const directory = await tenantDirectory({
      'fjordur.yaml': other(['title:', 'titel:']),
      'hraun.yaml': GOOD,
    });
    const { tenants, files } = await load(directory);
    expect(tenants.map(({ name }) => name)).toEqual(['hraun']);
    expect(files).toHaveLength(2);
  });

  it('keeps once what it has in common with another', async () => {
    const directory = await tenantDirectory({ 'fjordur.yaml': other(), 'hraun.yaml': GOOD });
    const [one, two] = (await load(directory)).tenants;
    expect(one?.rules.cost).toBe(two?.rules.cost);
    expect(one?.erp.settings).not.toEqual(two?.erp.settings);
    expect(Object.isFrozen(one?.rules.cost)).toBe(true);
    expect(Object.isFrozen(one?.erp.settings)).toBe(false);
  });

  it('accepts http on loopback addresses only, which is where the sandbox runs', async () => {
    for (const host of ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080']) {
      const text = changed(['https://invoicing.example', `http://${host}`]);
      expect(await problemsOf({ 'hraun.yaml': text })).toEqual([]);
    }
    const text = changed(['https://invoicing.example', 'http://127.0.0.1.example']);
    expect(await problemsOf({ 'hraun.yaml': text })).toHaveLength(1);
  });

  it('lets notes and leftovers of editors lie beside it', async () => {
    const files = {
      'hraun.yaml': GOOD,
      'README.md': '#',
      '.hraun.yaml.swp': '',
      'hraun.yaml~': '',
      'shared/x.txt': '',
    };
    expect(await problemsOf(files)).toEqual([]);
  });
});

describe('all problems of all files', () => {
  it('are reported at once, by file and line', async () => {
    const said = await problemsOf({
      'a.yaml': changed(['title:', 'titel:'], ['https:', 'http:'], ['2026-01-01', 'soon']),
      'b.yaml': '\tname: b\n',
      'c.json': '{}',
    });
    expect(said.map((line) => line.split(' ')[0])).toEqual([
      'a.yaml:2:1:',
      'a.yaml:5:12:',
      'a.yaml:10:10:',
      'b.yaml:1:1:',
      'c.json:1:1:',
    ]);
  });

  it('include settings, ERP and rules together though each is judged by another room', async () => {
    const text = `${changed(['title: Hraun slf.', 'title: 7'], ['    file:', '    fil:'])}  cost: {codez: {}}\n`;
    expect((await problemsOf({ 'hraun.yaml': text })).map((line) => line.split(' ')[2])).toEqual([
      'title:',
      'erp.settings.fil:',
      'rules.cost.codez:',
    ]);
  });

  it('say a broken shared rules file once, however many tenants extend it', async () => {
    const shared = (text: string) => `${text.trimEnd().slice(0, -1)}, rules/ours.yaml]\n`;
    const said = await problemsOf({
      'hraun.yaml': shared(GOOD),
      'fjordur.yaml': shared(other(['username: hraun', 'username: fjordur'])),
      'rules/ours.yaml': 'accounts: {bank: 1910}\n',
    });
    expect(said).toEqual([
      'rules/ours.yaml:1:18: error: accounts.bank: Expected text, found a number. Put it in quotes: "1910".',
    ]);
  });

  it('say that the directory is not there', async () => {
    const { problems } = await loadTenants('/nonexistent/tenants');
    expect(problems).toMatchObject([
      {
        message: 'The directory of tenant files cannot be read (ENOENT).',
        remedy: 'Create it, or point LEDGERBRIDGE_CONFIG to the right place.',
      },
    ]);
  });
});

describe('tenants seen together', () => {
  it('must not share a name, and neither of two that do is loaded', async () => {
    const directory = await tenantDirectory({
      'hraun.yaml': GOOD,
      'copy.yaml': changed(['username: hraun', 'username: copy'], ['hraun.journal', 'copy.journal']),
    });
    const { tenants, problems } = await load(directory);
    expect(tenants).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      'The name "hraun" is also used in hraun.yaml.',
      'The name "hraun" is also used in copy.yaml.',
    ]);
  });

  it('must not carry one account into one ledger twice', async () => {
    const said = await problemsOf({ 'a.yaml': GOOD, 'b.yaml': changed(['name: hraun', 'name: again']) });
    expect(said).toEqual([
      'a.yaml:3:1: error: source: The same account is carried into the same ledger by b.yaml. Keep one of the two; a document belongs in a ledger once.',
      'b.yaml:3:1: error: source: The same account is carried into the same ledger by a.yaml. Keep one of the two; a document belongs in a ledger once.',
    ]);
  });

  it('are warned when one account goes into two ledgers', async () => {
    const directory = await tenantDirectory({ 'a.yaml': GOOD, 'b.yaml': other() });
    const { tenants, problems } = await load(directory);
    expect(tenants).toHaveLength(2);
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: The same account is carried into another ledger by b.yaml.',
      'warning: The same account is carried into another ledger by a.yaml.',
    ]);
  });

  it('must not call one address production and development', async () => {
    const said = await problemsOf({ 'a.yaml': GOOD, 'b.yaml': other(...DEVELOPMENT) });
    expect(said).toEqual([
      'a.yaml:5:12: error: source.baseUrl: The same address is that of the other environment in b.yaml. Production and development have addresses of their own; correct one of the two.',
      'b.yaml:6:12: error: source.baseUrl: The same address is that of the other environment in a.yaml. Production and development have addresses of their own; correct one of the two.',
    ]);
  });

  it('must not mix development documents into a production ledger', async () => {
    const development = changed(
      ['name: hraun', 'name: dev'],
      ['//invoicing', '//dev.invoicing'],
      ...DEVELOPMENT,
    );
    expect((await problemsOf({ 'a.yaml': GOOD, 'b.yaml': development }))[1]).toBe(
      'b.yaml:12:1: error: erp: The same ledger takes documents of the other environment in a.yaml. Give development a ledger of its own; its documents are not real.',
    );
  });
});

describe('ledgers', () => {
  // The registry's own file adapter: without settings its books bear the name of the tenant.
  const inFiles = (text: string, settings = '') =>
    text
      .replace('adapter: paper-ledger', 'adapter: file')
      .replace(/settings:\n.*\n/, `settings: {${settings}}\n`);

  it('are told apart as the adapter names them, not by how their settings look', async () => {
    const development = changed(
      ['name: hraun', 'name: dev'],
      ['//invoicing', '//dev.invoicing'],
      ...DEVELOPMENT,
    );
    const said = async (settings?: string) => {
      const files = { 'a.yaml': inFiles(GOOD, settings), 'b.yaml': inFiles(development, settings) };
      const { problems } = await loadTenants(await tenantDirectory(files));
      return problems.map(({ path }) => path);
    };
    expect(await said()).toEqual([]);
    expect(await said('ledger: shared')).toEqual(['erp', 'erp']);
  });
});

describe('secrets in tenant files', () => {
  it('are only warned about when they are not on this machine, and not looked at without an environment', async () => {
    const directory = await tenantDirectory({
      'hraun.yaml': changed(['    file:', '    token: file:secrets/token\n    file:']),
    });
    expect((await load(directory)).problems).toEqual([]);
    expect(
      (await load(directory, {})).problems.map(({ severity, message }) => `${severity}: ${message}`),
    ).toEqual([
      'warning: The secret env:HRAUN_API_KEY is not there on this machine.',
      'warning: The secret file:secrets/token is not there on this machine.',
    ]);
    await mkdir(join(directory, 'secrets'));
    await writeFile(join(directory, 'secrets/token'), 'x');
    const { tenants, problems } = await load(directory, { HRAUN_API_KEY: 'k' });
    expect(problems).toEqual([]);
    expect(tenants).toHaveLength(1);
  });

  it('written out by mistake are never repeated in a message', async () => {
    const canary = 'hunter2-4f9c';
    for (const place of [
      changed(['env:HRAUN_API_KEY', canary]),
      changed(['    file:', `    token: ${canary}\n    file:`]),
      changed(['    file:', `    format: ${canary}\n    file:`]),
      changed(['https://', `https://hraun:${canary}@`]),
      changed(['  auth:', `  password: ${canary}\n  auth:`]),
      changed(['environment: production', `environment: development\n  maintenanceCode: ${canary}`]),
    ]) {
      const said = await problemsOf({ 'hraun.yaml': place });
      expect(said.length).toBeGreaterThan(0);
      expect(said.join()).not.toContain(canary);
    }
  });
});

describe('the version of the rules', () => {
  const versionOf = async (text: string) =>
    (await load(await tenantDirectory({ 'hraun.yaml': text }))).tenants[0]?.rulesVersion;

  it('changes with the effective rules and with nothing else', async () => {
    const version = await versionOf(GOOD);
    expect(await versionOf(changed(['title: Hraun slf.', 'title: Hraun ehf.']))).toBe(version);
    expect(await versionOf(`${GOOD}  accounts: {bank: '1910'}\n`)).toBe(version);
    expect(await versionOf(`${GOOD}  accounts: {bank: '1911'}\n`)).not.toBe(version);
  });

  it('does not depend on the order of keys', () => {
    expect(canonicalJson({ b: [{ y: 1, x: 2 }], a: 3 })).toBe('{"a":3,"b":[{"x":2,"y":1}]}');
  });
});

describe('did you mean', () => {
  it.each([
    ['enviroment', 'environment'],
    ['base_url', 'baseUrl'],
    ['BASEURL', 'baseUrl'],
    ['tilte', 'title'],
    ['zzz', null],
    ['x'.repeat(500), null],
  ])('%s → %s', (written, meant) => {
    expect(nearest(written, ['environment', 'baseUrl', 'title', 'x'.repeat(501)])).toBe(meant);
  });
});
