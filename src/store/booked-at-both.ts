// An invoice that stands in the books of its origin, and that the bridge has booked as well: a person has to take one of them out.
import type { TenantName } from '../domain/ids.js';
import { incident } from '../language/incidents/incident-text.js';
import { openIncident } from './incidents.js';
import type { Tx } from './db.js';

export interface InBothBooks {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly kind: string;
  readonly reference: string;
}

/** Told when it is, or may be. `unlessSaid`: by whom it is booked where its record does not say. */
export async function tellIfBookedAtBoth(
  tx: Tx,
  submission: InBothBooks,
  unlessSaid: 'bridge' | 'origin' = 'bridge',
): Promise<void> {
  const { id, tenantName: tenant, kind, reference } = submission;
  const [entry] = await tx.rows<{ number: string }>`
    SELECT coalesce(p.erp_number, p.document_no, d.number) AS number
    FROM submission s JOIN document d ON d.tenant_name = s.tenant_name AND lower(d.guid) = lower(s.guid) JOIN posting p ON p.document_id = d.id
    WHERE s.id = ${id}::uuid AND coalesce(s.booked, ${unlessSaid}) = 'origin' AND d.kind = 'invoice' AND p.state <> 'reversed'
      AND (p.erp_reference IS NOT NULL OR EXISTS (
        SELECT 1 FROM attempt a WHERE a.posting_id = p.id AND a.part <> 'reversal'
          AND (a.outcome IS NULL OR a.outcome IN ('unknown', 'pending', 'draft', 'posted'))))`;
  if (!entry) return;
  const about = { tenant, kind, reference, number: entry.number };
  await openIncident(
    tx,
    { tenantName: tenant },
    incident('BOOKED_AT_BOTH', about, { severity: 'critical', fingerprint: id }),
  );
}
