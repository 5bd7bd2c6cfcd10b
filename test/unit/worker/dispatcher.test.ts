import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { DispatchStore, Round } from '../../../src/store/dispatch-store.js';
import { startDispatcher } from '../../../src/worker/dispatcher.js';
import type { QueueName, Queues } from '../../../src/worker/queues.js';

const DEPTH_MAX = 64;

/** Runs a dispatcher for some rounds over queues of these depths. */
async function dispatch(depths: Partial<Record<QueueName, number>>, leads = true) {
  const rounds: Round[] = [];
  const store: Partial<DispatchStore> = {
    lead: () => Promise.resolve(leads),
    rates: () => Promise.resolve(new Map([['t', 1_000]])),
    takeOutbox: () => Promise.resolve([]),
    takeDue: (round) => {
      rounds.push(round);
      return Promise.resolve([]);
    },
  };
  const queues: Partial<Queues> = {
    depth: (name) => Promise.resolve(depths[name] ?? 0),
    add: () => Promise.resolve(),
  };
  const dispatcher = startDispatcher(store as DispatchStore, queues as Queues, {
    owner: 'me',
    tenants: () => ['t'],
    depthMax: DEPTH_MAX,
    perTenant: 8,
    intervalMs: 5,
    onError: (error) => {
      throw error;
    },
  });
  await sleep(50);
  await dispatcher.stop();
  return rounds;
}

const stages = (rounds: readonly Round[]) => new Set(rounds.map(({ stage }) => stage));

describe('the dispatcher', () => {
  it('hands out write-backs although the queue of posts is full', async () => {
    expect(stages(await dispatch({ post: DEPTH_MAX }))).toEqual(new Set(['write-back']));
  });

  it('hands out posts although the queue of write-backs is full', async () => {
    expect(stages(await dispatch({ 'write-back': DEPTH_MAX }))).toEqual(new Set(['post']));
  });

  it('looks at write-backs before it looks at posts, and asks for no more than there is room', async () => {
    const [first, second] = await dispatch({ 'write-back': 4, post: 30 });
    expect(first).toMatchObject({ stage: 'write-back', room: 60 });
    expect(second).toMatchObject({ stage: 'post', room: 34 });
  });

  it('hands out nothing while another process leads', async () => {
    expect(await dispatch({}, false)).toEqual([]);
  });
});
