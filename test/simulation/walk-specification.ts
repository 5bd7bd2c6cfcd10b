// Every state that the specification can come to, with two workers, two requests and one word to the source on their way at most,
// and one restore; and how the first state that breaks a promise comes about.
import type * as Protocol from '../../lab/proof/specification/compiled-protocol.js';

type Doc = Protocol.Doc;
type Specification = Pick<typeof Protocol, 'blank' | 'STEPS' | 'isKept' | 'restore'>;

interface World {
  readonly doc: Doc;
  readonly backup: Doc | null;
  readonly restored: boolean;
}

export interface Walked {
  readonly states: number;
  /** The steps to the first state that breaks a promise. */
  readonly broken: readonly string[] | null;
  /** States from which nobody can come to an end any more. */
  readonly stuck: number;
}

const ON_ITS_WAY_MAX = 2;
/** To the source. */
const WORDS_MAX = 1;
const WORKERS = ['a', 'b'];

export function walk(specification: Specification, erp: string, isRestored: boolean): Walked {
  const first: World = { doc: specification.blank(erp, true), backup: null, restored: !isRestored };
  const seen = new Map<string, Seen>([[idOf(first), { world: first, from: null, step: '', after: [] }]]);
  const waiting = [...seen.values()];
  for (const here of waiting) {
    if (!specification.isKept(here.world.doc)) return { states: seen.size, broken: storyOf(here), stuck: 0 };
    for (const [step, world] of stepsFrom(specification, here.world)) {
      const id = idOf(world);
      let there = seen.get(id);
      if (!there) {
        there = { world, from: here, step, after: [] };
        seen.set(id, there);
        waiting.push(there);
      }
      there.after.push(here);
    }
  }
  return { states: seen.size, broken: null, stuck: seen.size - canEnd(waiting) };
}

interface Seen {
  readonly world: World;
  readonly from: Seen | null;
  readonly step: string;
  /** From which it is one step. */
  readonly after: Seen[];
}

const BY_WORKER = [...WORKERS, ''];
const BY_WORLD = [''];

function stepsFrom(
  { STEPS, restore }: Specification,
  { doc, backup, restored }: World,
): [step: string, world: World][] {
  const after: [string, World][] = [];
  for (const name in STEPS) {
    const { can, go, byWorker } = STEPS[name as keyof typeof STEPS];
    for (const worker of byWorker ? BY_WORKER : BY_WORLD) {
      if ((byWorker && worker === '' && name !== 'decide') || !can(doc, worker)) continue;
      const next = go(doc, worker);
      if (next.onItsWay <= ON_ITS_WAY_MAX && next.books <= 2 && wordsOf(next).length <= WORDS_MAX)
        after.push([`${worker} ${name}`, { doc: next, backup, restored }]);
    }
  }
  if (restored) return after;
  if (backup === null) after.push(['backup', { doc, backup: doc, restored }]);
  else after.push(['restore', { doc: restore(doc, backup), backup: null, restored: true }]);
  return after;
}

/** A backup is what is on record; who works and what the world does is not in it. */
function idOf({ doc, backup, restored }: World): string {
  const saved = backup ? `${backup.record} ${backup.attempt} ${backup.sends}` : '';
  const { record, attempt, sends, onItsWay, books, source } = doc;
  // The two are alike: which of them is called a makes no difference.
  const [a, b] = [workerOf(doc, 'a'), workerOf(doc, 'b')];
  const flags =
    Number(doc.isInDoubt) +
    2 * Number(doc.isUndone) +
    4 * Number(doc.isQuiet) +
    8 * Number(doc.wasQuiet) +
    16 * Number(doc.keyLives) +
    32 * Number(restored);
  const workers = a < b ? `${a},${b}` : `${b},${a}`;
  // Nothing but the world decides what becomes of a word, and there is one at most: whose it is makes no difference.
  return `${record},${attempt},${sends},${onItsWay},${books},${source},${flags},${workers},${wordsOf(doc)[0] ?? ''},${saved}`;
}

function workerOf({ knows, holder }: Doc, worker: string): string {
  return `${knows[worker] ?? ''}${holder === worker ? '!' : ''}`;
}

const NO_WORDS: readonly string[] = [];

/** Asked of every step, hundreds of thousands of times: most have none. */
function wordsOf({ says }: Doc): readonly string[] {
  let words: string[] | null = null;
  for (const worker of WORKERS) {
    const word = says[worker];
    if (word !== undefined && word !== 'nothing') (words ??= []).push(word);
  }
  return words ?? NO_WORDS;
}

function storyOf(seen: Seen): string[] {
  return seen.from ? [...storyOf(seen.from), seen.step] : [];
}

const ENDS = new Set(['acknowledged', 'decided', 'parked', 'reversed']);

/** How many of them can come to rest where everybody sees it. */
function canEnd(all: readonly Seen[]): number {
  const reached = new Set(all.filter(({ world }) => ENDS.has(world.doc.record)));
  for (const one of reached) for (const before of one.after) reached.add(before);
  return reached.size;
}
