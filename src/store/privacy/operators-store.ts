// People who sign in: what is kept about one of them, their end, and the end of network addresses by age.
import type { Act } from '../../operations/act.js';
import type { AddressCount, FoundAt, OperatorErasure } from '../../operations/privacy/privacy.js';
import { appendAudit } from '../audit.js';
import { type Db, join, raw, sql, type Sql, type Tx } from '../db.js';

/** Columns with the name of whoever did something, which may become another name. The audit and certificates are never rewritten. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  dashboard_user: ['created_by'],
  api_token: ['created_by', 'identity', 'revoked_by'],
  tenant: ['plan_confirmed_by', 'paused_by'],
  outgoing_tenant: ['confirmed_by', 'paused_by'],
  incident: ['resolved_by'],
  operation_run: ['actor'],
  approval: ['identity', 'actor', 'decided_by'],
};

/** Two people may have to agree to these; who asked is who they are until then. */
const WAITS: Readonly<Record<string, Sql>> = {
  approval: sql`state IN ('open', 'approved')`,
  operation_run: sql`state <> 'done'`,
};

const NEVER_REWRITTEN: Readonly<Record<string, readonly string[]>> = {
  audit_entry: ['actor', 'subject'],
  certificate: ['made_by'],
  // Until its hour is over.
  act_tally: ['actor', 'subject'],
};

export async function operatorFoundAt(db: Db, login: string): Promise<readonly FoundAt[]> {
  const own = await db.rows<FoundAt>(sql`
    WITH u AS (SELECT id FROM dashboard_user WHERE login = ${login})
    SELECT 'dashboard_user' AS place, count(*)::int AS rows FROM u
    UNION ALL SELECT 'dashboard_session', count(*)::int FROM dashboard_session WHERE user_id IN (SELECT id FROM u)
    UNION ALL SELECT 'saved_view', count(*)::int FROM saved_view WHERE user_id IN (SELECT id FROM u)
    UNION ALL SELECT 'sign_in_guess', count(*)::int FROM sign_in_guess WHERE ${guessesOf(login)}
    UNION ALL SELECT 'audit_address', count(*)::int FROM audit_address WHERE subject = ${login}`);
  const places = [...own];
  for (const [place, columns] of Object.entries({ ...NAMED, ...NEVER_REWRITTEN })) {
    const [row] = await db.rows<{ rows: number }>(
      sql`SELECT count(*)::int AS rows FROM ${raw(place)} WHERE ${isNamed(columns, login)}`,
    );
    const before = places.find((one) => one.place === place);
    if (before) places[places.indexOf(before)] = { place, rows: before.rows + (row?.rows ?? 0) };
    else places.push({ place, rows: row?.rows ?? 0 });
  }
  return places.filter(({ rows }) => rows > 0);
}

/** Undone when it is a dry run: so it says exactly what it would do. */
export function eraseOperator(
  db: Db,
  login: string,
  pseudonym: string,
  act: Act | null,
): Promise<OperatorErasure> {
  let done: OperatorErasure | null = null;
  return db
    .tx(async (tx) => {
      done = await erased(tx, login, pseudonym);
      if (act === null) throw new DryRun();
      await appendAudit(tx, {
        ...{ actor: act.actor, action: 'user.erased', subject: pseudonym, reason: act.reason },
        details: { changed: done.changed, removed: done.removed },
      });
      return done;
    })
    .catch((error: unknown) => {
      if (error instanceof DryRun && done) return done;
      throw error;
    });
}

class DryRun extends Error {}

async function erased(tx: Tx, login: string, pseudonym: string): Promise<OperatorErasure> {
  const removed: Record<string, number> = {};
  const changed: Record<string, number> = {};
  const users = sql`(SELECT id FROM dashboard_user WHERE login = ${login})`;
  for (const table of ['dashboard_session', 'second_factor', 'recovery_code', 'sign_in_ticket', 'saved_view'])
    removed[table] = await tx.run(sql`DELETE FROM ${raw(table)} WHERE user_id IN ${users}`);
  removed['sign_in_guess'] = await tx.run(sql`DELETE FROM sign_in_guess WHERE ${guessesOf(login)}`);
  removed['audit_address'] = await tx.run(sql`DELETE FROM audit_address WHERE subject = ${login}`);
  for (const [table, columns] of Object.entries(NAMED)) {
    const done = WAITS[table] === undefined ? sql`true` : sql`NOT (${WAITS[table]})`;
    const sets = columns.map((column) => sql`${raw(column)} = ${renamed(column, login, pseudonym)}`);
    const count = await tx.run(
      sql`UPDATE ${raw(table)} SET ${join(sets)} WHERE (${isNamed(columns, login)}) AND ${done}`,
    );
    changed[table] = count;
  }
  // The number that an identity provider gave them stays: without it they would be somebody new there, and let in.
  const themselves = await tx.run(sql`
    UPDATE dashboard_user SET login = ${pseudonym}, "system_user" = NULL, password_hash = ''
    WHERE login = ${login}`);
  changed['dashboard_user'] = (changed['dashboard_user'] ?? 0) + themselves;
  return { pseudonym, removed: named(removed), changed: named(changed), stays: await staying(tx, login) };
}

/** In the order of the tables, without those of which nothing went. */
function named(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

async function staying(tx: Tx, login: string): Promise<Record<string, number>> {
  const stays: Record<string, number> = {};
  for (const [table, columns] of Object.entries({ ...NEVER_REWRITTEN, ...NAMED })) {
    const [row] = await tx.rows<{ rows: number }>(
      sql`SELECT count(*)::int AS rows FROM ${raw(table)} WHERE ${isNamed(columns, login)}`,
    );
    stays[table] = row?.rows ?? 0;
  }
  return named(stays);
}

function renamed(column: string, login: string, pseudonym: string): Sql {
  return sql`CASE ${raw(column)} WHEN ${login} THEN ${pseudonym} WHEN ${`login:${login}`} THEN ${`login:${pseudonym}`} ELSE ${raw(column)} END`;
}

function isNamed(columns: readonly string[], login: string): Sql {
  return join(
    columns.map((column) => sql`${raw(column)} IN (${login}, ${`login:${login}`})`),
    ' OR ',
  );
}

function guessesOf(login: string): Sql {
  return sql`name IN (${`user:${login}`}, ${`code:${login}`})`;
}

export async function countAddresses(db: Db, before: Date): Promise<AddressCount> {
  const day = dayOf(before);
  const [row] = await db.rows<AddressCount>(sql`
    SELECT (SELECT count(*)::int FROM audit_address WHERE day < ${day}) AS addresses,
      (SELECT count(*)::int FROM dashboard_session WHERE ${isOver(before)}) AS sessions,
      (SELECT count(*)::int FROM sign_in_guess WHERE last_at < ${before}::timestamptz) AS tries`);
  return row ?? { addresses: 0, sessions: 0, tries: 0 };
}

export function removeAddresses(db: Db, before: Date, act: Act): Promise<AddressCount> {
  const day = dayOf(before);
  return db.tx(async (tx) => {
    await tx.run`SELECT pg_advisory_xact_lock(hashtext('ledgerbridge:privacy'))`;
    const addresses = await tx.run`DELETE FROM audit_address WHERE day < ${day}`;
    await tx.run`DELETE FROM audit_address_secret WHERE day < ${day}`;
    const sessions = await tx.run(sql`DELETE FROM dashboard_session WHERE ${isOver(before)}`);
    const tries = await tx.run`DELETE FROM sign_in_guess WHERE last_at < ${before}::timestamptz`;
    const count = { addresses, sessions, tries };
    if (addresses + sessions + tries > 0)
      await appendAudit(tx, {
        ...{ actor: act.actor, action: 'addresses.removed', subject: '(bridge)', reason: act.reason },
        details: { before: day, ...count },
      });
    return count;
  });
}

function isOver(before: Date): Sql {
  return sql`expires_at < now() AND last_seen_at < ${before}::timestamptz`;
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
