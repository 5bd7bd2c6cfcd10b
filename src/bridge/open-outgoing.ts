// What people ask of the other direction, wired. Requests are held against the rules of the documents by a client that is never called.
import { surfaceBreach } from '../service/surface-breach.js';
import { unknownTenant } from '../operations/known-tenant.js';
import type { OutgoingDeps } from '../operations/outgoing/deps.js';
import type { Records } from '../store/database.js';
import { createOutgoingRecords } from '../store/operations/outgoing-records.js';
import type { Connections } from '../worker/connections.js';
import type { TenantConnector } from './connect-tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';

export function outgoingOf(
  database: Records,
  connections: Pick<Connections, 'tenant' | 'names'>,
  connector: Pick<TenantConnector, 'reports'>,
): OutgoingDeps {
  return {
    reports: async (name, onProblem) => {
      const tenant = connections.tenant(name);
      if (tenant === null) throw unknownTenant(name, connections.names());
      return Promise.resolve(connector.reports(tenant, onProblem));
    },
    records: createOutgoingRecords(database),
    breach: (name, request) => {
      const auth = connections.tenant(name)?.source.auth;
      const surface = auth?.type === 'oauth' ? 'agent' : (auth?.surface ?? 'credential');
      const today = SYSTEM_RUNTIME.clock.now().toISOString().slice(0, 10);
      return Promise.resolve(surfaceBreach(surface, request, today));
    },
  };
}
