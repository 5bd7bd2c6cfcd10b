// What sweeps promise: whatever is handed over is found, soon, however others come and go beside it.
import { FULL_SWEEP_EVERY_MS } from '../../../src/sync/intake.js';
import type { MemoryRecords } from '../memory-records.js';

export type Happening = 'one is deleted' | 'one is approved late' | 'one is posted';

export const TICK_MS = 7.5 * 60_000;

export interface Noticed {
  /** When each of the things happened. */
  readonly happened: Map<Happening, number>;
  /** Of processes that have asked for the whole list, and since when nobody has read it to its end. */
  readonly halfDone: Map<string, number>;
  /** When the last full sweep began that was complete. */
  completeFull: number;
}

/** When they are broken. */
export const INTAKE_PROMISES = {
  deleted: '13: what was deleted still counts as handed over',
  approved: '13: a late approval is not found at the next tick',
  hidden: '13: a late approval is not found by the next full sweep',
  halfDone: '13: a full sweep was left half-done, and not made again at the next tick',
} as const;

/** The tick that finds its full sweep due, and the one before it, at which it was not yet. */
const BY_ITSELF_MS = FULL_SWEEP_EVERY_MS.least + TICK_MS;

/** Moments from which a promise runs that is still to be kept. */
type Open = readonly [
  deleted: number | null,
  approved: number | null,
  hiddenSince: number | null,
  halfDone: number | null,
];

export function openOf({ byGuid }: MemoryRecords, { happened, halfDone, completeFull }: Noticed): Open {
  const deletedAt = happened.get('one is deleted') ?? null;
  const approvedAt = happened.get('one is approved late') ?? null;
  const deleted = byGuid.get('deleted')?.sourceStatus === 'Created' ? deletedAt : null;
  if (approvedAt === null || byGuid.has('late')) return [deleted, null, null, null];
  const isHidden = deletedAt !== null && completeFull <= deletedAt;
  const left = [...halfDone.values()].filter((at) => at >= approvedAt);
  return [
    deleted,
    isHidden ? null : approvedAt,
    isHidden ? Math.max(deletedAt, approvedAt) : null,
    left.length > 0 ? Math.min(...left) : null,
  ];
}

/** `isDone`: whatever can happen has happened. */
export function brokenByIntake(
  records: MemoryRecords,
  noticed: Noticed,
  faults: number,
  isDone: boolean,
): string[] {
  const [deleted, approved, hidden, halfDone] = openOf(records, noticed);
  // A fault may spoil a sweep, and so may a document that leaves the list while it is read: the next tick makes up for it.
  const spoilt = faults + (noticed.happened.has('one is posted') ? 1 : 0);
  const isOver = (since: number | null, ms: number) => since !== null && records.kernel.nowMs > since + ms;
  const broken: string[] = [];
  if (isDone && isOver(deleted, 2 * BY_ITSELF_MS + spoilt * TICK_MS)) broken.push(INTAKE_PROMISES.deleted);
  if (isOver(approved, TICK_MS + spoilt * TICK_MS)) broken.push(INTAKE_PROMISES.approved);
  if (isOver(hidden, BY_ITSELF_MS + spoilt * TICK_MS)) broken.push(INTAKE_PROMISES.hidden);
  if (isOver(halfDone, Math.max(1, spoilt) * TICK_MS)) broken.push(INTAKE_PROMISES.halfDone);
  return broken;
}
