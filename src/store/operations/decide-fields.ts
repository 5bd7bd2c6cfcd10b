// What a person says of fields that an origin and the service have both changed: of the values that were shown, and no others.
import type { TenantName } from '../../domain/ids.js';
import type { Act } from '../../operations/act.js';
import type { Decisions, FieldConflict } from '../../outbound/agree-fields.js';
import { appendAudit } from '../audit.js';
import { storable } from '../storable.js';
import type { Tx } from '../db.js';
import { endLease } from '../lease.js';

interface InConflict {
  readonly tenantName: TenantName;
  readonly reference: string;
  readonly conflicts: string;
  readonly decided: string | null;
}

/** The keeper does what was said; it is taken up again with a new fence, from where it rests. */
export async function decideFields(
  tx: Tx,
  id: string,
  { actor, reason }: Act,
  decisions: Decisions,
): Promise<boolean> {
  const [row] = await tx.rows<InConflict>`
    SELECT tenant_name AS "tenantName", reference, conflicts, decided FROM submission
    WHERE id = ${id}::uuid AND conflicts IS NOT NULL AND state IN ('created', 'acknowledged', 'received') FOR UPDATE`;
  if (!row) return false;
  const conflicts = JSON.parse(row.conflicts) as readonly FieldConflict[];
  const isAbout = ([field, { origin, service }]: [string, Decisions[string]]) =>
    conflicts.some((one) => one.field === field && one.origin === origin && one.service === service);
  if (!Object.entries(decisions).every(isAbout)) return false;
  const before = row.decided === null ? {} : (JSON.parse(row.decided) as Decisions);
  const said = JSON.stringify(storable({ ...before, ...decisions }));
  await tx.run`
    UPDATE submission SET decided = ${said}, ${endLease('submission')}, tries = 0, deaths = 0, due_at = now(),
      state_since = CASE WHEN state = 'received' THEN state_since ELSE now() END, state = 'received'
    WHERE id = ${id}::uuid`;
  const details = { reference: row.reference, decisions: storable(decisions) };
  const action = 'submission.fields-decided';
  await appendAudit(tx, { tenantName: row.tenantName, actor, action, subject: id, reason, details });
  return true;
}
