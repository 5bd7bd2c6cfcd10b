// The other direction on a real PostgreSQL, a watched folder and a sandbox, one process at a time: each may be killed at any step, which
// here means that whatever it waits for never comes. Everything is shorter than in production, in the same proportions.
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../../src/domain/secret.js';
import { submissionKey, type SubmissionKind } from '../../src/domain/submission.js';
import { connectTarget } from '../../src/service/connect-source.js';
import type { Grants } from '../../src/service/source-services.js';
import type { SourceAuth } from '../../src/service/source-settings.js';
import { FolderOrigin } from '../../src/origins/folder/folder-origin.js';
import type { FolderReader } from '../../src/origins/folder/named-files.js';
import { recordFiles } from '../../src/origins/folder/record-files.js';
import type { Origin } from '../../src/origins/origin.js';
import { receiptFiles } from '../../src/origins/receipt-files.js';
import type { FailPoint } from '../../src/sync/fail-points.js';
import { advanceSubmission } from '../../src/outbound/advance-submission.js';
import type {
  OutboundStage,
  OutboundTenant,
  OutboundTiming,
  OutboundWish,
} from '../../src/outbound/stage.js';
import { takeIn } from '../../src/outbound/take-in.js';
import type { AccountOptions, Choices } from '../../lab/sandbox/options.js';
import { startSandbox } from '../../lab/sandbox/start-sandbox.js';
import { createOriginStore } from '../../src/store/origin-store.js';
import { createSubmissionStore } from '../../src/store/submission-store.js';
import { SYSTEM_RUNTIME } from '../../src/worker/schedules.js';
import { type TestDatabase, testDatabase } from './database.js';
import { testServices } from './invoicing/connections.js';

export const TIMING = { leaseMs: 400, sendByMs: 150, callMs: 250, lagMs: 0 };

export interface OutgoingBedOptions {
  readonly surface?: 'credential' | 'agent';
  readonly database: TestDatabase;
  readonly wish?: Partial<OutboundWish>;
  readonly timing?: OutboundTiming;
  /** UBL orders become invoices, with the files in them that these patterns name. */
  readonly embedded?: readonly string[];
  /** How the service reads what the documents leave open. */
  readonly choices?: Partial<Choices>;
  /** AI reads receipts at the account, and shows nothing of them for so long. */
  readonly aiSeconds?: number;
  /** What the account has of its own. */
  readonly account?: AccountOptions;
}

const QUIET = {
  succeeded: () => Promise.resolve(),
  failed: () => Promise.resolve(),
  refused: () => Promise.resolve(),
};
let beds = 0;

/** The same against the sandbox, which is the usual one. */
export async function outgoingBed({
  surface = 'credential',
  aiSeconds,
  choices,
  account: own,
  ...options
}: OutgoingBedOptions) {
  const sandbox = await startSandbox({
    environment: 'production',
    accounts: [{ username: 'hraun', invoices: 3, costs: 0, costAi: aiSeconds !== undefined, ...own }],
    choices: { ...choices, ...(aiSeconds === undefined ? {} : { aiSeconds }) },
  });
  const [account] = sandbox.accounts;
  if (!account) throw new Error('the sandbox has no account');
  const auth = {
    type: 'credentials',
    username: 'hraun',
    apiKey: new Secret(account.apiKey),
    surface,
  } as const;
  const bed = await outgoingBedAt({ baseUrl: sandbox.url, auth, close: () => sandbox.close() }, options);
  return { ...bed, sandbox };
}

/** A service that speaks the API, whoever wrote it. */
export interface ServicePlace {
  readonly baseUrl: string;
  readonly auth: SourceAuth;
  /** Where `auth` is a grant. */
  readonly grants?: Grants;
  close(): Promise<void>;
}

export async function outgoingBedAt(
  place: ServicePlace,
  {
    database,
    wish,
    timing = TIMING,
    embedded,
  }: Omit<OutgoingBedOptions, 'surface' | 'aiSeconds' | 'choices' | 'account'>,
) {
  const name = `ut-${String(process.pid)}-${String(++beds)}`;
  const { prisma, db } = database;
  const at = new Date();
  await prisma.tenant.create({ data: { name, environment: 'production', createdAt: at } });
  await prisma.outgoingTenant.create({ data: { tenantName: name, confirmedAt: at, confirmedBy: 'test' } });
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-outgoing-'));
  const { baseUrl, auth, grants } = place;
  const limits = { deadlineMs: timing.callMs, concurrency: 8 };
  const services = testServices({ lines: [] }, limits, grants);
  const open = () => connectTarget({ environment: 'production', baseUrl, auth }, services);
  let target = open();
  const folder = (at: string, reader: FolderReader) =>
    new FolderOrigin(at, { directory: join(directory, at), stableMs: 0 }, reader, SYSTEM_RUNTIME.clock);
  const origins: Origin[] = [
    folder('orders', recordFiles(embedded ? 'invoice' : 'order', undefined, embedded)),
    folder('receipts', receiptFiles('optional')),
  ];
  for (const at of ['orders', 'receipts']) await mkdir(join(directory, at));
  // Beds share a database, and sandboxes their accounts.
  const sourceAccount = name;
  const tenant = (): OutboundTenant => ({
    ...{ name, environment: 'production', sourceAccount, target },
    wish: { mark: 'booking', customers: 'update', settlementDays: 7, costAi: true, ...wish },
    origins: new Map(origins.map((origin) => [origin.name, origin])),
    series: {},
  });
  const store = createSubmissionStore(db);
  const originStore = createOriginStore(db);
  const keyOf = (kind: SubmissionKind, reference: string) =>
    submissionKey({ environment: 'production', sourceAccount, kind, series: '', reference });

  /** One round of a process; `false`: it died at that step. */
  const round = async (dieAt?: FailPoint): Promise<boolean> => {
    const dying = new AbortController();
    const death = once(dying.signal, 'abort').then(() => 'died' as const);
    const failPoints = {
      reach: (point: FailPoint) => {
        if (point !== dieAt) return Promise.resolve();
        dying.abort();
        return new Promise<never>(() => undefined);
      },
    };
    const stage: OutboundStage = {
      runtime: SYSTEM_RUNTIME,
      store,
      breakers: QUIET,
      failPoints,
      timing,
    };
    const work = async () => {
      for (const origin of origins) await takeIn(originStore, failPoints, tenant(), origin);
      const askedAtMs = Date.now();
      for (const claimed of await store.claim(
        [{ tenant: name, atOnce: 50, perDay: 1_000 }],
        'test',
        timing.leaseMs,
      ))
        await advanceSubmission(stage, tenant(), claimed, askedAtMs);
      return 'lived' as const;
    };
    return (await Promise.race([work(), death])) === 'lived';
  };

  /** What is not done, for whoever reads why a test waited in vain. */
  const openRows = async (): Promise<string> => {
    const rows = await prisma.submission.findMany({
      where: { tenantName: name, NOT: { state: 'acknowledged' } },
      select: { reference: true, state: true, reason: true, tries: true, dueAt: true },
    });
    return `at ${new Date().toISOString()} ${rows.map((row) => JSON.stringify(Object.values(row))).join(' ')}`;
  };

  /** Until nothing is due any more: a call that a busy machine answers too late is made again after up to 45 seconds. */
  const settle = async (timeoutMs = 60_000): Promise<void> => {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      await round();
      const soon = new Date(Date.now() + 5_000);
      const due = [{ state: { not: 'held' }, dueAt: { not: null } }, { dueAt: { lt: soon } }];
      // A receipt that nobody has read is looked at for weeks, and is done all the same.
      const open = await prisma.submission.count({
        where: { tenantName: name, NOT: { state: 'acknowledged' }, OR: due },
      });
      if (open === 0) return;
      if (Date.now() > deadline) throw new Error(`not settled: ${await openRows()}`);
      await sleep(40);
    }
  };

  return {
    ...{ name, prisma, db: database.db, directory, round, settle, openRows, keyOf, store, tenant },
    /** A breaker inside a client remembers what happened; a new process does not. */
    reconnect: async () => {
      await target.close();
      target = open();
    },
    put: (file: string, lines: readonly object[]) =>
      writeFile(join(directory, 'orders', file), lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    /** A file that records may name. */
    beside: (file: string, bytes: Uint8Array | string) => writeFile(join(directory, 'orders', file), bytes),
    /** Another origin, in place of one of its name. */
    bill: (origin: Origin) => {
      const at = origins.findIndex((one) => one.name === origin.name);
      if (at >= 0) origins.splice(at, 1);
      origins.push(origin);
    },
    drop: (file: string, bytes: Uint8Array | string) => writeFile(join(directory, 'receipts', file), bytes),
    row: (reference: string) =>
      prisma.submission.findFirstOrThrow({ where: { tenantName: name, reference } }),
    /** How often it stands at the service. */
    atService: async (reference: string, issueDate = TODAY) => {
      const found = await target.findInvoices(
        keyOf('invoice', reference),
        wish?.mark ?? 'booking',
        issueDate,
        { maxAgeMs: 0 },
      );
      if (found.outcome === 'incomplete') throw new Error(found.message);
      return found.found;
    },
    customers: async (kennitala: string) => {
      const found = await target.findCustomers(kennitala);
      return found.outcome === 'complete' ? found.found : [];
    },
    results: async (file: string, at = 'orders') =>
      (await readFile(join(directory, at, 'results', `${file}.jsonl`), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    close: async () => {
      await target.close();
      await place.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export const TODAY = new Date().toISOString().slice(0, 10);
export const KENNITALA = '5402696029';

export function invoice(
  reference: string,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    kind: 'invoice',
    reference,
    issue_date: TODAY,
    customer: { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'prufa@example.is' },
    lines: [
      { item_number: `V-${reference}`, description: 'Vara', qty: 3, unit_price: 1990, tax: 'S' },
      {
        item_number: `M-${reference}`,
        description: 'Matur',
        qty: 1,
        unit_price: 500.55,
        tax: 'AA',
        discount: 10,
        discount_type: true,
      },
    ],
    ...more,
  };
}

export { testDatabase };
