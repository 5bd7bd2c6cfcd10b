// API tokens that end within two weeks, so that those who use them are not surprised.
import type { EndingToken } from '../../operations/records.js';
import type { Db } from '../db.js';

const TOLD_DAYS = 14;
/** More are not told at once; the others come when these are done with. */
const TOKENS_MAX = 20;

export async function readEndingTokens(db: Db): Promise<readonly EndingToken[]> {
  const rows = await db.rows<{ id: string; name: string; endsAt: Date; toldFrom: Date }>`
    SELECT id, name, expires_at AS "endsAt", expires_at - ${TOLD_DAYS} * interval '1 day' AS "toldFrom" FROM api_token
    WHERE revoked_at IS NULL AND expires_at BETWEEN now() AND now() + ${TOLD_DAYS} * interval '1 day'
    ORDER BY expires_at, id LIMIT ${TOKENS_MAX}`;
  return rows.map(({ id, name, endsAt, toldFrom }) => ({
    ...{ id, name, endsAt: endsAt.toISOString(), toldFrom: toldFrom.toISOString() },
  }));
}
