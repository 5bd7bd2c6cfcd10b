// A side that is down for minutes: it cannot be reached, or it refuses the credentials. Nothing is booked meanwhile, and nothing
// about any document is learnt, so no document may suffer for it.
import type { Kernel } from './kernel.js';

export interface Outage {
  readonly side: 'source' | 'erp';
  readonly how: 'away' | 'refuses';
  /** How often it was asked all the same, by the pipeline. */
  asked: number;
  /** Each original that it was asked to take, as often as it was. */
  readonly attaches: string[];
  readonly since: number;
  readonly forMs: number;
}

export interface Side {
  outage: Outage | null;
}

const MINUTE_MS = 60_000;

/** One outage of a side, some time in the run. */
export async function beginOutage(
  kernel: Kernel,
  name: Outage['side'],
  side: Side,
  { afterMs, forMs, how }: { afterMs: number; forMs: number; how: Outage['how'] },
): Promise<Outage> {
  await kernel.sleep(afterMs);
  const outage: Outage = { side: name, how, asked: 0, attaches: [], since: kernel.nowMs, forMs };
  side.outage = outage;
  kernel.note(`the ${name} is down: ${how}`);
  await kernel.sleep(forMs);
  side.outage = null;
  kernel.note(`the ${name} is back, asked ${outage.asked} times`);
  return outage;
}

export function someOutage(kernel: Kernel) {
  return {
    afterMs: kernel.between('an outage begins after', 5, 60) * MINUTE_MS,
    forMs: kernel.between('an outage lasts', 4, 14) * MINUTE_MS,
    how: kernel.chance('it is away', 0.7) ? ('away' as const) : ('refuses' as const),
  };
}
