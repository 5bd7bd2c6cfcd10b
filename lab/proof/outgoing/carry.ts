// The keeper of the other direction in one process of a simulated bridge, as worker/outgoing-keeper.ts has it: whoever leads looks at the
// origins and carries what is due. Now and then two lead at once, which must only work faster.
import type { Runtime } from '../../../src/domain/runtime.js';
import type { FailPoints } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import { takeIn } from '../../../src/outbound/take-in.js';
import { watchService } from '../../../src/outbound/watch-service.js';
import type { SubmissionRecord } from '../../../src/outbound/stage.js';
import type { Mortal } from '../life.js';
import { memoryBreakers } from '../memory-dispatch.js';
import type { World } from '../world.js';
import { memoryAgreed, memoryOriginStore } from './memory-origin-store.js';
import { outgoingTenant, type OutgoingSide } from './outgoing-side.js';

export interface Carrier {
  readonly world: World;
  readonly side: OutgoingSide;
  readonly owner: string;
  readonly process: Mortal;
  readonly runtime: Runtime;
}

const LEAD_MS = 20_000;
const SHARE = 16;
const AT_ONCE = 4;
const TURNS_MAX = 20;
const WATCHED_EVERY_MS = 10 * 60_000;
/** Beside what befalls every process. */
const HARD = { dies: 0.012, sleeps: 0.02, sleepsMsMax: 300_000 };

export async function carryOutgoing(carrier: Carrier): Promise<void> {
  const { world, side, owner, process } = carrier;
  const { kernel, phase } = world;
  let watchedAt = kernel.nowMs;
  for (let round = 0; round < 20_000; round++) {
    await process.life.step(kernel.between('how soon it carries', 4_000, 40_000) * (phase.isBusy ? 1 : 20));
    if (!leads(side, owner, world)) continue;
    await look(carrier);
    if (kernel.nowMs - watchedAt > WATCHED_EVERY_MS) {
      watchedAt = kernel.nowMs;
      await watch(carrier).catch(() => undefined);
    }
    for (let turn = 0; turn < TURNS_MAX; turn++) if ((await work(carrier)) === 0) break;
  }
}

function leads({ lead }: OutgoingSide, owner: string, { kernel, phase }: World): boolean {
  const isTaken = lead.owner !== owner && lead.until >= kernel.nowMs;
  if (isTaken && !(phase.isFaulty && kernel.chance('two lead at once', 0.15))) return false;
  Object.assign(lead, { owner, until: kernel.nowMs + LEAD_MS });
  return true;
}

/** One origin that cannot be read keeps no other from being read. */
async function look({ side, process, runtime, world }: Carrier): Promise<void> {
  const tenant = outgoingTenant(side, process.life, runtime.clock);
  const store = memoryOriginStore(side.records, process.life);
  for (const origin of tenant.origins.values())
    await takeIn(store, harder(world, process), tenant, origin).catch(() => undefined);
}

function watch({ side, process, runtime }: Carrier): Promise<number> {
  const tenant = outgoingTenant(side, process.life, runtime.clock);
  return watchService(memoryAgreed(side.records, process.life), tenant, side.timing);
}

async function work(carrier: Carrier): Promise<number> {
  const { world, side, process, runtime } = carrier;
  const { life } = process;
  await life.step(2);
  const askedAtMs = runtime.clock.now().getTime();
  const waiting = claimDue(world, side);
  const count = waiting.length;
  const stage = {
    ...{ runtime, store: side.records.store(life), breakers: memoryBreakers(world.records, life) },
    ...{ failPoints: harder(world, process), timing: side.timing },
  };
  const carry = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await advanceSubmission(
        stage,
        outgoingTenant(side, life, runtime.clock, next.key),
        next,
        askedAtMs,
      ).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, carry));
  return count;
}

/** As store/submission-store.ts claims: whatever was begun is finished first, and nothing new before somebody has seen the plan. */
function claimDue({ records: posted, kernel }: World, side: OutgoingSide): SubmissionRecord[] {
  const { records, confirmedAt, pausedAt } = side;
  const source = posted.breakers.get('source');
  const isAway = source !== undefined && source.state !== 'closed' && source.openUntil > kernel.nowMs;
  if (isAway || pausedAt !== null || posted.isAtRest) return [];
  const isNew = (state: string) => state === 'received' || state === 'held';
  return [...records.rows.values()]
    .filter((row) => row.dueAt !== null && row.dueAt <= kernel.nowMs && !records.isLeased(row))
    .filter(({ record }) => confirmedAt !== null || !isNew(record.state))
    .sort(
      (a, b) =>
        Number(isNew(a.record.state)) - Number(isNew(b.record.state)) || (a.dueAt ?? 0) - (b.dueAt ?? 0),
    )
    .slice(0, SHARE)
    .flatMap((row) => records.claim(row, side.timing.leaseMs) ?? []);
}

/** Creating is where a crash hurts most, so there are more of them. */
function harder({ kernel, phase }: World, process: Mortal): FailPoints {
  return {
    reach: async (point) => {
      await process.failPoints.reach(point);
      if (!phase.isFaulty) return;
      if (kernel.chance('it dies while it carries', HARD.dies)) {
        kernel.note(`a process dies ${point}`);
        process.kill();
      } else if (kernel.chance('it sleeps while it carries', HARD.sleeps))
        await kernel.sleep(kernel.between('how long it sleeps there', 1_000, HARD.sleepsMsMax));
      await process.life.step(0);
    },
  };
}
