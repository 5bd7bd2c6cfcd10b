// What the database keeps of a tenant: whether its plan was confirmed, whether it is paused, which rules were last in force.
import type { Told } from '../domain/message.js';
import { message, saidBy } from '../language/messages.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { SOURCE_KINDS } from '../domain/source-document.js';
import { appendAudit } from './audit.js';
import type { PrismaClient } from './generated/client.js';
import { newId } from './ids.js';
import { openIncident, wake } from './incidents.js';

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
  /** The account is learnt once; another one under the same tenant is refused: its keys would differ. */
  learnAccount(name: string, sourceAccount: string): Promise<void>;
  confirmPlan(name: string, by: string): Promise<void>;
  /** One tick of a schedule, however many replicas fire it. True: it was ours, and the sweep is on its way. */
  tick(name: string, scheduledAt: Date, firedBy: string): Promise<boolean>;
  /** Somebody has to hear of it, and that it is over. */
  cannotConnect(failure: CannotConnect): Promise<void>;
  connect(names: readonly string[]): Promise<void>;
  requestSweep(name: string): Promise<void>;
  /** One each for those that nobody has swept for this long and that have none due. */
  requestOverdueSweeps(names: readonly string[], notSweptForMs: number): Promise<void>;
}

export function createTenantStore(prisma: PrismaClient, actor: string): TenantStore {
  return {
    register: (registration) => register(prisma, actor, registration),
    state: async (name) => {
      const row = await prisma.tenant.findUnique({ where: { name } });
      if (!row) return null;
      return {
        name,
        sourceAccount: row.sourceAccount,
        planConfirmed: row.planConfirmedAt !== null,
        paused: row.pausedAt !== null,
      };
    },
    learnAccount: (name, sourceAccount) => learnAccount(prisma, name, sourceAccount),
    confirmPlan: (name, by) =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.tenant.updateMany({
          where: { name, planConfirmedAt: null },
          data: { planConfirmedAt: new Date(), planConfirmedBy: by },
        });
        if (count > 0)
          await appendAudit(tx, {
            tenantName: name,
            actor: by,
            action: 'tenant.plan-confirmed',
            subject: name,
          });
      }),
    tick: (name, scheduledAt, firedBy) => tick(prisma, name, scheduledAt, firedBy),
    cannotConnect: (failure) =>
      prisma.$transaction((tx) => openIncident(tx, { tenantName: failure.name }, notConnected(failure))),
    connect: async (names) => {
      await prisma.$executeRaw`
        UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(message('IT_IS_CONNECTED'))}
        WHERE fingerprint = ANY(${names.map(connectionFingerprint)}) AND state <> 'resolved'`;
    },
    requestSweep: (name) =>
      prisma.$transaction(async (tx) => {
        await wake(tx, 'sweep', name, {});
      }),
    requestOverdueSweeps: (names, notSweptForMs) => requestOverdueSweeps(prisma, names, notSweptForMs),
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

async function requestOverdueSweeps(
  prisma: PrismaClient,
  names: readonly string[],
  notSweptForMs: number,
): Promise<void> {
  const ids = names.map(() => newId());
  await prisma.$executeRaw`
    INSERT INTO outbox (id, topic, tenant_name, payload, due_at, created_at)
    SELECT t.id::uuid, 'sweep', t.name, '{}', now(), now()
    FROM unnest(${ids}::text[], ${[...names]}::text[]) AS t(id, name)
    WHERE NOT EXISTS (SELECT 1 FROM outbox o WHERE o.topic = 'sweep' AND o.tenant_name = t.name AND o.due_at <= now())
      AND (SELECT count(*) FROM cursor c
           WHERE c.tenant_name = t.name AND NOT c.full_sweep_due
             AND c.last_sweep_at > now() - ${notSweptForMs} * interval '1 millisecond') < ${SOURCE_KINDS.length}`;
}

async function register(prisma: PrismaClient, actor: string, registration: TenantRegistration) {
  const { name, environment, ledger, rulesVersion, weight, postingsPerSecond } = registration;
  const facts = { environment, ledger, rulesVersion, weight, postingsPerSecond };
  return prisma.$transaction(async (tx) => {
    const before = await tx.tenant.findUnique({ where: { name } });
    await tx.tenant.upsert({
      where: { name },
      create: { name, ...facts, createdAt: new Date() },
      update: facts,
    });
    // Whoever changed the file, renewed a secret or started the bridge anew has perhaps mended it: the next document tries.
    await tx.$executeRaw`UPDATE breaker SET open_until = now() WHERE tenant_name = ${name} AND state = 'refused'`;
    if (!before || before.rulesVersion === rulesVersion) return { woken: 0 };
    const woken = await tx.$executeRaw`
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

async function learnAccount(prisma: PrismaClient, name: string, sourceAccount: string): Promise<void> {
  const { count } = await prisma.tenant.updateMany({
    where: { name, OR: [{ sourceAccount: null }, { sourceAccount }] },
    data: { sourceAccount },
  });
  if (count > 0) return;
  throw new CodedError(
    'SOURCE_ACCOUNT_CHANGED',
    `The credentials of ${name} now belong to the account ${sourceAccount}, but its documents came from another one.`,
  );
}

async function tick(
  prisma: PrismaClient,
  name: string,
  scheduledAt: Date,
  firedBy: string,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const won = await tx.$executeRaw`
      INSERT INTO tick (tenant_name, scheduled_at, fired_by) VALUES (${name}, ${scheduledAt}, ${firedBy}) ON CONFLICT DO NOTHING`;
    if (won === 0) return false;
    await tx.$executeRaw`DELETE FROM tick WHERE tenant_name = ${name} AND scheduled_at < now() - interval '7 days'`;
    // Refused credentials are tried again when the breaker lets one through; a person's request goes at once.
    const refused = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM breaker WHERE tenant_name = ${name} AND side = 'source' AND state = 'refused' AND open_until > now()`;
    if (refused.length === 0) await wake(tx, 'sweep', name, { scheduledAt: scheduledAt.toISOString() });
    return true;
  });
}
