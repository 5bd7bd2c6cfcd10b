// Tenant files that admins may add to from the inbox, where whoever runs the bridge allows it.
import { unknownTenant } from '../operations/known-tenant.js';
import type { TenantFiles } from '../operations/deps.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { editTenantFile, saveTenantFile } from '../tenants/edit-tenant-file.js';
import type { Connections } from '../worker/connections.js';

export function tenantFilesOf(
  { tenantFiles }: Pick<BridgeSettings, 'tenantFiles'>,
  connections: Pick<Connections, 'tenant' | 'names'>,
): TenantFiles | null {
  if (tenantFiles !== 'editable') return null;
  return {
    edit: async (name, edits) => {
      const tenant = connections.tenant(name);
      if (!tenant) throw unknownTenant(name, connections.names());
      return editTenantFile(tenant.file, edits);
    },
    // Whoever follows the files finds the change within a second.
    save: (_name, edited) => saveTenantFile(edited),
  };
}
