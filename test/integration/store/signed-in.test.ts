// Whoever signs in has mended what was refused: nobody waits for the next probe.
import { afterAll, expect, it } from 'vitest';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT as at, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma, db } = database;
afterAll(() => database.close());

it('a sign-in has the refused source probed at once, by a document and by a sweep, and leaves other breakers alone', async () => {
  const document = storedDocument('hraun');
  const { id, kind, tenantName } = document;
  const confirmed = { createdAt: at, planConfirmedAt: at, planConfirmedBy: 'test' };
  await prisma.tenant.create({ data: { name: tenantName, environment: 'development', ...confirmed } });
  await prisma.document.create({ data: document });
  await prisma.posting.create({
    data: {
      ...{ id, tenantName, kind, documentId: id, key: id, state: 'discovered' },
      ...{ stateSince: at, discoveredAt: at, dueAt: new Date(Date.now() - 1_000) },
    },
  });
  const dispatch = createDispatchStore(database);
  const due = () =>
    dispatch.turnsDue({ stage: 'post', tenants: [tenantName], perTenant: 8, probeMs: 30_000 });
  const tokens = {
    ...{ sealedAccess: 'a', sealedRefresh: 'r', keyId: 'k', scopes: ['nav', 'cost'] },
    ...{ accessExpiresAt: new Date(), refreshExpiresAt: new Date() },
  };
  const grants = createGrantStore(db);
  await grants.save(tenantName, 'client', tokens, new Date());
  expect(await prisma.outbox.count()).toBe(0);
  await createBreakerStore(db).refused(tenantName, 'source', 'The grant was revoked');
  await prisma.outbox.deleteMany();
  expect(await due()).toEqual([]);
  await grants.save(tenantName, 'client', tokens, new Date());
  expect(await due()).toEqual([{ stage: 'post', tenantName, share: 1, isProbe: true }]);
  expect(await prisma.outbox.findMany({ select: { topic: true, tenantName: true } })).toEqual([
    { topic: 'sweep', tenantName },
  ]);
  await createBreakerStore(db).refused(tenantName, 'erp', 'bad signature');
  await grants.save(tenantName, 'client', tokens, new Date());
  const erp = await prisma.breaker.findFirstOrThrow({ where: { tenantName, side: 'erp' } });
  expect(erp.openUntil!.getTime()).toBeGreaterThan(Date.now() + 60_000);
});
