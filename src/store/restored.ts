// After a restore from a backup the database has forgotten what was posted since. The ERP has not: for as long as such a
// posting may still be outstanding, every post looks there first. The epoch counts how often that happened.
import { appendAudit } from './audit.js';
import type { Db, Tx } from './db.js';

export interface Restored {
  readonly epoch: number;
  /** null: never restored. */
  readonly lookUpFirstUntil: Date | null;
  /** By the database's clock. */
  readonly now: Date;
}

export const LOOK_UP_FIRST_DAYS = 90;

export async function readRestored(db: Pick<Tx, 'rows'>): Promise<Restored> {
  const [row] = await db.rows<Restored>`
    SELECT epoch, look_up_first_until AS "lookUpFirstUntil", now() AS now FROM bridge`;
  if (!row) throw new Error('the bridge has no row of its own');
  return row;
}

/** All cursors start over too: what was found since the backup is found again. */
export async function markRestored(
  db: Db,
  act: { readonly by: string; readonly reason: string; readonly days?: number },
): Promise<Restored> {
  const days = act.days ?? LOOK_UP_FIRST_DAYS;
  return db.tx(async (tx) => {
    await tx.run`
      UPDATE bridge SET epoch = epoch + 1, restored_at = now(),
        look_up_first_until = greatest(look_up_first_until, now() + ${days} * interval '1 day')`;
    await tx.run`UPDATE cursor SET full_sweep_due = true`;
    // What a person said was said of another history.
    await tx.run`UPDATE submission SET surely_absent = false WHERE surely_absent`;
    const restored = await readRestored(tx);
    await appendAudit(tx, {
      actor: act.by,
      action: 'bridge.restored',
      subject: 'bridge',
      reason: act.reason,
      details: { epoch: restored.epoch, lookUpFirstUntil: restored.lookUpFirstUntil },
    });
    return restored;
  });
}
