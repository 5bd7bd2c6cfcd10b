import { describe, expect, it } from 'vitest';
import { createPulses } from '../../../src/dashboard/live/events.js';
import type { Overview } from '../../../src/operations/views/overview.js';

function counted(fails = false) {
  let reads = 0;
  const overview = () => {
    reads += 1;
    return fails ? Promise.reject(new Error('no database')) : Promise.resolve({} as Overview);
  };
  const operations = { overview, within: () => ({}) as never };
  let now = 0;
  const pulses = createPulses({ en: operations, is: operations }, () => now);
  return { pulses, reads: () => reads, later: (ms: number) => (now += ms) };
}

describe('how everything is', () => {
  it('is asked for ahead of the first reader, who is shown how it is then and not how it was', async () => {
    const { pulses, reads } = counted();
    await pulses.warm();
    expect(reads()).toBe(2);
    await pulses.of(null, 'en').latest();
    await pulses.of(null, 'is').latest();
    expect(reads()).toBe(4);
  });

  it('is read by the first reader where reading ahead failed, and that one is told', async () => {
    const { pulses } = counted(true);
    await expect(pulses.warm()).resolves.toBeUndefined();
    await expect(pulses.of(null, 'en').latest()).rejects.toThrow('no database');
  });

  it('is read again when it has become old, and after an act', async () => {
    const { pulses, reads, later } = counted();
    const pulse = pulses.of(null, 'en');
    await pulse.latest();
    later(11_000);
    await pulse.latest();
    expect(reads()).toBe(2);
    pulses.touch();
    await pulse.latest();
    expect(reads()).toBe(3);
  });

  it('is not shown as it was before an act, when it was being read while somebody acted', async () => {
    const reads: ((overview: Overview) => void)[] = [];
    const overview = () => new Promise<Overview>((resolve) => reads.push(resolve));
    const operations = { overview, within: () => ({}) as never };
    const pulses = createPulses({ en: operations, is: operations }, () => 0);
    const pulse = pulses.of(null, 'en');
    const [before, after] = [{ at: 'before' } as Overview, { at: 'after' } as Overview];
    const early = pulse.latest();
    pulses.touch();
    const late = pulse.latest();
    reads[1]?.(after);
    expect(await late).toBe(after);
    // The one that began before the act may come to its end later.
    reads[0]?.(before);
    await early;
    expect(await pulse.latest()).toBe(after);
  });
});
