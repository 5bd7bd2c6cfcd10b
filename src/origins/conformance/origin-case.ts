// One case: a promise, and how it is proven. Cases use node:assert and the port alone, so that they run the same in this repository's
// tests and on somebody's origin elsewhere.
import { strict as assert } from 'node:assert';
import type { Origin, OriginProblem, OriginRecord, Told } from '../origin.js';
import type { OriginBed, OriginCaseId, OriginTarget } from './target.js';

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

export interface Listed {
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
