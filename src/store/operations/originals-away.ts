// Whether originals wait for their store. The column and the value are one index, so the answer costs nothing while all is well.
import type { OriginalsAway } from '../../operations/records.js';
import type { Db } from '../db.js';

export async function readOriginalsAway(db: Db): Promise<OriginalsAway | null> {
  const [row] = await db.rows<{ count: number; reason: string | null; lastAt: Date | null }>`
    SELECT count(*)::int AS count, max(reason_detail) AS reason, max(state_since) AS "lastAt" FROM original WHERE reason = 'STORE_AWAY'`;
  if (!row || row.lastAt === null) return null;
  return { count: row.count, reason: row.reason ?? '', lastAt: row.lastAt.toISOString() };
}
