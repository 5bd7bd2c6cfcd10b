import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SecondService } from '../../support/second-service/index.js';
import { credentialTalk, CUSTOMER } from './talk.js';

let service: SecondService;
let create: () => Promise<{ status: number }>;

beforeEach(async () => {
  service = await SecondService.start({ freedoms: { maintenanceCode: 'open sesame' } });
  const talk = credentialTalk(service);
  create = () => talk.post('create-customer?en4_maint_code=open+sesame', { data: CUSTOMER });
});

afterEach(() => service.close());

const customers = () => service.world.counts().customers;

describe('the faults of the second service', () => {
  it('does it and loses the reply', async () => {
    service.faults.plan('create-customer', { kind: 'lose-reply' });
    await expect(create()).rejects.toThrow();
    expect(customers()).toBe(1);
    expect((await create()).status).toBe(200);
    expect(service.callsOf('create-customer').map(({ fault, done }) => [fault, done])).toEqual([
      ['lose-reply', true],
      [null, true],
    ]);
  });

  it('does it late, when the client has long been sent away', async () => {
    service.faults.plan('create-customer', { kind: 'late', ms: 30 });
    await expect(create()).rejects.toThrow();
    expect(customers()).toBe(0);
    await expect.poll(customers).toBe(1);
  });

  it('does it slowly, and answers then', async () => {
    service.faults.plan('create-customer', { kind: 'slow', ms: 50 });
    const began = performance.now();
    expect((await create()).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(45);
    expect(customers()).toBe(1);
  });

  it('refuses before the effect, with the time to wait, and breaks after it', async () => {
    service.faults.plan('create-customer', { kind: 'refuse', status: 429, retryAfter: 7 });
    service.faults.plan('create-customer', { kind: 'break-after', status: 502 });
    expect((await create()).status).toBe(429);
    expect(customers()).toBe(0);
    expect((await create()).status).toBe(502);
    expect(customers()).toBe(1);
    expect(service.faults.unmet()).toEqual([]);
  });

  it('is closed to those who do not bring the maintenance code', async () => {
    expect((await credentialTalk(service).get('hello')).status).toBe(503);
    expect(service.violations).toEqual([]);
  });
});
