import { describe, expect, it } from 'vitest';
import { Pacer, type PacerOptions } from '../../../src/http/pacer.js';

/** A clock that only sleeping moves. */
function pacerAt(options: PacerOptions) {
  let nowMs = 1_000_000;
  const slept: number[] = [];
  const runtime = {
    clock: { now: () => new Date(nowMs) },
    timers: {
      sleep: (ms: number) => {
        slept.push(ms);
        nowMs += ms;
        return Promise.resolve();
      },
    },
  };
  return { pacer: new Pacer(runtime, options), slept, pass: (ms: number) => (nowMs += ms) };
}

describe('the pacer', () => {
  it('lets a second of calls go at once, then one after the other at the rate', async () => {
    const { pacer, slept } = pacerAt({ perSecond: 5 });
    for (let call = 0; call < 8; call++) await pacer.turn();
    expect(slept).toEqual([200, 200, 200]);
  });

  it('gives no more than one burst back after a long quiet time', async () => {
    const { pacer, slept, pass } = pacerAt({ perSecond: 10, burst: 2 });
    await pacer.turn();
    pass(60_000);
    for (let call = 0; call < 4; call++) await pacer.turn();
    expect(slept).toEqual([100, 100]);
  });

  it('paces less than one call a second, too', async () => {
    const { pacer, slept } = pacerAt({ perSecond: 0.5 });
    for (let call = 0; call < 3; call++) await pacer.turn();
    expect(slept).toEqual([2_000, 2_000]);
  });

  it('turns away who would wait too long, and takes no place for them', async () => {
    let nowMs = 0;
    const never = { clock: { now: () => new Date(nowMs) }, timers: { sleep: () => Promise.resolve() } };
    const pacer = new Pacer(never, { perSecond: 1, waitMaxMs: 2_000 });
    for (let call = 0; call < 3; call++) expect((await pacer.turn()).granted).toBe(true);
    expect(await pacer.turn()).toEqual({ granted: false, retryAfterMs: 3_000 });
    nowMs += 1_000;
    expect((await pacer.turn()).granted).toBe(true);
  });
});
