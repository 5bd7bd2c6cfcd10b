// Tryton → service → Tryton, with a real trytond at both ends. What is posted in Tryton goes to the service once and comes back as
// Created: it is ours and is in Tryton's books already, so nothing is booked. What is only validated there is booked by the bridge, and
// the invoice that the bridge books in Tryton is not handed over as a new one.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { filesNamed } from '../../../src/operations/outgoing/plan-outgoing.js';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { findMissing } from '../../../src/erp/origins.js';
import { erpSettings } from '../../../src/origins/origin-settings.js';
import { trytonRecords } from '../../../src/erp/tryton/origin/index.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { TRYTON_TAXES } from '../../support/erp/tryton-company.js';
import { TrytonRpc } from '../../support/erp/tryton-rpc.js';
import { createCustomer, TrytonDesk } from '../../support/erp/tryton-sales.js';
import {
  startTryton,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { TRYTON_ACCOUNT, trytonTenant } from '../../support/erp/tryton-tenant.js';
import { has } from '../../support/services.js';

const TODAY = new Date().toISOString().slice(0, 10);
const LINE = { description: 'Ráðgjöf', quantity: 2, unitPrice: '10000', tax: TRYTON_TAXES.U24 };

describe.skipIf(!has('trytond'))('Tryton as origin and as books', () => {
  let tryton: TrytonServer;
  let bed: Bed;
  let desk: TrytonDesk;
  let posted: number;
  let quoted: number;
  let party: number;

  const submissions = () =>
    bed.database.prisma.submission.findMany({ where: { kind: 'invoice' }, orderBy: { reference: 'asc' } });
  const until = async (what: () => Promise<boolean>) => {
    const deadline = Date.now() + 30_000;
    while (!(await what())) {
      if (Date.now() > deadline) throw new Error('it never came about');
      await sleep(100);
    }
  };
  const swept = async () => {
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
  };

  /** To the posted invoice. */
  const attach = (name: string) =>
    desk.rpc.create('ir.attachment', {
      ...{ name, resource: `account.invoice,${String(posted)}` },
      data: { __class__: 'bytes', base64: Buffer.from(`%PDF-1.7 ${name}`).toString('base64') },
    });

  beforeAll(async () => {
    tryton = await startTryton();
    const rpc = await TrytonRpc.login(tryton.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
    rpc.use({ company: 1 });
    desk = new TrytonDesk(rpc);
    party = await createCustomer(rpc, {
      ...{ name: 'Prufa ehf.', kennitala: '6503760649', email: 'prufa@example.is' },
    });
    posted = await desk.posted({ party, day: TODAY, lines: [LINE] }, 'T-1');
    quoted = await desk.validated({ party, day: TODAY, lines: [{ ...LINE, quantity: 3 }] });
    for (const name of ['skilmálar.pdf', 'innra mat.pdf', 'glósur.docx']) await attach(name);
    bed = await bridgeBed({
      accounts: [TRYTON_ACCOUNT],
      tenants: [
        trytonTenant(
          tryton,
          { books: 'documents', taxes: TRYTON_TAXES },
          {
            outgoing: {
              origins: [
                {
                  ...{ name: 'tryton', type: 'erp', hands: ['invoices'], since: TODAY },
                  ...{ quoted: 'bridge', everySeconds: 1, files: ['*.pdf', '!innra*'] },
                },
              ],
            },
          },
        ),
      ],
      env: { TRYTON_PASSWORD },
    });
    // It waits for its plan, and somebody puts another paper beside it.
    await until(async () => (await submissions()).length === 2);
    await attach('seinna.pdf');
    const data = { tenantName: 'hraun', confirmedAt: new Date(), confirmedBy: 'test' };
    await bed.database.prisma.outgoingTenant.create({ data });
  }, 240_000);
  afterAll(async () => {
    await bed.close();
    await tryton.stop();
  });

  test('each invoice goes to the service once, and Tryton is told what became of it', async () => {
    await until(
      async () => (await submissions()).filter(({ state }) => state === 'acknowledged').length === 2,
    );
    const [first, second] = await submissions();
    expect([first, second]).toMatchObject([
      { reference: `invoice ${String(posted)}`, booked: 'origin' },
      { reference: `invoice ${String(quoted)}`, booked: 'bridge' },
    ]);
    const [note] = await desk.notes(`account.invoice,${String(posted)}`);
    expect(note).toContain(`invoice ${String(first!.number)}: created`);
    expect(note).toContain(String(first!.guid));
    expect(await desk.state(posted)).toBe('posted');
    // The bridge is going to book it, so nobody may post it as well.
    expect(await desk.state(quoted)).toBe('cancelled');
  });

  test('the files that the tenant file names go with it, those too that came while it waited, and no others', async () => {
    const [first, second] = await submissions();
    const filesOf = (guid: string | null) => bed.sandbox.control.invoice('hraun', guid!).files;
    const texts = filesOf(first!.guid).map(async (id) =>
      (await fetch(`${bed.sandbox.url}/files/hraun/${id}`)).text(),
    );
    expect(await Promise.all(texts)).toEqual(['%PDF-1.7 skilmálar.pdf', '%PDF-1.7 seinna.pdf']);
    expect(filesOf(second!.guid)).toEqual([]);
    expect(filesNamed(first!.content).map(({ name }) => name)).toEqual(['skilmálar.pdf', 'seinna.pdf']);
  });

  test('what Tryton has booked is skipped, what it has not is booked, and nothing goes round again', async () => {
    await swept();
    const [first, second] = await submissions();
    expect(await bed.states('hraun')).toEqual({ skipped: 1, acknowledged: 1 });
    const statusOf = (guid: string | null) => bed.sandbox.control.invoice('hraun', guid!).accounting_status;
    expect([statusOf(first!.guid), statusOf(second!.guid)]).toEqual(['Skipped', 'Posted']);
    const inTryton = await desk.rpc.search('account.invoice', [['state', 'in', ['posted', 'paid']]]);
    expect(inTryton).toHaveLength(2);
    // Tryton is asked every second: the invoice that the bridge booked there has been seen by now.
    await sleep(2_500);
    await swept();
    expect(await submissions()).toHaveLength(2);
    expect(await bed.states('hraun')).toEqual({ skipped: 1, acknowledged: 1 });
    expect(await desk.rpc.search('account.move', [['state', '=', 'posted']])).toHaveLength(2);
  });

  test('a refund that is posted in Tryton is a credit note of that invoice, once, and not booked again', async () => {
    const [line] = await desk.rpc.search('account.invoice.line', [['invoice', '=', posted]]);
    const lines = [{ ...LINE, quantity: -2, origin: `account.invoice.line,${String(line)}` }];
    const credit = await desk.posted({ party, day: TODAY, lines }, 'T-2');
    const its = async () =>
      (await submissions()).find(({ reference }) => reference === `invoice ${String(credit)}`);
    await until(async () => (await its())?.state === 'acknowledged');
    const original = (await submissions()).find(({ reference }) => reference === `invoice ${String(posted)}`);
    const row = await its();
    expect(row).toMatchObject({ booked: 'origin', sends: 1 });
    expect(bed.sandbox.control.invoice('hraun', row!.guid!)).toMatchObject({
      ...{ type: 'credit', refer_guid: original!.guid },
    });
    await swept();
    expect(await bed.states('hraun')).toEqual({ skipped: 2, acknowledged: 1 });
    expect(await desk.rpc.search('account.move', [['state', '=', 'posted']])).toHaveLength(3);
  });

  test('without the module that orders are in, the check and the look say so', async () => {
    const { erp } = trytonTenant(tryton, {});
    const wish = { name: 'tryton', type: 'erp', hands: ['orders'], since: TODAY };
    const services = erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD });
    const { settings } = erp as { settings: unknown };
    const origin = erpSettings.parse(wish);
    const place = { adapter: 'tryton', settings, services: () => services };
    const lacking = 'Tryton has no module sale, which `hands: [orders]` needs.';
    const [finding] = await findMissing(origin, place);
    expect(finding).toMatchObject({ severity: 'error', said: { code: 'MODULE_LACKING' } });
    expect(finding?.message).toContain(lacking);
    expect(await findMissing({ ...origin, hands: ['invoices'] }, place)).toEqual([]);
    const records = trytonRecords(settings, origin, services);
    onTestFinished(() => records.close());
    const look = new ErpOrigin('tryton', records, services.clock, { everyMs: 0, atOnce: 50 }).changes(null);
    await expect(look).rejects.toThrow(lacking);
  });
});
