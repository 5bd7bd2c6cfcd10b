// Keeps the shared test server up between test files, and stops it once nobody has used it for a while, also when the
// run that started it was killed. There is one: the second finds the lock taken and goes.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { joinOrStart } from '../../src/store/embedded-postgres.js';
import { MINDER_NAME, TEST_SERVER_DIRECTORY, testServerSettings } from './database.js';

const IDLE_MS_MAX = 20_000;
const MINDER_LOCK = 0x6d69;

const server = await joinOrStart({
  dataDirectory: TEST_SERVER_DIRECTORY,
  role: 'command',
  settings: await testServerSettings(),
  isBundled: true,
  durable: false,
});
const client = new pg.Client({ connectionString: server.ownerUrl.reveal(), application_name: MINDER_NAME });
client.on('error', () => undefined);
await client.connect();
const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [
  MINDER_LOCK,
]);
if (rows[0]?.got === true) await waitUntilIdle();
await client.end();
await server.close();

async function waitUntilIdle(): Promise<void> {
  let idleSince = performance.now();
  while (performance.now() - idleSince < IDLE_MS_MAX) {
    const others = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       AND application_name NOT LIKE '%pid=' || $1 LIMIT 1`,
      [String(process.pid)],
    );
    if (others.rowCount !== 0) idleSince = performance.now();
    await sleep(1_000);
  }
}
