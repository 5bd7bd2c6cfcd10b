// Carries originals, beside the posting and never before it: finds entries whose originals are wanted, fetches them, attaches
// them. One process at a time does it for all tenants, at the rate that each tenant's file allows; when it dies, another goes on.
import type { TenantName } from '../domain/ids.js';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  advanceOriginal,
  type OriginalsDeps,
  type OriginalsWish,
  type OriginalRecord,
} from '../sync/originals.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { OriginalsStore } from '../store/originals-store.js';
import type { Connections } from './connections.js';

export interface OriginalsKeeperOptions {
  readonly owner: string;
  readonly store: OriginalsStore;
  readonly stage: OriginalsDeps;
  readonly dispatch: Pick<DispatchStore, 'take' | 'giveBack'>;
  readonly connections: Connections;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

export interface OriginalsKeeper {
  stop(): Promise<void>;
}

const LEASE_NAME = 'originals';
const EVERY_MS = 2_000;
/** When the process that leads is killed, another leads after this long. Two that lead at once only work faster. */
const LEAD_MS = 8_000;
const AT_ONCE = 4;
const WANTED_AT_ONCE = 500;
/**
 * How far back a round looks for entries that it may have missed because they were committed later than they say. Every look reads all
 * entries of that time again, so most look back a little, some further, and few very far.
 */
const LOOKS = [
  { everyMs: 60 * 60 * 1_000, overlapMs: 24 * 60 * 60 * 1_000 },
  { everyMs: 30_000, overlapMs: 90_000 },
  { everyMs: 0, overlapMs: 5_000 },
] as const;

/** The furthest look that is due, which stands for the nearer ones too. */
function looks(): (nowMs: number) => number {
  const dueAt: number[] = LOOKS.map(() => 0);
  return (nowMs) => {
    const index = LOOKS.findIndex((_, at) => nowMs >= (dueAt[at] ?? 0));
    for (const [at, { everyMs }] of LOOKS.entries()) if (at >= index) dueAt[at] = nowMs + everyMs;
    return LOOKS[index]?.overlapMs ?? 0;
  };
}

export function startOriginalsKeeper(options: OriginalsKeeperOptions): OriginalsKeeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const everyMs = options.everyMs ?? EVERY_MS;
  const overlapAt = looks();
  const allowance = new Allowance(everyMs);
  const round = async () => {
    if (!(await options.dispatch.take(LEASE_NAME, options.owner, LEAD_MS))) return;
    await makeRound(options, { overlapMs: overlapAt(performance.now()), allowance, signal });
  };
  const rounds = async () => {
    while (!signal.aborted) {
      await round().catch(options.onError);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await options.dispatch.giveBack(LEASE_NAME, options.owner).catch(options.onError);
  };
  const running = rounds();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

interface RoundOptions {
  readonly overlapMs: number;
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
}

async function makeRound(options: OriginalsKeeperOptions, { overlapMs, allowance, signal }: RoundOptions) {
  const shares = allowance.now(options.connections, performance.now());
  const tenants = Object.keys(shares);
  if (tenants.length === 0) return;
  await options.store.want(tenants, { overlapMs, perTenant: WANTED_AT_ONCE });
  const { leaseMs } = options.stage.timing;
  const claimed = await options.store.claim(shares, options.owner, 2 * leaseMs);
  for (const { tenantName } of claimed) allowance.spend(tenantName);
  const waiting = [...claimed];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
      await carry(options, next).catch(options.onError);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** How many originals of each tenant may be worked on now; a rate below one a round is saved up until it makes one. */
class Allowance {
  readonly #everyMs: number;
  readonly #saved = new Map<TenantName, { count: number; atMs: number }>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  now(connections: Connections, nowMs: number): Record<TenantName, number> {
    const shares: Record<TenantName, number> = {};
    for (const name of connections.names()) {
      const tenant = connections.tenant(name);
      if (!tenant || tenant.paused || !tenant.originals.keep) continue;
      shares[name] = Math.floor(this.#saveUp(name, tenant.originals.perSecond, nowMs));
    }
    for (const name of [...this.#saved.keys()]) if (!(name in shares)) this.#saved.delete(name);
    return shares;
  }

  spend(name: TenantName): void {
    const saved = this.#saved.get(name);
    if (saved) saved.count -= 1;
  }

  #saveUp(name: TenantName, perSecond: number, nowMs: number): number {
    const ofRound = (perSecond * this.#everyMs) / 1_000;
    const before = this.#saved.get(name) ?? { count: Math.max(1, ofRound), atMs: nowMs };
    const count = Math.min(before.count + (perSecond * (nowMs - before.atMs)) / 1_000, ofRound + 1);
    this.#saved.set(name, { count, atMs: nowMs });
    return count;
  }
}

async function carry({ connections, stage }: OriginalsKeeperOptions, claimed: OriginalRecord): Promise<void> {
  const tenant = connections.tenant(claimed.tenantName);
  if (!tenant) return;
  const wish: OriginalsWish = {
    attach: tenant.originals.attach,
    bytesMax: tenant.originals.maxMegabytes * 1024 * 1024,
  };
  const context = await connections.get(claimed.tenantName);
  await advanceOriginal(stage, context, wish, claimed);
}
