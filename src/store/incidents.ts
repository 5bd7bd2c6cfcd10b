// One open row per fingerprint: what repeats is counted. The row says itself whether people were told of it (the notifier).
import type { TenantName } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import { type ConditionText, conditionText } from '../language/conditions/condition-text.js';
import { type NewIncident, newIncidentText } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import { newId } from './ids.js';
import { storable } from './storable.js';
import type { Db, Tx } from './db.js';
import { type Condition, type ConditionCode, fingerprintOf } from '../domain/condition.js';

export interface IncidentSubject {
  readonly tenantName?: string;
  readonly postingId?: string;
}

/** In English for whoever reads the table, and as values for every other reader. */
export interface KeptIncident extends ConditionText, Pick<NewIncident, 'fingerprint' | 'severity'> {
  readonly code: string;
  readonly params: string;
  readonly count?: number;
}

export function openIncident(tx: Tx, subject: IncidentSubject, incident: NewIncident): Promise<void> {
  const { code, fingerprint, severity, params } = incident;
  const texts = newIncidentText('en', incident);
  return keepIncident(tx, subject, {
    code,
    fingerprint,
    severity,
    ...texts,
    params: JSON.stringify(storable(params)),
  });
}

export async function keepIncident(tx: Tx, subject: IncidentSubject, said: KeptIncident): Promise<void> {
  const id = newId();
  const incident = storable(said);
  await tx.run`
    INSERT INTO incident (id, tenant_name, posting_id, code, fingerprint, severity, title, details, next_step, state, params, count,
                          first_seen_at, last_seen_at)
    VALUES (${id}::uuid, ${subject.tenantName ?? null}, ${subject.postingId ?? null}::uuid, ${incident.code}, ${incident.fingerprint},
            ${incident.severity}, ${incident.title}, ${incident.details}, ${incident.nextStep}, 'open', ${incident.params}, ${incident.count ?? 1}, now(), now())
    ON CONFLICT (fingerprint) WHERE state <> 'resolved'
    DO UPDATE SET count = incident.count + 1, last_seen_at = now(), details = excluded.details, title = excluded.title,
      params = excluded.params`;
}

/** Part of it is over: whoever opens it reads what is left, and nobody is told anew. */
export async function restateIncident(tx: Tx, incident: NewIncident): Promise<void> {
  const said = storable({
    ...newIncidentText('en', incident),
    params: JSON.stringify(storable(incident.params)),
  });
  await tx.run`
    UPDATE incident SET title = ${said.title}, details = ${said.details}, params = ${said.params}
    WHERE fingerprint = ${incident.fingerprint} AND state <> 'resolved'`;
}

/** What was open ends by itself. */
export async function endIncident(
  tx: Pick<Tx, 'run'>,
  fingerprint: string,
  resolution: Message,
): Promise<void> {
  await tx.run`
    UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(resolution)}
    WHERE fingerprint = ${fingerprint} AND state <> 'resolved'`;
}

/** A wake-up that belongs to no posting. Handed to its queue by the dispatcher. */
export async function wake(
  tx: Tx,
  topic: 'sweep' | 'reconcile',
  tenantName: TenantName | null,
  payload: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = newId();
  await tx.run`
    INSERT INTO outbox (id, topic, tenant_name, payload, due_at, created_at)
    VALUES (${id}::uuid, ${topic}, ${tenantName}, ${JSON.stringify(payload)}, now(), now())`;
  return id;
}

/**
 * Where a document has arrived, and what was open about it until then. That somebody else posted it too, or that
 * it does not stand against its invoice in the ERP, stays for a person: that it has arrived mends neither.
 */
export const RESOLVED_BY = {
  acknowledged: message('SETTLED_ACKNOWLEDGED'),
  reversed: message('SETTLED_REVERSED'),
} as const;
export const STAYS_OPEN: readonly string[] = ['FOREIGN_POSTED', 'POSTED_REOPENED', 'NOT_MATCHED'];

// Incidents that follow conditions: opened when one begins, brought up to date while it lasts, resolved when it is over. Read
// from the records in every round, so a round that was missed or died half-way is made up for by the next.

export interface FollowedIncidents {
  /** `codes` are those that the caller has looked at: of these, what is not among the conditions is over. */
  follow(codes: readonly ConditionCode[], conditions: readonly Condition[]): Promise<void>;
}

/** More than this at once are told in the next rounds. */
const OPENED_MAX = 200;

export function createFollowedIncidents(db: Db): FollowedIncidents {
  return {
    follow: async (codes, conditions) => {
      const open = await openOnes(db, codes);
      const wanted = new Map(conditions.map((condition) => [fingerprintOf(condition), condition]));
      const begun = [...wanted].filter(([fingerprint]) => !open.has(fingerprint)).slice(0, OPENED_MAX);
      const changed = [...wanted].filter(([fingerprint, { params }]) => {
        const known = open.get(fingerprint);
        return known !== undefined && known.params !== JSON.stringify(params);
      });
      const over = [...open].filter(([fingerprint]) => !wanted.has(fingerprint)).map(([, { id }]) => id);
      const settled = await resolvedByPeople(
        db,
        begun.map(([fingerprint]) => fingerprint),
      );
      for (const [fingerprint, condition] of begun) {
        const since = settled.get(fingerprint);
        // Whoever resolved it has seen it as it is; only what came after that is news.
        if (since !== undefined && Date.parse(condition.lastAt) <= since.getTime()) continue;
        await begin(db, condition);
      }
      for (const [fingerprint, condition] of changed) await update(db, fingerprint, condition);
      if (over.length > 0) await end(db, over);
    },
  };
}

async function openOnes(db: Db, codes: readonly ConditionCode[]) {
  const rows = await db.rows<{ id: string; fingerprint: string; params: string | null }>`
    SELECT id, fingerprint, params FROM incident WHERE code = ANY(${[...codes]}::text[]) AND state <> 'resolved'`;
  return new Map(rows.map((row) => [row.fingerprint, row]));
}

async function resolvedByPeople(db: Db, fingerprints: readonly string[]) {
  if (fingerprints.length === 0) return new Map<string, Date>();
  const rows = await db.rows<{ fingerprint: string; at: Date | null }>`
    SELECT fingerprint, max(resolved_at) AS at FROM incident
    WHERE fingerprint = ANY(${[...fingerprints]}::text[]) AND state = 'resolved' AND resolved_by <> 'bridge'
    GROUP BY fingerprint`;
  return new Map(rows.map(({ fingerprint, at }) => [fingerprint, at ?? new Date(0)]));
}

function begin(db: Db, condition: Condition): Promise<void> {
  const { code, tenant, severity, params } = condition;
  const said = {
    code,
    fingerprint: fingerprintOf(condition),
    severity,
    ...conditionText('en', condition),
  };
  const about = tenant === null ? {} : { tenantName: tenant };
  return keepIncident(db, about, { ...said, params: JSON.stringify(params), count: countOf(condition) });
}

async function update(db: Db, fingerprint: string, condition: Condition): Promise<void> {
  const { severity, params } = condition;
  const { title, details, nextStep } = conditionText('en', condition);
  await db.run`
    UPDATE incident SET title = ${title}, details = ${details}, next_step = ${nextStep}, severity = ${severity},
      params = ${JSON.stringify(params)}, count = ${countOf(condition)}, last_seen_at = now()
    WHERE fingerprint = ${fingerprint} AND state <> 'resolved'`;
}

/** How many documents it is about. */
function countOf({ params }: Condition): number {
  return Math.max(1, 'count' in params ? params.count : 1);
}

async function end(db: Db, ids: readonly string[]): Promise<void> {
  await db.run`
    UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(message('IT_IS_OVER'))}
    WHERE id = ANY(${[...ids]}::uuid[]) AND state <> 'resolved'`;
}
