// One original, two processes that die and sleep, an ERP that loses answers, takes requests late and refuses some. However it
// goes: the file is at the entry once at most, never from a request that nobody has on record, and in the end a person can see
// where it is.
import { describe, expect, it } from 'vitest';
import type { Attachment, AttachOutcome } from '../../../src/erp/erp-adapter.js';
import { isLegalOriginalMove, isSettled } from '../../../src/domain/original.js';
import {
  advanceOriginal,
  type OriginalsDeps,
  type OriginalChange,
  type OriginalRecord,
  type OriginalVault,
} from '../../../src/sync/originals.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { inFlightMaxMs } from '../../../src/sync/work.js';

const TIMING = { leaseMs: 90_000, sendByMs: 10_000, erpTimeoutMs: 30_000, networkDelayMaxMs: 30_000 };
/** Longer than a lease, so that others look while it may still be under way. */
const CALL_MS = 120_000;
const PDF = Buffer.from('%PDF-1.4');

class Killed extends Error {}

/** Mulberry32: the same run for the same seed. */
function chanceOf(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface World {
  nowMs: number;
  record: Omit<OriginalRecord, 'fence'> & { fence: number } & {
    leaseUntilMs: number;
    dueAtMs: number | null;
    lastSentMs: number | null;
  };
  /** Files at the entry: name → how many. */
  atEntry: Map<string, number>;
  onTheWay: { atMs: number; name: string }[];
  breaches: string[];
  /** The process was killed: it writes nothing more. */
  isDead: boolean;
}

function worldOf(): World {
  const record = {
    ...{ id: '1', tenantName: 'hraun', postingId: 'p', generation: 0, kind: 'invoice', guid: 'g' },
    ...{ documentNo: '1001', role: 'pdf', state: 'wanted', fence: 0, tries: 0, sha256: null },
    ...{ contentType: null, size: null, reference: { id: 'e' }, sentAgoMs: null, restoredAgoMs: null },
    ...{ leaseUntilMs: 0, dueAtMs: 0, lastSentMs: null },
  } as World['record'];
  return { nowMs: 0, record, atEntry: new Map(), onTheWay: [], breaches: [], isDead: false };
}

function arrive(world: World): void {
  for (const each of world.onTheWay.filter(({ atMs }) => atMs <= world.nowMs))
    world.atEntry.set(each.name, (world.atEntry.get(each.name) ?? 0) + 1);
  world.onTheWay = world.onTheWay.filter(({ atMs }) => atMs > world.nowMs);
}

/** The contract of an adapter: it looks at what is there, then attaches. The network does the rest. */
function erpOf(world: World, chance: () => number): TenantContext['erp'] {
  const attach = (_reference: unknown, { fileName }: Attachment): Promise<AttachOutcome> => {
    if (world.record.state !== 'attaching') world.breaches.push('sent without an intent on record');
    arrive(world);
    const fate = chance();
    if (world.atEntry.has(fileName)) return Promise.resolve({ outcome: 'attached' });
    if (fate < 0.15) return Promise.resolve({ outcome: 'transient', message: 'busy' });
    if (fate < 0.2) return Promise.resolve({ outcome: 'rejected', code: 'invalid', message: 'no' });
    // The call may take its whole time, and the ERP may work on as long again after we gave up.
    const takesMs = chance() * 2 * CALL_MS;
    if (fate < 0.5) {
      world.onTheWay.push({ atMs: world.nowMs + takesMs, name: fileName });
      world.nowMs += Math.min(takesMs, CALL_MS);
      return Promise.resolve({ outcome: 'unknown', message: 'no answer' });
    }
    if (fate < 0.55) return Promise.resolve({ outcome: 'unknown', message: 'never arrived' });
    world.onTheWay.push({ atMs: world.nowMs, name: fileName });
    arrive(world);
    if (fate < 0.6) return Promise.reject(new Error('a defect after the send'));
    return Promise.resolve({ outcome: 'attached' });
  };
  return {
    attach,
    capabilities: { attachments: true, callMsMax: CALL_MS, lookUpLagMs: 0 },
  } as unknown as TenantContext['erp'];
}

function commitTo(world: World, claimed: OriginalRecord, change: OriginalChange): Promise<boolean> {
  const { record } = world;
  if (world.isDead || record.fence !== claimed.fence) return Promise.resolve(false);
  const to = change.to ?? record.state;
  if (!isLegalOriginalMove(record.state, to)) world.breaches.push(`${record.state} to ${to}`);
  world.record = {
    ...record,
    state: to,
    tries: change.tries ?? record.tries,
    ...(change.file ? { sha256: change.file.sha256, contentType: change.file.contentType } : {}),
    lastSentMs: change.sending ? world.nowMs : record.lastSentMs,
    dueAtMs: change.dueInMs === null ? null : world.nowMs + change.dueInMs,
    leaseUntilMs: change.keep ? record.leaseUntilMs : 0,
  };
  return Promise.resolve(true);
}

const VAULT: OriginalVault = {
  put: () => Promise.resolve({ sha256: 'ab'.repeat(32), size: PDF.length }),
  read: () => Promise.resolve({ outcome: 'whole', content: PDF }),
};

function stageOf(world: World, chance: () => number): OriginalsDeps {
  return {
    runtime: {
      clock: { now: () => new Date(world.nowMs) },
      timers: { sleep: () => Promise.resolve() },
      random: { next: chance, uuid: () => '' },
    },
    records: { commit: (claimed, change) => commitTo(world, claimed, change) },
    vault: VAULT,
    failPoints: {
      reach: () => {
        const fate = chance();
        if (fate < 0.15) {
          world.isDead = true;
          return Promise.reject(new Killed());
        }
        // It slept, and wakes long after its lease is gone.
        if (fate < 0.25) world.nowMs += 20 * 60_000;
        return Promise.resolve();
      },
    },
    timing: TIMING,
  };
}

async function run(seed: number, guard: 'all' | 'no-wait' = 'all', vault = VAULT): Promise<World> {
  const chance = chanceOf(seed);
  const world = worldOf();
  const stage = { ...stageOf(world, chance), vault };
  const source = {
    originals: () =>
      Promise.resolve({ outcome: 'found', files: [{ role: 'pdf', fileName: '../../x.pdf', content: PDF }] }),
  };
  const tenant = { name: 'hraun', source, erp: erpOf(world, chance) } as unknown as TenantContext;
  for (let step = 0; step < 200 && !isSettled(world.record.state); step++) {
    const { record } = world;
    world.nowMs = Math.max(world.nowMs, record.leaseUntilMs, record.dueAtMs ?? world.nowMs) + 1;
    arrive(world);
    record.fence += 1;
    world.isDead = false;
    record.leaseUntilMs = world.nowMs + 2 * TIMING.leaseMs;
    const sentAgoMs = record.lastSentMs === null ? null : world.nowMs - record.lastSentMs;
    const told = guard === 'no-wait' && sentAgoMs !== null ? Number.MAX_SAFE_INTEGER : sentAgoMs;
    const claimed = { ...record, sentAgoMs: told };
    await advanceOriginal(stage, tenant, { attach: true, bytesMax: 1_000 }, claimed).catch(
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      },
    );
  }
  world.nowMs += 10 * inFlightMaxMs({ timing: TIMING }, tenant);
  arrive(world);
  return world;
}

const SEED_OF_A_QUIET_WORLD = 7;
const SEEDS = Array.from({ length: 600 }, (_, seed) => seed + 1);

describe('an original', () => {
  it('is at its entry once at most, and ends attached or before a person, in 600 worlds', async () => {
    const ends: Record<string, number> = {};
    for (const seed of SEEDS) {
      const world = await run(seed);
      const copies = Math.max(0, ...world.atEntry.values());
      expect({ seed, copies: copies <= 1, breaches: world.breaches }).toEqual({
        seed,
        copies: true,
        breaches: [],
      });
      expect(isSettled(world.record.state), `seed ${String(seed)}: ${world.record.state}`).toBe(true);
      if (world.record.state === 'attached') expect(copies).toBe(1);
      ends[world.record.state] = (ends[world.record.state] ?? 0) + 1;
    }
    expect(ends['attached']).toBeGreaterThan(SEEDS.length / 2);
    expect(ends['parked']).toBeGreaterThan(0);
  });

  it('that was removed in the moment in which it came is fetched again', async () => {
    let isGone = true;
    let stored = 0;
    const vault: OriginalVault = {
      put: (content) => {
        stored += 1;
        return VAULT.put(content);
      },
      read: (sha256) => {
        const reading = isGone ? Promise.resolve({ outcome: 'missing' as const }) : VAULT.read(sha256);
        isGone = false;
        return reading;
      },
    };
    const world = await run(SEED_OF_A_QUIET_WORLD, 'all', vault);
    expect({ state: world.record.state, stored, breaches: world.breaches }).toEqual({
      ...{ state: 'attached', stored: 2, breaches: [] },
    });
  });

  it('would be there twice if nobody waited until nothing is on its way: the worlds notice', async () => {
    let doubled = 0;
    for (const seed of SEEDS)
      if (Math.max(0, ...(await run(seed, 'no-wait')).atEntry.values()) > 1) doubled += 1;
    expect(doubled).toBeGreaterThan(0);
  });
});
