// Incidents that follow conditions: opened when one begins, brought up to date while it lasts, resolved when it is over. Read
// from the records in every round, so a round that was missed or died half-way is made up for by the next.
import { type Condition, type ConditionCode, fingerprintOf } from '../domain/condition.js';
import { conditionText } from '../language/conditions/condition-text.js';
import { message } from '../language/messages.js';
import { keepIncident } from './incidents.js';
import type { Db } from './db.js';

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
