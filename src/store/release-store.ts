// Documents in the books of which something waits for its day, and the releases that were begun.
import type { Guid, TenantName } from '../domain/ids.js';
import type { PostingState } from '../domain/posting.js';
import type { SourceKind } from '../domain/source-document.js';
import {
  type BookedDocument,
  type DueRelease,
  type KnownRelease,
  readReleaseGuid,
  releaseGuid,
  type ReleaseStore,
} from '../sync/follow-up-records.js';
import { beginFollowing, reversing } from './following-rows.js';
import type { Db, Tx } from './db.js';

/**
 * An index holds the few postings whose journal says so; inside a text its quotes would be escaped. How few, the planner cannot know,
 * and would read all documents: so each is looked up by itself.
 */
export function createReleaseStore(db: Db): ReleaseStore {
  return {
    due: (tenantName, today, limit) => db.rows<DueRelease>`
      WITH waiting AS MATERIALIZED (
        SELECT document_id, generation, journal FROM posting
        WHERE tenant_name = ${tenantName} AND position('"release":' in journal) > 0 AND kind IN ('invoice', 'cost')
          AND state = 'acknowledged'
      )
      SELECT DISTINCT d.kind, d.guid, p.generation, w.day #>> '{}' AS day, d.number, d.counterparty_name AS "counterpartyName",
        d.counterparty_kennitala AS "counterpartyKennitala"
      FROM waiting p
        CROSS JOIN LATERAL (SELECT * FROM document WHERE id = p.document_id OFFSET 0) d
        CROSS JOIN LATERAL jsonb_path_query(p.journal::jsonb, '$.lines[*].release.days[*]') AS w(day)
      WHERE w.day #>> '{}' <= ${today}
        AND NOT EXISTS (SELECT 1 FROM document e WHERE e.tenant_name = ${tenantName} AND e.kind = 'release'
          AND e.guid = d.guid || '.' || d.kind || '.' || p.generation || '.' || (w.day #>> '{}'))
      ORDER BY day LIMIT ${limit}`,
    begin: (tenantName, releases) =>
      beginFollowing(
        db,
        tenantName,
        'release',
        releases.map((release) => ({
          guid: releaseGuid(release),
          follows: release.guid,
          day: release.day,
          key: release.key,
          documentNumber: release.number,
          currency: 'ISK',
          counterpartyName: release.counterpartyName,
          counterpartyKennitala: release.counterpartyKennitala,
          sourceStatus: '',
        })),
      ),
  };
}

interface Row extends Omit<BookedDocument, 'releases'> {
  readonly releases: readonly KnownRelease[] | null;
  readonly state: PostingState;
}

export async function bookedDocument(
  db: Pick<Tx, 'rows'>,
  tenantName: TenantName,
  kind: SourceKind,
  guid: Guid,
): Promise<BookedDocument | null> {
  const [row] = await db.rows<Row>`
    SELECT p.state, p.generation, p.journal, p.content_hash AS "contentHash", d.snapshot, d.number,
      d.counterparty_name AS "counterpartyName", d.counterparty_kennitala AS "counterpartyKennitala",
      coalesce(p.lease_until > now(), false) OR ${reversing('p')} AS "isBusy",
      (SELECT jsonb_agg(jsonb_build_object('postingId', q.id, 'guid', e.guid, 'state', q.state, 'isBooked', q.erp_reference IS NOT NULL)
                        ORDER BY e.issue_date DESC)
       FROM document e JOIN posting q ON q.document_id = e.id
       WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'release') AS releases
    FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = ${kind} AND d.guid = ${guid}`;
  if (!row) return null;
  const releases = (row.releases ?? []).filter((release) => readReleaseGuid(release.guid).kind === kind);
  return { ...row, releases };
}
