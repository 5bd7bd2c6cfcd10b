// Who may import whom. A rule that cannot fail proves nothing, so each is also shown a house that breaks it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cruiseTree, ROOT, RULES } from './cruise.js';

const MODULES_MIN = 50;

/** The texts of an ERP stand in its folder, and the tables of the languages name them. */
const TEXTS_OF_ERPS = 'src/language/erp-texts.ts';

/** Of src: those from which one comes back to them. */
function foldersInCircles(imports: readonly (readonly [from: string, to: string])[]): readonly string[] {
  const folderOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1];
  const next = new Map<string, Set<string>>();
  for (const [source, resolved] of imports) {
    const [from, to] = [folderOf(source), folderOf(resolved)];
    if (from === undefined || to === undefined || from === to || source === TEXTS_OF_ERPS) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of next.get(from) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
    return seen;
  };
  return [...next.keys()].filter((folder) => reached(folder).has(folder)).sort();
}

describe('the house', () => {
  it('keeps every import rule', async () => {
    const { summary, modules } = await cruiseTree(ROOT);
    const own = modules.filter(({ source }) => source.startsWith('src/'));
    expect(
      own.length,
      'modules read; a compiler that dependency-cruiser cannot use makes it read none',
    ).toBeGreaterThan(MODULES_MIN);
    expect(own.flatMap(({ dependencies }) => dependencies).length).toBeGreaterThan(own.length);
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it('has no circle of folders', async () => {
    const { modules } = await cruiseTree(ROOT);
    const imports = modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => [source, resolved] as const),
    );
    expect(foldersInCircles(imports)).toEqual([]);
  });

  it('sees a circle of folders that no file is in', () => {
    const one = ['src/erp/a.ts', 'src/origins/a.ts'] as const;
    expect(
      foldersInCircles([one, ['src/origins/b.ts', 'src/http/b.ts'], ['src/http/c.ts', 'src/erp/c.ts']]),
    ).toEqual(['erp', 'http', 'origins']);
    expect(foldersInCircles([one])).toEqual([]);
  });

  it('gives a reason for every rule', () => {
    for (const { name, comment } of RULES.forbidden ?? []) expect(comment, name).toMatch(/^\S.{20,}[.)]$/s);
  });
});

// One breach per rule: the file that commits it, and what it imports.
const BREACHES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-cycles': ['src/store/a.ts', 'src/store/b.ts'],
  'domain-stands-alone': ['src/domain/money.ts', 'src/http/client.ts'],
  'language-knows-words-only': ['src/language/say.ts', 'src/operations/act.ts'],
  'erp-texts-are-texts-only': ['src/erp/odoo/texts.ts', 'src/erp/odoo/client.ts'],
  'files-know-no-bridge': ['src/files/plain-file.ts', 'src/domain/text.ts'],
  'the-product-knows-no-laboratory': ['src/worker/queue.ts', 'lab/sandbox/world.ts'],
  'laboratory-is-loaded-when-asked-for': ['src/cli/commands.ts', 'lab/sandbox/command.ts'],
  'sandbox-stands-alone': ['lab/sandbox/service.ts', 'src/domain/clock.ts'],
  'proof-knows-ports': ['lab/proof/world.ts', 'src/store/rows.ts'],
  'kit-knows-the-port': ['lab/kit/conformance/target.ts', 'src/tenants/tenant.ts'],
  'outside-knows-no-bridge': ['src/outside/check-outside.ts', 'src/store/rows.ts'],
  'pipeline-knows-ports': ['src/pipeline/post.ts', 'src/service/client.ts'],
  'mapping-is-pure': ['src/pipeline/mapping/map.ts', 'src/sync/advance.ts'],
  'sync-knows-no-outbound': ['src/sync/advance.ts', 'src/outbound/cost.ts'],
  'pipeline-has-no-io': ['src/pipeline/map.ts', 'node_modules/undici/index.js'],
  'erp-adapters-are-islands': ['src/erp/odoo/index.ts', 'src/erp/xero/client.ts'],
  'erp-knows-no-bridge': ['src/erp/registry.ts', 'src/tenants/tenant.ts'],
  'erp-loads-no-origin': ['src/erp/odoo/index.ts', 'src/erp/odoo/origin/index.ts'],
  'erp-origins-are-islands': ['src/erp/odoo/origin/index.ts', 'src/erp/xero/client.ts'],
  'originals-are-only-kept': ['src/originals/vault.ts', 'src/store/rows.ts'],
  'origins-know-records-only': ['src/origins/folder.ts', 'src/store/rows.ts'],
  'erp-origins-share-a-connection': ['src/erp/odoo/origin/read.ts', 'src/store/rows.ts'],
  'certificates-are-checked-alone': ['src/certificate/verify.ts', 'src/operations/act.ts'],
  'only-the-store-touches-the-database': ['src/operations/read.ts', 'node_modules/pg/index.js'],
  'only-the-worker-queues': ['src/operations/queue.ts', 'node_modules/bullmq/index.js'],
  'people-go-through-operations': ['src/dashboard/page.ts', 'src/store/rows.ts'],
  'commands-go-through-operations': ['src/cli/db.ts', 'src/store/rows.ts'],
  'nothing-imports-the-root': ['src/worker/start.ts', 'src/bridge/start-bridge.ts'],
};

async function houseOf(breaches: readonly (readonly [from: string, to: string])[]): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'house-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text, { flag: 'a' });
  };
  await write('package.json', '{"type":"module","dependencies":{"undici":"1","pg":"1","bullmq":"1"}}');
  for (const [from, to] of breaches) {
    const name = /^node_modules\/([^/]+)/.exec(to)?.[1];
    const up = '../'.repeat(from.split('/').length - 1);
    await write(from, `import '${name ?? `${up}${to.replace(/\.ts$/, '.js')}`}';\n`);
    await write(to, 'export {};\n');
    if (name) await write(`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`);
  }
  return root;
}

describe('every import rule can fail', () => {
  it('has a breach for each rule', () => {
    expect(Object.keys(BREACHES)).toEqual((RULES.forbidden ?? []).map(({ name }) => name));
  });

  it.each(Object.entries(BREACHES))('%s', async (rule, [from, to]) => {
    const breaches =
      rule === 'no-cycles'
        ? ([
            [from, to],
            [to, from],
          ] as const)
        : ([[from, to]] as const);
    const { summary } = await cruiseTree(await houseOf(breaches));
    expect(summary.violations.map((violation) => violation.rule.name)).toContain(rule);
    expect(summary.violations[0]).toMatchObject({ from, to });
  });

  it('and none fails on a house in order', async () => {
    const house = await houseOf([
      ['src/pipeline/post.ts', 'src/domain/money.ts'],
      ['src/erp/odoo/index.ts', 'src/erp/erp-adapter.ts'],
      ['src/store/database.ts', 'node_modules/pg/index.js'],
      ['src/worker/queues.ts', 'node_modules/bullmq/index.js'],
      ['src/cli/serve.ts', 'src/bridge/start-bridge.ts'],
    ]);
    expect((await cruiseTree(house)).summary).toMatchObject({ violations: [], error: 0 });
  });
});
