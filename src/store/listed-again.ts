// Documents that are on record already and that a list shows as Created again: who looks at them anew, and who is told.
import type { Guid, TenantName } from '../domain/ids.js';
import type { SourceKind } from '../domain/source-document.js';
import { incident } from '../language/incidents/incident-text.js';
import type { ListedDocument } from '../service/invoicing-source.js';
import { appendAuditMany } from './audit.js';
import { openIncident } from './incidents.js';
import { type Tx, type Sql, sql } from './db.js';
import { isFree } from './lease.js';

export interface Listing {
  readonly tenantName: TenantName;
  /** All of one kind. */
  readonly documents: readonly ListedDocument[];
  /** How long ago the list began to be read: what happened since then is not contradicted by it. */
  readonly listingAgeMs: number;
}

interface Reopened {
  readonly id: string;
  readonly state: string;
  readonly kind: SourceKind;
  readonly number: string;
  readonly guid: Guid;
  readonly was_gone: boolean;
  readonly is_old: boolean;
}

const ALARMS_MAX = 20;

/** A list may be this far behind; what is really Created again is listed afterwards too. */
const LIST_LAG = sql`interval '15 minutes'`;

/**
 * One wrong "gone" costs a sweep. A service that goes on listing what it cannot show is asked less and less often: what was
 * found gone is read again after as long as it had been known by then, an hour at most.
 */
const GONE_FOR = sql`least(p.state_since - p.discovered_at, interval '1 hour')`;

/** Known documents that are listed as Created: the deferred are looked at now, the reopened begin anew. */
export async function lookAtKnown(
  tx: Tx,
  actor: string,
  { tenantName, documents, listingAgeMs }: Listing,
): Promise<{ readonly reopened: number; readonly contradicted: number }> {
  const guids = documents.map((document) => document.guid);
  const listed = sql`d.tenant_name = ${tenantName} AND d.kind = ${documents[0]?.kind} AND d.guid = ANY(${guids})`;
  const known = sql`${listed} AND p.document_id = d.id`;
  const before = sql`now() - ${listingAgeMs} * interval '1 millisecond'`;
  await tx.run`
    UPDATE posting p SET due_at = now() FROM document d
    WHERE ${known} AND p.state = 'deferred' AND p.due_at > now() AND p.state_since < ${before}
      -- It waits for an hour, and is read then; being listed is no news of it.
      AND p.reason IS DISTINCT FROM 'AWAITS_SUMMARY'`;
  const reopened = await tx.rows<Reopened>`
    UPDATE posting p SET state = 'discovered', state_since = now(), due_at = now(), tries = 0,
      reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL
    FROM document d, (SELECT id, state FROM posting) old
    WHERE ${known} AND old.id = p.id AND p.state IN ('skipped', 'rejected') AND d.source_status <> 'Created'
      AND (d.source_status <> 'gone' OR p.state_since + ${GONE_FOR} < now())
      AND ${isFree('p')}
      AND NOT EXISTS (SELECT 1 FROM write_back w WHERE w.posting_id = p.id
                      AND (w.state IN ('pending', 'sent') OR w.acknowledged_at >= ${before}))
    RETURNING p.id, old.state, p.kind, d.number, d.guid, d.source_status = 'gone' AS was_gone,
      p.discovered_at < now() - interval '1 day' AS is_old`;
  // Whoever has one of them in hand ends first: a statement that waits for a row goes on with what it saw of the others before, and would
  // write Created over what a posting has been told meanwhile.
  await tx.run`SELECT 1 FROM document d WHERE ${listed} ORDER BY d.id FOR NO KEY UPDATE`;
  // A list older than what we wrote since does not say what stands there now; were it believed, a later reopening would be
  // no difference any more.
  const seen = await tx.rows<{ contradicted: boolean }>`
    UPDATE document d SET last_seen_at = now(),
      source_status = CASE WHEN EXISTS (SELECT 1 FROM posting p WHERE p.document_id = d.id
                                        AND p.state IN ('acknowledged', 'reversed', 'skipped', 'rejected'))
                      THEN d.source_status ELSE 'Created' END
    WHERE ${listed}
    RETURNING d.source_status <> 'Created' AND NOT EXISTS (
      SELECT 1 FROM posting p WHERE p.document_id = d.id AND p.state_since >= ${before}) AS contradicted`;
  await appendAuditMany(
    tx,
    reopened.map((row) => ({
      tenantName,
      actor,
      action: 'posting.reopened-at-source',
      subject: row.id,
      details: { from: row.state, to: 'discovered' },
    })),
  );
  for (const row of reopened.filter((one) => one.was_gone && one.is_old).slice(0, ALARMS_MAX))
    await alarmUnreadable(tx, tenantName, row);
  await alarmPostedReopened(tx, tenantName, known, before);
  return { reopened: reopened.length, contradicted: seen.filter((row) => row.contradicted).length };
}

/** Nobody sees a document that is listed for ever and never read, unless it is said. */
async function alarmUnreadable(tx: Tx, tenantName: TenantName, row: Reopened): Promise<void> {
  await openIncident(
    tx,
    { tenantName, postingId: row.id },
    incident(
      'LISTED_BUT_GONE',
      { kind: row.kind, number: row.number || row.guid },
      { severity: 'warning', fingerprint: row.id },
    ),
  );
}

async function alarmPostedReopened(tx: Tx, tenantName: TenantName, known: Sql, before: Sql): Promise<void> {
  const rows = await tx.rows<{ id: string; kind: SourceKind; number: string; guid: Guid; key: string }>`
    SELECT p.id, p.kind, d.number, d.guid, p.key FROM posting p, document d
    WHERE ${known} AND p.state = 'acknowledged' AND p.acknowledged_at < ${before} - ${LIST_LAG} LIMIT ${ALARMS_MAX}`;
  for (const row of rows) {
    await openIncident(
      tx,
      { tenantName, postingId: row.id },
      incident(
        'POSTED_REOPENED',
        { kind: row.kind, number: row.number || row.guid, key: row.key },
        { severity: 'critical', fingerprint: row.id },
      ),
    );
  }
}
