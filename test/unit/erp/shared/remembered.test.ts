import { describe, expect, it } from 'vitest';
import type { ReadAnswer } from '../../../../src/erp/answer.js';
import { Remembered } from '../../../../src/erp/remembered.js';

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

  it('keeps no failure', async () => {
    const { memory } = remembered([{ outcome: 'transient', message: 'busy' }]);
    expect(await memory.get()).toEqual({ outcome: 'transient', message: 'busy' });
    expect(await memory.get()).toEqual({ outcome: 'ok', value: 2 });
  });
});
