// The connected tenants of this process: one source, one ERP adapter and the rules each, made from the tenant's file and
// kept until it or a file of its secrets changes. What cannot connect now is tried again when there is work; its documents wait.
import { dirname } from 'node:path';
import type { TenantName } from '../domain/ids.js';
import type { RateSource } from '../domain/rate-source.js';
import type { ErpAdapter, ErpEntry } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../service/invoicing-source.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { AwaitedOriginals, OurInvoices, TenantContext } from '../sync/tenant-context.js';
import type { TenantRegistration, TenantStore } from '../store/tenant-store.js';
import { secretFilesStamp } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { connect, type ErpHook } from '../erp/connect.js';
import { type AroundSource, SourceAround } from '../service/source-around.js';

/** Makes the two ends of a tenant's bridge; wired in main.ts so that this room knows no client. */
export interface ConnectTenant {
  source(tenant: Tenant): InvoicingSource;
  erp(tenant: Tenant): Promise<ErpAdapter>;
  /** Null: the tenant's own table is all there is. */
  rates?(tenant: Tenant): RateSource | null;
  /** Whoever knows where originals are; asked only for tenants that wait for them. */
  readonly awaited?: AwaitedOriginals;
  /** Asked only for tenants whose origins book what they hand over. */
  ours?(tenant: Tenant): OurInvoices;
}

export interface Connections {
  /**
   * Replaces what changed, connects what is new, drops what is gone. Whoever cannot be connected stays as he was, and the
   * others do not suffer for it.
   */
  update(tenants: readonly Tenant[]): Promise<readonly NotConnected[]>;
  get(tenantName: TenantName): Promise<TenantContext>;
  tenant(tenantName: TenantName): Tenant | null;
  names(): readonly string[];
  /** The process ends: a call that is cut off now says nothing about the other side. */
  isClosed(): boolean;
  close(): Promise<void>;
}

/** Read to map, read before the write-back, written, read back: the source's rate bounds the documents of all processes. */
const SOURCE_REQUESTS_PER_DOCUMENT = 4;

export interface NotConnected {
  readonly tenant: Tenant;
  readonly error: unknown;
}

interface Connected {
  readonly tenant: Tenant;
  /** What its files of secrets were when it was connected. */
  readonly secrets: string;
  readonly pair: Pair;
  context: Promise<TenantContext> | null;
}

export function createConnections(connect: ConnectTenant, store: TenantStore): Connections {
  const connected = new Map<string, Connected>();
  const retired = createRetiredConnections();
  let isClosed = false;

  /** Work that began with it ends with it. */
  function drop(name: string): void {
    const old = connected.get(name);
    connected.delete(name);
    if (old) retired.add(old.pair);
  }

  /** The old connection serves until the new one is complete; what was opened of one that cannot be completed is closed. */
  async function replace(tenant: Tenant, secrets: string): Promise<void> {
    const erp = await connect.erp(tenant);
    const opened: { close(): Promise<void> }[] = [erp];
    try {
      const source = connect.source(tenant);
      opened.push(source);
      await store.register(registrationOf(tenant, erp));
      drop(tenant.name);
      connected.set(tenant.name, { tenant, secrets, pair: pairOf(source, erp), context: null });
    } catch (error) {
      await Promise.allSettled(opened.map((end) => end.close()));
      throw error;
    }
  }

  function isCurrent(tenant: Tenant, secrets: string): boolean {
    const old = connected.get(tenant.name);
    if (old?.secrets !== secrets) return false;
    return old.tenant === tenant || JSON.stringify(old.tenant) === JSON.stringify(tenant);
  }

  return {
    update: async (tenants) => {
      const wanted = new Set(tenants.map(({ name }) => name));
      for (const name of [...connected.keys()]) if (!wanted.has(name)) drop(name);
      const failures: NotConnected[] = [];
      for (const tenant of tenants) {
        const secrets = secretFilesStamp([tenant.source, tenant.erp], dirname(tenant.file));
        if (isCurrent(tenant, secrets)) continue;
        try {
          await replace(tenant, secrets);
        } catch (error) {
          failures.push({ tenant, error });
        }
      }
      return failures;
    },
    get: (name) => {
      const entry = connected.get(name);
      if (!entry)
        return Promise.reject(coded('TENANT_NOT_CONNECTED', message('TENANT_NOT_LOADED', { name })));
      entry.context ??= connectTenant(entry, store, connect).catch((error: unknown) => {
        entry.context = null;
        throw error;
      });
      return entry.context;
    },
    tenant: (name) => connected.get(name)?.tenant ?? null,
    names: () => [...connected.keys()],
    isClosed: () => isClosed,
    close: async () => {
      isClosed = true;
      for (const name of [...connected.keys()]) drop(name);
      await retired.close();
    },
  };
}

function registrationOf(tenant: Tenant, erp: ErpAdapter): TenantRegistration {
  return {
    name: tenant.name,
    environment: tenant.source.environment,
    ledger: erp.ledger,
    rulesVersion: tenant.rulesVersion,
    weight: tenant.weight,
    postingsPerSecond: Math.min(
      tenant.limits.erp.postingsPerSecond ?? erp.capabilities.requestsPerSecond,
      tenant.limits.source.requestsPerSecond / SOURCE_REQUESTS_PER_DOCUMENT,
    ),
  };
}

/**
 * The account's registration number is part of every key, so nothing is keyed before it is known. That the credentials still open
 * it, the source asks before its first call, and again whenever they change (service/account-check.ts).
 */
async function connectTenant(
  { tenant, pair }: Connected,
  store: TenantStore,
  connect: ConnectTenant,
): Promise<TenantContext> {
  const { source, erp } = pair;
  const { keep, beforeAcknowledging } = tenant.originals;
  const rates = connect.rates?.(tenant) ?? null;
  const known = (await store.state(tenant.name))?.sourceAccount ?? null;
  const sourceAccount = known ?? (await source.hello()).registrationNo;
  if (known === null) await store.learnAccount(tenant.name, sourceAccount);
  return {
    name: tenant.name,
    environment: tenant.source.environment,
    sourceAccount,
    cutOver: tenant.cutOver,
    // Who splits VAT is for the rules to say; where they say nothing, the ERP does. A connection that cannot do what they say refuses it.
    rules: {
      ...tenant.rules,
      vat: { ...tenant.rules.vat, mode: tenant.rules.vat.mode ?? erp.capabilities.vatMode },
    },
    rulesVersion: tenant.rulesVersion,
    source,
    erp,
    ...(rates === null ? {} : { rates }),
    ...(keep && beforeAcknowledging && connect.awaited ? { awaited: connect.awaited } : {}),
    ...(tenant.outgoing && connect.ours ? { ours: connect.ours(tenant) } : {}),
  };
}

// Connections that were replaced or dropped while work may still hold them. Each is closed when no call has been under way for
// longer than any work pauses between two calls, so that nobody's call is cut off by a reload. Clients let go of idle sockets
// by themselves meanwhile.

/** The two ends of a tenant, and how many of their calls are under way. */
interface Pair {
  /** For whoever works with them: their calls are counted. */
  readonly source: InvoicingSource;
  readonly erp: ErpAdapter;
  isIdleFor(ms: number): boolean;
  close(): Promise<void>;
}

interface RetiredConnections {
  add(pair: Pair): void;
  /** Every one of them, whatever is under way: the process ends. */
  close(): Promise<void>;
}

/** No work rests between two calls for longer than this: the lease of a document is gone by then. */
const IDLE_MS = 120_000;
const LOOK_EVERY_MS = 15_000;

export function pairOf(source: InvoicingSource, erp: ErpAdapter): Pair {
  const calls = new CallCount();
  return {
    source: new SourceAround(source, calls),
    erp: connect(erp, [calls]),
    isIdleFor: (ms) => calls.isIdleFor(ms),
    close: async () => {
      await Promise.all([source.close(), erp.close()]);
    },
  };
}

/** Calls of both ends, each from its beginning to its end. */
class CallCount implements ErpHook, AroundSource {
  #underWay = 0;
  #lastAt = performance.now();

  /** The promise itself is handed on. */
  around<Answer>(_call: string, act: () => Promise<Answer>): Promise<Answer> {
    this.#underWay += 1;
    const ended = () => this.#end();
    try {
      const answer = act();
      answer.then(ended, ended);
      return answer;
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** Whoever reads a period is at it between two pages too. */
  async *entries(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
    this.#underWay += 1;
    try {
      yield* read();
    } finally {
      this.#end();
    }
  }

  isIdleFor(ms: number): boolean {
    return this.#underWay === 0 && performance.now() - this.#lastAt >= ms;
  }

  #end(): void {
    this.#underWay -= 1;
    this.#lastAt = performance.now();
  }
}

export function createRetiredConnections({
  idleMs = IDLE_MS,
  lookEveryMs = LOOK_EVERY_MS,
} = {}): RetiredConnections {
  const retired = new Set<Pair>();
  let timer: NodeJS.Timeout | null = null;
  const closeSome = async (which: (pair: Pair) => boolean) => {
    const chosen = [...retired].filter(which);
    for (const pair of chosen) retired.delete(pair);
    // One that does not close well is gone all the same, and keeps no other open.
    await Promise.allSettled(chosen.map((pair) => pair.close()));
  };
  const look = () => {
    void closeSome((pair) => pair.isIdleFor(idleMs));
    if (retired.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    add: (pair) => {
      retired.add(pair);
      timer ??= setInterval(look, lookEveryMs).unref();
    },
    close: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await closeSome(() => true);
    },
  };
}
