// What is on record about people, and its removal, on PostgreSQL.
import type { DocumentsOf, FoundAt, PrivacyRecords } from '../../operations/privacy/privacy.js';
import { isOf, previewContents, removeContents, writtenPattern } from './contents-store.js';
import { countAddresses, eraseOperator, operatorFoundAt, removeAddresses } from './operators-store.js';
import { PLACES } from './places.js';
import { type Db, join, raw, sql } from '../db.js';

export function createPrivacyStore(db: Db): PrivacyRecords {
  return {
    previewContents: (wish) => previewContents(db, wish),
    removeContents: (wish, act, limit) => removeContents(db, wish, act, limit),
    documentsOf: (kennitala) =>
      db.rows<DocumentsOf>(sql`
        SELECT d.tenant_name AS tenant, count(*)::int AS documents, min(d.issue_date) AS first, max(d.issue_date) AS last
        FROM document d WHERE ${isOf(kennitala)} GROUP BY 1 ORDER BY 1`),
    operatorFoundAt: (login) => operatorFoundAt(db, login),
    isOperator: async (login) => {
      const [row] = await db.rows<{ disabled: boolean }>`
        SELECT disabled_at IS NOT NULL AS disabled FROM dashboard_user WHERE login = ${login}`;
      if (!row) return 'unknown';
      return row.disabled ? 'disabled' : 'enabled';
    },
    eraseOperator: (login, pseudonym, act) => eraseOperator(db, login, pseudonym, act),
    countAddresses: (before) => countAddresses(db, before),
    removeAddresses: (before, act) => removeAddresses(db, before, act),
    foundAt: (kennitala) => foundAt(db, kennitala),
  };
}

async function foundAt(db: Db, kennitala: string): Promise<readonly FoundAt[]> {
  const written = writtenPattern(kennitala);
  const places: FoundAt[] = [];
  for (const [place, columns] of Object.entries(PLACES)) {
    const named = join(
      columns.map((column) => sql`${raw(`"${column}"`)} ~ ${written}`),
      ' OR ',
    );
    const [row] = await db.rows<{ rows: number }>(
      sql`SELECT count(*)::int AS rows FROM ${raw(`"${place}"`)} WHERE ${named}`,
    );
    if (row && row.rows > 0) places.push({ place, rows: row.rows });
  }
  return places;
}
