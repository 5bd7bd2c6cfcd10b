// Fills a database with a million documents in all states, to measure search and overview: nothing else should ever run on
// it. Usage: node --import tsx scripts/seed-million.mjs postgresql://…/an_empty_database [documents] [tenants]
// Migrates the database, seeds it by SQL alone, and prints how long every kind of question takes.
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { Secret } from '../src/domain/secret.ts';
import { createReadRecords } from '../src/store/operations/read-records.ts';
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
const records = createReadRecords(database.prisma);
const search =
  (query, meanings = null) =>
  () =>
    records.search({ limit: 50, order: 'found', ...query }, meanings);
const questions = {
  overview: () => records.tenants(),
  'newest documents': search({}),
  'a tenant': search({ tenant: 'tenant-7' }),
  'a state': search({ states: ['parked'] }),
  'a tenant and a state': search({ tenant: 'tenant-7', states: ['held'] }),
  'a reason': search({ reason: 'UNMAPPED_COST_CODE' }),
  'issue dates': search({ order: 'issued', issuedFrom: '2025-03-01', issuedTo: '2025-03-31' }),
  'guid prefix': search({}, { guidPrefix: '0007a1' }),
  'number prefix': search({}, { numberPrefix: 'r-00777' }),
  kennitala: search({}, { kennitala: '4501700777' }),
  amount: search({}, { amount: '77700' }),
  'words of a name': search({}, { words: ['hraun', '777'] }),
  problems: () => records.causes(null),
};
for (const [name, ask] of Object.entries(questions)) {
  const times = [];
  for (let round = 0; round < 7; round++) {
    const started = performance.now();
    await ask();
    times.push(performance.now() - started);
  }
  const sorted = times.slice(1).sort((a, b) => a - b);
  console.log(`${name.padEnd(22)} ${sorted[3].toFixed(1).padStart(8)} ms (first ${times[0].toFixed(0)} ms)`);
}
await database.close();
