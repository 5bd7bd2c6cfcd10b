// Whether an invoice at the service is one that we made there, by what is on record of its mark. One that a template of ours made is tied
// to its subscription.
import type { TenantName } from '../domain/ids.js';
import type { OurInvoices, Recognised } from '../sync/tenant-context.js';
import { judgeMade } from './invoices-made.js';
import type { Db } from './db.js';

const MADE = ['created', 'acknowledged'];
const PREPARED = ['draft', 'order'];

interface MarkedRow {
  readonly id: string;
  readonly kind: string;
  readonly guid: string | null;
  readonly state: string;
  readonly reference: string;
  readonly booked: string | null;
  readonly sends: number;
}

/**
 * Another than the one on record is somebody else's. So is whatever carries the mark of one that a person skipped, unless a request of it
 * has left: then it may be that one, which its origin has booked, and a replay would find it.
 */
function isSettled({ state, sends }: { readonly state: string; readonly sends: number }): boolean {
  return MADE.includes(state) || (state === 'skipped' && sends === 0);
}

/** Who books what was made at the service. */
export interface BookedBy {
  /** Where the record does not say. */
  readonly unlessSaid: 'bridge' | 'origin';
  /** Whether there are origins whose records say. */
  readonly originsSay: boolean;
}

export function createOurInvoices(
  db: Db,
  tenantName: TenantName,
  { unlessSaid, originsSay }: BookedBy,
): OurInvoices {
  return {
    recognise: async ({ guid, number }, marks): Promise<Recognised> => {
      const all = await db.rows<MarkedRow>`
        SELECT id, kind, guid, state, reference, booked, sends FROM submission
        WHERE tenant_name = ${tenantName} AND key = ANY(${[...marks]})`;
      for (const { id } of all.filter(({ kind }) => kind === 'subscription'))
        await db.run`
          INSERT INTO subscription_invoice (submission_id, guid, number, seen_at) VALUES (${id}::uuid, ${guid}, ${number}, now())
          ON CONFLICT (submission_id, guid) DO NOTHING`;
      const prepared = new Map<string, Awaited<ReturnType<typeof judgeMade>>>();
      for (const { id, kind, state } of all)
        if (PREPARED.includes(kind) && MADE.includes(state))
          prepared.set(id, await judgeMade(db, tenantName, id, guid));
      // What a template makes is in nobody's books yet.
      const ours = all.filter(({ kind }) => kind !== 'subscription');
      const rows = ours.filter(({ booked }) => (booked ?? unlessSaid) === 'origin');
      const isForgotten = all.length === 0 && (unlessSaid === 'origin' || originsSay);
      if (rows.length === 0 && !isForgotten)
        return { verdict: 'another', reference: all[0]?.reference ?? '' };
      const same = rows.find(
        (row) => row.guid?.toLowerCase() === guid.toLowerCase() && MADE.includes(row.state),
      );
      const made = same ?? rows.find(({ id }) => prepared.get(id) === 'made');
      if (made) return { verdict: 'ours', reference: made.reference };
      const [first] = rows;
      const isOver =
        rows.length > 0 && rows.every((row) => isSettled(row) && prepared.get(row.id) !== 'unknown');
      // A mark that is not on record may be one that this database has forgotten.
      return { verdict: isOver ? 'another' : 'in-doubt', reference: first?.reference ?? marks[0] ?? '' };
    },
  };
}
