// What the database keeps of a tenant: whether its plan was confirmed, whether it is paused, which rules were last in force.
import type { Told } from '../domain/message.js';
import { message, saidBy } from '../language/messages.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { plainKennitala } from '../domain/kennitala.js';
import { coded } from '../language/coded.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import { appendAudit } from './audit.js';
import { newId } from './ids.js';
import { endIncident, openIncident, wake } from './incidents.js';
import type { Db } from './db.js';

export interface TenantRegistration {
  readonly name: string;
  readonly environment: 'production' | 'development';
  readonly ledger: string;
  readonly rulesVersion: string;
  readonly weight: number;
  readonly postingsPerSecond: number;
}

export interface CannotConnect {
  readonly name: string;
  /** With the connection that it had before its file changed. */
  readonly goesOn: boolean;
  readonly file: string;
  /** Why; `said` where the words are ours. */
  readonly why: Told;
  /** Of the error, where it has one. */
  readonly code?: string | undefined;
  readonly remedy: string;
}

export interface TenantState {
  readonly name: string;
  readonly sourceAccount: string | null;
  readonly planConfirmed: boolean;
  readonly paused: boolean;
}

export interface TenantStore {
  /** Creates or updates the row; when the rules changed, everything that waited for them is looked at again. */
  register(registration: TenantRegistration): Promise<{ readonly woken: number }>;
  state(name: string): Promise<TenantState | null>;
  /** The account is learnt once; another one under the same tenant is refused, with an incident: its keys would differ. */
  learnAccount(name: string, sourceAccount: string): Promise<void>;
  confirmPlan(name: string, by: string): Promise<void>;
  /** One tick of a schedule, however many replicas fire it. Whose it was ours to fire: their sweeps are on their way. */
  tick(names: readonly string[], scheduledAt: Date, firedBy: string): Promise<string[]>;
  /** Somebody has to hear of it, and that it is over. */
  cannotConnect(failure: CannotConnect): Promise<void>;
  connect(names: readonly string[]): Promise<void>;
  /** A tenant whose file was deleted is not waited for: its incident ends. `kept`: those that have a file. */
  filesGone(kept: readonly string[]): Promise<void>;
  requestSweep(name: string): Promise<void>;
  /** One each for those that nobody has swept for this long and that have none due. */
  requestOverdueSweeps(names: readonly string[], notSweptForMs: number): Promise<void>;
}

export function createTenantStore(db: Db, actor: string): TenantStore {
  return {
    register: (registration) => register(db, actor, registration),
    state: async (name) => {
      const [row] = await db.rows<TenantState>`
        SELECT name, source_account AS "sourceAccount", plan_confirmed_at IS NOT NULL AS "planConfirmed", paused_at IS NOT NULL AS paused
        FROM tenant WHERE name = ${name}`;
      return row ?? null;
    },
    learnAccount: (name, sourceAccount) => learnAccount(db, name, sourceAccount),
    confirmPlan: (name, by) =>
      db.tx(async (tx) => {
        const count = await tx.run`
          UPDATE tenant SET plan_confirmed_at = now(), plan_confirmed_by = ${by} WHERE name = ${name} AND plan_confirmed_at IS NULL`;
        if (count > 0)
          await appendAudit(tx, {
            tenantName: name,
            actor: by,
            action: 'tenant.plan-confirmed',
            subject: name,
          });
      }),
    tick: (names, scheduledAt, firedBy) => tick(db, names, scheduledAt, firedBy),
    cannotConnect: (failure) =>
      db.tx((tx) => openIncident(tx, { tenantName: failure.name }, notConnected(failure))),
    filesGone: async (kept) => {
      await db.run`
        UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(message('ITS_FILE_IS_GONE'))}
        WHERE code IN ('TENANT_NOT_CONNECTED', 'SOURCE_ACCOUNT_CHANGED') AND state <> 'resolved' AND tenant_name <> ALL(${[...kept]}::text[])`;
    },
    connect: async (names) => {
      await db.run`
        UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(message('IT_IS_CONNECTED'))}
        WHERE fingerprint = ANY(${names.map(connectionFingerprint)}) AND state <> 'resolved'`;
    },
    requestSweep: (name) =>
      db.tx(async (tx) => {
        await wake(tx, 'sweep', name, {});
      }),
    requestOverdueSweeps: (names, notSweptForMs) => requestOverdueSweeps(db, names, notSweptForMs),
  };
}

const connectionFingerprint = (name: string) => `TENANT_NOT_CONNECTED:${name}`;

function notConnected({ name, goesOn, file, why, code, remedy }: CannotConnect): NewIncident {
  const message = `${file}: ${why.message}`.slice(0, 500);
  const known = { file, what: saidBy(why, 500), ...(code !== undefined && { code }) };
  return incident(
    'TENANT_NOT_CONNECTED',
    { tenant: name, goesOn, message, remedy, ...known },
    { severity: 'critical', fingerprint: name },
  );
}

async function requestOverdueSweeps(db: Db, names: readonly string[], notSweptForMs: number): Promise<void> {
  const ids = names.map(() => newId());
  await db.run`
    INSERT INTO outbox (id, topic, tenant_name, payload, due_at, created_at)
    SELECT t.id::uuid, 'sweep', t.name, '{}', now(), now()
    FROM unnest(${ids}::text[], ${[...names]}::text[]) AS t(id, name)
    WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.topic = 'sweep' AND o.tenant_name = t.name AND o.due_at <= now())
      AND (SELECT count(*) FROM cursor c
           WHERE c.tenant_name = t.name AND NOT c.full_sweep_due
             AND c.last_sweep_at > now() - ${notSweptForMs} * interval '1 millisecond') < ${SOURCE_KINDS.length}`;
}

async function register(db: Db, actor: string, registration: TenantRegistration) {
  const { name, environment, ledger, rulesVersion, weight, postingsPerSecond } = registration;
  if (await registerAsBefore(db, registration)) return { woken: 0 };
  return db.tx(async (tx) => {
    const [before] = await tx.rows<{ rulesVersion: string | null }>`
      SELECT rules_version AS "rulesVersion" FROM tenant WHERE name = ${name}`;
    await tx.run`
      INSERT INTO tenant (name, environment, ledger, rules_version, weight, postings_per_second, created_at)
      VALUES (${name}, ${environment}, ${ledger}, ${rulesVersion}, ${weight}::int, ${postingsPerSecond}::float8, now())
      ON CONFLICT (name) DO UPDATE SET environment = excluded.environment, ledger = excluded.ledger,
        rules_version = excluded.rules_version, weight = excluded.weight, postings_per_second = excluded.postings_per_second`;
    // Whoever changed the file, renewed a secret or started the bridge anew has perhaps mended it: the next document tries.
    await tx.run`UPDATE breaker SET open_until = now() WHERE tenant_name = ${name} AND state = 'refused'`;
    if (!before || before.rulesVersion === rulesVersion) return { woken: 0 };
    const woken = await tx.run`
      UPDATE posting SET due_at = now() WHERE tenant_name = ${name} AND (state = 'held' AND reason IS DISTINCT FROM 'HELD_BY_OPERATOR'
        -- The rules may no longer want them booked together, or close their day at another hour.
        OR state = 'deferred' AND reason = 'AWAITS_SUMMARY')`;
    const details = { from: before.rulesVersion, to: rulesVersion, woken };
    await appendAudit(tx, {
      tenantName: name,
      actor,
      action: 'tenant.rules-changed',
      subject: name,
      details,
    });
    return { woken };
  });
}

/** New, or with the rules that it had: one statement, since a bridge that starts does this for each of its companies. */
async function registerAsBefore(db: Db, registration: TenantRegistration): Promise<boolean> {
  const { name, environment, ledger, rulesVersion, weight, postingsPerSecond } = registration;
  const kept = await db.rows<unknown>`
    WITH kept AS (
      INSERT INTO tenant (name, environment, ledger, rules_version, weight, postings_per_second, created_at)
      SELECT ${name}, ${environment}, ${ledger}, ${rulesVersion}, ${weight}::int, ${postingsPerSecond}::float8, now()
      WHERE NOT EXISTS (SELECT 1 FROM tenant WHERE name = ${name} AND rules_version IS DISTINCT FROM ${rulesVersion})
      ON CONFLICT (name) DO UPDATE
      SET environment = excluded.environment, ledger = excluded.ledger, weight = excluded.weight,
          postings_per_second = excluded.postings_per_second
      WHERE tenant.rules_version IS NOT DISTINCT FROM excluded.rules_version
      RETURNING name
    ),
    freed AS (
      UPDATE breaker SET open_until = now() FROM kept WHERE tenant_name = kept.name AND state = 'refused'
    )
    SELECT name FROM kept`;
  return kept.length > 0;
}

async function learnAccount(db: Db, name: string, sourceAccount: string): Promise<void> {
  await db.run`
    UPDATE tenant SET source_account = ${sourceAccount} WHERE name = ${name} AND source_account IS NULL`;
  const [row] = await db.rows<{ known: string | null }>`
    SELECT source_account AS known FROM tenant WHERE name = ${name}`;
  const known = row?.known ?? null;
  const params = { tenant: name, known: known ?? '', opened: sourceAccount };
  const alarm = incident('SOURCE_ACCOUNT_CHANGED', params, { severity: 'critical', fingerprint: name });
  // A tenant that was never served has no documents of another account.
  if (known === null || plainKennitala(known) === plainKennitala(sourceAccount))
    return endIncident(db, alarm.fingerprint, message('ITS_OWN_ACCOUNT_AGAIN'));
  await db.tx((tx) => openIncident(tx, { tenantName: name }, alarm));
  throw coded('SOURCE_ACCOUNT_CHANGED', message('ACCOUNT_CHANGED', params));
}

/** One statement for all companies of a schedule: a hundred of them fire in the same second. */
async function tick(db: Db, names: readonly string[], scheduledAt: Date, firedBy: string): Promise<string[]> {
  const ids = names.map(() => newId());
  const payload = JSON.stringify({ scheduledAt: scheduledAt.toISOString() });
  const fired = await db.rows<{ name: string }>`
    WITH due AS (SELECT id::uuid, name FROM unnest(${ids}::text[], ${[...names]}::text[]) AS t(id, name)),
    won AS (
      INSERT INTO tick (tenant_name, scheduled_at, fired_by) SELECT name, ${scheduledAt}, ${firedBy} FROM due
      ON CONFLICT DO NOTHING RETURNING tenant_name
    ),
    old AS (
      DELETE FROM tick USING won WHERE tick.tenant_name = won.tenant_name AND scheduled_at < now() - interval '7 days'
    ),
    woken AS (
      INSERT INTO outbox (id, topic, tenant_name, payload, due_at, created_at)
      SELECT due.id, 'sweep', due.name, ${payload}, now(), now() FROM due JOIN won ON won.tenant_name = due.name
      -- Refused credentials are tried again when the breaker lets one through; a person's request goes at once.
      WHERE NOT EXISTS (SELECT 1 FROM breaker b WHERE b.tenant_name = due.name AND b.side = 'source' AND b.state = 'refused' AND b.open_until > now())
    )
    SELECT tenant_name AS name FROM won`;
  return fired.map(({ name }) => name);
}
