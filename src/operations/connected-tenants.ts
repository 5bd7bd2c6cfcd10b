// What every act stands on: the tenants of this process, and a stretch of days.
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { Tenant } from '../tenants/tenant.js';

/** The tenants as this process has them; worker/connections.ts is one. */
export interface ConnectedTenants {
  names(): readonly string[];
  tenant(name: string): Tenant | null;
  get(name: string): Promise<TenantContext>;
}

export interface Period {
  readonly from: string;
  readonly to: string;
}
