// Whether an invoice at the service is one that we made there, by what is on record of its mark. One that a template of ours made is tied
// to its subscription.
import type { Guid, TenantName } from '../domain/ids.js';
import type { OurInvoices, Recognised } from '../sync/tenant-context.js';
import type { Db, Tx } from './db.js';
import type { SubmissionRecord } from '../outbound/stage.js';

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

// The invoices that were made at the service of a draft or order of ours: its mark is in all of them, and in copies that people make.

/** How long a list of the service may be behind. */
const BEHIND_MS = 5 * 60_000;

/** All that the service names; postings that waited for this go on. */
export async function keepInvoicesMade(
  tx: Tx,
  { id, tenantName }: Pick<SubmissionRecord, 'id' | 'tenantName'>,
  invoices: readonly { readonly guid: Guid; readonly number: string }[],
): Promise<void> {
  for (const { guid, number } of invoices)
    await tx.run`
      INSERT INTO subscription_invoice (submission_id, guid, number, seen_at) VALUES (${id}::uuid, ${guid}, ${number}, now())
      ON CONFLICT (submission_id, guid) DO NOTHING`;
  await tx.run`UPDATE submission SET invoices_read_at = now() WHERE id = ${id}::uuid`;
  await tx.run`
    UPDATE posting p SET due_at = now() FROM document d
    WHERE d.id = p.document_id AND p.tenant_name = ${tenantName} AND p.state = 'deferred' AND p.reason = 'ORIGIN_IN_DOUBT'
      AND lower(d.guid) = ANY(${invoices.map(({ guid }) => guid.toLowerCase())})`;
}

/** Whether this invoice was made of that draft or order; where the service is to be asked first, that is due. */
export async function judgeMade(
  db: Db,
  tenantName: TenantName,
  submissionId: string,
  guid: Guid,
): Promise<'made' | 'copied' | 'unknown'> {
  const [known] = await db.rows<{ isMade: boolean; isAsked: boolean }>`
    SELECT EXISTS (SELECT 1 FROM subscription_invoice i WHERE i.submission_id = s.id AND lower(i.guid) = lower(${guid})) AS "isMade",
           coalesce(s.invoices_read_at > d.first_seen_at + ${BEHIND_MS} * interval '1 millisecond', false) AS "isAsked"
    FROM submission s LEFT JOIN document d ON d.tenant_name = s.tenant_name AND d.kind = 'invoice' AND lower(d.guid) = lower(${guid})
    WHERE s.id = ${submissionId}::uuid`;
  if (known?.isMade === true) return 'made';
  if (known?.isAsked === true) return 'copied';
  await db.run`
    UPDATE submission s SET due_at = due.at
    FROM (SELECT CASE WHEN s.invoices_read_at > d.first_seen_at THEN greatest(now(), d.first_seen_at + ${BEHIND_MS + 1_000} * interval '1 millisecond')
                 ELSE now() END AS at
          FROM submission s LEFT JOIN document d ON d.tenant_name = s.tenant_name AND d.kind = 'invoice' AND lower(d.guid) = lower(${guid})
          WHERE s.id = ${submissionId}::uuid) AS due
    WHERE s.id = ${submissionId}::uuid AND s.tenant_name = ${tenantName} AND s.state = 'acknowledged' AND (s.due_at IS NULL OR s.due_at > due.at)`;
  return 'unknown';
}
