// What is on record about people, and its removal, on PostgreSQL.
import type { DocumentsOf, FoundAt, PrivacyRecords } from '../../operations/privacy/privacy.js';
import type { PrismaClient } from '../generated/client.js';
import { join, raw, sql } from '../sql.js';
import { isOf, previewContents, removeContents, writtenPattern } from './contents-store.js';
import { countAddresses, eraseOperator, operatorFoundAt, removeAddresses } from './operators-store.js';
import { PLACES } from './places.js';

export function createPrivacyStore(prisma: PrismaClient): PrivacyRecords {
  return {
    previewContents: (wish) => previewContents(prisma, wish),
    removeContents: (wish, act, limit) => removeContents(prisma, wish, act, limit),
    documentsOf: (kennitala) =>
      prisma.$queryRaw<DocumentsOf[]>(sql`
        SELECT d.tenant_name AS tenant, count(*)::int AS documents, min(d.issue_date) AS first, max(d.issue_date) AS last
        FROM document d WHERE ${isOf(kennitala)} GROUP BY 1 ORDER BY 1`),
    operatorFoundAt: (login) => operatorFoundAt(prisma, login),
    isOperator: async (login) => {
      const [row] = await prisma.$queryRaw<{ disabled: boolean }[]>`
        SELECT disabled_at IS NOT NULL AS disabled FROM dashboard_user WHERE login = ${login}`;
      if (!row) return 'unknown';
      return row.disabled ? 'disabled' : 'enabled';
    },
    eraseOperator: (login, pseudonym, act) => eraseOperator(prisma, login, pseudonym, act),
    countAddresses: (before) => countAddresses(prisma, before),
    removeAddresses: (before, act) => removeAddresses(prisma, before, act),
    foundAt: (kennitala) => foundAt(prisma, kennitala),
  };
}

async function foundAt(prisma: PrismaClient, kennitala: string): Promise<readonly FoundAt[]> {
  const written = writtenPattern(kennitala);
  const places: FoundAt[] = [];
  for (const [place, columns] of Object.entries(PLACES)) {
    const named = join(
      columns.map((column) => sql`${raw(`"${column}"`)} ~ ${written}`),
      ' OR ',
    );
    const [row] = await prisma.$queryRaw<{ rows: number }[]>(
      sql`SELECT count(*)::int AS rows FROM ${raw(`"${place}"`)} WHERE ${named}`,
    );
    if (row && row.rows > 0) places.push({ place, rows: row.rows });
  }
  return places;
}
