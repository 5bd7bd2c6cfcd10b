// Users and sessions of the dashboard on PostgreSQL.
import type {
  ExternalUser,
  GuessedName,
  NewUser,
  SecondFactorRecords,
  StoredSession,
  StoredUser,
  TakenTry,
  User,
  UserChange,
  UserRecords,
  UserRole,
} from '../../operations/users/user-records.js';
import type { Reach } from '../../operations/access/reach.js';
import { companyText } from '../../operations/users/company-roles.js';
import { failedSignIn } from '../../operations/exports.js';
import { createActTally } from '../act-tally.js';
import { appendAudit, keepAddress, markAddress } from '../audit.js';
import type { DashboardUser, UserCompany } from '../generated/client.js';
import { newId } from '../ids.js';
import type { Records } from '../database.js';
import { type Models, modelTx, type ModelTx } from '../prisma.js';
import type { Db } from '../db.js';

export function createUserStore(records: Records): UserRecords {
  const { db, models } = records;
  return {
    ...createViewStore(models),
    factors: createSecondFactorStore(models, toStored),
    admit: (user) => modelTx(models, (tx) => admit(tx, user)),
    list: () => list(models),
    find: async (login) => {
      const prisma = await models();
      const row = await prisma.dashboardUser.findUnique({ where: { login }, include: { companies: true } });
      return row && toStored(row);
    },
    anyUser: async () => (await db.rows<unknown>`SELECT 1 AS one FROM dashboard_user LIMIT 1`).length > 0,
    create: (user) => modelTx(models, (tx) => insert(tx, user)),
    setUp: (codeHash, user) => setUp(models, codeHash, user),
    keepSetupCode: async (codeHash, expiresAt, at) => {
      await db.run`DELETE FROM setup_code WHERE expires_at < ${at}::timestamptz`;
      await db.run`INSERT INTO setup_code (code_hash, expires_at) VALUES (${codeHash}, ${expiresAt}::timestamptz)`;
    },
    change: (login, change, by, at) => modelTx(models, (tx) => changeUser(tx, login, change, by, at)),
    takeTry: (name, now) => takeTry(records, name, now),
    failed: (tried) => createActTally(db).count(failedSignIn(tried)),
    signedIn: (session, login) =>
      modelTx(models, async (tx) => {
        const { idHash, userId, at, expiresAt, browser, address } = session;
        await tx.model.dashboardSession.deleteMany({ where: { expiresAt: { lt: at } } });
        await tx.model.dashboardSession.create({
          data: { idHash, userId, createdAt: at, lastSeenAt: at, expiresAt, browser, address },
        });
        await forgetTries(tx, login);
        const marked = await markAddress(tx, login, address, at);
        await keepAddress(tx, marked);
        const details = { address: marked.mark };
        await appendAudit(tx, { actor: login, action: 'user.signed-in', subject: login, details });
      }),
    proved: (login, idHash, at) =>
      modelTx(models, async (tx) => {
        await forgetTries(tx, login);
        if (idHash !== null)
          await tx.model.dashboardSession.updateMany({ where: { idHash }, data: { provenAt: at } });
      }),
    session: (idHash) => findSession(models, idHash),
    seen: async (idHash, at) => {
      const prisma = await models();
      await prisma.dashboardSession.updateMany({ where: { idHash }, data: { lastSeenAt: at } });
    },
    endSession: async (idHash) => {
      const prisma = await models();
      await prisma.dashboardSession.deleteMany({ where: { idHash } });
    },
    endSessionsOf: (login, by, at) =>
      modelTx(models, async (tx) => {
        const { count } = await tx.model.dashboardSession.deleteMany({ where: { user: { login } } });
        await appendAudit(tx, {
          actor: by,
          action: 'user.signed-out-everywhere',
          subject: login,
          at,
          details: { count },
        });
        return count;
      }),
  };
}

async function forgetTries(tx: ModelTx, login: string): Promise<void> {
  await tx.model.signInGuess.deleteMany({ where: { name: { in: [`user:${login}`, `code:${login}`] } } });
}

async function list(models: Models): Promise<readonly User[]> {
  const prisma = await models();
  const rows = await prisma.dashboardUser.findMany({
    include: { sessions: { select: { lastSeenAt: true } }, companies: true, secondFactor: true },
    orderBy: { login: 'asc' },
  });
  const names = { OR: [{ name: { startsWith: 'user:' } }, { name: { startsWith: 'code:' } }] };
  const guessed = await prisma.signInGuess.findMany({ where: names });
  const locks = new Map(guessed.map(({ name, lockedUntil }) => [name, lockedUntil]));
  const lockOf = (login: string) =>
    [locks.get(`user:${login}`), locks.get(`code:${login}`)]
      .flatMap((until) => until?.toISOString() ?? [])
      .sort()
      .at(-1) ?? null;
  return rows.map((row) => {
    const lastSeen = row.sessions.map(({ lastSeenAt }) => lastSeenAt.toISOString()).sort();
    return {
      id: row.id,
      login: row.login,
      role: row.role as UserRole,
      reach: reachOf(row),
      createdAt: row.createdAt.toISOString(),
      createdBy: row.createdBy,
      disabled: row.disabledAt !== null,
      lockedUntil: lockOf(row.login),
      sessions: row.sessions.length,
      lastSeenAt: lastSeen.at(-1) ?? null,
      external: row.issuer !== null,
      secondFactor: (row.secondFactor?.confirmedAt ?? null) !== null,
      systemUser: row.systemUser,
    };
  });
}

type UserRow = DashboardUser & { readonly companies: readonly UserCompany[] };

function reachOf({ confined, companies }: UserRow): Reach | null {
  if (!confined) return null;
  const sorted = companies.toSorted((a, b) => (a.tenantName < b.tenantName ? -1 : 1));
  return new Map(sorted.map(({ tenantName, role }) => [tenantName, role as UserRole]));
}

function toStored(row: UserRow): StoredUser {
  const { id, login, passwordHash, disabledAt, issuer } = row;
  const role = row.role as UserRole;
  const external = issuer !== null;
  return { id, login, role, reach: reachOf(row), passwordHash, disabled: disabledAt !== null, external };
}

async function findSession(models: Models, idHash: string): Promise<StoredSession | null> {
  const prisma = await models();
  const row = await prisma.dashboardSession.findUnique({
    where: { idHash },
    include: { user: { include: { companies: true, secondFactor: true } } },
  });
  const factor = row?.user.secondFactor ?? null;
  return row && { ...row, user: toStored(row.user), secondFactor: (factor?.confirmedAt ?? null) !== null };
}

async function insert(tx: ModelTx, { login, role, reach, passwordHash, by, at }: NewUser): Promise<boolean> {
  const id = newId(at.getTime());
  const { count } = await tx.model.dashboardUser.createMany({
    data: {
      id,
      login,
      role,
      confined: reach !== null,
      passwordHash,
      passwordChangedAt: at,
      createdBy: by,
      createdAt: at,
    },
    skipDuplicates: true,
  });
  if (count === 0) return false;
  await tx.model.userCompany.createMany({ data: companyRows(id, reach) });
  const details = { role, companies: companyText(reach), ...newAdmin(null, { role, reach }) };
  await appendAudit(tx, { actor: by, action: 'user.created', subject: login, details, at });
  return true;
}

function companyRows(userId: string, reach: Reach | null) {
  return [...(reach ?? [])].map(([tenantName, role]) => ({ userId, tenantName, role }));
}

/** No password: none fits. */
const NO_PASSWORD = '';

async function admit(tx: ModelTx, person: ExternalUser): Promise<StoredUser | 'login-taken'> {
  const { issuer, subject, login, role, reach, at } = person;
  // Two browsers of one person at once: the second waits here and finds the first.
  await tx.run`LOCK TABLE dashboard_user IN SHARE ROW EXCLUSIVE MODE`;
  const where = { issuer_subject: { issuer, subject } };
  const before = await tx.model.dashboardUser.findUnique({ where, include: { companies: true } });
  if (!before) {
    if (!(await insert(tx, { login, role, reach, passwordHash: NO_PASSWORD, by: issuer, at })))
      return 'login-taken';
    await tx.model.dashboardUser.update({ where: { login }, data: { issuer, subject } });
  } else if (
    before.role !== role ||
    before.confined !== (reach !== null) ||
    companyText(reachOf(before)) !== companyText(reach)
  ) {
    await tx.model.dashboardUser.update({ where, data: { role, confined: reach !== null } });
    await tx.model.userCompany.deleteMany({ where: { userId: before.id } });
    await tx.model.userCompany.createMany({ data: companyRows(before.id, reach) });
    await tx.model.dashboardSession.deleteMany({ where: { userId: before.id } });
    const raised = newAdmin({ role: before.role, reach: reachOf(before) }, { role, reach });
    const details = { role, companies: companyText(reach), ...raised };
    await appendAudit(tx, { actor: issuer, action: 'user.changed', subject: before.login, details, at });
  }
  const row = await tx.model.dashboardUser.findUniqueOrThrow({ where, include: { companies: true } });
  return toStored(row);
}

async function setUp(models: Models, codeHash: string, user: NewUser) {
  return modelTx(models, async (tx) => {
    // Two people with a code at once: the second one waits here and finds the first.
    await tx.run`LOCK TABLE dashboard_user IN SHARE ROW EXCLUSIVE MODE`;
    if (await tx.model.dashboardUser.findFirst({ select: { id: true } })) return 'done-before' as const;
    const code = await tx.model.setupCode.findUnique({ where: { codeHash } });
    if (!code || code.expiresAt <= user.at) return 'wrong-code' as const;
    await tx.model.setupCode.deleteMany();
    await insert(tx, user);
    return 'made' as const;
  });
}

async function changeUser(
  tx: ModelTx,
  login: string,
  { role, reach, passwordHash, disabled, systemUser }: UserChange,
  by: string,
  at: Date,
): Promise<'changed' | 'last-admin' | 'taken'> {
  await tx.run`LOCK TABLE dashboard_user IN SHARE ROW EXCLUSIVE MODE`;
  const admin = { role: 'admin', disabledAt: null, confined: false };
  const others = await tx.model.dashboardUser.count({ where: { ...admin, NOT: { login } } });
  const losesAdmin =
    disabled === true || (role !== undefined && role !== 'admin') || (reach !== undefined && reach !== null);
  if (others === 0 && losesAdmin && (await tx.model.dashboardUser.count({ where: { ...admin, login } })) > 0)
    return 'last-admin';
  const isTaken = { systemUser: systemUser ?? null, NOT: { login } };
  if (typeof systemUser === 'string' && (await tx.model.dashboardUser.count({ where: isTaken })) > 0)
    return 'taken';
  const before = await tx.model.dashboardUser.findUniqueOrThrow({
    where: { login },
    include: { companies: true },
  });
  const { id, systemUser: sameAs } = await tx.model.dashboardUser.update({
    where: { login },
    data: {
      ...(role === undefined ? {} : { role }),
      ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: at }),
      ...(disabled === undefined ? {} : { disabledAt: disabled ? at : null }),
      ...(reach === undefined ? {} : { confined: reach !== null }),
      ...(systemUser === undefined ? {} : { systemUser }),
    },
  });
  if (reach !== undefined) {
    await tx.model.userCompany.deleteMany({ where: { userId: id } });
    await tx.model.userCompany.createMany({ data: companyRows(id, reach) });
  }
  await tx.model.dashboardSession.deleteMany({ where: { user: { login } } });
  if (passwordHash !== undefined) await tx.model.signInGuess.deleteMany({ where: { name: `user:${login}` } });
  const companies = reach === undefined ? undefined : companyText(reach);
  const revoked = disabled === true ? await revokeTokens(tx, login, sameAs, by, at) : undefined;
  const password = passwordHash === undefined ? undefined : 'changed';
  const had = { role: before.role, reach: reachOf(before) };
  const raised = newAdmin(had, { role: role ?? had.role, reach: reach === undefined ? had.reach : reach });
  const details = { role, companies, password, disabled, systemUser, tokensRevoked: revoked, ...raised };
  await appendAudit(tx, { actor: by, action: 'user.changed', subject: login, details, at });
  return 'changed';
}

/** Tokens of older versions have no identity; their maker is known by the name only. */
async function revokeTokens(
  tx: ModelTx,
  login: string,
  systemUser: string | null,
  by: string,
  at: Date,
): Promise<number> {
  const identities = [`login:${login}`, ...(systemUser === null ? [] : [`os:${systemUser}`])];
  const { count } = await tx.model.apiToken.updateMany({
    where: { revokedAt: null, OR: [{ identity: { in: identities } }, { identity: null, createdBy: login }] },
    data: { revokedAt: at, revokedBy: by },
  });
  return count;
}

// Who became an admin by a change, for those who are told of it.

/** Where they are an admin and were not before; an empty list means all companies. */
export function newAdmin(before: Rights | null, now: Rights): { readonly adminOf?: readonly string[] } {
  const [had, has] = [adminOf(before), adminOf(now)];
  if (has === null || had?.length === 0) return {};
  if (has.length === 0) return { adminOf: [] };
  const added = has.filter((name) => had?.includes(name) !== true);
  return added.length === 0 ? {} : { adminOf: added };
}

interface Rights {
  readonly role: string;
  readonly reach: Reach | null;
}

/** null: nowhere; empty: everywhere. */
function adminOf(rights: Rights | null): readonly string[] | null {
  if (rights === null) return null;
  if (rights.reach === null) return rights.role === 'admin' ? [] : null;
  const names = [...rights.reach].flatMap(([name, role]) => (role === 'admin' ? [name] : []));
  return names.length === 0 ? null : names;
}

// Tries at passwords on PostgreSQL. One statement takes a try and locks when they are used up, so that two hundred at once
// are two hundred rows waiting for one lock, not two hundred that read the same number.

/** Wrong passwords in a row before the name is locked, and for how long; every further lock doubles. */
export const LOCK = { after: 5, seconds: 60, secondsMax: 3_600 } as const;
/** A name that nobody guessed at for so long begins anew. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

interface GuessRow {
  failed: number;
  locked_until: Date | null;
}

export async function takeTry({ db, models }: Records, name: GuessedName, now: Date): Promise<TakenTry> {
  const forgotten = new Date(now.getTime() - FORGOTTEN_AFTER_MS);
  const [taken] = await db.rows<GuessRow>`
    INSERT INTO sign_in_guess AS guess (name, failed, locked_until, last_at) VALUES (${name}, 1, NULL, ${now})
    ON CONFLICT (name) DO UPDATE SET
      failed = CASE WHEN guess.last_at < ${forgotten} THEN 1 ELSE guess.failed + 1 END,
      last_at = ${now},
      locked_until = CASE WHEN guess.last_at >= ${forgotten} AND (guess.failed + 1) % ${LOCK.after}::int = 0
        THEN ${now}::timestamptz + make_interval(secs => least(
          ${LOCK.seconds}::int * 2 ^ least((guess.failed + 1) / ${LOCK.after}::int - 1, 20), ${LOCK.secondsMax}::int))
        ELSE NULL END
      WHERE guess.locked_until IS NULL OR guess.locked_until <= ${now}
    RETURNING failed, locked_until`;
  if (!taken) return { outcome: 'locked', until: await readLock(models, name, now) };
  if (taken.locked_until !== null) await tellAudit(db, name, taken.failed);
  return { outcome: 'taken', lockedUntil: taken.locked_until };
}

async function readLock(models: Models, name: GuessedName, now: Date): Promise<Date> {
  const row = await (await models()).signInGuess.findUnique({ where: { name } });
  return row?.lockedUntil ?? now;
}

/** Names that nobody has are nobody's business. */
async function tellAudit(db: Db, name: GuessedName, failedSignIns: number): Promise<void> {
  if (name.startsWith('nobody:')) return;
  const login = name.slice(name.indexOf(':') + 1);
  await appendAudit(db, {
    actor: login,
    action: 'user.locked',
    subject: login,
    details: { failedSignIns },
  });
}

// Views that people saved, on PostgreSQL; so many each.

const VIEWS_MAX = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createViewStore(models: Models): Pick<UserRecords, 'views' | 'keepView' | 'dropView'> {
  return {
    views: async (login) =>
      (await models()).savedView.findMany({
        where: { user: { login } },
        select: { id: true, name: true, query: true },
        orderBy: { name: 'asc' },
        take: VIEWS_MAX,
      }),
    keepView: async (login, { name, query }, at) => {
      const prisma = await models();
      const user = await prisma.dashboardUser.findUnique({ where: { login }, select: { id: true } });
      if (!user) return;
      await prisma.savedView.upsert({
        where: { userId_name: { userId: user.id, name } },
        create: { id: newId(at.getTime()), userId: user.id, name, query, createdAt: at },
        update: { query },
      });
    },
    dropView: async (login, id) => {
      if (UUID.test(id)) await (await models()).savedView.deleteMany({ where: { id, user: { login } } });
    },
  };
}

// Second factors, recovery codes and the tickets between password and code, on PostgreSQL. What may happen once happens by
// one statement that counts what it changed.

type FactorUserRow = DashboardUser & { readonly companies: readonly UserCompany[] };

export function createSecondFactorStore(
  models: Models,
  toStored: (row: FactorUserRow) => StoredUser,
): SecondFactorRecords {
  return {
    state: async (userId) => {
      const [factor, codesLeft] = await Promise.all([
        (await models()).secondFactor.findUnique({ where: { userId } }),
        (await models()).recoveryCode.count({ where: { userId, usedAt: null } }),
      ]);
      return { on: (factor?.confirmedAt ?? null) !== null, codesLeft };
    },
    find: async (userId) => {
      const row = await (await models()).secondFactor.findUnique({ where: { userId } });
      return row && { sealed: row.sealed, confirmed: row.confirmedAt !== null };
    },
    keep: (userId, sealed, at) =>
      modelTx(models, async (tx) => {
        await tx.model.secondFactor.deleteMany({ where: { userId, confirmedAt: null } });
        const data = { userId, sealed, createdAt: at };
        return (await tx.model.secondFactor.createMany({ data, skipDuplicates: true })).count === 1;
      }),
    confirm: (factor, at) => confirm(models, factor, at),
    end: (userId, login, by, at) =>
      modelTx(models, async (tx) => {
        const { count } = await tx.model.secondFactor.deleteMany({ where: { userId } });
        await tx.model.recoveryCode.deleteMany({ where: { userId } });
        await tx.model.signInTicket.deleteMany({ where: { userId } });
        await tx.model.signInGuess.deleteMany({ where: { name: `code:${login}` } });
        if (count > 0)
          await appendAudit(tx, { actor: by, action: 'user.second-factor-off', subject: login, at });
        return count > 0;
      }),
    all: async () => (await models()).secondFactor.findMany({ select: { userId: true, sealed: true } }),
    reseal: async (userId, before, sealed) => {
      const where = { userId, sealed: before };
      return (await (await models()).secondFactor.updateMany({ where, data: { sealed } })).count === 1;
    },
    takeStep: async (userId, step) => {
      const where = { userId, lastStep: { lt: step }, confirmedAt: { not: null } };
      return (
        (await (await models()).secondFactor.updateMany({ where, data: { lastStep: step } })).count === 1
      );
    },
    takeRecoveryCode: (userId, codeHash, login, at) =>
      modelTx(models, async (tx) => {
        const where = { userId, codeHash, usedAt: null };
        const { count } = await tx.model.recoveryCode.updateMany({ where, data: { usedAt: at } });
        if (count === 1)
          await appendAudit(tx, { actor: login, action: 'user.recovery-code-used', subject: login, at });
        return count === 1;
      }),
    keepTicket: async (idHash, userId, expiresAt, at) => {
      await (await models()).signInTicket.deleteMany({ where: { expiresAt: { lt: at } } });
      await (await models()).signInTicket.create({ data: { idHash, userId, expiresAt } });
    },
    ticket: async (idHash) => {
      const user = { include: { companies: true } };
      const row = await (await models()).signInTicket.findUnique({ where: { idHash }, include: { user } });
      return row && { user: toStored(row.user), expiresAt: row.expiresAt };
    },
    takeTicket: async (idHash) =>
      (await (await models()).signInTicket.deleteMany({ where: { idHash } })).count === 1,
  };
}

async function confirm(
  models: Models,
  { userId, login, step, codeHashes, keptSession }: Parameters<SecondFactorRecords['confirm']>[0],
  at: Date,
): Promise<boolean> {
  return modelTx(models, async (tx) => {
    const where = { userId, confirmedAt: null };
    const data = { confirmedAt: at, lastStep: step };
    if ((await tx.model.secondFactor.updateMany({ where, data })).count === 0) return false;
    await tx.model.recoveryCode.deleteMany({ where: { userId } });
    await tx.model.recoveryCode.createMany({ data: codeHashes.map((codeHash) => ({ codeHash, userId })) });
    await tx.model.dashboardSession.deleteMany({ where: { userId, NOT: { idHash: keptSession } } });
    await appendAudit(tx, { actor: login, action: 'user.second-factor-on', subject: login, at });
    return true;
  });
}
