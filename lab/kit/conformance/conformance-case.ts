// One case: a promise, when it does not apply, and how it is proven. Cases use node:assert and the port alone, so that they
// run the same in this repository's tests and on somebody's adapter elsewhere.
import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from '../../../src/domain/journal.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import type {
  ErpAdapter,
  ErpCapabilities,
  ErpEntry,
  ErpReference,
  PreparedPost,
} from '../../../src/erp/erp-adapter.js';
import type {
  ConformanceBed,
  ConformanceCaseId,
  ConformanceChart,
  ConnectVariant,
  SharedServices,
} from './target.js';

export interface CaseWorld {
  readonly bed: ConformanceBed;
  readonly chart: ConformanceChart;
  /** A healthy connection of this case's own; closed after it. */
  readonly erp: ErpAdapter;
  /** A further one: another process, or this one after a crash. */
  another(variant?: ConnectVariant, shared?: SharedServices): Promise<ErpAdapter>;
  /** What this bed cannot show, for a reason that the report prints; the rest of the case still counts. */
  notShown(what: string): void;
}

export interface ConformanceCase {
  readonly id: ConformanceCaseId;
  /** The promise, in words. */
  readonly title: string;
  /** Why it does not apply to an adapter that declares these capabilities; null when it does. */
  readonly exempt?: (capabilities: ErpCapabilities) => string | null;
  run(world: CaseWorld): Promise<void>;
}

export async function prepared(erp: ErpAdapter, key: string, journal: Journal): Promise<PreparedPost> {
  const outcome = await erp.prepare({ key, journal });
  assert.equal(outcome.outcome, 'prepared', `prepare said ${JSON.stringify(outcome)}`);
  return outcome.prepared;
}

/** Posts and insists on the outcome that the adapter's finality promises. */
export async function posted(erp: ErpAdapter, key: string, journal: Journal): Promise<ErpReference> {
  return settled(erp, key, final(erp, await erp.post(await prepared(erp, key, journal))));
}

const LOOKS_MAX = 50;
const LOOK_PAUSE_MS = 100;

/** An ERP that books later has a reference of its own for the entry when it is booked; that one counts from then on. */
export async function settled(erp: ErpAdapter, key: string, reference: ErpReference): Promise<ErpReference> {
  if (erp.capabilities.finality !== 'async' || erp.capabilities.lookUp === 'none') return reference;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const entry = await onlyEntry(erp, key);
    if (entry.state === 'posted') return entry.reference;
    await pause(LOOK_PAUSE_MS);
  }
  return assert.fail(`${key} has not been booked in ${String((LOOKS_MAX * LOOK_PAUSE_MS) / 1000)} seconds`);
}

export function final(erp: ErpAdapter, outcome: Awaited<ReturnType<ErpAdapter['post']>>): ErpReference {
  const wanted = { posted: 'posted', draft: 'draft', async: 'pending' } as const;
  const good: string[] = ['posted', wanted[erp.capabilities.finality]];
  assert.ok(good.includes(outcome.outcome), `post said ${JSON.stringify(outcome)}`);
  assert.ok('reference' in outcome);
  return outcome.reference;
}

/** The one entry under that key, as the adapter sees it. */
export async function onlyEntry(erp: ErpAdapter, key: string): Promise<ErpEntry> {
  const found = await erp.findByKey(key);
  assert.equal(found.outcome, 'one', `findByKey said ${JSON.stringify(found)}`);
  return found.entry;
}

export async function assertInBooksOnce(world: CaseWorld, key: string): Promise<void> {
  const counted = await world.bed.count(key);
  const live = world.erp.capabilities.finality === 'draft' ? counted.drafts + counted.posted : counted.posted;
  assert.equal(live, 1, `the books hold ${JSON.stringify(counted)} under ${key}`);
  if (world.erp.capabilities.finality !== 'draft')
    assert.equal(counted.drafts, 0, 'a draft was left beside the entry');
}

export async function assertNotInBooks(world: CaseWorld, key: string): Promise<void> {
  assert.deepEqual(await world.bed.count(key), { posted: 0, drafts: 0 }, `the books hold ${key}`);
}

export function assertSame(erp: ErpAdapter, journal: Journal, entry: ErpEntry): void {
  assert.deepEqual(compareEntry(journal, entry, erp.capabilities), []);
}

/** Refused when it was prepared or when it was posted, with one of these codes, and nothing in the books. */
export async function assertRejected(
  world: CaseWorld,
  journal: Journal,
  key: string,
  codes: readonly string[],
): Promise<void> {
  const outcome = await world.erp.prepare({ key, journal });
  const judged = outcome.outcome === 'prepared' ? await world.erp.post(outcome.prepared) : outcome;
  assert.equal(judged.outcome, 'rejected', `said ${JSON.stringify(judged)}`);
  assert.ok(codes.includes(judged.code), `rejected as ${judged.code}: ${judged.message}`);
  assert.notEqual(judged.message.trim(), '', 'a rejection needs a sentence for the bookkeeper');
  const left = await world.bed.count(key);
  assert.equal(left.posted, 0, 'it is in the books all the same');
}

/** ERPs cut long texts; what is left of one must still be this long. */
const TEXT_SHOWN_MIN = 20;

/**
 * The ERP keeps that text: all of its letters and digits, or as many as its field has room for. Signs are left out, since
 * what a text must not do in some place (open a formula, end a line) is rightly taken out of it.
 */
export async function assertTextKept(world: CaseWorld, key: string, text: string): Promise<void> {
  const kept = await world.bed.texts?.(key);
  if (!kept) {
    world.notShown('which texts the ERP keeps: the bed has no texts(key)');
    return;
  }
  const wanted = lettersOf(text);
  const isKept = kept.map(lettersOf).some((each) => each.includes(wanted) || endsWithPartOf(each, wanted));
  assert.ok(isKept, `"${text}" is kept as ${JSON.stringify(kept)}`);
}

function endsWithPartOf(kept: string, wanted: string): boolean {
  const at = kept.indexOf(wanted.slice(0, TEXT_SHOWN_MIN));
  return at >= 0 && wanted.startsWith(kept.slice(at));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
