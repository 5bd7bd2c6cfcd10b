// What the conformance suite needs of an origin's test bed. A bed owns one place with records of one kind (real files, a real ERP, or a
// fake as strict), makes origins on it as separate processes would, and looks at what was told there without asking the origin.
import { strict as assert } from 'node:assert';
import type { SubmissionKind } from '../../domain/submission.js';
import type { Origin, OriginProblem, OriginRecord, Told } from '../origin.js';

export interface OriginTarget {
  /** "folder of CSV: invoice". */
  readonly name: string;
  readonly kind: SubmissionKind;
  /** What the place can hold of what it is told. A place that holds nothing says so here, and is asked nothing. */
  readonly holds: readonly HeldFact[];
  /** How many records are more than the bed's origins read at a look; 45 unless given. */
  readonly many?: number;
  /** Cases that cannot arise here, each with its reason. Everything else must pass. */
  readonly notApplicable?: Readonly<Partial<Record<OriginCaseId, string>>>;
  /** An empty place; called for every case. */
  open(): Promise<OriginBed>;
}

export const HELD_FACTS = ['state', 'guid', 'number', 'paymentLink', 'mark', 'why'] as const;
export type HeldFact = (typeof HELD_FACTS)[number];

/** A text that has to arrive letter for letter; every record that a bed puts has it somewhere. */
export const TELLING_TEXT = 'Þæögð áéíóúý';

export interface OriginBed {
  /** Another origin on the same place: what another process, or this one after a crash, would have. */
  connect(): Promise<Origin>;
  /**
   * The place has this record from now on, whole; the number tells records apart, and another version is other content under the same
   * reference. The answer is its reference.
   */
  put(record: number, version?: 1 | 2): Promise<string>;
  /** Written again just as it is: another time, the same content. Left out: such a thing cannot be. */
  touch?(record: number): Promise<void>;
  /** The place has it no more. Left out: nothing is ever taken away there. */
  remove?(record: number): Promise<void>;
  /**
   * From now on this file stands beside the record and is to go with it; one of the same name before it is gone. Left out: nothing
   * stands beside its records.
   */
  attach?(record: number, name: string, content: Uint8Array): Promise<void>;
  /** It stands there no more. */
  detach?(record: number, name: string): Promise<void>;
  /** Something that cannot be read. */
  putBad(): Promise<void>;
  /** It can be read now, or is gone. */
  mendBad(): Promise<void>;
  /** Until what was put before is handed over to this one. */
  ripen(origin: Origin): Promise<void>;
  /** The place does not answer, until `heal`. Left out: it is always there. */
  outage?(): Promise<void>;
  heal?(): Promise<void>;
  /** What somebody who looks there sees that was told of a record, the oldest first: one for each that is told apart. */
  toldOf(reference: string): Promise<readonly Readonly<Partial<Record<HeldFact, string | null>>>[]>;
  close(): Promise<void>;
}

export const ORIGIN_CASE_IDS = [
  'empty',
  'lists-new',
  'well-formed',
  'not-again',
  'again-after-crash',
  'cursor-is-anybodys',
  'many',
  'put-meanwhile',
  'changed',
  'touched',
  'bad-spoils-none',
  'bad-mended',
  'bad-again-after-crash',
  'removed',
  'read-one',
  'read-now',
  'read-gone',
  'told-created',
  'told-others',
  'told-twice',
  'told-at-once',
  'told-is-no-change',
  'tell-gone',
  'outage-is-not-empty',
  'outage-read',
  'outage-tell',
  'files',
  'named-files',
  'named-file-changed',
  'outage-file',
] as const;
export type OriginCaseId = (typeof ORIGIN_CASE_IDS)[number];

// One case: a promise, and how it is proven. Cases use node:assert and the port alone, so that they run the same in this repository's
// tests and on somebody's origin elsewhere.

export interface OriginWorld {
  readonly target: OriginTarget;
  readonly bed: OriginBed;
  readonly origin: Origin;
  /** A further one: another process, or this one after a crash. */
  another(): Promise<Origin>;
}

export interface OriginCase {
  readonly id: OriginCaseId;
  /** The promise, in words. */
  readonly title: string;
  /** Why it does not apply to this bed; null when it does. */
  readonly exempt?: (target: OriginTarget, bed: OriginBed, origin: Origin) => string | null;
  run(world: OriginWorld): Promise<void>;
}

const LOOKS_MAX = 200;

interface Listed {
  readonly records: readonly OriginRecord[];
  readonly problems: readonly OriginProblem[];
  readonly looked: readonly string[];
  readonly cursor: string;
}

/** Everything after a cursor, as the bridge asks for it. */
export async function list(origin: Origin, from: string | null): Promise<Listed> {
  const records: OriginRecord[] = [];
  const problems: OriginProblem[] = [];
  const looked: string[] = [];
  let cursor = from;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const changes = await origin.changes(cursor);
    records.push(...changes.records);
    problems.push(...changes.problems);
    looked.push(...changes.looked);
    ({ cursor } = changes);
    if (!changes.more) return { records, problems, looked, cursor };
  }
  return assert.fail(`it says that there is more after ${String(LOOKS_MAX)} looks`);
}

/** When what was put has ripened. */
export async function listRipe(
  { bed, origin }: Pick<OriginWorld, 'bed' | 'origin'>,
  from: string | null,
): Promise<Listed> {
  await bed.ripen(origin);
  return list(origin, from);
}

export function referencesOf({ records }: Pick<Listed, 'records'>): string[] {
  return [...new Set(records.map(({ reference }) => reference))].sort();
}

/** The last word on a record. */
export function recordOf({ records }: Pick<Listed, 'records'>, reference: string): OriginRecord {
  const found = records.findLast((record) => record.reference === reference);
  return found ?? assert.fail(`${reference} is not listed, only ${JSON.stringify(records)}`);
}

export async function putAndList(world: OriginWorld): Promise<OriginRecord> {
  const reference = await world.bed.put(1);
  return recordOf(await listRipe(world, null), reference);
}

export function told({ kind, reference, place }: OriginRecord, more: Partial<Told> = {}): Told {
  return {
    ...{ kind, reference, place, state: 'created', guid: '0b7c1f5e-1111-4222-8333-444455556666' },
    ...{ number: '1042', paymentLink: 'https://example.is/p/1042', mark: 'OAAAAAAAAAAAAAAAAAAA', why: null },
    ...more,
  };
}

/** What the place can hold of it, it holds. */
export async function assertTold(
  { bed, target }: OriginWorld,
  reference: string,
  wanted: Told,
): Promise<void> {
  const seen = await bed.toldOf(reference);
  const last = seen.at(-1) ?? assert.fail(`nothing was told of ${reference}`);
  for (const fact of target.holds)
    assert.equal(last[fact] ?? null, wanted[fact], `${fact} of what was told is ${String(last[fact])}`);
}
