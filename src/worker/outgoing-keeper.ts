// The other direction, round by round: what origins have that is new goes on record, and what is due is carried. One process at a time
// does it for all tenants; when it dies, another goes on. A tenant whose file has no section `outgoing` is not looked at.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Origin } from '../origins/origin.js';
import { advanceSubmission } from '../outbound/advance-submission.js';
import type {
  AgreedStore,
  OriginStore,
  OriginWatch,
  SubmissionRecord,
  OutboundStage,
  OutboundTenant,
} from '../outbound/stage.js';
import { takeIn } from '../outbound/take-in.js';
import { watchService } from '../outbound/watch-service.js';
import type { OpenTarget } from '../service/invoicing-target.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { ClaimingSubmissions } from '../store/submission-store.js';
import { secretFilesStamp } from '../tenants/secrets.js';
import type { Tenant, TenantOutgoing } from '../tenants/tenant.js';
import type { Connections } from './connections.js';
import { wordsOf } from '../domain/message.js';

/** Makes the ends of a tenant's other direction; wired outside, so that this room knows no client. */
export interface ConnectOutgoing {
  target(tenant: Tenant): OpenTarget;
  origins(tenant: Tenant, outgoing: TenantOutgoing, target: OpenTarget): Promise<readonly Origin[]>;
}

export interface OutgoingKeeperOptions {
  readonly owner: string;
  readonly store: ClaimingSubmissions;
  readonly origins: OriginStore;
  readonly watch: OriginWatch;
  readonly agreed: AgreedStore;
  readonly stage: OutboundStage;
  readonly dispatch: Pick<DispatchStore, 'take' | 'giveBack'>;
  readonly connections: Connections;
  readonly connect: ConnectOutgoing;
  readonly onError: (error: unknown) => void;
  readonly pace?: OutgoingPace;
}

export interface OutgoingPace {
  /** Between two rounds. */
  readonly everyMs: number;
  /** When the process that leads is killed, another leads after this long. Two that lead at once only work faster. */
  readonly leadMs: number;
  /** Records that are carried at the same time. */
  readonly atOnce?: number;
}

const LEASE_NAME = 'outgoing';
const PACE: OutgoingPace = { everyMs: 2_000, leadMs: 8_000 };
const AT_ONCE = 4;
const SHARE = 16;
const TURNS_MAX = 20;

export function startOutgoingKeeper(options: OutgoingKeeperOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { everyMs, leadMs } = options.pace ?? PACE;
  const ends = openEnds(options);
  const silent = new SilentOrigins(options.watch, () => performance.now());
  const service = serviceWatch(options);
  const round = async () => {
    const tenants = outgoingTenants(options.connections);
    await ends.close((name) => !tenants.some((tenant) => tenant.name === name));
    silent.keep(tenants.map(({ name }) => name));
    if (tenants.length === 0 || !(await options.dispatch.take(LEASE_NAME, options.owner, leadMs))) return;
    // One that cannot be connected keeps no other from being looked at.
    for (const tenant of tenants)
      await ends
        .of(tenant)
        .then(async (connected) => {
          service.begin(tenant, connected);
          await look(options, silent, connected);
        })
        .catch(options.onError);
    // A record takes several steps: what is due at once goes on at once.
    for (let turn = 0; turn < TURNS_MAX && !signal.aborted; turn++)
      if ((await work(options, tenants, (name) => ends.known(name), signal)) === 0) break;
  };
  const rounds = async () => {
    while (!signal.aborted) {
      await round().catch(options.onError);
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await service.ended();
    await options.dispatch.giveBack(LEASE_NAME, options.owner).catch(options.onError);
    await ends.close(() => true);
  };
  const running = rounds();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type WithOutgoing = Tenant & { readonly outgoing: TenantOutgoing };

function outgoingTenants(connections: Connections): WithOutgoing[] {
  return connections.names().flatMap((name) => {
    const tenant = connections.tenant(name);
    return tenant?.outgoing && !tenant.paused ? [{ ...tenant, outgoing: tenant.outgoing }] : [];
  });
}

interface Ends {
  readonly spec: string;
  readonly tenant: OutboundTenant;
  close(): Promise<void>;
}

/** Connected once, and anew when the file or a file of its secrets says something else. */
function openEnds({ connections, connect, onError }: OutgoingKeeperOptions) {
  const open = new Map<string, Ends>();
  const drop = async (name: string) => {
    const ends = open.get(name);
    open.delete(name);
    await ends?.close().catch(onError);
  };
  return {
    known: (name: string) => open.get(name)?.tenant ?? null,
    of: async (tenant: WithOutgoing): Promise<OutboundTenant> => {
      const said = [tenant.source, tenant.erp, tenant.outgoing, tenant.limits, tenant.file];
      const spec = JSON.stringify([...said, secretFilesStamp(said, dirname(tenant.file))]);
      const before = open.get(tenant.name);
      if (before?.spec === spec) return before.tenant;
      await drop(tenant.name);
      const { sourceAccount } = await connections.get(tenant.name);
      const made = await connectEnds(tenant, sourceAccount, connect, spec);
      open.set(tenant.name, made);
      return made.tenant;
    },
    close: async (which: (name: string) => boolean) => {
      for (const name of [...open.keys()]) if (which(name)) await drop(name);
    },
  };
}

async function connectEnds(
  tenant: WithOutgoing,
  sourceAccount: string,
  connect: ConnectOutgoing,
  spec: string,
): Promise<Ends> {
  const { name, outgoing, source } = tenant;
  const { mark, customers, items, serviceWins, originWins, settlementDays, costAi } = outgoing;
  const { deactivatedCustomers: deactivated, booked } = outgoing;
  const target = connect.target(tenant);
  const origins = await connect.origins(tenant, outgoing, target).catch(async (error: unknown) => {
    await target.close();
    throw error;
  });
  return {
    spec,
    tenant: {
      ...{ name, environment: source.environment, sourceAccount, target },
      wish: { mark, customers, items, serviceWins, originWins, deactivated, settlementDays, costAi, booked },
      origins: new Map(origins.map((origin) => [origin.name, origin])),
      series: Object.fromEntries(outgoing.origins.map((origin) => [origin.name, origin.series])),
    },
    close: async () => {
      await Promise.all([target.close(), ...origins.map((origin) => origin.close())]);
    },
  };
}

/** One origin that cannot be read keeps no other from being read. */
async function look(
  { origins, stage, onError }: OutgoingKeeperOptions,
  silent: SilentOrigins,
  tenant: OutboundTenant,
): Promise<void> {
  for (const origin of tenant.origins.values())
    await silent
      .heed(tenant.name, origin.name, () => takeIn(origins, stage.failPoints, tenant, origin))
      .catch(onError);
}

/** Changes at the service are looked for now and then, beside everything else: a long list keeps nobody waiting. */
function serviceWatch({ agreed, stage, onError }: OutgoingKeeperOptions) {
  const nextAt = new Map<string, number>();
  const running = new Set<Promise<unknown>>();
  return {
    begin: ({ name, outgoing }: WithOutgoing, connected: OutboundTenant): void => {
      if (performance.now() < (nextAt.get(name) ?? 0)) return;
      nextAt.set(name, Number.POSITIVE_INFINITY);
      const looking = watchService(agreed, connected, stage.timing)
        .catch(onError)
        .finally(() => {
          nextAt.set(name, performance.now() + outgoing.customersEveryMinutes * 60_000);
          running.delete(looking);
        });
      running.add(looking);
    },
    ended: () => Promise.all(running),
  };
}

async function work(
  options: OutgoingKeeperOptions,
  tenants: readonly WithOutgoing[],
  known: (name: string) => OutboundTenant | null,
  signal: AbortSignal,
): Promise<number> {
  const { stage, store, owner, onError, pace: { atOnce = AT_ONCE } = PACE } = options;
  const shares = tenants.map(({ name, outgoing }) => ({
    tenant: name,
    atOnce: SHARE,
    perDay: outgoing.perDay,
  }));
  const askedAtMs = stage.runtime.clock.now().getTime();
  const waiting: SubmissionRecord[] = await store.claim(shares, owner, stage.timing.leaseMs);
  const count = waiting.length;
  const carry = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      const tenant = known(next.tenantName);
      if (tenant) await advanceSubmission(stage, tenant, next, askedAtMs).catch(onError);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, carry));
  return count;
}

// Origins that cannot be looked at. One failure is nothing: a share is away for a moment, an ERP restarts. One that lasts is told to a
// person, and taken back when the origin answers. Forgotten with the process: the next one counts anew, and finds what is open.

export const SILENT_MS = 5 * 60_000;

export class SilentOrigins {
  readonly #watch: OriginWatch;
  readonly #nowMs: () => number;
  /** Since when each has failed; null: it has answered. */
  readonly #since = new Map<string, number | null>();

  constructor(watch: OriginWatch, nowMs: () => number) {
    this.#watch = watch;
    this.#nowMs = nowMs;
  }

  /** One look. Its failure is thrown on; one that asked nobody says nothing of whether somebody answers. */
  async heed(
    tenantName: string,
    origin: string,
    look: () => Promise<{ readonly hasAnswered: boolean }>,
  ): Promise<void> {
    const { hasAnswered } = await look().catch(async (error: unknown) => {
      await this.failed(tenantName, origin, error);
      throw error;
    });
    if (hasAnswered) await this.answered(tenantName, origin);
  }

  async failed(tenantName: string, origin: string, error: unknown): Promise<void> {
    const name = JSON.stringify([tenantName, origin]);
    const since = this.#since.get(name) ?? this.#nowMs();
    this.#since.set(name, since);
    if (this.#nowMs() - since < SILENT_MS) return;
    const words = error instanceof Error ? wordsOf(error) : { message: String(error) };
    await this.#watch.silent(tenantName, origin, words);
  }

  async answered(tenantName: string, origin: string): Promise<void> {
    const name = JSON.stringify([tenantName, origin]);
    if (this.#since.get(name) === null) return;
    await this.#watch.answers(tenantName, origin);
    this.#since.set(name, null);
  }

  /** Of tenants that are gone. */
  keep(tenants: readonly string[]): void {
    for (const name of this.#since.keys())
      if (!tenants.includes((JSON.parse(name) as [string])[0])) this.#since.delete(name);
  }
}
