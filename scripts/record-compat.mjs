// `npx tsx scripts/record-compat.mjs 0.2.0`, once a release: what this version reads and writes, into prisma/compat/<version>.json.
// The statements are those that the program sends while its tests drive it; a test holds every later schema against them, so that
// the version before goes on working while the next one is started beside it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? ''))
  throw new Error('usage: npx tsx scripts/record-compat.mjs <version>');

/** Between them they find, post, write back, operate, watch, tell and serve. */
const DRIVERS = [
  ...['engine/whole-loop', 'engine/watchman', 'operations/commands', 'operations/reading'],
  ...[
    'operations/reversing',
    'operations/every-operation',
    'notifications/told',
    'metrics',
    'originals/originals-first',
  ],
].map((name) => `test/integration/${name}`);

const place = mkdtempSync(join(tmpdir(), 'ledgerbridge-compat-'));
const file = join(place, 'statements');
writeFileSync(file, '');
const recorder = join(root, 'scripts/record-statements.mjs');
spawnSync('npx', ['vitest', 'run', '--project', 'integration', ...DRIVERS, '--maxWorkers', '1'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RECORD_STATEMENTS: file, NODE_OPTIONS: `--import=${recorder}` },
});
const statements = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(place, { recursive: true });
const { describeSchema, keepPreparable } = await import('../test/support/compat.ts');
const kept = await keepPreparable(statements);
const record = { version, ...(await describeSchema()), statements: kept };
writeFileSync(join(root, `prisma/compat/${version}.json`), `${JSON.stringify(record, null, 2)}\n`);
console.log(`${kept.length} of ${new Set(statements).size} statements kept in prisma/compat/${version}.json`);
process.exit(0);
