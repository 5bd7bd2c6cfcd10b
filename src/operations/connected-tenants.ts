// What every act stands on: the tenants of this process, and a stretch of days.
import type { TenantContext } from '../sync/tenant-context.js';
import type { TenantCard } from '../tenants/tenant-cards.js';
import type { Tenant } from '../tenants/tenant.js';

/** The tenants as this process has them; worker/connections.ts is one. */
export interface ConnectedTenants {
  names(): readonly string[];
  tenant(name: string): Tenant | null;
  get(name: string): Promise<TenantContext>;
}

/** For whoever only asks: of the files what a question needs. */
export interface KnownTenants {
  names(): readonly string[];
  tenant(name: string): TenantCard | null;
  get(name: string): Promise<TenantContext>;
}

export interface Period {
  readonly from: string;
  readonly to: string;
}
