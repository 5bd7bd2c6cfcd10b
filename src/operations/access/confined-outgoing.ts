// The other direction for somebody who is confined to some companies: what lies beyond is not there.
import type { OutgoingDeps } from '../outgoing/deps.js';
import { narrowed, type Reach, requireRole } from './reach.js';

export function confineOutgoing(outgoing: OutgoingDeps, reach: Reach): OutgoingDeps {
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
