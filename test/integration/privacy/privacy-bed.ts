// A whole bridge with people in its documents: Sigga, of whom everything is older than the law asks to keep; Bjarni, who bought lately as
// well; and Dagur, whose old documents wait for a person.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { httpErp, type HttpErp } from '../../support/http-erp.js';
import type { World } from '../../unit/cli/run-cli.js';

export interface Person {
  readonly name: string;
  readonly kennitala: string;
}

export const SIGGA: Person = { name: 'Sigríður Völundardóttir', kennitala: '1201303389' };
export const BJARNI: Person = { name: 'Bjarni Ketilbjarnarson', kennitala: '0508664859' };
export const DAGUR: Person = { name: 'Dagur Hlöðversson', kennitala: '2405711239' };

export interface PrivacyBed {
  readonly bed: Bed;
  readonly erp: HttpErp;
  readonly world: World;
  /** Where the kennitala or the name is written: tables, and files of the data directory. */
  tracesOf(person: Person): Promise<readonly string[]>;
  /** Every row of every table that the documents of a person touch, as text. */
  rowsOf(guids: readonly string[]): Promise<readonly string[]>;
  /** Issues so many old invoices and carries them into the books; their guids. */
  sell(person: Person, days: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function privacyBed(): Promise<PrivacyBed> {
  const erp = await httpErp();
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 2, costs: 2, seed: 'privacy', difficulty: 'tidy' }],
    tenants: [
      {
        ...{ name: 'hraun', account: 'hraun', erp: erp.erp() },
        more: { originals: { perSecond: 100 }, cutOver: '2010-01-01' },
      },
    ],
    env: erp.env,
  });
  const { settings, database } = bed;
  const env = {
    ...{ ...erp.env, USER: 'gudrun', LEDGERBRIDGE_CONFIG: settings.configDirectory },
    ...{ LEDGERBRIDGE_DATA: settings.dataDirectory, DATABASE_URL: database.url.reveal() },
    ...{ SANDBOX_CODE: bed.sandbox.maintCode, KEY_hraun: bed.sandbox.accounts[0]!.apiKey },
  };
  return {
    ...{ bed, erp, world: { cwd: bed.directory, env } },
    tracesOf: async (person) => [
      ...(await tablesNaming(bed, person)),
      ...(await filesNaming(settings.dataDirectory, person)),
    ],
    rowsOf: (guids) => rowsOf(bed, guids),
    sell: async (person, days) => {
      const guids = days.map((issueDate) => {
        const guid = bed.sandbox.control.issueInvoice('hraun', {
          issueDate,
          description: `Til: ${person.name}`,
        });
        const { customer } = bed.sandbox.control.invoice('hraun', guid);
        const buyer = { ...customer, name: person.name, registration_no: person.kennitala };
        bed.sandbox.control.editInvoice('hraun', guid, { customer: buyer });
        return guid;
      });
      await bed.bridge.tenants.requestSweep('hraun');
      await bed.settled();
      await originalsCarried(bed);
      return guids;
    },
    close: async () => {
      await bed.close();
      await erp.ledger.close();
    },
  };
}

async function originalsCarried({ database }: Bed): Promise<void> {
  for (let look = 0; look < 300; look++) {
    const [row] = await database.prisma.$queryRaw<[{ open: number }]>`
      SELECT (SELECT count(due_at) FROM original)::int
        + (SELECT count(*) FROM posting p WHERE NOT EXISTS (SELECT 1 FROM original o WHERE o.posting_id = p.id))::int AS open`;
    if (row.open === 0) return;
    await sleep(100);
  }
  throw new Error('originals are still on their way');
}

const spellings = ({ name, kennitala }: Person) => [
  ...[name, kennitala, `${kennitala.slice(0, 6)}-${kennitala.slice(6)}`],
];

/** As a dump would show it: every column of every table. */
async function tablesNaming({ database }: Bed, person: Person): Promise<string[]> {
  const found: string[] = [];
  for (const table of await tables(database)) {
    const conditions = spellings(person).map(
      (_each, index) => `position($${String(index + 1)} in t::text) > 0`,
    );
    const [row] = await database.prisma.$queryRawUnsafe<{ rows: number }[]>(
      `SELECT count(*)::int AS rows FROM "${table}" t WHERE ${conditions.join(' OR ')}`,
      ...spellings(person),
    );
    if (row && row.rows > 0) found.push(`${table}: ${String(row.rows)}`);
  }
  return found;
}

async function tables({ prisma }: Bed['database']): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
  return rows.map(({ name }) => name);
}

async function filesNaming(directory: string, person: Person): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (spellings(person).some((text) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'latin1'))))
      found.push(path.slice(directory.length + 1));
  }
  return found;
}

async function rowsOf({ database: { prisma } }: Bed, guids: readonly string[]): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ row: string }[]>`
    WITH d AS (SELECT * FROM document WHERE guid = ANY(${[...guids]})),
      p AS (SELECT p.* FROM posting p JOIN d ON d.id = p.document_id)
    SELECT d::text AS row FROM d UNION ALL SELECT p::text FROM p
    UNION ALL SELECT a::text FROM attempt a JOIN p ON p.id = a.posting_id
    UNION ALL SELECT w::text FROM write_back w JOIN p ON p.id = w.posting_id
    UNION ALL SELECT o::text FROM original o JOIN p ON p.id = o.posting_id
    UNION ALL SELECT i::text FROM incident i JOIN p ON p.id = i.posting_id ORDER BY 1`;
  return rows.map(({ row }) => row);
}
