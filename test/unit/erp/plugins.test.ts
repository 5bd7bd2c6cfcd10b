// Adapters in packages of their own: found from the directory of the tenant files, checked before they are used, explained otherwise.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { allowPlugins } from '../../../src/erp/allowed-plugins.js';
import { isPluginName, loadPlugin } from '../../../src/erp/plugins.js';
import { erpAdapter } from '../../../src/erp/registry.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'ledgerbridge-plugins-')));
const tenants = join(home, 'config/tenants');
const modules = join(home, 'config/node_modules');
mkdirSync(tenants, { recursive: true });
mkdirSync(modules, { recursive: true });
symlinkSync(fileURLToPath(new URL('../../../node_modules/zod', import.meta.url)), join(modules, 'zod'));
const NAMES = [
  'ledgerbridge-erp',
  'none',
  'newer',
  'portless',
  'other',
  'throws',
  'broken',
  'schemaless',
  'lost',
];
allowPlugins(
  ['ledgerbridge-acme', ...NAMES.map((name) => `@acme/${name}`), join(tenants, 'mine.mjs')].join(', '),
);
afterAll(() => rmSync(home, { recursive: true, force: true }));

function install(name: string, code: string, manifest: object = { exports: { import: './index.js' } }): void {
  const file = join(modules, name, 'index.js');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
  writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, type: 'module', ...manifest }));
}

const adapter = (port: number) => `import { z } from 'zod';
export const definition = { port: ${port}, name: 'acme', title: 'Acme', configuration: z.strictObject({ company: z.string() }),
  create: () => ({ ledger: 'acme', close: async () => undefined }) };`;

describe('an ERP adapter in a package of its own', () => {
  it.each([
    ['@acme/ledgerbridge-erp', true],
    ['ledgerbridge-adapter-acme', true],
    ['./acme', true],
    ['../../acme', true],
    ['odoo', false],
    ['acme', false],
    ['/etc/passwd', false],
    ['@acme/../../x', false],
    ['@acme', false],
    [`@acme/${'x'.repeat(300)}`, false],
  ])('%s: %s', (name, expected) => {
    expect(isPluginName(name)).toBe(expected);
  });

  it('is found from the directory of the tenant files upwards, for import alone too, and is an adapter like others', async () => {
    install('@acme/ledgerbridge-erp', adapter(1));
    expect(await loadPlugin('@acme/ledgerbridge-erp', tenants)).toMatchObject({
      outcome: 'loaded',
      definition: { title: 'Acme' },
    });
    expect((await erpAdapter('@acme/ledgerbridge-erp')).title).toBe('Acme');
  });

  it.each([
    [
      'is not there',
      '@acme/none',
      null,
      /"@acme\/none" of the ERP adapter is not installed.*npm install @acme\/none/,
    ],
    ['is of another port', '@acme/newer', adapter(99), /written for version 99 of the port.*has version 1/],
    ['says no port', '@acme/portless', adapter(1).replace('port: 1,', ''), /version none of the port/],
    ['exports something else', '@acme/other', 'export const x = 1;', /exports no `definition`/],
    ['throws', '@acme/throws', "throw new Error('no licence');", /cannot be loaded: no licence/],
    ['does not parse', '@acme/broken', 'export const = ;', /cannot be loaded/],
    [
      'has no schema',
      '@acme/schemaless',
      adapter(1).replace('z.strictObject({ company: z.string() })', '{ safeParse: () => 1 }'),
      /no schema of zod 4/,
    ],
  ])('that %s is refused with what to do', async (_title, name, code, says) => {
    if (code !== null) install(name, code);
    const outcome = await loadPlugin(name, tenants);
    expect(outcome.outcome).toBe('refused');
    if (outcome.outcome === 'refused') expect(`${outcome.message} ${outcome.remedy}`).toMatch(says);
  });

  it('runs only if the operator of the bridge allows it: nothing that a tenant file names is loaded before', async () => {
    const trace = join(home, 'ran');
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(trace)}, ''); ${adapter(1)}`;
    install('@acme/unlisted', code);
    writeFileSync(join(tenants, 'evil.mjs'), code);
    writeFileSync(join(tenants, 'mine.mjs'), adapter(1));
    for (const [name, wanted] of [
      ['@acme/unlisted', '@acme/unlisted'],
      ['./evil.mjs', join(tenants, 'evil.mjs')],
      ['../tenants/evil.mjs', join(tenants, 'evil.mjs')],
    ] as const) {
      const outcome = await loadPlugin(name, tenants);
      expect(outcome.outcome).toBe('refused');
      if (outcome.outcome === 'refused') expect(outcome.remedy).toContain(`add ${wanted} to the list`);
    }
    expect(existsSync(trace)).toBe(false);
    expect(await loadPlugin('./mine.mjs', tenants)).toMatchObject({ outcome: 'loaded' });
  });

  it('has its settings judged with the file and the line, and a package that is missing too', async () => {
    install('ledgerbridge-acme', adapter(1), { main: 'index.js' });
    const file = (name: string, erp: string) => `name: ${name}
title: Hraun ehf.
source: { environment: development, baseUrl: 'http://localhost:1', auth: { type: credentials, username: h, apiKey: 'env:K' } }
schedule: { cron: '0 * * * *', timeZone: Atlantic/Reykjavik }
rules: { extends: [default] }
erp:
  adapter: ${erp}
`;
    writeFileSync(
      join(tenants, 'hraun.yaml'),
      `${file('hraun', 'ledgerbridge-acme')}  settings: { compny: x }\n`,
    );
    writeFileSync(join(tenants, 'foss.yaml'), file('foss', "'@acme/lost'"));
    const { problems } = await loadTenants(tenants);
    const about = problems.filter(({ path }) => path.startsWith('erp'));
    expect(
      about.map(({ file: where, line, message }) => `${where.slice(tenants.length + 1)}:${line} ${message}`),
    ).toEqual([
      'foss.yaml:7 The package "@acme/lost" of the ERP adapter is not installed.',
      expect.stringMatching(/^hraun\.yaml:8 .*compny/) as string,
    ]);
  });
});
