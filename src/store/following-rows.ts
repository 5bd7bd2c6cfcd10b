// What follows a document that is in the books, a payment or a release: rows of their own, like documents, so that they go through
// the same protocol.
import type { Guid, TenantName } from '../domain/ids.js';
import type { BookedKind, SourceKind } from '../domain/source-document.js';
import { newId } from './ids.js';
import { storable } from './storable.js';
import { type Tx, raw, sql } from './db.js';

export interface FollowingRow {
  readonly guid: Guid;
  /** Guid of the document. */
  readonly follows: string;
  readonly day: string;
  readonly key: string;
  readonly documentNumber: string;
  readonly currency: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly sourceStatus: string;
}

/** Insert or ignore; how many were new. */
export function beginFollowing(
  db: Pick<Tx, 'run'>,
  tenantName: TenantName,
  kind: Exclude<BookedKind, SourceKind>,
  following: readonly FollowingRow[],
): Promise<number> {
  const rows = following.map((row) => ({ ...row, id: newId(), posting_id: newId() }));
  return db.run`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(storable(rows))}::jsonb) AS x(id uuid, posting_id uuid, guid text, follows text,
        day text, key text, "documentNumber" text, currency text, "counterpartyName" text, "counterpartyKennitala" text,
        "sourceStatus" text)
    ),
    new_document AS (
      INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, refer_guid, counterparty_name,
                            counterparty_kennitala, source_status, first_seen_at, last_seen_at)
      SELECT id, ${tenantName}, ${kind}, guid, "documentNumber", 0, currency, day, follows, "counterpartyName",
             "counterpartyKennitala", "sourceStatus", now(), now() FROM input
      ON CONFLICT (tenant_name, kind, guid) DO NOTHING RETURNING id
    )
    INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings)
    SELECT i.posting_id, n.id, ${tenantName}, ${kind}, i.key, 'discovered', now(), now(), now(), '{}'
    FROM input i JOIN new_document n ON n.id = i.id
    ON CONFLICT (key) DO NOTHING`;
}

/** A reversal of its present entry was sent; what was surely not done does not count. */
export const reversing = (posting: 'p' | 'q') => sql`EXISTS (
  SELECT 1 FROM attempt a WHERE a.posting_id = ${raw(posting)}.id AND a.part = 'reversal' AND a.started_at > ${raw(posting)}.posted_at
    AND coalesce(a.outcome, '') NOT IN ('rejected', 'never-sent', 'transient', 'auth'))`;
