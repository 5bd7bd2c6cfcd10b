// Tokens of the operator API, and the answers it remembers so that the same request twice is done once.
import type { AnswerRecords } from '../../operations/answers.js';
import type { KnownToken, TokenRecords } from '../../operations/token-records.js';
import type { TokenView } from '../../operations/views/act.js';
import { failedSignIn } from '../../operations/exports.js';
import { createActTally } from '../act-tally.js';
import { appendAudit } from '../audit.js';
import type { ApiToken } from '../generated/client.js';
import { newId } from '../ids.js';
import { instantOf, instantOrNull } from '../storable.js';
import type { Records } from '../database.js';
import { modelTx } from '../prisma.js';

/** Uses are noted at most this often: one write a minute, not one a request. */
const USE_NOTED_EVERY_MS = 60_000;

export function createTokenRecords({ db, models }: Records): TokenRecords {
  return {
    createToken: (act, { name, role, companies, hash, expiresAt }) =>
      modelTx(models, async (tx) => {
        const data = {
          id: newId(),
          name,
          role,
          confined: companies !== null,
          companies: [...(companies ?? [])],
          hash,
          expiresAt,
          createdBy: act.actor,
          identity: act.identity ?? null,
          createdAt: new Date(),
        };
        const row = await tx.model.apiToken.create({ data });
        await appendAudit(tx, {
          ...act,
          action: 'token.created',
          subject: row.id,
          details: { name, role, companies },
        });
        return toView(row);
      }),
    tokens: async () => {
      const prisma = await models();
      const rows = await prisma.apiToken.findMany({ orderBy: { createdAt: 'desc' }, take: 1_000 });
      return rows.map(toView);
    },
    revokeToken: (act, id) =>
      modelTx(models, async (tx) => {
        const { count } = await tx.model.apiToken.updateMany({
          where: { id, revokedAt: null },
          data: { revokedAt: new Date(), revokedBy: act.actor },
        });
        if (count > 0) await appendAudit(tx, { ...act, action: 'token.revoked', subject: id });
        return count > 0;
      }),
    tokenByHash: async (hash) => {
      const prisma = await models();
      const row = await prisma.apiToken.findUnique({ where: { hash } });
      const now = new Date();
      if (!row || row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)) return null;
      if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > USE_NOTED_EVERY_MS)
        await prisma.apiToken.updateMany({ where: { id: row.id }, data: { lastUsedAt: now } });
      return { ...toView(row), identity: row.identity as KnownToken['identity'] };
    },
    tokenRefused: async (hash, address, at) => {
      const row = hash === null ? null : await (await models()).apiToken.findUnique({ where: { hash } });
      const act = failedSignIn({ how: 'token', login: row?.id ?? null, address, at });
      const details = row === null ? act.details : { ...act.details, token: row.name };
      await createActTally(db).count({ ...act, details });
    },
  };
}

function toView(row: ApiToken): TokenView {
  return {
    id: row.id,
    name: row.name,
    role: row.role as TokenView['role'],
    companies: row.confined ? row.companies : null,
    createdBy: row.createdBy,
    createdAt: instantOf(row.createdAt),
    expiresAt: instantOrNull(row.expiresAt),
    lastUsedAt: instantOrNull(row.lastUsedAt),
    revokedAt: instantOrNull(row.revokedAt),
  };
}

/** No request is worked on for longer. */
const RUNNING_MS_MAX = 10 * 60_000;

export function createAnswerRecords({ db, models }: Records): AnswerRecords {
  return {
    begin: async (tokenId, key, requestHash) => {
      await db.run`DELETE FROM idempotency_key WHERE created_at < now() - interval '24 hours'`;
      const begun = await db.run`
        INSERT INTO idempotency_key (token_id, key, request_hash, created_at) VALUES (${tokenId}::uuid, ${key}, ${requestHash}, now())
        ON CONFLICT (token_id, key) DO NOTHING`;
      if (begun > 0) return 'begun';
      const prisma = await models();
      const row = await prisma.idempotencyKey.findUnique({ where: { tokenId_key: { tokenId, key } } });
      if (!row || row.requestHash !== requestHash) return 'other';
      if (row.status !== null) return { status: row.status, response: row.response ?? '' };
      return Date.now() - row.createdAt.getTime() < RUNNING_MS_MAX ? 'running' : 'unknown';
    },
    finish: async (tokenId, key, { status, response }) => {
      const prisma = await models();
      await prisma.idempotencyKey.update({
        where: { tokenId_key: { tokenId, key } },
        data: { status, response },
      });
    },
    forget: async (tokenId, key) => {
      const prisma = await models();
      await prisma.idempotencyKey.deleteMany({ where: { tokenId, key, status: null } });
    },
  };
}
