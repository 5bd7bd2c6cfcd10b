// How long `rehearse` and `originals verify` take over many documents, through PostgreSQL on a disk: a bridge carries a hundredth of
// them from the sandbox into journal files, with their originals; the rows and the files are then multiplied, and the commands run in
// processes of their own. Needs a build (npm run build).
//   npx tsx scripts/bench-closing.mjs [documents, 100000 unless given] [directory to work in]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startBridge } from '../src/bridge/start-bridge.ts';
import { directoryVault } from '../src/originals/directory-vault.ts';
import { startSandbox } from '../lab/sandbox/start-sandbox.ts';
import { openDatabase, ownerDatabase } from '../src/store/database.ts';
import { createLog } from '../src/telemetry/log.ts';
import { readBridgeSettings } from '../src/tenants/bridge-settings.ts';

const TIMES = 100;
const CARRIED_MS_MAX = 10 * 60_000;
const [documents = '100000', place = tmpdir()] = process.argv.slice(2);
const each = Math.ceil(Number(documents) / TIMES / 2);
const command = fileURLToPath(new URL('../bin/ledgerbridge.js', import.meta.url));
const directory = await mkdtemp(join(place, 'ledgerbridge-bench-closing-'));

try {
  const sandbox = await startSandbox({
    environment: 'production',
    accounts: [{ username: 'hraun', invoices: each, costs: each, seed: 'bench', difficulty: 'tidy' }],
  });
  const env = {
    ...{ PATH: process.env.PATH, USER: 'bench', LEDGERBRIDGE_DATA: join(directory, 'data') },
    ...{ LEDGERBRIDGE_CONFIG: join(directory, 'config'), LEDGERBRIDGE_PORT: '0' },
    KEY: sandbox.accounts[0].apiKey,
  };
  await mkdir(join(directory, 'config', 'tenants'), { recursive: true });
  await writeFile(join(directory, 'config', 'tenants', 'hraun.yaml'), JSON.stringify(tenantOf(sandbox)));
  const settings = readBridgeSettings(env, directory);
  await carry(settings, env);
  await sandbox.close();
  await multiply(settings);
  time(
    env,
    ['rehearse', 'hraun', '--json'],
    ({ examined, changed }) => `${examined} examined, ${changed} changed`,
  );
  await writeFile(join(directory, 'new.yaml'), 'accounts:\n  receivable: "1501"\n');
  time(
    env,
    ['rehearse', 'hraun', '--rules', 'new.yaml', '--json'],
    ({ examined, changed }) => `${examined} examined, ${changed} changed`,
  );
  time(env, ['originals', 'verify', '--json'], ({ files, whole }) => `${files} files, whole: ${whole}`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

function tenantOf(sandbox) {
  return {
    ...{ name: 'hraun', title: 'Hraun ehf.', cutOver: '2015-01-01', erp: { adapter: 'file' } },
    source: {
      ...{ environment: sandbox.environment, baseUrl: sandbox.url },
      auth: { type: 'credentials', username: 'hraun', apiKey: 'env:KEY' },
    },
    originals: { perSecond: 100 },
    limits: { source: { requestsPerSecond: 1000, concurrency: 8 } },
  };
}

/** Until everything is in the books and has its originals. */
async function carry(settings, env) {
  const log = createLog({ level: 'fatal', format: 'json', isTty: false });
  const bridge = await startBridge({ settings, env, role: 'all', version: 'bench', log });
  await bridge.tenants.confirmPlan('hraun', 'bench');
  const database = await openDatabase({ ...settings, role: 'command', poolSize: 2 });
  const deadline = performance.now() + CARRIED_MS_MAX;
  for (;;) {
    if (performance.now() > deadline) throw new Error('the bridge does not come to an end');
    const [{ open, done }] = await database.db.rows`
      SELECT (SELECT count(*) FROM original WHERE due_at IS NOT NULL)::int AS open,
        (SELECT count(*) FROM posting p WHERE EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id))::int AS done`;
    if (open === 0 && done >= 1.8 * each) break;
    await sleep(500);
  }
  await database.close();
  await bridge.close();
}

/** Every document as often as it takes, each with an original of its own: the bytes, and a number behind them. */
async function multiply(settings) {
  const database = await ownerDatabase({ ...settings, role: 'command', poolSize: 2 });
  const prisma = await database.models();
  const started = performance.now();
  const id = (of) => `md5(${of}::text || n)::uuid`;
  await prisma.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
      const copy = (table, changes) =>
        tx.$executeRawUnsafe(`
        INSERT INTO ${table} SELECT (jsonb_populate_record(r, jsonb_build_object(${changes}))).*
        FROM ${table} r CROSS JOIN generate_series(1, ${TIMES - 1}) n`);
      await copy(
        'document',
        `'id', ${id('r.id')}, 'guid', r.guid || '-' || n, 'number', r.number || '-' || n`,
      );
      await copy(
        'posting',
        `'id', ${id('r.id')}, 'document_id', ${id('r.document_id')}, 'key', r.key || n, 'document_no', r.document_no || '-' || n, 'erp_number', r.erp_number || '-' || n`,
      );
    },
    { timeout: 600_000 },
  );
  const vault = directoryVault(settings.originalsDirectory);
  const originals =
    await prisma.$queryRaw`SELECT id::text AS id, sha256 FROM original WHERE sha256 IS NOT NULL`;
  for (const { id: original, sha256 } of originals) {
    const { content } = await vault.read(sha256);
    const made = [];
    for (let n = 1; n < TIMES; n++) {
      const copied = Buffer.concat([content, Buffer.from(`\n%${n}${original}`)]);
      const hash = createHash('sha256').update(copied).digest('hex');
      const path = join(settings.originalsDirectory, hash.slice(0, 2), hash.slice(2, 4));
      await mkdir(path, { recursive: true });
      await writeFile(join(path, hash), copied);
      made.push(hash);
    }
    await prisma.$executeRawUnsafe(
      `INSERT INTO original SELECT (jsonb_populate_record(r, jsonb_build_object('id', ${id('r.id')}, 'posting_id', ${id('r.posting_id')}, 'sha256', h))).*
       FROM original r CROSS JOIN unnest($2::text[]) WITH ORDINALITY made(h, n) WHERE r.id = $1::uuid`,
      original,
      made,
    );
  }
  await prisma.$executeRawUnsafe('ANALYZE');
  await database.close();
  console.log(`multiplied in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function time(env, argv, shown) {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...argv], {
    cwd: directory,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0 && status !== 3) throw new Error(stderr);
  console.log(
    `${argv.filter((word) => word !== '--json').join(' ')}: ${seconds.toFixed(1)} s; ${shown(JSON.parse(stdout))}`,
  );
}
