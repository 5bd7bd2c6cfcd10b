// A process of its own that works on a database: `migrate <directory>` or `audit <chain> <count>`. Its DATABASE_URL comes
// by standard input, so that it is in no list of processes. Says one line of JSON and ends.
import { text } from 'node:stream/consumers';
import { isCoded } from '../../src/domain/errors/coded-error.js';
import { Secret } from '../../src/domain/secret.js';
import { appendAudit } from '../../src/store/audit.js';
import { openDatabase } from '../../src/store/database.js';
import { migrate } from '../../src/store/migrate.js';

const [task, where = '', count = '0'] = process.argv.slice(2);
const url = new Secret(await text(process.stdin));
try {
  const done =
    task === 'migrate' ? await migrate(url, { directory: where }) : await writeAudit(where, Number(count));
  process.stdout.write(`${JSON.stringify({ done })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ code: isCoded(error) ? error.code : String(error) })}\n`);
}

async function writeAudit(chain: string, entries: number): Promise<number> {
  const database = await openDatabase({ databaseUrl: url, dataDirectory: '', role: 'command', poolSize: 4 });
  const numbers = Array.from({ length: entries }, (_, index) => index);
  const lanes = [0, 1, 2, 3].map(async (lane) => {
    for (const number of numbers.filter((candidate) => candidate % 4 === lane)) {
      await database.db.tx((tx) =>
        appendAudit(tx, {
          tenantName: chain,
          actor: `process ${String(process.pid)}`,
          action: 'test.wrote',
          subject: String(number),
          details: { number, text: 'þetta er ærið' },
        }),
      );
    }
  });
  await Promise.all(lanes);
  await database.close();
  return entries;
}
