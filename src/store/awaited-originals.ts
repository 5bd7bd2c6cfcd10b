// Whether the originals of an entry are where they belong, for tenants whose source is told only then.
import type { AwaitedOriginals } from '../sync/tenant-context.js';
import type { Db, Tx } from './db.js';

export function createAwaitedOriginals(db: Db): AwaitedOriginals {
  return {
    areOpen: async (postingId, generation) => {
      const rows = await db.rows<{ state: string }>`
        SELECT state FROM original WHERE posting_id = ${postingId}::uuid AND generation = ${generation}`;
      return rows.length === 0 || rows.some(({ state }) => !['absent', 'kept', 'attached'].includes(state));
    },
  };
}

/** In the transaction that settles an original: whoever waits for it is looked at now. */
export async function wakeWaiting(tx: Tx, postingId: string): Promise<void> {
  await tx.run`
    UPDATE posting SET due_at = now()
    WHERE id = ${postingId}::uuid AND state = 'posted' AND reason = 'ORIGINALS_AWAITED' AND due_at > now()`;
}
