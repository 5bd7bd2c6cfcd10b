// Parts of an account in virtual time: processes that come, go, sleep and die, and records that are slow, away or changed by others.
import { describe, expect, it } from 'vitest';
import { type AccountShare, AccountShares } from '../../../src/service/account-shares.js';
import { fairSeats, type Part } from '../../../src/service/share-out.js';
import { seededRandom } from '../../../lab/sandbox/random.js';
import { SharedRecords as Records, VirtualTime as World } from '../../support/virtual-time.js';

const ACCOUNT = 'hraun';

class Process {
  seats = 0;
  underWay = 0;
  waiting = 0;
  isDead = false;
  isAsleep = false;
  readonly share: AccountShare;

  constructor(world: World, records: Records, owner: string, limit: number) {
    const shares = new AccountShares({
      records,
      owner,
      timers: {
        sleep: async (ms, signal) => {
          await world.sleep(ms, signal);
          while (this.isDead || this.isAsleep) await world.sleep(5);
        },
      },
      monotonicMs: () => world.nowMs,
    });
    this.share = shares.of(ACCOUNT, {
      limit: () => limit,
      underWay: () => this.underWay,
      waiting: () => this.waiting,
      mayHave: (seats) => (this.seats = seats),
    });
  }

  /** As traffic does. */
  begin(): boolean {
    this.waiting = 1;
    if (this.isDead || !this.share.isKnown() || this.underWay >= this.seats) return false;
    this.waiting = 0;
    this.underWay += 1;
    return true;
  }
}

describe('fair seats', () => {
  const shared = (limit: number, wants: Record<string, number>, turn = 0) =>
    Object.fromEntries(fairSeats(limit, new Map(Object.entries(wants)), turn));

  it('are all for one who is alone', () => {
    expect(shared(4, { a: 1 })).toEqual({ a: 4 });
  });
  it('are as many for each of those who want more than there is, and the odd one goes round', () => {
    expect(shared(5, { a: 9, b: 9 })).toEqual({ a: 3, b: 2 });
    expect(shared(5, { a: 9, b: 9 }, 1)).toEqual({ a: 2, b: 3 });
    expect(shared(1, { a: 9, b: 9 }, 1)).toEqual({ a: 0, b: 1 });
  });
  it('that one does not want are the others’', () => {
    expect(shared(8, { a: 1, b: 9 })).toEqual({ a: 1, b: 7 });
  });
});

describe('the parts of several processes', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'are never more together than the account has, whoever comes, goes, dies or is slow (seed %i)',
    async (seed) => {
      const random = seededRandom(`shares ${String(seed)}`);
      const chance = (part: number) => random.next() < part;
      const limit = 1 + Math.floor(random.next() * 5);
      const world = new World();
      const records = new Records(world, () => 1 + Math.floor(random.next() * 40));
      const processes = Array.from(
        { length: 4 },
        (_, index) => new Process(world, records, `p${String(index)}`, limit),
      );
      const busy = new Set(processes.slice(0, 2));
      const served = new Map<Process, number>();
      let most = 0;
      await world.pass(30_000, () => {
        for (const process of processes) {
          if (chance(0.002)) void (busy.delete(process) || busy.add(process));
          if (!busy.has(process)) process.waiting = 0;
          while (busy.has(process) && process.begin()) served.set(process, (served.get(process) ?? 0) + 1);
          for (let call = process.underWay; call > 0; call--) if (chance(0.1)) process.underWay -= 1;
        }
        const [first] = processes;
        // What was under way of it ended with it.
        if (first && world.nowMs === 15_000) Object.assign(first, { isDead: true, underWay: 0 });
        most = Math.max(
          most,
          processes.reduce((sum, { underWay }) => sum + underWay, 0),
        );
      });
      expect(most).toBe(limit);
      expect([...busy].filter((process) => !process.isDead && (served.get(process) ?? 0) === 0)).toEqual([]);
    },
  );

  it('come back from one that was killed', async () => {
    const world = new World();
    const records = new Records(world, () => 2);
    const [killed, left] = [new Process(world, records, 'killed', 2), new Process(world, records, 'left', 2)];
    await world.pass(1_000, () => void killed.begin());
    expect(killed.underWay).toBe(2);
    killed.isDead = true;
    await world.pass(1_000, () => void left.begin());
    expect(left.underWay).toBe(0);
    await world.pass(3_000, () => void left.begin());
    expect(left.underWay).toBe(2);
  });

  it('are asked for anew by one that slept, before it calls', async () => {
    const world = new World();
    const records = new Records(world, () => 2);
    const [sleeper, other] = [
      new Process(world, records, 'sleeper', 2),
      new Process(world, records, 'other', 2),
    ];
    await world.pass(500, () => void sleeper.begin());
    expect(sleeper.underWay).toBe(2);
    sleeper.underWay = 0;
    sleeper.isAsleep = true;
    await world.pass(60_000, () => void other.begin());
    expect(other.underWay).toBe(2);
    sleeper.isAsleep = false;
    expect(sleeper.begin()).toBe(false);
    await world.pass(200, () => void sleeper.begin());
    expect(sleeper.underWay).toBe(0);
    other.underWay = 0;
    await world.pass(500, () => void sleeper.begin());
    expect(sleeper.underWay).toBeGreaterThan(0);
  });
});

describe('a process that cannot reach the records', () => {
  it('keeps what it has until it runs out, then makes do with one, and has the rest when they are back', async () => {
    const world = new World();
    const records = new Records(world, () => 2);
    const process = new Process(world, records, 'cut off', 4);
    const calls = () => void process.begin();
    await world.pass(500, calls);
    expect(process.seats).toBe(4);
    records.isAway = true;
    await world.pass(1_000, calls);
    expect(process.seats).toBe(4);
    await world.pass(3_000, calls);
    expect([process.seats, process.share.isKnown()]).toEqual([1, true]);
    records.isAway = false;
    process.underWay = 0;
    await world.pass(500, calls);
    expect(process.seats).toBe(4);
  });
});

describe('what is on record', () => {
  it('is nothing of a process that has no calls any more', async () => {
    const world = new World();
    const records = new Records(world, () => 2);
    const process = new Process(world, records, 'done', 4);
    const parts = (): readonly Part[] => records.kept.get(ACCOUNT)?.parts ?? [];
    await world.pass(300, () => void process.begin());
    expect(parts()).toMatchObject([{ owner: 'done', seats: 4 }]);
    process.underWay = 0;
    process.waiting = 0;
    await world.pass(2_000);
    expect(parts()).toEqual([]);
    expect(process.seats).toBe(0);
  });
});
