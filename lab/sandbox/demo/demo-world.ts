// The demo's other half: three companies at a sandbox, and an ERP ledger for one of them. Both live in memory; what they held
// is kept beside the demo's database between runs, so that a second run meets the same world and posts nothing twice.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PASSABLE_DIRECTORY } from '../../../src/domain/private-files.js';
import type { LedgerEntry } from '../erp-ledger/books.js';
import { type ErpLedger, startErpLedger } from '../erp-ledger/server.js';
import { type Sandbox, startSandbox } from '../start-sandbox.js';
import { generateAccount } from '../world/generate-account.js';

export const COMPANIES = [
  {
    tenant: 'fjordur',
    title: 'Fjörður ehf.',
    username: 'fjordur',
    books: 'hledger files',
    difficulty: 'tidy',
  },
  {
    tenant: 'hraun',
    title: 'Hraun slf.',
    username: 'hraun',
    books: 'ERP ledger over HTTP',
    difficulty: 'troubled',
  },
  {
    tenant: 'thorunn',
    title: 'Þórunn og synir hf.',
    username: 'thorunn',
    books: 'beancount files',
    difficulty: 'everyday',
  },
] as const;

export const LEDGER_SECRET = 'demo-ledger-secret-demo-ledger-secret';
const DAY_MS = 24 * 60 * 60 * 1000;
const DOCUMENTS_MAX = 100_000;
const SEED = 'ledgerbridge-demo';

export interface DemoWorld {
  readonly sandbox: Sandbox;
  readonly ledger: ErpLedger;
  /** Documents of all companies whose accounting status is Posted. */
  postedAtSource(): number;
  /** Writes down what the two hold. */
  save(): Promise<void>;
  close(): Promise<void>;
}

interface Saved {
  readonly opened: string;
  readonly statuses: Record<string, Record<string, readonly [string, string]>>;
  readonly entries: readonly LedgerEntry[];
}

export async function startDemoWorld(directory: string, documents: number): Promise<DemoWorld> {
  await mkdir(directory, { recursive: true, mode: PASSABLE_DIRECTORY });
  const file = join(directory, `world-${documents}.json`);
  const saved = await readSaved(file);
  const opened = saved?.opened ?? new Date().toISOString().slice(0, 10);
  const sandbox = await startSandbox({
    environment: 'development',
    seed: SEED,
    accounts: accounts(opened, documents),
  });
  const ledger = await startErpLedger({
    company: 'Hraun slf.',
    ledger: 'hraun-books',
    secret: LEDGER_SECRET,
  });
  if (saved) {
    restoreStatuses(sandbox, saved.statuses);
    ledger.control.restore(saved.entries);
  }
  addFaults(sandbox, ledger);
  return {
    sandbox,
    ledger,
    postedAtSource: () => postedAtSource(sandbox),
    save: () => save(file, opened, sandbox, ledger),
    close: async () => {
      await sandbox.close();
      await ledger.close();
    },
  };
}

function accounts(opened: string, documents: number) {
  const invoices = Math.ceil(documents * 0.6);
  return COMPANIES.map(({ title, username, difficulty }) => ({
    username,
    name: title,
    data: generateAccount({
      seed: `${SEED}:${username}`,
      companyName: title,
      invoices,
      costs: documents - invoices,
      from: `${Number(opened.slice(0, 4)) - (opened.slice(5, 7) < '03' ? 1 : 0)}-${opened.slice(5, 7) < '03' ? '10' : '01'}-01`,
      // Up to yesterday: a document of this afternoon would not be there yet.
      to: new Date(Date.parse(opened) - DAY_MS).toISOString().slice(0, 10),
      now: `${opened} 00:00:00`,
      difficulty,
    }),
  }));
}

/** What networks and servers do on an ordinary bad day. */
function addFaults(sandbox: Sandbox, ledger: ErpLedger): void {
  sandbox.control.addFault({ kind: 'latency', probability: 0.2, delayMs: 40 });
  sandbox.control.addFault({ kind: 'server-error', probability: 0.01 });
  sandbox.control.addFault({ kind: 'reset-after', probability: 0.01, endpoint: 'update-*' });
  ledger.control.set({
    seed: 7,
    faults: { 'reset-after-effect': 0.03, 'error-before-effect': 0.02, 'late-reply': 0.05 },
    delayMs: 150,
  });
}

async function readSaved(file: string): Promise<Saved | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Saved;
  } catch {
    return null;
  }
}

async function save(file: string, opened: string, sandbox: Sandbox, ledger: ErpLedger): Promise<void> {
  const statuses: Saved['statuses'] = {};
  for (const { username } of COMPANIES) {
    const ours: Record<string, readonly [string, string]> = {};
    for (const kind of ['invoice', 'cost'] as const) {
      for (const document of sandbox.control.documents(username, { kind, limit: 1_000_000 })) {
        if (document.accountingStatus !== null && document.accountingStatus !== 'Created') {
          ours[`${kind}:${document.guid}`] = [document.accountingStatus, document.accountingMessage];
        }
      }
    }
    statuses[username] = ours;
  }
  const saved: Saved = { opened, statuses, entries: ledger.control.entries({ limit: 1_000_000 }) };
  await writeFile(`${file}.new`, JSON.stringify(saved));
  await rename(`${file}.new`, file);
}

function restoreStatuses(sandbox: Sandbox, statuses: Saved['statuses']): void {
  for (const [username, ours] of Object.entries(statuses)) {
    for (const [name, [status, message]] of Object.entries(ours)) {
      const [kind, guid] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
      const change = { accounting_status: status, accounting_message: message } as never;
      if (kind === 'invoice') sandbox.control.editInvoice(username, guid, change);
      else sandbox.control.editCost(username, guid, change);
    }
  }
}

function postedAtSource({ control }: Sandbox): number {
  let count = 0;
  for (const { username } of COMPANIES)
    for (const kind of ['invoice', 'cost'] as const)
      count += control.documents(username, { kind, accountingStatus: 'Posted', limit: DOCUMENTS_MAX }).length;
  return count;
}
