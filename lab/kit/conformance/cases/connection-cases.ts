// Who we are connected to, and that looking changes nothing.
import { strict as assert } from 'node:assert';
import { assertNotInBooks, type CaseWorld, type ConformanceCase, prepared } from '../conformance-case.js';
import { freshCustomer, freshKey, sale } from '../journals.js';
import { blind } from './once-cases.js';

export const CONNECTION_CASES: readonly ConformanceCase[] = [
  {
    id: 'health',
    title: 'says which company it is connected to',
    run: async ({ erp }) => {
      const health = await erp.health();
      assert.equal(health.outcome, 'healthy', JSON.stringify(health));
      assert.notEqual(health.company, '');
      assert.match(erp.ledger, /^\S.*$/, 'the ledger needs a name: it is part of every posting key');
    },
  },
  {
    id: 'bad-credentials',
    title: 'says that the credentials are refused, and books nothing',
    run: async (world) => {
      const erp = await world.bed.connect('bad-credentials');
      try {
        assert.equal((await erp.health()).outcome, 'auth');
        const key = freshKey();
        const outcome = await erp.prepare({ key, journal: sale(world.chart) });
        const judged = outcome.outcome === 'prepared' ? await erp.post(outcome.prepared) : outcome;
        assert.equal(judged.outcome, 'auth', JSON.stringify(judged));
        if (blind(erp.capabilities) === null) assert.equal((await erp.findByKey(key)).outcome, 'auth');
        await assertNotInBooks(world, key);
      } finally {
        await erp.close();
      }
    },
  },
  {
    id: 'wrong-company',
    title: "refuses the books of another company than the tenant's",
    run: async (world) => {
      const erp = await world.bed.connect('wrong-company');
      try {
        const health = await erp.health();
        assert.ok(health.outcome === 'rejected', JSON.stringify(health));
        assert.equal(health.code, 'wrong-company');
        const key = freshKey();
        const outcome = await erp.prepare({ key, journal: sale(world.chart) });
        assert.notEqual(outcome.outcome, 'prepared', 'it would have booked into the wrong company');
        await assertNotInBooks(world, key);
      } finally {
        await erp.close();
      }
    },
  },
  {
    id: 'validate',
    title: 'finds what the tenant expects and the ERP lacks, before the first posting',
    run: async ({ erp, chart }) => {
      const accounts = [chart.receivable, chart.payable, chart.revenue, chart.vatOut];
      const none = { vatCodes: [], dimensions: {} };
      const good = await erp.validate({ accounts, ...none });
      assert.deepEqual(
        good.filter((finding) => finding.severity === 'error'),
        [],
      );
      const bad = await erp.validate({ accounts: [...accounts, chart.unknownAccount], ...none });
      const errors = bad.filter((finding) => finding.severity === 'error');
      assert.equal(errors.length, 1, JSON.stringify(bad));
      assert.ok(errors[0]?.message.includes(chart.unknownAccount), errors[0]?.message);
      assert.ok(errors[0]?.remedy, 'an error needs a remedy');
    },
  },
  {
    id: 'prepare-has-no-effect',
    title: 'prepares without an effect on the books, and prepares the same text twice',
    run: async (world) => {
      const key = freshKey();
      const journal = sale(world.chart);
      const first = await prepared(world.erp, key, journal);
      const second = await prepared(await world.another(), key, journal);
      assert.deepEqual(second, first, 'a resend must be the same, byte for byte');
      await assertNobodyMade(world);
      await assertNotInBooks(world, key);
    },
  },
  {
    id: 'nothing-found',
    title: 'says "none" for a key or a reference that nobody has posted',
    exempt: blind,
    run: async ({ erp }) => {
      assert.deepEqual(await erp.findByKey(freshKey()), { outcome: 'none' });
      assert.deepEqual(await erp.findByReference('999999999'), { outcome: 'none' });
    },
  },
];

/** A plan does not say who a new customer is: nothing may be made of one, whether it would be refused or not. */
async function assertNobodyMade({ erp, bed, chart }: CaseWorld): Promise<void> {
  if (!bed.countParties) return;
  const customer = freshCustomer(chart);
  const { party: _party, ...journal } = sale(chart, { customer });
  const outcome = await erp.prepare({ key: freshKey(), journal });
  assert.ok(['prepared', 'rejected'].includes(outcome.outcome), `prepare said ${JSON.stringify(outcome)}`);
  assert.equal(await bed.countParties(customer.kennitala), 0, 'a plan made a customer');
}
