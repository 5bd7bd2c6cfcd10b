// What the real operations are given in a simulated run. Only those records are there that the acts of the simulation use; an
// act that asks for more ends the run with the name of what it wanted.
import { NOBODY_CLOSES } from '../../src/operations/closing/closing.js';
import type { OperationsDeps } from '../../src/operations/deps.js';
import { NOTHING_GOES_OUT } from '../../src/operations/outgoing/deps.js';
import type { OperationRecords } from '../../src/operations/records.js';
import type { Life } from './life.js';
import { memoryOperations, type UsedRecords } from './memory-operations.js';
import { memoryPostingStore } from './memory-posting-store.js';
import { tokensOf } from './signed-in.js';
import { type Machine, tenantOf, type World } from './world.js';

export function operationsDeps(
  world: World,
  life: Life,
  owner: string,
  machine = machineOf(world, life),
): OperationsDeps {
  const { kernel, records } = world;
  const tenant = tenantOf(world, life, machine);
  return {
    records: whole(memoryOperations(records, life)),
    postings: () => memoryPostingStore(records, life),
    connections: { names: () => [tenant.name], tenant: () => null, get: () => Promise.resolve(tenant) },
    reconcile: () => Promise.reject(new Error('nobody reconciles here')),
    clock: { now: () => new Date(kernel.nowMs) },
    owner,
    language: 'en',
    files: null,
    poke: () => undefined,
    closing: NOBODY_CLOSES,
    outgoing: NOTHING_GOES_OUT,
    rehearse: () => Promise.reject(new Error('nobody rehearses here')),
    tryChannels: () => Promise.resolve([]),
  };
}

/** Of an operator: it signs in like every process. */
function machineOf({ kernel, records, service, phase }: World, life: Life): Machine {
  if (!service.grant) return { lagMs: 0 };
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: { next: () => 0.5, uuid: () => `u${kernel.between('an id', 1, 1e9)}` },
  };
  return {
    lagMs: 0,
    tokens: tokensOf(records, service.grant, life, { runtime, isFaulty: () => phase.isFaulty }),
  };
}

/** The rest of the interface is never asked for; were it, the run would say so. */
function whole(used: UsedRecords): OperationRecords {
  return new Proxy(used, {
    get: (target, name, receiver) => {
      if (!(name in target)) throw new Error(`the simulation keeps no ${String(name)}`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  }) as unknown as OperationRecords;
}
