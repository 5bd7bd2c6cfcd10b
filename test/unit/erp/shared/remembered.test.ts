import { describe, expect, it } from 'vitest';
import type { ReadAnswer } from '../../../../src/erp/answer.js';
// As adapters outside this repository have it; our own are given the value, or `ReadFailed`.
import { Remembered } from '../../../../lab/kit/answering.js';

function remembered(answers: ReadAnswer<number>[]) {
  const time = { now: 0 };
  let fetched = 0;
  const memory = new Remembered<number>({ now: () => new Date(time.now) }, 1_000, () => {
    fetched++;
    return Promise.resolve(answers.shift() ?? { outcome: 'ok', value: fetched });
  });
  return { memory, time, fetched: () => fetched };
}

describe('Remembered', () => {
  it('fetches once for many who ask at once, and again when it is old', async () => {
    const { memory, time, fetched } = remembered([]);
    await Promise.all([memory.get(), memory.get(), memory.get()]);
    expect(fetched()).toBe(1);
    time.now = 999;
    expect(await memory.get()).toEqual({ outcome: 'ok', value: 1 });
    time.now = 1_000;
    expect(await memory.get()).toEqual({ outcome: 'ok', value: 2 });
  });

  it('believes a problem only when what the ERP says now has it too', async () => {
    const { memory, fetched } = remembered([]);
    const older = (than: number) => (value: number) =>
      value < than ? ({ outcome: 'rejected', code: 'unknown-account', message: 'none' } as const) : null;
    expect(await memory.problem(older(1))).toBeNull();
    expect(fetched()).toBe(1);
    expect(await memory.problem(older(2)), 'mended meanwhile').toBeNull();
    expect(fetched()).toBe(2);
    expect(await memory.problem(older(9))).toMatchObject({ code: 'unknown-account' });
  });

  it('keeps no failure', async () => {
    const { memory } = remembered([{ outcome: 'transient', message: 'busy' }]);
    expect(await memory.get()).toEqual({ outcome: 'transient', message: 'busy' });
    expect(await memory.get()).toEqual({ outcome: 'ok', value: 2 });
  });
});
