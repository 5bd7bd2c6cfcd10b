// How long the server takes for every page of the dashboard, on a database that scripts/seed-million.mjs filled.
// Usage: node --import tsx scripts/dashboard-timing.mjs postgresql://…/seeded [rounds]
// Prints a table for docs/explanation/performance.md: the middle and the slowest of the rounds, and the first one, with cold caches.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import { Secret } from '../src/domain/secret.ts';
import { startBridge } from '../src/bridge/start-bridge.ts';
import { createUserAccounts } from '../src/operations/users/user-accounts.ts';
import { createUserStore } from '../src/store/dashboard/user-store.ts';
import { createLog } from '../src/telemetry/log.ts';
import { readBridgeSettings } from '../src/tenants/bridge-settings.ts';

const [url, rounds = '9'] = process.argv.slice(2);
if (!url) {
  console.error('Name a seeded database: node --import tsx scripts/dashboard-timing.mjs postgresql://…');
  process.exit(2);
}
const LOGIN = 'timing';
const PASSWORD = 'measure twice, cut once';
const directory = mkdtempSync(join(tmpdir(), 'ledgerbridge-timing-'));
const bridge = await startBridge({
  settings: readBridgeSettings(
    {
      DATABASE_URL: url,
      LEDGERBRIDGE_CONFIG: directory,
      LEDGERBRIDGE_DATA: directory,
      LEDGERBRIDGE_PORT: '0',
    },
    directory,
  ),
  env: {},
  role: 'dashboard',
  version: 'timing',
  log: createLog({ level: 'fatal', format: 'json', isTty: false }),
});
try {
  await measure(await pages(), await signIn());
} finally {
  await bridge.close();
}

async function signIn() {
  const users = createUserAccounts(createUserStore(bridge.database), { now: () => new Date() });
  const known = await users.list();
  if (!known.some(({ login }) => login === LOGIN))
    await users.create(LOGIN, 'admin', new Secret(PASSWORD), 'timing');
  const answer = await fetch(`${bridge.http.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: bridge.http.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ login: LOGIN, password: PASSWORD }).toString(),
  });
  return answer.headers.get('set-cookie').split(';')[0];
}

async function pages() {
  const { operations } = bridge;
  const { items } = await operations.documents({ limit: 50 });
  const [first] = items;
  const [problem] = await operations.problems();
  const cause = encodeURIComponent(problem.id);
  const { next } = await operations.documents({ limit: 50 });
  return {
    Overview: '/',
    'Overview of one tenant': `/?tenant=${first.tenantName}`,
    Problems: '/problems',
    Documents: '/documents',
    'Documents, next page': `/documents?after=${encodeURIComponent(next)}`,
    'Documents that need somebody': '/documents?group=needs-you',
    'Documents of a cause': `/documents?cause=${cause}`,
    'Documents of a tenant and a month': `/documents?tenant=${first.tenantName}&from=2025-03-01&to=2025-03-31`,
    'Search: a number': '/documents?text=R-00777',
    'Search: a kennitala': '/documents?text=4501700777',
    'Search: words of a name': '/documents?text=hraun+777',
    'One document': `/documents/${first.postingId}`,
    'Preview of a replay': `/replay?cause=${cause}&tenant=${first.tenantName}`,
    'Preview of the largest replay': `/replay?cause=${cause}`,
    Inbox: '/inbox',
    Incidents: '/incidents',
    Plan: '/plan',
    Reconciliation: '/reconciliation',
    Tenants: '/tenants',
    'One tenant': `/tenants/${first.tenantName}`,
    Schedules: '/schedules',
    Queues: '/queues',
    Audit: '/audit',
    'Audit of one person': `/audit?actor=${LOGIN}`,
    'People and tokens': '/users',
    'My account': '/account',
    Replays: '/replays',
  };
}

async function measure(paths, cookie) {
  console.log('| Page | ms | slowest | first |\n|---|---|---|---|');
  for (const [name, path] of Object.entries(paths)) {
    const times = [];
    for (let round = 0; round <= Number(rounds); round++) {
      const started = performance.now();
      const answer = await fetch(bridge.http.url + path, { headers: { cookie } });
      await answer.text();
      times.push(performance.now() - started);
      if (answer.status !== 200) throw new Error(`${path}: ${String(answer.status)}`);
    }
    const [first, ...later] = times;
    const sorted = later.sort((a, b) => a - b);
    const shown = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1), first].map((ms) => ms.toFixed(0));
    console.log(`| ${name} | ${shown.join(' | ')} |`);
  }
}
