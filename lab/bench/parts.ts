// The other processes of a benchmark, each started by it with `--part`: the service, the ERP and the bare loop. What a part
// has to say goes to its parent as one message.
import { startErpLedger } from '../sandbox/erp-ledger/server.js';
import { startSandbox } from '../sandbox/start-sandbox.js';
import type { AccountData, Cost, Invoice } from '../sandbox/model.js';
import { generateAccount } from '../sandbox/world/generate-account.js';
import { type BareLoopOptions, runBareLoop } from './bare-loop.js';
import type { PeerOptions } from './peer.js';
import { runPeer } from './peers.js';

export interface AccountSpec {
  readonly username: string;
  readonly documents: number;
  /** Documents a second that appear once it is told to begin; left out: all are there from the beginning. */
  readonly pace?: number;
}

interface ServiceSpec {
  readonly part: 'service';
  readonly accounts: readonly AccountSpec[];
  /** How long every answer takes. */
  readonly latencyMs: number;
}

export type PartSpec =
  | ServiceSpec
  | {
      readonly part: 'erp';
      readonly company: string;
      readonly ledger: string;
      readonly secret: string;
      readonly latencyMs: number;
    }
  | ({ readonly part: 'bare' } & BareLoopOptions)
  | ({ readonly part: 'peer' } & PeerOptions);

export interface ServiceStarted {
  readonly url: string;
  readonly maintCode: string;
  readonly accounts: readonly {
    readonly username: string;
    readonly apiKey: string;
    readonly registrationNo: string;
  }[];
}

const INVOICES_SHARE = 0.6;
const YEAR = { from: '2026-01-01', to: '2026-10-31', now: '2026-11-01 00:00:00' };

export async function runPart(spec: PartSpec, signal: AbortSignal): Promise<unknown> {
  switch (spec.part) {
    case 'service':
      return startService(spec, signal);
    case 'erp': {
      const ledger = await startErpLedger({
        company: spec.company,
        ledger: spec.ledger,
        secret: spec.secret,
        behaviour: { latencyMs: spec.latencyMs },
      });
      signal.addEventListener('abort', () => void ledger.close());
      return { url: ledger.url };
    }
    case 'bare':
      return runBareLoop(spec);
    case 'peer':
      return runPeer(spec);
  }
}

async function startService(service: ServiceSpec, signal: AbortSignal): Promise<ServiceStarted> {
  const all = service.accounts.map((spec) => ({ ...spec, data: generated(spec) }));
  const sandbox = await startSandbox({
    environment: 'development',
    seed: 'bench',
    journalSize: 100,
    accounts: all.map(({ username, pace, data }) => ({
      ...{ username, name: `Bekkur ${username} ehf.` },
      data: pace === undefined ? data : { ...data, invoices: [], costs: [] },
    })),
  });
  signal.addEventListener('abort', () => void sandbox.close());
  if (service.latencyMs > 0) sandbox.control.addFault({ kind: 'latency', delayMs: service.latencyMs });
  process.once('message', () => {
    for (const { username, pace, data } of all)
      if (pace !== undefined)
        appear(data, pace, (documents) => sandbox.control.addDocuments(username, documents));
  });
  const { url, maintCode, accounts } = sandbox;
  return { url, maintCode, accounts };
}

function generated({ username, documents }: AccountSpec): AccountData {
  const invoices = Math.ceil(documents * INVOICES_SHARE);
  return generateAccount({
    seed: `bench:${username}`,
    companyName: `Bekkur ${username} ehf.`,
    invoices,
    costs: documents - invoices,
    difficulty: 'tidy',
    ...YEAR,
  });
}

const STEP_MS = 100;

/** Steadily: as many as the time that has passed says, of both kinds in proportion. */
function appear(
  { invoices, costs }: AccountData,
  pace: number,
  add: (documents: { invoices: Invoice[]; costs: Cost[] }) => void,
): void {
  const total = invoices.length + costs.length;
  const began = performance.now();
  let shown = 0;
  const step = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - began) * pace) / 1_000));
    const part = <Item>(all: readonly Item[]): Item[] =>
      all.slice(Math.floor((shown * all.length) / total), Math.floor((due * all.length) / total));
    add({ invoices: part(invoices), costs: part(costs) });
    shown = due;
    if (shown === total) clearInterval(step);
  }, STEP_MS);
  step.unref();
}

// What a document costs once a process is warm: start, compiling and the listing of what waited are in the first half.

export interface OwnCost {
  readonly bridge: number;
  readonly postgres: number;
}

export interface SecondHalf {
  /** As often as somebody knows how many are done. */
  readonly look: (done: number) => void;
  /** Milliseconds a document; null where the half was never seen. */
  readonly perDocument: (done: number) => OwnCost | null;
}

/** `costs`: processor time so far, in milliseconds. */
export function secondHalf(total: number, costs: () => OwnCost): SecondHalf {
  let half: { readonly done: number; readonly cost: OwnCost } | null = null;
  return {
    look: (done) => {
      if (done >= total / 2) half ??= { done, cost: costs() };
    },
    perDocument: (done) => {
      if (half === null || half.done >= done) return null;
      const [rest, now] = [done - half.done, costs()];
      return {
        bridge: (now.bridge - half.cost.bridge) / rest,
        postgres: (now.postgres - half.cost.postgres) / rest,
      };
    },
  };
}
