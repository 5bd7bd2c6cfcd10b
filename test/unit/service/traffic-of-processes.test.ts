// Several processes at one account in virtual time: whatever they want, the service is asked no more than its limits allow, and not at all
// while it wants to be left alone.
import { expect, it } from 'vitest';
import { AccountShares } from '../../../src/service/account-shares.js';
import { Traffic, type Judged } from '../../../src/service/traffic.js';
import type { RequestGate } from '../../../src/http/adaptive-gate.js';
import { seededRandom } from '../../../lab/sandbox/random.js';
import { SharedRecords, VirtualTime } from '../../support/virtual-time.js';

/** A process looks at what others were asked for this often. */
const FRESH_MS = 100;
/** Time passes in steps, and a look takes some. */
const STEP_MS = 15;

function judged(status: number, headers: Record<string, string>): Judged {
  const result = { outcome: 'response', status, headers, body: Buffer.alloc(0), durationMs: 1 } as const;
  return status === 200
    ? { result, verdict: { verdict: 'success', body: {} } }
    : { result, verdict: { verdict: 'too-many', message: 'busy', status } };
}

class Service {
  readonly #world: VirtualTime;
  readonly #next: () => number;
  readonly begun: number[] = [];
  readonly tooEarly: string[] = [];
  underWay = 0;
  most = 0;
  pauses = 0;
  #askedAtMs = -Infinity;
  #untilMs = -Infinity;

  constructor(world: VirtualTime, next: () => number) {
    this.#world = world;
    this.#next = next;
  }

  async answer(from: string): Promise<Judged> {
    const { nowMs } = this.#world;
    if (nowMs < this.#untilMs && nowMs > this.#askedAtMs + FRESH_MS + STEP_MS)
      this.tooEarly.push(`${from}: ${String(nowMs - this.#askedAtMs)} ms after it was asked`);
    this.begun.push(nowMs);
    this.most = Math.max(this.most, ++this.underWay);
    await this.#world.sleep(20 + this.#next() * 200);
    this.underWay--;
    if (this.#next() > 0.03) return judged(200, {});
    const seconds = 1 + Math.floor(this.#next() * 4);
    this.pauses++;
    if (this.#world.nowMs >= this.#untilMs) this.#askedAtMs = this.#world.nowMs;
    this.#untilMs = Math.max(this.#untilMs, this.#world.nowMs + seconds * 1000);
    return judged(429, { 'retry-after': String(seconds) });
  }
}

/** As store/breaker-store.ts keeps pauses. */
function gateOf(world: VirtualTime, onRecord: { untilMs: number }): RequestGate {
  let [known, readAt] = [-Infinity, -Infinity];
  return {
    heldMs: async () => {
      if (known <= world.nowMs && world.nowMs - readAt > FRESH_MS) {
        await world.sleep(5);
        [known, readAt] = [onRecord.untilMs, world.nowMs];
      }
      return Math.max(0, known - world.nowMs);
    },
    hold: (ms) => {
      known = Math.max(known, world.nowMs + ms);
      onRecord.untilMs = Math.max(onRecord.untilMs, known);
      return Promise.resolve();
    },
  };
}

it.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'three processes keep its limits and its pauses together (seed %i)',
  async (seed) => {
    const random = seededRandom(`traffic ${String(seed)}`);
    const next = () => random.next();
    const limits = {
      concurrency: 1 + Math.floor(next() * 5),
      requestsPerSecond: 4 + Math.floor(next() * 30),
    };
    const world = new VirtualTime();
    const records = new SharedRecords(world, () => 1 + Math.floor(next() * 36));
    const service = new Service(world, next);
    const onRecord = { untilMs: -Infinity };
    const timers = { sleep: (ms: number, signal?: AbortSignal) => world.sleep(ms, signal) };
    const work = async (owner: string) => {
      const shares = new AccountShares({ records, owner, timers, monotonicMs: () => world.nowMs });
      const runtime = { clock: { now: () => new Date(world.nowMs) }, timers };
      const gate = gateOf(world, onRecord);
      const share = shares.of.bind(shares, 'hraun');
      const traffic = new Traffic({ runtime, limits, gate, share, origin: 'https://service.example' });
      const client = async (): Promise<never> => {
        for (;;) {
          await traffic.pass('call', () => service.answer(owner)).catch(() => world.sleep(100));
          if (next() < 0.1) await world.sleep(next() * 3_000);
        }
      };
      await Promise.all([client(), client(), client(), client()]);
    };
    for (const owner of ['a', 'b', 'c']) void work(owner);
    await world.pass(60_000);
    expect(service.pauses).toBeGreaterThan(0);
    expect(service.begun.length).toBeGreaterThan(20);
    expect(service.tooEarly).toEqual([]);
    expect(service.most).toBeLessThanOrEqual(limits.concurrency);
    const inASecond = service.begun.map((from) =>
      service.begun.filter((at) => at >= from && at < from + 1000),
    );
    // The pace of each process begins anew where its part changes.
    const most = Math.max(...inASecond.map((calls) => calls.length));
    expect(most).toBeLessThanOrEqual(limits.requestsPerSecond + 3);
  },
);
