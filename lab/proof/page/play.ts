// A small world that is played step by step: whoever plays decides at every moment what happens next, and the real pipeline goes on
// from there. Every look plays the whole path again, which is a few dozen steps.
import type { Deed } from '../explore/actor.js';
import { explore, type Story } from '../explore/explore.js';
import { GUARDS } from '../explore/guards.js';
import { type Option, Path, settle } from '../explore/path.js';
import { SmallWorld, type SmallWorldOptions } from '../explore/small-world.js';
import { brokenPromises } from '../invariants.js';
import { type RunOptions, simulate } from '../run.js';

export { ERP_KINDS } from '../simulated-ledger.js';
export const GUARD_NAMES = GUARDS.map(({ guard }) => guard);

export interface Choice {
  readonly label: string;
  readonly isFault: boolean;
}

export interface View {
  readonly events: readonly string[];
  /** What may happen next; none: the world has come to rest, or a promise is broken. */
  readonly choices: readonly Choice[];
  readonly broken: readonly string[];
  readonly replicas: readonly { name: string; state: 'free' | 'works' | 'asleep' | 'dead' }[];
  readonly record: string;
  readonly attempt: string;
  readonly onItsWay: number;
  readonly entries: readonly { id: string; state: string }[];
  readonly source: string;
  readonly seconds: number;
}

/** Stops at the first question that has no answer yet. */
class AskedPath extends Path {
  asked: readonly Option[] | null = null;
  onAsk: () => void = () => undefined;

  override pick<T extends Option>(options: readonly T[]): T {
    if (this.asked === null && options.length > 1 && this.taken.length >= this.prefix.length) {
      this.asked = options;
      this.onAsk();
    }
    return super.pick(options);
  }
}

const STEPS_MAX = 1_500;
const FAULTS_MAX = 12;

export function optionsOf(erp: SmallWorldOptions['erp'], guard: string | null): SmallWorldOptions {
  const without = GUARDS.find((one) => one.guard === guard)?.without;
  return without ?? { erp };
}

export async function look(options: SmallWorldOptions, answers: readonly number[]): Promise<View> {
  const path = new AskedPath(answers, FAULTS_MAX);
  const world = new SmallWorld(options, path);
  const seen: View[] = [];
  path.onAsk = () => void seen.push(viewOf(world, (path.asked ?? []).map(choiceOf), []));
  await world.prepare();
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    await settle();
    const asked = seen.at(0);
    if (asked) return asked;
    const broken = world.unsafe();
    if (broken.length > 0) return viewOf(world, [], broken);
    const deeds = world.deeds();
    if (deeds.length === 0) return viewOf(world, [], world.unkept());
    const deed: Deed = path.pick(deeds);
    const question = seen.at(0);
    if (question) return question;
    if (deed.label !== '') world.kernel.note(deed.label);
    deed.act();
  }
  return viewOf(world, [], ['it never came to rest']);
}

function choiceOf({ label, isFault }: Option): Choice {
  return { label: label === '' ? 'go on' : label, isFault: isFault === true };
}

function viewOf(world: SmallWorld, choices: readonly Choice[], broken: readonly string[]): View {
  const { kernel, records, ledger, actors, onItsWay, document, row } = world;
  return {
    events: [...kernel.trace],
    choices,
    broken,
    replicas: actors.map(({ name, alive, stalledAt, job }) => ({
      name,
      state: !alive ? 'dead' : stalledAt !== null ? 'asleep' : job === null ? 'free' : 'works',
    })),
    record: row.posting.state,
    attempt: row.attempts.at(-1)?.outcome ?? (row.attempts.length > 0 ? 'open' : 'none'),
    onItsWay: onItsWay.length,
    entries: ledger.entries.map(({ id, state }) => ({ id, state })),
    source: records.byGuid.has(document.guid) && document.deleted ? 'deleted' : document.accountingStatus,
    seconds: kernel.elapsedMs / 1000,
  };
}

/** The shortest way in which it breaks without the guard. */
export async function shortestStory(guard: string): Promise<Story | null> {
  const without = GUARDS.find((one) => one.guard === guard)?.without;
  if (!without) return null;
  const { stories } = await explore((path) => new SmallWorld(without, path), { faults: 2, pathsMax: 5_000 });
  return stories[0] ?? null;
}

/** A large world by its seed: the same events as in Node, to the letter. */
export async function runSeed(options: RunOptions) {
  const run = await simulate(options);
  return {
    digest: run.digest,
    trace: run.kernel.trace,
    broken: brokenPromises(run),
    entries: run.ledger.entries.length,
  };
}
