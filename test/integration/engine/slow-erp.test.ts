// An ERP that is slower than anybody should be. Scaled to a fifteenth of the defaults: a call may take 4 s, all requests
// together; whoever gives up looks for the entry once it must have arrived, which is later than the first wait by the table.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { journalToJson } from '../../../src/domain/journal-json.js';
import { connect, withDeadline } from '../../../src/erp/connect.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { sweep } from '../../../src/sync/intake.js';
import { documentFacts } from '../../../src/sync/examine.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { testDatabase } from '../../support/database.js';
import { type FakeRequest, FakeServer, type FakeVendor } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { invoiceJournal } from '../../support/fakes/sample-journals.js';
import { pipelineBed } from '../../support/pipeline-bed.js';

const CALL_MS = 4_000;
const TIMING = { leaseMs: 6_000, sendByMs: 600, erpTimeoutMs: 2_000, networkDelayMaxMs: 2_000 };

const database = await testDatabase();
afterAll(() => database.close());

interface Slowness {
  readonly searchMs: number;
  readonly createMs: number;
}

/** The first search by key and the first create take their time; everything after them is quick. */
async function scene(name: string, { searchMs, createMs }: Slowness) {
  const books = odooBooks();
  const bed = await pipelineBed(database, name);
  bed.handOver('x', { issueDate: '2026-11-15' });
  await sweep(bed.intake, bed.tenant, 'invoice', '2026-01-01');
  const { id, key } = await bed.row('x');
  let [searches, creates] = [0, 0];
  const vendor: FakeVendor = {
    effectOf: (request: FakeRequest) => books.effectOf(request),
    answer: async (request: FakeRequest) => {
      const text = `${request.url.pathname} ${request.body.toString()}`;
      if (/account\.move\/search_read/.test(text) && text.includes(key) && ++searches === 1)
        await sleep(searchMs);
      if (books.effectOf(request) === 'create' && ++creates === 1) await sleep(createMs);
      return books.answer(request);
    },
    errorBody: (request: FakeRequest) => books.errorBody(request),
    refuseAttachment: () => books.refuseAttachment(),
    expireTokens: () => books.expireTokens(),
  };
  const server = await new FakeServer(vendor).start();
  const configuration = odooAdapter.configuration.parse(odooSettings(server.origin, { deadlineMs: CALL_MS }));
  const open = () => {
    const services = fakeServices({ 'env:ODOO_KEY': ODOO_KEY }, { now: () => new Date() });
    const callMsMax = odooAdapter.callMsMax?.(configuration) ?? NaN;
    return connect(odooAdapter.create(configuration, services), [withDeadline(callMsMax)], { callMsMax });
  };
  const stage = { ...bed.stage, timing: TIMING };
  const claim = await stage.store.claim(id, 'test', 10_000);
  if (!claim) throw new Error('it is free');
  const fetched = await bed.tenant.source.get('invoice', 'x');
  if (fetched.outcome !== 'found') throw new Error('it is there');
  await stage.store.commit(claim, {
    action: 'mapped',
    to: 'mapped',
    document: documentFacts(fetched),
    dueInMs: 0,
    release: true,
    mapped: {
      rulesVersion: 'v1',
      journal: journalToJson(invoiceJournal()),
      settlement: null,
      trace: '[]',
      warnings: [],
      documentNo: 'R-1',
      postingDate: '2026-03-15',
      totalIsk: '1.00',
    },
  });
  const adapters = [open(), open()];
  /** Two processes that take it whenever it is due and free. */
  const work = async () => {
    const until = Date.now() + 60_000;
    const replica = async (number: number) => {
      const erp = adapters[number];
      if (!erp) return;
      for (;;) {
        const { state } = await bed.row('x');
        if (['acknowledged', 'parked', 'held'].includes(state) || Date.now() > until) return;
        await advancePosting(stage, { ...bed.tenant, erp }, id, `replica ${String(number)}`);
        await sleep(40);
      }
    };
    await Promise.all([replica(0), replica(1)]);
    // Whatever was still under way in the ERP arrives.
    await sleep(createMs);
    return books.records.rows('account.move').filter((move) => String(move['ref']) === key);
  };
  const close = async () => {
    await Promise.all(adapters.map((erp) => erp.close()));
    await server.stop();
  };
  return { bed, work, close };
}

describe('an ERP', () => {
  test.concurrent.each([
    ['that works on a create for longer than anybody waits', { searchMs: 0, createMs: 7_500 }],
    ['that is slow over a search and then over a create', { searchMs: 3_200, createMs: 3_600 }],
    ['that is slow within what is allowed', { searchMs: 1_200, createMs: 1_600 }],
  ])('%s gets one entry, and it is posted', async (name, slowness) => {
    const { bed, work, close } = await scene(`slow-${name.length}`, slowness);
    const entries = await work();
    await close();
    expect(entries.map((move) => move['state'])).toEqual(['posted']);
    expect((await bed.row('x')).state).toBe('acknowledged');
  });
});
