import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { jobsOf, type Round, type Stage, type Turn, turnsOf, type WakeUp } from '../../../src/sync/turns.js';
import { ALL_DUE, type DispatchStore, type WhatIsDue } from '../../../src/store/dispatch-store.js';
import { startDispatcher } from '../../../src/worker/dispatcher.js';
import type { QueueName, Queues } from '../../../src/worker/queues.js';

const turn = (stage: Stage, tenantName: string, share: number): Turn => ({
  stage,
  tenantName,
  share,
  isProbe: false,
});

interface Scene {
  /** How many of the tenants have work, round after round of one stage; the last figure stays. */
  readonly busy?: readonly number[];
  readonly depths?: Partial<Record<QueueName, number>>;
  readonly leads?: boolean;
  readonly tenants?: readonly string[];
  readonly perSecond?: number;
  /** What is due to anybody; left out: everything. */
  readonly due?: Partial<WhatIsDue>;
  readonly jobMin?: number;
  readonly forMs?: number;
}

/** Runs a dispatcher for some rounds over queues of these depths; every tenant has much to do. */
async function dispatch({
  busy = [],
  depths = {},
  leads = true,
  tenants = ['t'],
  perSecond = 1_000_000,
  due = ALL_DUE,
  jobMin = 1,
  forMs = 50,
}: Scene) {
  const asked = { lead: 0, due: 0, depth: 0, outbox: 0 };
  const rounds: Round[] = [];
  const added: { name: QueueName; wakeUps: readonly WakeUp[] }[] = [];
  const store: Partial<DispatchStore> = {
    lead: () => {
      asked.lead++;
      return Promise.resolve(leads);
    },
    whatIsDue: () => {
      asked.due++;
      return Promise.resolve({ 'write-back': false, post: false, orders: false, ...due });
    },
    rates: () => Promise.resolve(new Map(tenants.map((name) => [name, perSecond]))),
    takeOutbox: () => {
      asked.outbox++;
      return Promise.resolve([]);
    },
    turnsDue: (round) => {
      const before = rounds.filter(({ stage }) => stage === round.stage).length;
      rounds.push(round);
      const working = round.tenants.slice(0, busy[Math.min(before, busy.length - 1)]);
      return Promise.resolve(working.map((name) => turn(round.stage, name, round.perTenant)));
    },
  };
  const queues: Partial<Queues> = {
    depth: (name) => {
      asked.depth++;
      return Promise.resolve(depths[name] ?? 0);
    },
    add: (name, wakeUps) => {
      added.push({ name, wakeUps });
      return Promise.resolve();
    },
  };
  const dispatcher = startDispatcher(store as DispatchStore, queues as Queues, {
    owner: 'me',
    tenants: () => tenants,
    round: 64,
    turnMin: 2,
    jobMin,
    intervalMs: 5,
    onError: (error) => {
      throw error;
    },
  });
  await sleep(forMs);
  // As many rounds as there are figures, however busy the machine is.
  while (rounds.filter(({ stage }) => stage === 'post').length <= busy.length && busy.length > 0)
    await sleep(5);
  await dispatcher.stop();
  return { rounds, added, asked };
}

const stages = ({ rounds }: { rounds: readonly Round[] }) => new Set(rounds.map(({ stage }) => stage));

describe('the dispatcher', () => {
  it('hands out write-backs although turns to post are waiting', async () => {
    expect(stages(await dispatch({ depths: { post: 64 } }))).toEqual(new Set(['write-back']));
  });

  it('hands out turns to post although write-backs are waiting', async () => {
    expect(stages(await dispatch({ depths: { 'write-back': 64 } }))).toEqual(new Set(['post']));
  });

  it('looks at write-backs before it looks at posts', async () => {
    const { rounds } = await dispatch({});
    expect(rounds.slice(0, 2).map(({ stage }) => stage)).toEqual(['write-back', 'post']);
  });

  it('begins no round before half of the turns of the last one are taken up', async () => {
    const tenants = ['a', 'b', 'c', 'd'];
    const { rounds } = await dispatch({ tenants, depths: { 'write-back': 2, post: 3 } });
    expect(rounds.filter(({ stage }) => stage === 'write-back')).toEqual([]);
    expect(rounds).toEqual([]);
  });

  it('makes turns smaller the more tenants there are, but never smaller than a few documents', async () => {
    const many = Array.from({ length: 200 }, (_, number) => `t${String(number)}`);
    expect((await dispatch({ tenants: ['one'] })).rounds[0]?.perTenant).toBe(64);
    expect((await dispatch({ tenants: many.slice(0, 8) })).rounds[0]?.perTenant).toBe(8);
    expect((await dispatch({ tenants: many })).rounds[0]?.perTenant).toBe(2);
  });

  it('shares a round among those that have work, and one that many come into is no larger', async () => {
    const tenants = Array.from({ length: 100 }, (_, number) => `t${String(number)}`);
    const { added } = await dispatch({ tenants, busy: [1, 1, 16, 16] });
    const posts = added.filter(({ name }) => name === 'post').map(({ wakeUps }) => wakeUps);
    const shares = posts.slice(0, 4).map((wakeUps) => wakeUps.map(({ share }) => share));
    expect(shares).toEqual([[2], [64], Array<number>(16).fill(4), Array<number>(16).fill(4)]);
  });

  it('lets small turns of several tenants go as one job, each of them once', async () => {
    const tenants = Array.from({ length: 21 }, (_, number) => `t${String(number)}`);
    const { added } = await dispatch({ tenants, jobMin: 16 });
    const [jobs = []] = added.filter(({ name }) => name === 'post').map(({ wakeUps }) => wakeUps);
    const turns = jobs.map((job) => turnsOf('post', job));
    // 64 over 21 tenants: three documents each, six turns a job, and what is left.
    expect(turns.map((all) => all.length)).toEqual([6, 6, 6, 3]);
    expect(turns.flat()).toEqual(tenants.map((name) => turn('post', name, 3)));
  });

  it('lets a turn that is large enough go by itself, and takes jobs from before for what they are', () => {
    const [large, small] = [turn('post', 'large', 64), turn('post', 'small', 2)];
    expect(jobsOf([large, small], 32)).toMatchObject([
      { tenantName: 'large', more: [] },
      { tenantName: 'small', more: [] },
    ]);
    expect(jobsOf([small, large], 32)).toMatchObject([{ tenantName: 'small', more: [{ share: 64 }] }]);
    expect(turnsOf('post', { id: '', tenantName: 'one', share: 4, isProbe: true })).toEqual([
      { ...turn('post', 'one', 4), isProbe: true },
    ]);
  });

  it('gives a tenant no more documents than its limits let through', async () => {
    const { added } = await dispatch({ perSecond: 7 });
    const documents = added
      .filter(({ name }) => name === 'post')
      .flatMap(({ wakeUps }) => wakeUps)
      .reduce((sum, { share = 0 }) => sum + share, 0);
    expect(documents).toBeGreaterThanOrEqual(7);
    expect(documents).toBeLessThanOrEqual(8);
  });

  it('asks nobody but the database while nothing is due, but for a look at the queues now and then', async () => {
    const { rounds, asked } = await dispatch({ due: {}, forMs: 400 });
    expect(asked.due).toBeGreaterThan(9);
    expect(asked.depth).toBeGreaterThan(0);
    expect(asked.depth).toBeLessThanOrEqual((3 * asked.due) / 8);
    expect(rounds.length).toBeLessThanOrEqual((2 * asked.due) / 8);
    // It knows that it leads for a while.
    expect(asked.lead).toBeLessThan(asked.due / 2);
  });

  it('looks only at the stage that has something due', async () => {
    const { rounds, asked } = await dispatch({ due: { post: true } });
    expect(new Set(rounds.map(({ stage }) => stage))).toEqual(new Set(['post']));
    expect(asked.outbox).toBe(0);
    expect(asked.depth).toBe(rounds.length);
  });

  it('takes orders although no document is due', async () => {
    const { rounds, asked } = await dispatch({ due: { orders: true } });
    expect(asked.outbox).toBeGreaterThan(0);
    expect(rounds).toEqual([]);
  });

  it('hands out nothing while another process leads', async () => {
    expect((await dispatch({ leads: false })).added).toEqual([]);
  });
});
