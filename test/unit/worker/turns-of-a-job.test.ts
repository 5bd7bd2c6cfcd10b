// A job carries turns of several tenants, and each goes its own way.
import { describe, expect, it } from 'vitest';
import { POST_TIMING } from '../../../src/sync/work.js';
import { InFlight } from '../../../src/sync/in-flight.js';
import type { WakeUp } from '../../../src/sync/turns.js';
import { handleTurns, type Workshop } from '../../../src/worker/handlers.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';

const JOB: WakeUp = {
  ...{ id: '', tenantName: 'broken', share: 2, isProbe: false },
  more: ['works', 'lost', 'hangs'].map((tenantName) => ({ tenantName, share: 2, isProbe: false })),
};

function workshop() {
  const asked: string[] = [];
  let letGo = () => {};
  const hangs = new Promise<void>((resolve) => (letGo = resolve));
  const shop = {
    owner: 'me',
    inFlight: new InFlight({ places: 8, timers: SYSTEM_RUNTIME.timers }),
    posting: { runtime: SYSTEM_RUNTIME, timing: POST_TIMING },
    connections: {
      get: (name: string) =>
        name === 'broken' || name === 'lost'
          ? Promise.reject(new Error(`no way to ${name}`))
          : Promise.resolve({ name, erp: { capabilities: {} } }),
    },
    dispatch: {
      claim: async ({ tenantName }: { tenantName: string }) => {
        asked.push(tenantName);
        if (tenantName === 'hangs') await hangs;
        return [];
      },
    },
    poke: () => asked.push('looked again'),
  };
  return { shop: shop as unknown as Workshop, asked, letGo: () => letGo() };
}

describe('the turns of a job', () => {
  it('go on although those of others fail, and each failure is told with its tenant', async () => {
    const { shop, asked, letGo } = workshop();
    const about: { tenant?: string } = {};
    const others: unknown[] = [];
    const handled = handleTurns(shop, 'post', JOB, about, (other, error) => others.push([other, error]));
    // Whoever is done lets the dispatcher look again, whether the slowest is done or not.
    await expect.poll(() => asked).toEqual(['works', 'hangs', 'looked again']);
    letGo();
    await expect(handled).rejects.toThrow('no way to broken');
    expect(about).toEqual({ tenant: 'broken' });
    expect(others).toEqual([[{ tenant: 'lost' }, new Error('no way to lost')]]);
    expect(asked).toEqual(['works', 'hangs', 'looked again', 'looked again']);
  });
});
