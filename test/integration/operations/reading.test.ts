import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentPage, story } from '../../../src/operations/views/document.js';
import { overview } from '../../../src/operations/views/overview.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

describe('what an operator sees of a bridge that has done its work', () => {
  let bed: Bed;

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 12, costs: 12, seed: 'reading' }],
      tenants: [
        {
          name: 'hraun',
          account: 'hraun',
          erp: { adapter: 'file' },
        },
      ],
    });
    const { control } = bed.sandbox;
    const guid = control.createCost('hraun', { amount: '5000', description: 'Unknown code' });
    control.editCost('hraun', guid, { cost_code: '9999' });
    control.approveCost('hraun', guid);
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled();
  });
  afterAll(() => bed.close());

  test('the overview counts every document once and has the shape it promises', async () => {
    const seen = await bed.bridge.operations.overview();
    expect(overview.parse(seen)).toEqual(seen);
    const [tenant] = seen.tenants;
    const counted = Object.values(tenant!.states).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(await bed.database.prisma.posting.count());
    expect(tenant).toMatchObject({ name: 'hraun', loaded: true, erp: 'file', paused: null });
    expect(tenant!.lastSweeps.map(({ kind }) => kind).sort()).toEqual(['cost', 'invoice']);
    expect(Date.parse(tenant!.nextRunAt!)).toBeGreaterThan(Date.now());
    // The bed may have worked over midnight.
    const midnight = new Date(`${seen.at.slice(0, 10)}T00:00:00.000Z`);
    const today = await bed.database.prisma.posting.count({ where: { postedAt: { gte: midnight } } });
    expect(tenant!.postedToday).toBe(today);
    expect(tenant!.inBooks).toBeGreaterThan(0);
  });

  test('documents are found by guid, number, name, kennitala, amount, key and entry number', async () => {
    const { operations } = bed.bridge;
    const all = await operations.documents({ states: ['acknowledged'], kind: 'invoice' });
    expect(documentPage.parse(all)).toEqual(all);
    const [one] = all.items;
    const texts = [
      one!.guid.slice(0, 12),
      one!.number,
      one!.counterpartyName.split(' ')[0]!,
      one!.counterpartyKennitala,
      one!.amount,
      one!.key,
      one!.erpNumber!,
    ];
    for (const text of texts) {
      const { items } = await operations.documents({ text });
      expect(
        items.map(({ postingId }) => postingId),
        text,
      ).toContain(one!.postingId);
    }
    expect((await operations.documents({ text: 'zzzz-no-such' })).items).toEqual([]);
  });

  test.each(['found', 'issued'] as const)('pages in order %s show every document once', async (order) => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 20; page++) {
      const found = await bed.bridge.operations.documents({ order, limit: 7, ...(after ? { after } : {}) });
      seen.push(...found.items.map(({ postingId }) => postingId));
      if (found.next === null) break;
      after = found.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(await bed.database.prisma.posting.count());
  });

  test('a posted document tells its whole story', async () => {
    const { operations } = bed.bridge;
    const { items } = await operations.documents({ states: ['acknowledged'], limit: 1 });
    const told = await operations.explain(items[0]!.guid, { askSource: true });
    expect(story.parse(told)).toEqual(told);
    expect(told.sentence).toMatch(/^It is in the books as .+, and the source says Posted\.$/);
    expect(told.journal!.lines.length).toBeGreaterThan(1);
    expect(told.trace.length).toBeGreaterThan(0);
    expect(told.attempts).toMatchObject([{ outcome: 'posted', part: 'main' }]);
    expect(told.writeBacks).toMatchObject([{ wanted: 'Posted', state: 'acknowledged' }]);
    expect(told.timeline.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(told.sourceNow).toMatchObject({ status: 'Posted' });
    expect(told.audit.length).toBeGreaterThan(2);
  });

  test('a document is explained by the beginning of its guid that pages show, and by the number of its entry', async () => {
    const { operations } = bed.bridge;
    const { items } = await operations.documents({ states: ['acknowledged'], kind: 'cost', limit: 1 });
    const { postingId, guid, erpNumber } = items[0]!;
    expect(await operations.identify(guid.slice(0, 8))).toBe(postingId);
    expect(await operations.identify(erpNumber!)).toBe(postingId);
    expect(await operations.identify(erpNumber!, 'hraun')).toBe(postingId);
  });

  test('a missing cost code is one cause, and one row in the inbox that says what to write where', async () => {
    const { operations } = bed.bridge;
    const cause = (await operations.problems()).find(({ code }) => code === 'UNMAPPED_COST_CODE');
    expect(cause).toMatchObject({ count: 1, states: ['held'], tenants: [{ name: 'hraun', count: 1 }] });
    const row = (await operations.inbox('hraun')).find(({ code }) => code === 'UNMAPPED_COST_CODE');
    expect(row).toMatchObject({
      id: cause!.id,
      count: 1,
      mend: { where: 'tenant-file', path: 'rules.cost.codes' },
    });
    expect(row!.mend.example).toContain('"9999"');
    expect(row!.mend.file).toMatch(/hraun\.yaml$/);
  });

  test('an unknown document and a wrong page are refused with what to do', async () => {
    const { operations } = bed.bridge;
    await expect(operations.explain('nothing')).rejects.toMatchObject({ code: 'DOCUMENT_NOT_FOUND' });
    await expect(operations.documents({ after: 'x' })).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    await expect(operations.documents({ amountMin: 'much' })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
    });
  });

  test('audit and schedules are listed', async () => {
    const { operations } = bed.bridge;
    const first = await operations.audit({ limit: 5 });
    const second = await operations.audit({ limit: 5, after: first.next! });
    expect(Number(second.items[0]!.id)).toBeLessThan(Number(first.items[4]!.id));
    expect(await operations.schedules()).toMatchObject([{ tenantName: 'hraun', cron: '*/5 * * * *' }]);
    expect(await operations.throughput(null, 3)).toMatchObject({ buckets: { length: 3 } });
  });

  test('a plan names the days that the ERP has closed', async () => {
    const { operations } = bed.bridge;
    const act = { actor: 'Guðrún', reason: 'to look before it posts' };
    await operations.pause('hraun', act);
    bed.sandbox.control.issueInvoice('hraun', { unitPrice: '1000' });
    await operations.sweep('hraun', act);
    const erp = { adapter: 'file', settings: { closedUntil: '2099-12-31' } };
    await bed.writeTenant({ name: 'hraun', account: 'hraun', erp });
    const periods = async () => {
      const { outcomes, reasons, findings } = await operations.plan('hraun');
      const isHeld = reasons.some(({ outcome, code }) => outcome === 'hold' && code === 'ERP_PERIOD_CLOSED');
      expect(outcomes.post === 0 || !isHeld).toBe(true);
      return isHeld ? findings.filter(({ message }) => message.includes('2099-12-31')) : [];
    };
    const found = await vi.waitUntil(
      async () => {
        const now = await periods();
        return now.length > 0 ? now : null;
      },
      { timeout: 30_000, interval: 200 },
    );
    expect(found).toMatchObject([
      { severity: 'error', remedy: expect.stringContaining('Open the period') as string },
    ]);
  });
});
