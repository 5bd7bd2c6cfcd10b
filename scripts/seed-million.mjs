// Fills a database with a million documents in all states, to measure search and overview: nothing else should ever run on
// it. Usage: node --import tsx scripts/seed-million.mjs postgresql://…/an_empty_database [documents] [tenants]
// Migrates the database, seeds it by SQL alone, and prints how long every kind of question takes.
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { Secret } from '../src/domain/secret.ts';
import { createOperations } from '../src/operations/operations.ts';
import { createOperationRecords } from '../src/store/operations/act-records.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';
import { seedDocuments } from './seed/seed-documents.mjs';

const [url, documents = '1000000', tenants = '20'] = process.argv.slice(2);
if (!url) {
  console.error('Name an empty database: node --import tsx scripts/seed-million.mjs postgresql://…');
  process.exit(2);
}
await migrate(new Secret(url));
const client = new pg.Client({ connectionString: url });
await client.connect();
const { rows } = await client.query('SELECT count(*)::int AS count FROM posting');
if (rows[0].count === 0) {
  const started = Date.now();
  await seedDocuments(client, Number(documents), Number(tenants));
  console.log(`seeded ${documents} documents in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}
await client.end();

const database = await openDatabase({ databaseUrl: url, dataDirectory: '.', role: 'command', poolSize: 6 });
// The very functions that the command line, the API and the dashboard call; no tenant is connected, nothing is asked elsewhere.
const operations = createOperations({
  records: createOperationRecords(database),
  connections: { names: () => [], tenant: () => null, get: () => Promise.reject(new Error('not here')) },
  clock: { now: () => new Date() },
  owner: 'seed',
  poke: () => undefined,
});
const search = (query) => () => operations.documents(query);
const questions = {
  overview: () => operations.overview(),
  'newest documents': search({}),
  'by tenant': search({ tenant: 'tenant-7' }),
  'by state': search({ states: ['parked'] }),
  'by tenant and state': search({ tenant: 'tenant-7', states: ['held'] }),
  'by reason': search({ reason: 'UNMAPPED_COST_CODE' }),
  'by issue date': search({ issuedFrom: '2025-03-01', issuedTo: '2025-03-31' }),
  'by beginning of a guid': search({ text: '0007a1' }),
  'by beginning of a number': search({ text: 'R-00777' }),
  'by number in the ledger': search({ text: 'K-0000777' }),
  'by kennitala': search({ text: '450170-0777' }),
  'by amount': search({ text: '77.700 kr.' }),
  'by words of a name': search({ text: 'Hraun 777' }),
  'one document explained': async () => {
    const { items } = await operations.documents({ limit: 1 });
    await operations.explain(items[0].guid);
  },
  'problems by cause': () => operations.problems(),
  'mapping inbox': () => operations.inbox(),
  throughput: () => operations.throughput(null),
};
for (const [name, ask] of Object.entries(questions)) {
  const times = [];
  for (let round = 0; round < 7; round++) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  const sorted = times.slice(1).sort((a, b) => a - b);
  console.log(`${name.padEnd(26)} ${sorted[3].toFixed(1).padStart(8)} ms (first ${times[0].toFixed(0)} ms)`);
}
await database.close();
