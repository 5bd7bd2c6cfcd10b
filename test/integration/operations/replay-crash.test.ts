// A run over many documents whose process dies in the middle: 500 of them in CI, 5,000 with REPLAY_DOCUMENTS=5000.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleAccounts } from '../../../src/pipeline/mapping/rule-accounts.js';
import { type ErpLedger, startErpLedger } from '../../../src/sandbox/erp-ledger/server.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

const DOCUMENTS = Number(process.env['REPLAY_DOCUMENTS'] ?? '500');
const ACT = { actor: 'Jón', reason: 'the ERP refused them all night' };

describe(`a replay of ${DOCUMENTS} documents`, () => {
  let bed: Bed;
  let ledger: ErpLedger;

  beforeAll(
    async () => {
      ledger = await startErpLedger({
        secret: 'ledger-secret-of-the-test',
        chart: { accounts: [{ account: '1' }] },
      });
      const settings = { baseUrl: ledger.url, secret: 'env:LEDGER', company: 'Dæmi ehf.', ledger: 'sandbox' };
      bed = await bridgeBed({
        accounts: [{ username: 'mikid', invoices: DOCUMENTS, costs: 0, seed: 'replay', difficulty: 'tidy' }],
        env: { LEDGER: 'ledger-secret-of-the-test' },
        tenants: [
          {
            name: 'mikid',
            account: 'mikid',
            erp: { adapter: 'http', settings: { ...settings, requestsPerSecond: 1000 } },
            more: { limits: { source: { requestsPerSecond: 1000, concurrency: 8 } } },
          },
        ],
        concurrency: 16,
      });
      await bed.settled(DOCUMENTS * 200);
    },
    DOCUMENTS * 300 + 60_000,
  );
  afterAll(async () => {
    await bed.close();
    await ledger.close();
  });

  test(
    'goes on after a crash, posts every document once, and says how far it is',
    async () => {
      const { operations } = bed.bridge;
      const held = (await bed.states())['held'] ?? 0;
      expect(held).toBeGreaterThan(DOCUMENTS * 0.8);
      const { rules } = bed.bridge.connections.tenant('mikid')!;
      ledger.control.setChart({ accounts: ruleAccounts(rules).accounts.map((account) => ({ account })) });
      const started = await operations.startReplay({ tenant: 'mikid', states: ['held'] }, ACT, {
        perSecond: 1000,
      });
      // The process that took the run upon itself is killed after two batches: its lease runs out, nothing else happens.
      const crash = new AbortController();
      let batches = 0;
      await operations.workOff({
        runId: started.id,
        signal: crash.signal,
        onBatch: () => ++batches === 2 && crash.abort(),
      });
      const halfway = await operations.run(started.id);
      expect(halfway).toMatchObject({ state: 'running', done: 200, moved: 200 });
      await bed.database.prisma.operationRun.update({
        where: { id: started.id },
        data: { leaseOwner: 'a process that is no more', leaseUntil: new Date(Date.now() - 1) },
      });
      await bed.restart();
      await bed.bridge.operations.workOff();
      for (
        let look = 0;
        look < 600 && (await bed.bridge.operations.run(started.id)).state === 'running';
        look++
      )
        await new Promise((resolve) => setTimeout(resolve, 100));
      await bed.settled(DOCUMENTS * 200);
      const finished = await bed.bridge.operations.run(started.id);
      expect(finished).toMatchObject({
        state: 'done',
        total: held,
        done: held,
        moved: held,
        refused: 0,
        arrived: held,
      });
      // Credit notes that waited for their originals follow by themselves.
      const { acknowledged } = await bed.states();
      expect(ledger.control.counts()).toMatchObject({ entries: acknowledged, duplicatedKeys: 0 });
      const audited = await bed.database.prisma.auditEntry.count({
        where: { action: 'posting.replayed', actor: 'Jón' },
      });
      expect(audited).toBe(held);
      expect(await bed.bridge.operations.verifyAudit()).toMatchObject({ whole: true });
    },
    DOCUMENTS * 400 + 60_000,
  );
});
