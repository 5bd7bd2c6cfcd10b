// Everything that operations, the tenants' cards and the history stand on, for somebody who is confined to some companies.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { Closing } from '../closing/closing.js';
import type { OperationsDeps } from '../deps.js';
import type { History } from '../history.js';
import type { TenantCards } from '../tenant-card.js';
import { findCompany, confineRecords } from './confined-records.js';
import { bridgeOnly, narrowed, type Reach, requireRole } from './reach.js';
import type { OutgoingDeps } from '../outgoing/deps.js';

export function confineDeps(deps: OperationsDeps, reach: Reach): OperationsDeps {
  const { connections } = deps;
  const records = confineRecords(deps.records, reach);
  return {
    ...deps,
    reach,
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

// The other direction for somebody who is confined to some companies: what lies beyond is not there.

function confineOutgoing(outgoing: OutgoingDeps, reach: Reach): OutgoingDeps {
  const { records } = outgoing;
  const within = async (id: string) => {
    const [row] = await records.submissions({ companies: narrowed(reach, null), text: id, limit: 1 });
    return row ?? null;
  };
  return {
    breach: (tenant, request) => {
      requireRole(reach, tenant, 'viewer');
      return outgoing.breach(tenant, request);
    },
    reports: async (tenant, onProblem) => {
      requireRole(reach, tenant, 'viewer');
      return outgoing.reports(tenant, onProblem);
    },
    records: {
      switches: (companies) => records.switches(narrowed(reach, companies)),
      submissions: (query) => records.submissions({ ...query, companies: narrowed(reach, query.companies) }),
      attempts: async (id) => ((await within(id)) === null ? [] : records.attempts(id)),
      content: async (id) => ((await within(id)) === null ? null : records.content(id)),
      generated: async (id) => ((await within(id)) === null ? [] : records.generated(id)),
      problems: (companies, limit) => records.problems(narrowed(reach, companies), limit),
      confirm: async (tenant, act) => {
        requireRole(reach, tenant, 'operator');
        return records.confirm(tenant, act);
      },
      pause: async (tenant, act) => {
        requireRole(reach, tenant, 'operator');
        return records.pause(tenant, act);
      },
      resume: async (tenant, act) => {
        requireRole(reach, tenant, 'operator');
        return records.resume(tenant, act);
      },
      decide: async (id, act, decisions) => {
        const row = await within(id);
        if (row === null) return false;
        requireRole(reach, row.tenantName, 'operator');
        return records.decide(id, act, decisions);
      },
      move: async (id, act, move) => {
        const row = await within(id);
        if (row === null) return false;
        requireRole(reach, row.tenantName, 'operator');
        return records.move(id, act, move);
      },
      takePlace: async (id, act) => {
        const row = await within(id);
        if (row === null) return false;
        requireRole(reach, row.tenantName, 'operator');
        return records.takePlace(id, act);
      },
    },
  };
}
