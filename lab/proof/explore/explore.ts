// Every path through a small world, those with the fewest faults and the shortest first. A state that was met before is not
// explored again; a path that breaks a promise is told as a story.
import { digest, Path, settle } from './path.js';
import type { ExploredWorld, WorldMaker } from './actor.js';
import type { HistoryStep } from '../specification/history.js';

export interface Bounds {
  readonly faults: number;
  /** Of one path; no path through a sound world comes near it. */
  readonly stepsMax?: number;
  readonly pathsMax?: number;
  /** Stops with this many stories. */
  readonly storiesMax?: number;
}

export interface Story {
  readonly broken: readonly string[];
  readonly faults: number;
  readonly events: readonly string[];
  /** The same as steps of the specification. */
  readonly history: readonly HistoryStep[];
}

export interface Exploration {
  readonly states: number;
  readonly paths: number;
  /** Steps of the longest path. */
  readonly depth: number;
  /** Whether all of it was seen. */
  readonly exhausted: boolean;
  readonly stories: readonly Story[];
}

const STEPS_MAX = 2_000;

export async function explore(makeWorld: WorldMaker, bounds: Bounds): Promise<Exploration> {
  const { pathsMax = Infinity, storiesMax = 1 } = bounds;
  const seen = new Set<string>();
  const waiting: number[][][] = [[[]]];
  const stories: Story[] = [];
  let paths = 0;
  let depth = 0;
  while (paths < pathsMax && stories.length < storiesMax) {
    const prefix = nextOf(waiting);
    if (!prefix) return { states: seen.size, paths, depth, exhausted: true, stories };
    const walked = await walk(makeWorld, prefix, bounds, seen);
    paths++;
    depth = Math.max(depth, walked.steps);
    if (walked.broken.length > 0) stories.push(storyOf(walked));
    else branch(walked.path, waiting);
  }
  return { states: seen.size, paths, depth, exhausted: false, stories };
}

function storyOf({ broken, path, world: { kernel } }: Walked): Story {
  return { broken, faults: path.faults, events: kernel.trace, history: kernel.history.steps };
}

/** By the number of faults, so that the simplest story is found first. */
function nextOf(waiting: (number[][] | undefined)[]): number[] | undefined {
  for (const same of waiting) {
    const prefix = same?.shift();
    if (prefix) return prefix;
  }
  return undefined;
}

function branch(path: Path, waiting: (number[][] | undefined)[]): void {
  const indexes = path.taken.map(({ index }) => index);
  let faults = 0;
  for (const [at, { index, options }] of path.taken.entries()) {
    if (at >= path.prefix.length)
      for (let other = index + 1; other < options.length; other++) {
        const count = faults + (options[other]?.isFault ? 1 : 0);
        (waiting[count] ??= []).push([...indexes.slice(0, at), other]);
      }
    if (options[index]?.isFault) faults++;
  }
}

interface Walked {
  readonly world: ExploredWorld;
  readonly path: Path;
  readonly steps: number;
  readonly broken: readonly string[];
}

async function walk(
  makeWorld: WorldMaker,
  prefix: readonly number[],
  { faults, stepsMax = STEPS_MAX }: Bounds,
  seen: Set<string>,
): Promise<Walked> {
  const path = new Path(prefix, faults);
  const world = makeWorld(path);
  await world.prepare();
  for (let steps = 1; steps <= stepsMax; steps++) {
    await settle();
    const broken = world.unsafe();
    if (broken.length > 0) return { world, path, steps, broken };
    const deeds = world.deeds();
    if (deeds.length === 0) return { world, path, steps, broken: world.unkept() };
    if (deeds.length > 1 && path.isNew) {
      const state = digest(JSON.stringify([world.state(), path.faults]));
      if (seen.has(state)) return { world, path, steps, broken: [] };
      seen.add(state);
    }
    const deed = path.pick(deeds);
    if (deed.label !== '') world.kernel.note(deed.label);
    deed.act();
  }
  return { world, path, steps: stepsMax, broken: [`it never came to rest in ${stepsMax} steps`] };
}
