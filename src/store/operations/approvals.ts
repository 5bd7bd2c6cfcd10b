// Acts that wait for a second person, on PostgreSQL.
import type {
  ApprovalRecords,
  Asked,
  AskedAct,
  StoredApproval,
} from '../../operations/four-eyes/approval-records.js';
import type { Act } from '../../operations/act.js';
import { appendAudit } from '../audit.js';
import type { Approval } from '../generated/client.js';
import { newId } from '../ids.js';
import { instantOf } from '../storable.js';
import type { Records } from '../database.js';
import { modelTx, type ModelTx } from '../prisma.js';

const LIFE_MS = 24 * 3_600_000;
/** An agreement is for now: what fails is tried again within this time, or asked anew. */
const AGREED_MS = 3_600_000;
const SHOWN_MAX = 500;
/** In the column `identity`: it is not known which person asked. */
const UNKNOWN = '';

export function createApprovalRecords({ models }: Pick<Records, 'models'>): ApprovalRecords {
  const current = () => ({ state: 'open', expiresAt: { gt: new Date() } });
  return {
    askOrAgree: (act, person, asked) => modelTx(models, (tx) => askOrAgree(tx, act, person, asked)),
    loginOfSystemUser: async (systemUser) => {
      const prisma = await models();
      const row = await prisma.dashboardUser.findFirst({ where: { systemUser, disabledAt: null } });
      return row?.login ?? null;
    },
    useApprovals: async (asked) => {
      for (const { tenantName, act, subject } of asked) {
        const where = { tenantName, act, subject, state: 'approved' };
        await (await models()).approval.updateMany({ where, data: { state: 'done' } });
      }
    },
    approval: async (id) => {
      const prisma = await models();
      const row = await prisma.approval.findFirst({ where: { id, ...current() } });
      return row && toStored(row);
    },
    approvals: async (companies) => {
      const prisma = await models();
      const rows = await prisma.approval.findMany({
        where: { ...current(), ...(companies === null ? {} : { tenantName: { in: [...companies] } }) },
        orderBy: { askedAt: 'desc' },
        take: SHOWN_MAX,
      });
      return rows.map(toStored);
    },
    withdrawApproval: (act, id) =>
      modelTx(models, async (tx) => {
        const { count } = await tx.model.approval.updateMany({
          where: { id, state: 'open' },
          data: { state: 'withdrawn', decidedBy: act.actor, decidedAt: new Date() },
        });
        const row = await tx.model.approval.findUnique({ where: { id } });
        if (count > 0 && row) await tell(tx, act, row, 'withdrawn');
        return count > 0;
      }),
  };
}

async function askOrAgree(tx: ModelTx, act: Act, person: string | null, wanted: AskedAct): Promise<Asked> {
  const { tenantName, act: name, subject, asked } = wanted;
  const now = new Date();
  // Two who come at once wait for each other here, and the second one finds the first.
  await tx.run`SELECT pg_advisory_xact_lock(hashtext(${`approval ${tenantName} ${name} ${subject}`}))`;
  await tx.model.approval.updateMany({
    where: { tenantName, act: name, subject, state: { in: ['open', 'approved'] }, expiresAt: { lte: now } },
    data: { state: 'expired' },
  });
  const found = await tx.model.approval.findFirst({
    where: { tenantName, act: name, subject, state: { in: ['open', 'approved'] } },
  });
  if (found?.asked === asked) {
    if (found.state === 'approved') return { outcome: 'granted' };
    if (person === null || found.identity === person) return waits(found);
    if (found.identity === UNKNOWN) {
      const asker = { identity: person, actor: act.actor, reason: act.reason, askedAt: now };
      const first = await tx.model.approval.update({ where: { id: found.id }, data: asker });
      await tell(tx, act, first, 'asked');
      return waits(first);
    }
    const agreed = { state: 'approved', decidedBy: act.actor, decidedAt: now };
    await tx.model.approval.update({
      where: { id: found.id },
      data: { ...agreed, expiresAt: new Date(now.getTime() + AGREED_MS) },
    });
    await tell(tx, act, found, 'agreed');
    return { outcome: 'granted' };
  }
  // Somebody wants it done in another way: that is another question.
  if (found) await tx.model.approval.update({ where: { id: found.id }, data: { state: 'withdrawn' } });
  const made = await tx.model.approval.create({
    data: {
      id: newId(),
      tenantName,
      act: name,
      subject,
      asked,
      identity: person ?? UNKNOWN,
      actor: act.actor,
      reason: act.reason,
      askedAt: now,
      expiresAt: new Date(now.getTime() + LIFE_MS),
      state: 'open',
    },
  });
  await tell(tx, act, made, 'asked');
  return waits(made);
}

function waits({ id, askedAt }: Approval): Asked {
  return { outcome: 'waits', id, since: instantOf(askedAt) };
}

async function tell(tx: ModelTx, act: Act, row: Approval, what: string): Promise<void> {
  const { tenantName, subject, asked, actor: askedBy } = row;
  await appendAudit(tx, {
    tenantName,
    actor: act.actor,
    reason: act.reason,
    action: `approval.${what}`,
    subject,
    details: { act: row.act, how: JSON.parse(asked) as unknown, askedBy },
  });
}

function toStored(row: Approval): StoredApproval {
  return {
    id: row.id,
    tenantName: row.tenantName,
    act: row.act as StoredApproval['act'],
    subject: row.subject,
    asked: row.asked,
    person: row.identity === UNKNOWN ? null : row.identity,
    actor: row.actor,
    reason: row.reason,
    askedAt: instantOf(row.askedAt),
    expiresAt: instantOf(row.expiresAt),
  };
}
