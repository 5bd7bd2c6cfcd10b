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
  return { pacer: new Pacer(runtime, options), slept, now: () => nowMs, pass: (ms: number) => (nowMs += ms) };
}

describe('the pacer', () => {
  it.each([0.7, 1, 5, 20, 100, 800])(
    'lets no more than %f calls go in any second, also after a quiet time',
    async (perSecond) => {
      const { pacer, now, pass } = pacerAt({ perSecond });
      const went: number[] = [];
      for (let call = 0; call < 5 * perSecond + 10; call++) {
        if (call === Math.ceil(2 * perSecond)) pass(60_000);
        await pacer.turn();
        went.push(now());
      }
      const inOneSecond = went.map((from) => went.filter((at) => at >= from && at < from + 1000).length);
      expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(Math.ceil(perSecond));
      expect(Math.max(...inOneSecond)).toBeGreaterThanOrEqual(perSecond * 0.9);
    },
  );

  it('spreads a low rate evenly', async () => {
    const { pacer, slept } = pacerAt({ perSecond: 5 });
    for (let call = 0; call < 4; call++) await pacer.turn();
    expect(slept).toEqual([200, 200, 200]);
  });

  it('lets those that a stall made late go one after the other', async () => {
    let nowMs = 0;
    const sleepers: (() => void)[] = [];
    const sleep = () => new Promise<void>((resolve) => sleepers.push(resolve));
    const pacer = new Pacer({ clock: { now: () => new Date(nowMs) }, timers: { sleep } }, { perSecond: 10 });
    let went = 0;
    const turns = Array.from({ length: 4 }, () => pacer.turn().then(() => went++));
    const stall = async (ms: number) => {
      nowMs += ms;
      for (const wake of sleepers.splice(0)) wake();
      await new Promise(setImmediate);
    };
    await stall(0);
    await stall(300);
    expect(went).toBe(2);
    await stall(100);
    expect(went).toBe(3);
    await stall(100);
    await Promise.all(turns);
  });

  it('paces less than one call a second, too', async () => {
    const { pacer, slept } = pacerAt({ perSecond: 0.5 });
    for (let call = 0; call < 3; call++) await pacer.turn();
    expect(slept).toEqual([2_000, 2_000]);
  });

  it('keeps to another rate from the next call on', async () => {
    const { pacer, slept } = pacerAt({ perSecond: 1 });
    await pacer.turn();
    pacer.setRate(4);
    for (let call = 0; call < 3; call++) await pacer.turn();
    expect(slept).toEqual([1_000, 250, 250]);
  });

  it('turns away who would wait too long, and takes no place for them', async () => {
    let nowMs = 0;
    const never = { clock: { now: () => new Date(nowMs) }, timers: { sleep: () => Promise.resolve() } };
    const pacer = new Pacer(never, { perSecond: 1, waitMaxMs: 2_000 });
    for (let call = 0; call < 3; call++) expect((await pacer.turn()).granted).toBe(true);
    expect(await pacer.turn()).toEqual({ granted: false, waitMs: 3_000 });
    nowMs += 1_000;
    expect((await pacer.turn()).granted).toBe(true);
  });
});
