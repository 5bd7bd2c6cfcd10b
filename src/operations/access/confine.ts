// Everything that operations, the tenants' cards and the history stand on, for somebody who is confined to some companies.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { Closing } from '../closing/closing.js';
import type { OperationsDeps } from '../deps.js';
import type { History } from '../history.js';
import type { TenantCards } from '../tenant-card.js';
import { confineOutgoing } from './confined-outgoing.js';
import { findCompany, confineRecords } from './confined-records.js';
import { bridgeOnly, narrowed, type Reach, requireRole } from './reach.js';

export function confineDeps(deps: OperationsDeps, reach: Reach): OperationsDeps {
  const { connections } = deps;
  const records = confineRecords(deps.records, reach);
  return {
    ...deps,
    records,
    connections: {
      names: () => connections.names().filter((name) => reach.has(name)),
      tenant: (name) => (reach.has(name) ? connections.tenant(name) : null),
      get: async (name) => {
        refuseBeyond(reach, name);
        return connections.get(name);
      },
    },
    postings: (actor) => {
      const store = deps.postings(actor);
      return {
        ...store,
        // Whoever has claimed a document may commit what comes of it; nobody may claim it without a role.
        claim: async (postingId, owner, leaseMs) => {
          requireRole(reach, await findCompany(records, postingId), 'operator');
          return store.claim(postingId, owner, leaseMs);
        },
      };
    },
    files: deps.files && {
      edit: async (tenant, edits) => {
        requireRole(reach, tenant, 'admin');
        return deps.files?.edit(tenant, edits) ?? bridgeOnly();
      },
      save: async (tenant, edited) => {
        requireRole(reach, tenant, 'admin');
        await deps.files?.save(tenant, edited);
      },
    },
    tryChannels: async (tenant) => {
      if (tenant === null) return bridgeOnly();
      requireRole(reach, tenant, 'operator');
      return deps.tryChannels(tenant);
    },
    closing: confineClosing(deps.closing, reach),
    outgoing: confineOutgoing(deps.outgoing, reach),
    rehearse: async (tenant, options) => {
      requireRole(reach, tenant, 'operator');
      return deps.rehearse(tenant, options);
    },
    reconcile: async (tenant, period) => {
      requireRole(reach, tenant, 'operator');
      return deps.reconcile(tenant, period);
    },
  };
}

function confineClosing(closing: Closing, reach: Reach): Closing {
  return {
    ...closing,
    close: async (tenant, period, act, onProgress) => {
      requireRole(reach, tenant, 'operator');
      return closing.close(tenant, period, act, onProgress);
    },
    certificates: (companies) => closing.certificates(narrowed(reach, companies)),
    certificate: async (id) => {
      const row = await closing.certificate(id);
      return row !== null && reach.has(row.tenantName) ? row : null;
    },
  };
}

export function confineHistory(history: History, reach: Reach): History {
  return {
    reconciliations: (companies, limit) => history.reconciliations(narrowed(reach, companies), limit),
    pace: (companies, span, now) => history.pace(narrowed(reach, companies), span, now),
  };
}

export function confineCards(cards: TenantCards, reach: Reach): TenantCards {
  return {
    describe: (name) => (reach.has(name) ? cards.describe(name) : null),
    checkConnection: async (name, language) => {
      refuseBeyond(reach, name);
      return cards.checkConnection(name, language);
    },
    accountNames: async (name, accounts) => {
      refuseBeyond(reach, name);
      return cards.accountNames(name, accounts);
    },
  };
}

function refuseBeyond(reach: Reach, name: string): void {
  if (!reach.has(name)) throw coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name }));
}
