// The connected tenants of this process: one source, one ERP adapter and the rules each, made from the tenant's file and
// kept until it or a file of its secrets changes. What cannot connect now is tried again when there is work; its documents wait.
import type { TenantName } from '../domain/ids.js';
import { dirname } from 'node:path';
import type { RateSource } from '../domain/rate-source.js';
import type { ErpAdapter } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../invoicing/invoicing-source.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { AwaitedOriginals, OurInvoices, TenantContext } from '../sync/tenant-context.js';
import type { TenantRegistration, TenantStore } from '../store/tenant-store.js';
import { secretFilesStamp } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { createRetiredConnections, type Pair, pairOf } from './retired-connections.js';

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
 * it, the source asks before its first call, and again whenever they change (invoicing/account-check.ts).
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
