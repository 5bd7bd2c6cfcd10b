// A plan promises what will be posted, so whatever this ERP would not take is subtracted from it, with the reason.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { run, type World } from '../../unit/cli/run-cli.js';

const NAMES = ['isk', 'all', 'short'] as const;
let bed: Bed;
let erp: HttpErp;
let world: World;

beforeAll(async () => {
  erp = await httpErp();
  bed = await bridgeBed({
    accounts: NAMES.map((username) => ({ username, invoices: 60, costs: 0, seed: 'foresees' })),
    tenants: [
      { name: 'isk', account: 'isk', erp: erp.erp({ ledger: 'isk', foreignCurrency: false }) },
      { name: 'all', account: 'all', erp: erp.erp() },
      // A chart of one account that no rule uses.
      { name: 'short', account: 'short', erp: { adapter: 'file', settings: { accounts: ['0000'] } } },
    ],
    env: erp.env,
    confirmPlans: false,
  });
  for (const name of NAMES) await bed.bridge.tenants.requestSweep(name);
  const examined = async (name: string) => (await bed.bridge.operations.plan(name, {})).examined;
  for (const name of NAMES)
    await vi.waitUntil(async () => (await examined(name)) === 60, { timeout: 60_000, interval: 250 });
  const keys = bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey]);
  world = {
    cwd: bed.directory,
    env: {
      ...{ ...erp.env, USER: 'sigga', LEDGERBRIDGE_CONFIG: bed.settings.configDirectory },
      ...{ LEDGERBRIDGE_DATA: bed.settings.dataDirectory, DATABASE_URL: bed.database.url.reveal() },
      ...{ SANDBOX_CODE: bed.sandbox.maintCode, ...Object.fromEntries(keys) },
    },
  };
});
afterAll(async () => {
  await bed.close();
  await erp.ledger.close();
});

test('a plan counts what this ERP connection cannot take as parked, and says why', async () => {
  const { operations } = bed.bridge;
  const [all, isk] = [await operations.plan('all', { journals: 500 }), await operations.plan('isk', {})];
  const foreign = all.journals.filter(({ journal, part }) => part === 'main' && journal.currency !== 'ISK');
  expect(foreign.length).toBeGreaterThan(0);
  const refused = isk.reasons.filter(({ code }) => code === 'ERP_REFUSED');
  expect(refused).toMatchObject([{ outcome: 'park', subject: 'unsupported', count: foreign.length }]);
  expect(isk.outcomes.park).toBe(all.outcomes.park + foreign.length);
  expect(isk.outcomes.post).toBe(all.outcomes.post - foreign.length);
});

test('a plan subtracts what would be held for what the ERP lacks, from the documents and from the totals', async () => {
  const { operations } = bed.bridge;
  const [all, short] = [await operations.plan('all', {}), await operations.plan('short', {})];
  expect(all.outcomes.post).toBeGreaterThan(0);
  expect(short.outcomes).toMatchObject({ post: 0, hold: all.outcomes.post });
  expect(short).toMatchObject({ accounts: [], totalIsk: '0', journals: [] });
  const held = short.reasons.filter(({ outcome }) => outcome === 'hold');
  expect(held.every(({ code }) => code === 'ERP_CONFIGURATION')).toBe(true);
  expect(held.reduce((sum, { count }) => sum + count, 0)).toBe(all.outcomes.post);
});

test('the command shows sample journals, ends with 3 for a plan with errors, and confirms it only when that is meant', async () => {
  const good = await run(['plan', 'all'], world);
  expect(good).toMatchObject({ code: 0 });
  expect(good.out).toMatch(/ACCOUNT +DEBIT +CREDIT +TEXT/);
  expect(good.out).toMatch(/and \d+ journals more: --journals \d+ shows them all/);
  const shown = (out: string) => out.match(/^ACCOUNT +DEBIT +CREDIT +TEXT/gm)?.length;
  expect(shown(good.out)).toBe(3);
  const [, most = ''] = /--journals (\d+)/.exec(good.out) ?? [];
  const whole = await run(['plan', 'all', '--journals', most], world);
  expect(shown(whole.out)).toBe(Number(most));
  expect(whole.out).not.toContain('journals more');
  expect((await run(['plan', 'short'], world)).code).toBe(3);
  const confirm = ['plan', 'short', '--confirm', '-r', 'begin in January', '--yes'];
  const refused = await run(confirm, world);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('--despite-errors');
  const isConfirmed = async () =>
    (await bed.database.prisma.tenant.findUniqueOrThrow({ where: { name: 'short' } })).planConfirmedAt !==
    null;
  expect(await isConfirmed()).toBe(false);
  await run([...confirm, '--despite-errors'], world);
  expect(await isConfirmed()).toBe(true);
});
