// What was agreed upon with the service, for whoever holds it against what the service shows now.
import type { Agreed, FieldConflict } from '../outbound/agree-fields.js';
import type { AgreedStore } from '../outbound/stage.js';
import { appendAudit } from './audit.js';
import type { Db } from './db.js';
import { endLease } from './lease.js';

export function createAgreedStore(db: Db): AgreedStore {
  return {
    agreed: async (tenantName, kind, quietMs, most) => {
      const rows = await db.rows<{ id: string; guid: string; agreed: string; conflicts: string | null }>`
        SELECT id, guid, agreed, conflicts FROM submission
        WHERE tenant_name = ${tenantName} AND kind = ${kind} AND state = 'acknowledged' AND agreed IS NOT NULL AND guid IS NOT NULL
          AND (last_sent_at IS NULL OR last_sent_at < now() - ${quietMs} * interval '1 millisecond')
        ORDER BY agreed_at, id LIMIT ${most}`;
      return rows.map(({ agreed, conflicts, ...row }) => ({
        ...row,
        agreed: JSON.parse(agreed) as Agreed,
        conflicts: JSON.parse(conflicts ?? '[]') as FieldConflict[],
      }));
    },
    // With a new fence, and only where it still rests: whoever works on it has seen it as it is.
    reopen: (tenantName, ids) =>
      db.tx(async (tx) => {
        const rows = await tx.rows<{ id: string; reference: string }>`
          UPDATE submission SET state = 'received', state_since = now(), ${endLease('submission')},
            tries = 0, deaths = 0, due_at = now()
          WHERE tenant_name = ${tenantName} AND id = ANY(${[...ids]}::uuid[]) AND state = 'acknowledged' RETURNING id, reference`;
        for (const { id, reference } of rows)
          await appendAudit(tx, {
            ...{ tenantName, actor: 'worker', action: 'submission.changed-at-service', subject: id },
            details: { reference, from: 'acknowledged' },
          });
        return rows.length;
      }),
  };
}
