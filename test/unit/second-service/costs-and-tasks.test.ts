import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecondService } from '../../support/second-service/index.js';
import { credentialTalk, CUSTOMER } from './talk.js';

let service: SecondService;
let talk: ReturnType<typeof credentialTalk>;
let now = Date.parse('2026-11-10T12:00:00Z');

beforeEach(async () => {
  service = await SecondService.start({
    now: () => new Date(now),
    freedoms: { aiMs: 5_000, processingMs: 1_000 },
  });
  talk = credentialTalk(service);
});

afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

const COST = {
  date: '2026-11-03',
  amount: '12400',
  how_paid: '1',
  supplier_name: 'Birgir ehf.',
  supplier_id: '5902697199',
  type: '2383',
};

describe('costs of the second service', () => {
  it('says in pages of its own size whether there is more', async () => {
    for (let made = 0; made < 5; made += 1) {
      expect((await talk.post('create-cost-adv', COST)).status).toBe(201);
    }
    const first = (await talk.get('get-costs', { limit: 100 })).body;
    expect(first).toMatchObject({ hasMore: true, limit: 4, page: 1 });
    const second = (await talk.get('get-costs', { limit: first.limit, page: 2 })).body;
    expect(second).toMatchObject({ hasMore: false, next_url: null });
    expect(new Set([...first.result, ...second.result].map(({ guid }) => guid)).size).toBe(5);
  });

  it('wants every field that is required, a known code and a positive amount', async () => {
    for (const wrong of [
      { supplier_name: '' },
      { type: 'Items' },
      { amount: '-1' },
      { how_paid: '5' },
      { date: '3.11.2026' },
    ]) {
      expect((await talk.post('create-cost-adv', { ...COST, ...wrong })).body.status).toBe(false);
    }
    const text = new File(['x'], 'receipt.txt');
    expect((await talk.upload('create-cost', { date: '2026-11-03' }, text)).body.message).toMatch(
      /not allowed/,
    );
    expect(service.world.counts().costs).toBe(0);
  });

  it('queues for extraction, shows nothing meanwhile, and then what was found', async () => {
    service.world.freedoms = { ...service.world.freedoms, costAi: true };
    const { status, body } = await talk.upload('create-cost', {}, new File(['%PDF'], 'receipt.pdf'));
    expect({ status, queue: body.queue }).toEqual({ status: 201, queue: true });
    expect((await talk.get('get-count-costs')).body.result).toBe(0);
    expect((await talk.get('get-cost', { guid: body.result })).body.result.amount).toBeNull();
    now += 5_001;
    expect((await talk.get('get-costs')).body.result).toMatchObject([
      { amount: 12_400, accounting_status: 'New' },
    ]);
  });

  it('writes a status on what is approved, once, and deletes what is not being processed', async () => {
    const guid = (await talk.post('create-cost-adv', COST)).body.result;
    expect((await talk.post('delete-cost', { guid })).body.message).toMatch(/still being processed/);
    const posted = { guid, data: { accounting_status: 'Posted' } };
    const only = 'Only costs with accounting_status Created can be updated via the API';
    expect((await talk.post('update-cost', posted)).body.message).toBe(only);
    service.desk.approve(guid);
    const wrong = { guid, data: { accounting_status: 'Created' } };
    expect((await talk.post('update-cost', wrong)).body.message).toBe(
      'Accounting status must be one of: Posted, Skipped, Error',
    );
    expect((await talk.post('update-cost', posted)).body.result).toBe(guid);
    expect((await talk.post('update-cost', posted)).body.message).toBe(only);
    const other = (await talk.post('create-cost-adv', COST)).body.result;
    now += 1_000;
    expect((await talk.post('delete-cost', { guid: other })).body.status).toBe(true);
    expect((await talk.post('delete-cost', { guid: other })).body.message).toBe('No cost found');
  });
});

describe('tasks of the second service', () => {
  it('logs time by the clock, corrects and deletes it, and lists what can be invoiced', async () => {
    const customer = (await talk.post('create-customer', { data: CUSTOMER })).body.result;
    const item = { guid: '', description: 'Vinna', uom: 'HUR', tax: 'S', unit_price: 10_000, category: '' };
    const guid = (await talk.post('create-task', { data: { customer_guid: customer, name: 'Verk', item } }))
      .body.result;
    expect((await talk.post('get-tasks', { type: 'invoice' })).body.result).toEqual([]);
    const time = { description: 'ours', date: '2026-11-03', end_date: '2026-11-03', h: '08:00', p: '09:30' };
    expect((await talk.post('log-task', { guid, ...time })).body).toEqual({ status: true, message: 'OK' });
    const [task] = (await talk.post('get-tasks', { type: 'invoice' })).body.result;
    expect(task).toMatchObject({ guid, total_time: 1.5, start_time: '10.11.2026 12:00', canStop: false });
    const log = task.logs[0].guid;
    await talk.post('edit-log-task', { ...time, guid: log, p: '12:00' });
    expect((await talk.post('get-task', { guid })).body.result).toMatchObject({
      total_time: 4,
      logs: [{ description: 'ours' }],
    });
    await talk.post('task-log-delete', { guid: log });
    expect((await talk.post('get-count-tasks', { type: 'invoice' })).body.result).toBe(0);
    expect((await talk.post('end-task', { guid })).body.message).toBe('The task is not running');
  });
});
