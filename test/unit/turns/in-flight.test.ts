import { describe, expect, it } from 'vitest';
import { InFlight, type Underway } from '../../../src/sync/in-flight.js';
import { seededRandom } from '../../../lab/sandbox/random.js';

/** Whoever has got places so far, in the order in which they got them. Time passes when it is told to. */
function line(places: number) {
  const sleepers: (() => void)[] = [];
  const timers = { sleep: () => new Promise<void>((resolve) => void sleepers.push(resolve)) };
  const inFlight = new InFlight({ places, timers });
  const served: string[] = [];
  const take = async (tenant: string, most: number, turn = inFlight.begin(tenant)) => {
    const given = await inFlight.take(turn, most);
    served.push(`${tenant} ${String(given)}`);
  };
  const giveBack = (tenant: string, places: number) => inFlight.giveBack({ tenant, number: 0 }, places);
  const aWhilePasses = async () => {
    for (const wake of sleepers.splice(0)) wake();
    await settled();
  };
  return { inFlight, served, take, giveBack, aWhilePasses };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('places', () => {
  it('go to whoever has the fewest: one turn does not wait behind the many of another tenant', async () => {
    const { served, take, giveBack } = line(8);
    for (let turn = 0; turn < 5; turn++) void take('big', 64);
    await settled();
    void take('small', 3);
    giveBack('big', 3);
    await settled();
    giveBack('big', 1);
    await settled();
    expect(served).toEqual(['big 8', 'small 3']);
  });

  it('go to those who have as many by how long they have waited', async () => {
    const { served, take, giveBack } = line(2);
    void take('a', 2);
    for (const tenant of ['b', 'c', 'd']) void take(tenant, 1);
    await settled();
    giveBack('a', 2);
    await settled();
    giveBack('b', 1);
    await settled();
    expect(served).toEqual(['a 2', 'b 1', 'c 1', 'd 1']);
  });

  it('go to the oldest turn of a tenant, though it comes to the line again after the others', async () => {
    const { inFlight, served, take, giveBack } = line(4);
    const [older, newer] = [inFlight.begin('first'), inFlight.begin('second')];
    const [one, two] = [
      { ...older, tenant: 'big' },
      { ...newer, tenant: 'big' },
    ];
    await take('big', 4, one);
    void take('newer', 2, two);
    void take('older', 2, one);
    await settled();
    giveBack('big', 2);
    await settled();
    expect(served).toEqual(['big 4', 'older 2']);
  });

  it('of hundreds in line go to one who has the fewest, and of those to the oldest turn, whoever comes back when', async () => {
    const { below } = seededRandom('a long line');
    const wrong: unknown[] = [];
    const inFlight = new InFlight({ places: 6, timers: { sleep: () => new Promise<void>(() => {}) } });
    const turns = Array.from({ length: 300 }, () => inFlight.begin(`t${String(below(40))}`));
    const has = (tenant: string) => holding.filter((turn) => turn.tenant === tenant).length;
    const waiting: Underway[] = [];
    const holding: Underway[] = [];
    const join = (turn: Underway) => {
      waiting.push(turn);
      void inFlight.take(turn, 1).then(() => {
        const fewest = Math.min(...waiting.map(({ tenant }) => has(tenant)));
        const oldest = Math.min(
          ...waiting.filter(({ tenant }) => has(tenant) === fewest).map(({ number }) => number),
        );
        if (has(turn.tenant) !== fewest || turn.number !== oldest) wrong.push({ turn, fewest, oldest });
        waiting.splice(waiting.indexOf(turn), 1);
        holding.push(turn);
      });
    };
    for (const turn of turns.slice(0, 6)) {
      join(turn);
      await settled();
    }
    for (const turn of turns.slice(6)) join(turn);
    for (let round = 0; round < 600; round++) {
      const [done] = holding.splice(below(holding.length), 1) as [Underway];
      // It comes back for more, behind others or before them.
      if (below(3) > 0) join(done);
      inFlight.giveBack(done, 1);
      await settled();
      expect(holding).toHaveLength(Math.min(6, holding.length + waiting.length));
    }
    expect(wrong).toEqual([]);
  });

  it('are given in batches while many wait, and none any more once it is closed', async () => {
    const { inFlight, served, take, giveBack } = line(16);
    void take('big', 64);
    void take('big', 64);
    await settled();
    giveBack('big', 7);
    await settled();
    expect(served).toEqual(['big 16']);
    giveBack('big', 1);
    await settled();
    expect(served).toEqual(['big 16', 'big 8']);
    void take('small', 1);
    inFlight.close();
    await settled();
    expect(served).toEqual(['big 16', 'big 8', 'small 0']);
    expect(await inFlight.take(inFlight.begin('small'), 1)).toBe(0);
  });

  it('do not wait for others that hang: what is free is given after a while', async () => {
    const { served, take, giveBack, aWhilePasses } = line(16);
    void take('hangs', 16);
    void take('small', 5);
    await settled();
    giveBack('hangs', 1);
    await settled();
    expect(served).toEqual(['hangs 16']);
    await aWhilePasses();
    expect(served).toEqual(['hangs 16', 'small 1']);
  });

  it('that were given in the meantime begin the while anew, and a full house needs none', async () => {
    const { served, take, giveBack, aWhilePasses } = line(4);
    for (const tenant of ['a', 'b', 'c']) void take(tenant, 4);
    await settled();
    await aWhilePasses();
    giveBack('a', 1);
    await settled();
    giveBack('a', 1);
    giveBack('a', 1);
    await settled();
    expect(served).toEqual(['a 4', 'b 2']);
    await aWhilePasses();
    expect(served).toEqual(['a 4', 'b 2']);
    await aWhilePasses();
    expect(served).toEqual(['a 4', 'b 2', 'c 1']);
  });
});
