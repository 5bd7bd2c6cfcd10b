// Second factors, recovery codes and the tickets between password and code, on PostgreSQL. What may happen once happens by
// one statement that counts what it changed.
import type { SecondFactorRecords, StoredUser } from '../../operations/users/user-records.js';
import { appendAudit } from '../audit.js';
import type { DashboardUser, UserCompany } from '../generated/client.js';
import { type Models, modelTx } from '../prisma.js';

type UserRow = DashboardUser & { readonly companies: readonly UserCompany[] };

export function createSecondFactorStore(
  models: Models,
  toStored: (row: UserRow) => StoredUser,
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
