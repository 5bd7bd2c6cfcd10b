// The connected tenants of this process: one source, one ERP adapter and the rules each, made from the tenant's file and
// kept until the file changes. What cannot connect now is tried again when there is work; its documents wait.
import { CodedError } from '../domain/errors/coded-error.js';
import type { ErpAdapter } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../invoicing/invoicing-source.js';
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { TenantStore } from '../store/tenant-store.js';
import type { Tenant } from '../tenants/tenant.js';

/** Makes the two ends of a tenant's bridge; wired in main.ts so that this room knows no client. */
export interface ConnectTenant {
  source(tenant: Tenant): InvoicingSource;
  erp(tenant: Tenant): ErpAdapter;
}

export interface Connections {
  /** Replaces what changed, connects what is new, drops what is gone. */
  update(tenants: readonly Tenant[]): Promise<void>;
  get(tenantName: string): Promise<TenantContext>;
  tenant(tenantName: string): Tenant | null;
  names(): readonly string[];
  close(): Promise<void>;
}

/** Read to map, read before the write-back, written, read back: the source's rate bounds the documents of all processes. */
const SOURCE_REQUESTS_PER_DOCUMENT = 4;

interface Connected {
  readonly tenant: Tenant;
  readonly source: InvoicingSource;
  readonly erp: ErpAdapter;
  context: Promise<TenantContext> | null;
}

export function createConnections(connect: ConnectTenant, store: TenantStore): Connections {
  const connected = new Map<string, Connected>();

  async function drop(name: string): Promise<void> {
    const old = connected.get(name);
    connected.delete(name);
    await Promise.all([old?.source.close(), old?.erp.close()]);
  }

  async function add(tenant: Tenant): Promise<void> {
    const erp = connect.erp(tenant);
    connected.set(tenant.name, { tenant, source: connect.source(tenant), erp, context: null });
    await store.register({
      name: tenant.name,
      environment: tenant.source.environment,
      ledger: erp.ledger,
      rulesVersion: tenant.rulesVersion,
      weight: tenant.weight,
      postingsPerSecond: Math.min(
        tenant.limits.erp.postingsPerSecond ?? erp.capabilities.requestsPerSecond,
        tenant.limits.source.requestsPerSecond / SOURCE_REQUESTS_PER_DOCUMENT,
      ),
    });
  }

  return {
    update: async (tenants) => {
      const wanted = new Map(tenants.map((tenant) => [tenant.name, tenant]));
      for (const [name, { tenant }] of connected) {
        if (JSON.stringify(wanted.get(name)) !== JSON.stringify(tenant)) await drop(name);
      }
      for (const tenant of tenants) if (!connected.has(tenant.name)) await add(tenant);
    },
    get: (name) => {
      const entry = connected.get(name);
      if (!entry)
        return Promise.reject(new CodedError('TENANT_NOT_CONNECTED', `Tenant ${name} is not loaded here.`));
      entry.context ??= contextOf(entry, store).catch((error: unknown) => {
        entry.context = null;
        throw error;
      });
      return entry.context;
    },
    tenant: (name) => connected.get(name)?.tenant ?? null,
    names: () => [...connected.keys()],
    close: async () => {
      await Promise.all([...connected.keys()].map(drop));
    },
  };
}

/** Says hello once: the account's registration number is part of every key, so nothing is keyed before it is known. */
async function contextOf({ tenant, source, erp }: Connected, store: TenantStore): Promise<TenantContext> {
  const known = (await store.state(tenant.name))?.sourceAccount ?? null;
  const sourceAccount = known ?? (await source.hello()).registrationNo;
  if (known === null) await store.learnAccount(tenant.name, sourceAccount);
  return {
    name: tenant.name,
    environment: tenant.source.environment,
    sourceAccount,
    cutOver: tenant.cutOver,
    // Who splits VAT is for the ERP to say: lines of its own, or gross with a code.
    rules: { ...tenant.rules, vat: { ...tenant.rules.vat, mode: erp.capabilities.vatMode } },
    rulesVersion: tenant.rulesVersion,
    source,
    erp,
  };
}
