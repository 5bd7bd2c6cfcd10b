// Every path through a small world, those with the fewest faults and the shortest first. A state that was met before is not
// explored again; a path that breaks a promise is told as a story.
import { brokenPromises } from '../invariants.js';
import { digest } from './digest.js';
import { Path, settle } from './path.js';
import { SmallWorld, type SmallWorldOptions } from './small-world.js';

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

export async function explore(options: SmallWorldOptions, bounds: Bounds): Promise<Exploration> {
  const { pathsMax = Infinity, storiesMax = 1 } = bounds;
  const seen = new Set<string>();
  const waiting: number[][][] = [[[]]];
  const stories: Story[] = [];
  let paths = 0;
  let depth = 0;
  while (paths < pathsMax && stories.length < storiesMax) {
    const prefix = nextOf(waiting);
    if (!prefix) return { states: seen.size, paths, depth, exhausted: true, stories };
    const walked = await walk(options, prefix, bounds, seen);
    paths++;
    depth = Math.max(depth, walked.steps);
    if (walked.broken.length > 0)
      stories.push({ broken: walked.broken, faults: walked.path.faults, events: walked.world.kernel.trace });
    else branch(walked.path, waiting);
  }
  return { states: seen.size, paths, depth, exhausted: false, stories };
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
  readonly world: SmallWorld;
  readonly path: Path;
  readonly steps: number;
  readonly broken: readonly string[];
}

async function walk(
  options: SmallWorldOptions,
  prefix: readonly number[],
  { faults, stepsMax = STEPS_MAX }: Bounds,
  seen: Set<string>,
): Promise<Walked> {
  const path = new Path(prefix, faults);
  const world = new SmallWorld(options, path);
  await world.prepare();
  for (let steps = 1; steps <= stepsMax; steps++) {
    await settle();
    const broken = unsafe(world);
    if (broken.length > 0) return { world, path, steps, broken };
    const deeds = world.deeds();
    if (deeds.length === 0) return { world, path, steps, broken: unkept(world) };
    if (deeds.length > 1 && path.isNew) {
      const state = stateOf(world, path.faults);
      if (seen.has(state)) return { world, path, steps, broken: [] };
      seen.add(state);
    }
    const deed = path.pick(deeds);
    if (deed.label !== '') world.kernel.note(deed.label);
    deed.act();
  }
  return { world, path, steps: stepsMax, broken: [`it never came to rest in ${stepsMax} steps`] };
}

/** What may not be true at any moment. */
function unsafe({ ledger, records, document }: SmallWorld): string[] {
  const broken = [...records.violations, ...ledger.violations];
  for (const key of new Set(ledger.entries.map((entry) => entry.key)))
    if (ledger.live(key).length > 1)
      broken.push(`1: the document is in the books ${ledger.live(key).length} times`);
  if (document.accountingStatus === 'Posted' && ledger.entries.length === 0)
    broken.push('2: the source says Posted, and nothing is in the books');
  return broken;
}

/** What must be true when all is quiet. */
function unkept(world: SmallWorld): string[] {
  const { kernel, records, service, ledger, actors } = world;
  if (!actors.some(({ alive }) => alive)) return [];
  return brokenPromises({ kernel, records, service, ledger, outages: [], digest: '' });
}

function stateOf(world: SmallWorld, faults: number): string {
  const { records, ledger, kernel, actors, document, onItsWay } = world;
  const now = kernel.nowMs;
  const until = (moment: number | null) => (moment === null ? null : Math.max(0, moment - now));
  const age = (moment: number) => Math.min(now - moment, AGE_MS_MAX);
  const rows = [...records.rows.values()].map((row) => [
    { ...row.posting, stateAgeMs: 0, discoveredAgeMs: 0 },
    [until(row.dueAt), until(row.leaseUntil), row.sourceStatus, age(row.stateSince)],
    row.attempts.map(({ outcome, sends, key, startedAt, lastSentAt }) => [
      outcome,
      sends,
      key,
      age(startedAt),
      age(lastSentAt),
    ]),
    row.writeBacks.map(({ state, wanted, sends }) => [state, wanted, sends]),
  ]);
  const people = actors.map(({ alive, job, memory, halted, stalledAt }) =>
    alive ? [job, memory, halted, stalledAt === null ? null : age(stalledAt)] : 'dead',
  );
  const entries = ledger.entries.map(({ key, state }) => [key, state]);
  const breakers = [...records.breakers].map(([side, { state, failures, openUntil }]) => [
    side,
    state,
    failures,
    until(openUntil),
  ]);
  const requests = onItsWay.map(({ sender, arrivesBy }) => [sender?.name, until(arrivesBy)]);
  const { accountingStatus, version, deleted } = document;
  const restored = records.restoredAt === null ? null : age(records.restoredAt);
  const source = [accountingStatus, version, deleted];
  return digest(JSON.stringify([rows, people, entries, breakers, requests, source, restored, faults]));
}

/** Longer ago than any wait of the protocol and the life of any key. */
const AGE_MS_MAX = 3_600_000;
