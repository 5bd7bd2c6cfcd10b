// The invoices that were made at the service of a draft or order of ours: its mark is in all of them, and in copies that people make.
import type { Guid, TenantName } from '../domain/ids.js';
import type { SubmissionRecord } from '../outbound/stage.js';
import type { Db, Tx } from './db.js';

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
