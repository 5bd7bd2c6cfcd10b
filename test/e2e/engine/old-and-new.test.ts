// A rolling upgrade for real: the program from before the last migration, built from its commit, and this one serve the same companies
// on one database, and the old one is stopped and started in between. A clone without its history cannot build it and leaves this out.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST_TIMING } from '../../../src/sync/work.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { SHIPPED } from '../../support/program.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTS = 60;
const TENANTS = ['a', 'b'];
const SETTLED_MS = 120_000;
const quietPeriodMs = POST_TIMING.sendByMs + 2 * POST_TIMING.erpTimeoutMs;
const SPECIFIED = { kind: 'native-key', keyLifeMs: 1_800_000, quietPeriodMs } as const;

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });

/** The newest program to whose schema this one only adds; null: the history is not here. */
function olderCommit(): string | null {
  const now = readdirSync(join(root, 'prisma/migrations')).filter((name) => /^\d/.test(name));
  try {
    for (const commit of git('log', '--format=%H', '-n', '40', '--', 'prisma/migrations').split('\n')) {
      const listed = git('ls-tree', '--name-only', `${commit}^:prisma/migrations`);
      const then = listed.split('\n').filter((name) => /^\d/.test(name));
      const isBefore = then.length < now.length && then.every((name, index) => name === now.sort()[index]);
      if (isBefore) return `${commit}^`;
    }
  } catch {
    // No history, or not enough of it.
  }
  return null;
}
const older = olderCommit();

interface Program {
  readonly child: ChildProcess;
  said: string;
}

describe.skipIf(older === null)('an older program and this one on one database', () => {
  const home = mkdtempSync(join(tmpdir(), 'old-and-new-'));
  const running: Program[] = [];
  let bed: Bed;
  let erp: HttpErp;
  const witnesses = new Witnesses();

  const place = join(home, 'old');
  const buildOld = () => {
    mkdirSync(place);
    symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
    const archive = execFileSync('git', ['archive', older ?? ''], {
      cwd: root,
      maxBuffer: 512 * 1024 * 1024,
    });
    execFileSync('tar', ['x', '-C', place, '--exclude=test', '--exclude=docs'], { input: archive });
    const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: place, stdio: 'pipe' });
    node('scripts/build.mjs', '--client-only');
    node(
      '--input-type=module',
      '-e',
      `(await import('./scripts/bundle.mjs')).bundleProgram('${place}/dist')`,
    );
  };

  beforeAll(async () => {
    buildOld();
    erp = await httpErp({
      behaviour: { seed: 3, faults: { 'reset-after-effect': 0.05 } },
      onEffect: witnesses.onEffect,
    });
    bed = await bridgeBed({
      sandbox: { onStatus: witnesses.onStatus },
      accounts: TENANTS.map((username) => ({ username, invoices: 20, costs: 10, seed: username })),
      tenants: TENANTS.map((name) => ({ name, account: name, erp: erp.erp() })),
      env: erp.env,
      processes: true,
    });
    await watchDatabase(bed.database);
  }, 120_000);
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await bed.close();
    await erp.ledger.close();
    rmSync(home, { recursive: true, force: true });
  });

  async function start(name: 'old' | 'new'): Promise<Program> {
    const keys = bed.sandbox.accounts.map(({ username, apiKey }) => [`KEY_${username}`, apiKey]);
    const program = { old: join(place, 'bin/ledgerbridge.js'), new: SHIPPED }[name];
    const child = spawn(process.execPath, [program, 'serve'], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...erp.env,
        ...Object.fromEntries(keys),
        SANDBOX_CODE: bed.sandbox.maintCode,
        DATABASE_URL: bed.database.url.reveal(),
        LEDGERBRIDGE_CONFIG: bed.settings.configDirectory,
        LEDGERBRIDGE_DATA: join(home, `data-${name}`),
        LEDGERBRIDGE_PORT: '0',
        LEDGERBRIDGE_LOG_FORMAT: 'json',
        LEDGERBRIDGE_CONCURRENCY: '2',
      },
    });
    const started: Program = { child, said: '' };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (started.said += part));
    running.push(started);
    await expect.poll(() => started.said, { timeout: 60_000, interval: 100 }).toContain('the bridge runs');
    return started;
  }

  const done = async () => (await bed.states())['acknowledged'] ?? 0;

  test(
    'both post, nothing is doubled and nothing is lost',
    async () => {
      const old = await start('old');
      const fresh = await start('new');
      await bed.database.prisma.tenant.updateMany({
        data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
      });
      while ((await done()) < DOCUMENTS / 3) await sleep(50);
      // Half-way the old one is stopped, as the page says; then it is started once more: an upgrade that was thought better of.
      old.child.kill('SIGTERM');
      await once(old.child, 'exit');
      const again = await start('old');
      await bed.settled(SETTLED_MS);
      for (const { child } of [fresh, again]) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
      expect(await done()).toBeGreaterThan(DOCUMENTS * 0.6);
      const history = await historyOf(bed.database, witnesses);
      expect(history.filter(({ what }) => what === 'acknowledge').length).toBeGreaterThan(DOCUMENTS * 0.6);
      expect(refusedBy(SPECIFIED, history)).toEqual([]);
      const posted = (program: Program) =>
        program.said.split('\n').filter((line) => /"msg":"document\.posted"/.test(line));
      const count = { old: posted(old).length + posted(again).length, new: posted(fresh).length };
      process.stdout.write(`old and new on one database: ${JSON.stringify(count)}\n`);
      expect(count.old).toBeGreaterThan(0);
      expect(count.new).toBeGreaterThan(0);
    },
    SETTLED_MS + 90_000,
  );
});
