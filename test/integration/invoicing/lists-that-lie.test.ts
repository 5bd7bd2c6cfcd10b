// Lists that say that they end where they do not, repeat a page, move between pages or lack records: a search that says that it is complete
// has found what is there, so that nothing is made a second time. Over both surfaces, with chance by seed.
import { afterEach, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { connectTarget } from '../../../src/service/connect-source.js';
import type { InvoicingTarget, Search } from '../../../src/service/invoicing-target.js';
import type { FaultKind } from '../../../lab/sandbox/faults/fault-plan.js';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { credentials, testServices } from '../../support/invoicing/connections.js';

const MARK = 'OAAAAAAAAAAAAAAAAAAA';
const NOW = '2026-03-10T12:00:00Z';
const DAY = '2026-03-02';
const LIES: readonly FaultKind[] = ['early-end', 'repeated-page', 'shifting-page', 'short-page'];
/** Each of them with and without the others. */
const ROUNDS = 16;
/** Several pages of each, and the one that carries the mark is among the last. */
const EACH = 18;
const MARKED = 16;

let sandbox: Sandbox;
let target: InvoicingTarget & { close(): Promise<void> };
afterEach(async () => {
  await target.close();
  await sandbox.close();
});

async function open(surface: 'credential' | 'agent'): Promise<void> {
  sandbox = await startSandbox({
    environment: 'production',
    now: NOW,
    accounts: [{ username: 'hraun', invoices: 0, costs: 0, customers: EACH }],
    choices: { pageSizeMax: 5 },
  });
  const auth = { username: 'hraun', apiKey: new Secret(sandbox.accounts[0]!.apiKey), surface };
  const limits = { deadlineMs: 5_000, concurrency: 4 };
  target = connectTarget(credentials(sandbox.url, auth), testServices({ lines: [] }, limits));
}

async function fill(): Promise<void> {
  const { control } = sandbox;
  const listed = await target.listCustomers();
  const customer = listed.outcome === 'complete' ? listed.found[0]!.guid : '';
  for (let count = 0; count < EACH; count++) {
    const mark = count === MARKED ? ` ${MARK}` : '';
    const guid = control.issueInvoice('hraun', { issueDate: DAY });
    control.editInvoice('hraun', guid, { booking: `Pöntun${mark}` });
    control.createCost('hraun', { date: DAY, amount: 100 + count, description: `Prentun${mark}` });
    const item = {
      guid: '',
      description: 'Ráðgjöf',
      uom: 'HUR',
      tax: 'S',
      unit_price: '15000',
      category: '',
    };
    const body = { customer_guid: customer, name: `Ráðgjöf${mark}`, item };
    await target.send({ act: 'create', kind: 'task', body }, new Date(Date.now() + 60_000));
  }
}

/** One at least of what each looks for is there. */
const SEARCHES: Readonly<Record<string, () => Promise<Search<unknown>>>> = {
  invoices: () => target.findInvoices(MARK, 'booking', DAY, { maxAgeMs: 0 }),
  costs: () => target.findCosts(MARK, { date: DAY, since: NOW.slice(0, 10) }, 'now'),
  tasks: () => target.findTasks(MARK),
};

test.each(['credential', 'agent'] as const)(
  'a search over the %s surface that says that it is complete has found what is there, however its lists lie',
  async (surface) => {
    await open(surface);
    await fill();
    const complete = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      sandbox.control.clearFaults();
      for (const [index, kind] of LIES.entries())
        if (round === 0 || (round >> index) % 2 === 1)
          sandbox.control.addFault({ kind, endpoint: '*', probability: round % 3 === 0 ? 1 : 0.4 });
      for (const [what, search] of Object.entries(SEARCHES)) {
        const answer = await search();
        if (answer.outcome === 'incomplete') continue;
        expect(answer.found, `${what} in round ${String(round)}`).toHaveLength(1);
        complete.set(what, (complete.get(what) ?? 0) + 1);
      }
    }
    expect([...complete.keys()].sort()).toEqual(Object.keys(SEARCHES).sort());
  },
);
