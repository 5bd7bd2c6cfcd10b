// What cannot be read of an origin, on record, and the incident that names it: it says how many there are now, and ends with the last.
import { keptWords } from '../domain/message.js';
import type { TenantName } from '../domain/ids.js';
import { storableText } from '../domain/text.js';
import { incident } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import type { OriginProblem } from '../origins/origin.js';
import { endIncident, openIncident, restateIncident } from './incidents.js';
import type { Tx } from './db.js';

/** Those of the last look: what was mended is no problem any more. */
export async function keepProblems(
  tx: Tx,
  tenantName: TenantName,
  origin: string,
  problems: readonly OriginProblem[],
  looked: readonly string[],
): Promise<void> {
  const mended = await tx.run`
    DELETE FROM origin_problem p USING unnest(${[...looked]}::text[]) AS looked(at)
    WHERE p.tenant_name = ${tenantName} AND p.origin = ${origin} AND (p.place = looked.at OR starts_with(p.place, looked.at || ':'))`;
  for (const { place, problem, said } of problems)
    await tx.run`
      INSERT INTO origin_problem (tenant_name, origin, place, problem, seen_at)
      VALUES (${tenantName}, ${origin}, ${storableText(place)}, ${storableText(keptWords({ message: problem, said }, 1_000))}, now())
      ON CONFLICT (tenant_name, origin, place) DO UPDATE SET problem = excluded.problem, seen_at = now()`;
  if (mended === 0 && problems.length === 0) return;
  const [row] = await tx.rows<{ count: number; place: string; problem: string }>`
    SELECT (count(*) OVER ())::int AS count, place, problem FROM origin_problem
    WHERE tenant_name = ${tenantName} AND origin = ${origin} ORDER BY seen_at DESC, place LIMIT 1`;
  const fingerprint = `${tenantName}:${origin}`;
  if (!row) return endIncident(tx, `ORIGIN_PROBLEMS:${fingerprint}`, message('ORIGIN_READABLE'));
  const about = {
    ...{ tenant: tenantName, origin, count: row.count },
    ...{ first: row.place, what: row.problem },
  };
  const told = incident('ORIGIN_PROBLEMS', about, { severity: 'warning', fingerprint });
  if (problems.length > 0) await openIncident(tx, { tenantName }, told);
  else await restateIncident(tx, told);
}
