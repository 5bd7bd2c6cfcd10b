// How far a feed was read. An ERP stamps a change when its transaction begins and shows it when that ends, so a list is never read on from
// the newest stamp alone: each pass looks back a while, and what it has handed over already is known by id and stamp. A pass that takes
// several looks goes on behind its last position; what changes meanwhile is younger than its beginning, and the next pass looks back
// as much further as this one took. Pure.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ErpFeed, ErpPage, Listed, Reading } from './erp-records.js';

/** Longer than a transaction of an ERP lasts. */
const LOOK_BACK_MS = 10 * 60_000;
/** What is beyond it is handed over once more, which changes nothing. */
const SEEN_MAX = 20_000;

const feedCursor = z.object({
  since: z.string().nullable(),
  after: z.string().nullable(),
  /** When this pass began, by our clock; null: none is under way. */
  begun: z.number().nullable(),
  /** The newest stamp that was seen. */
  newest: z.string().nullable(),
  /** Stamp → what was handed over with it, as far back as the next pass looks. */
  seen: z.record(z.string(), z.array(z.string())),
  /** What could not be read, with its place: what keeps it from being read may be changed elsewhere, so it is read at every look. */
  unread: z.record(z.string(), z.string()),
  /** Where stamps are coarse: what has the newest one, with the hash of what was handed over of it. It is read at every look. */
  recent: z.record(z.string(), z.string()),
  /** What else the records were made of. */
  basis: z.string().optional(),
});
export type FeedCursor = z.infer<typeof feedCursor>;

const BEGINNING: FeedCursor = {
  since: null,
  after: null,
  begun: null,
  newest: null,
  seen: {},
  unread: {},
  recent: {},
};
const cursors = z.record(z.string(), feedCursor);

export function readCursors(text: string | null): Record<string, FeedCursor> {
  return text === null || text === '' ? {} : cursors.parse(JSON.parse(text));
}

export function cursorOf(
  all: Readonly<Record<string, FeedCursor>>,
  { name, basis }: Pick<ErpFeed, 'name' | 'basis'>,
): FeedCursor {
  const made = basis === undefined ? {} : { basis };
  const before = all[name];
  if (before?.basis === basis && before) return before;
  // What could not be read may be gone meanwhile, and then nothing else would say so.
  return { ...BEGINNING, unread: before?.unread ?? {}, ...made };
}

export interface Taken {
  readonly ids: readonly string[];
  readonly cursor: FeedCursor;
  /** This pass has more. */
  readonly more: boolean;
}

/** What of a page is new, `most` at a time, and the cursor behind it. */
export function take(before: FeedCursor, page: ErpPage, most: number, nowMs: number): Taken {
  const begun = before.begun ?? nowMs;
  const taken: Listed[] = [];
  let consumed: Listed | undefined;
  for (const entry of page.entries) {
    if (!isSeen(before, entry)) {
      if (taken.length >= most) break;
      taken.push(entry);
    }
    consumed = entry;
  }
  const isWhole = consumed === page.entries.at(-1);
  const more = !isWhole || page.isFull;
  const newest = latest([before.newest, ...taken.map(({ at }) => at)]);
  const floor = newest === null ? null : back(newest, LOOK_BACK_MS + (nowMs - begun));
  const seen = pruned(before.seen, taken, floor);
  const ids = [...new Set(taken.map(({ id }) => id))];
  if (more)
    return {
      ids,
      more,
      cursor: { ...before, after: consumed?.position ?? before.after, begun, newest, seen },
    };
  const since = latest([before.since, floor]);
  return { ids, more, cursor: { ...before, since, after: null, begun: null, newest, seen } };
}

function isSeen({ seen }: FeedCursor, { at, id }: Listed): boolean {
  return seen[at]?.includes(id) === true;
}

function latest(stamps: readonly (string | null)[]): string | null {
  return stamps.reduce(
    (last, stamp) => (last === null || (stamp !== null && stamp > last) ? stamp : last),
    null,
  );
}

function pruned(
  seen: FeedCursor['seen'],
  taken: readonly Listed[],
  floor: string | null,
): Record<string, string[]> {
  const all = new Map(Object.entries(seen).map(([at, ids]) => [at, [...ids]]));
  for (const { at, id } of taken) all.set(at, [...(all.get(at) ?? []), id]);
  const kept: [string, string[]][] = [];
  let count = 0;
  for (const [at, ids] of [...all].sort(([a], [b]) => (a > b ? -1 : 1))) {
    count += ids.length;
    if ((floor !== null && at < floor) || count > SEEN_MAX) break;
    kept.push([at, ids]);
  }
  return Object.fromEntries(kept.reverse());
}

function back(stamp: string, ms: number): string {
  const at = Date.parse(`${stamp}Z`) - ms;
  return new Date(at).toISOString().slice(0, -1);
}

const UNREAD_MAX = 200;

/** The cursor behind what was read; `gone`: places of what could not be read before, and is none of ours any more. */
export function withUnread(
  cursor: FeedCursor,
  readings: readonly Reading[],
): { readonly cursor: FeedCursor; readonly gone: readonly string[] } {
  const unread = readings.flatMap(({ id, problems, looked }) => (problems.length > 0 ? [[id, looked]] : []));
  const read = new Set(readings.map(({ id }) => id));
  const gone = Object.entries(cursor.unread).flatMap(([id, place]) => (read.has(id) ? [] : [place]));
  const kept = Object.fromEntries(unread.slice(0, UNREAD_MAX)) as Record<string, string>;
  return { cursor: { ...cursor, unread: kept }, gone };
}

/** Without what was handed over just so at an earlier look, and the cursor that knows what was handed over now. */
export function withRecent(
  cursor: FeedCursor,
  readings: readonly Reading[],
): { readonly cursor: FeedCursor; readonly readings: readonly Reading[] } {
  const newest = new Set(cursor.newest === null ? [] : cursor.seen[cursor.newest]);
  const hashes = new Map(readings.map((reading) => [reading.id, hashOf(reading)]));
  const recent = Object.fromEntries([...hashes].filter(([id]) => newest.has(id)));
  const isSame = ({ id }: Reading) => cursor.recent[id] === hashes.get(id);
  return {
    cursor: { ...cursor, recent },
    readings: readings.map((reading) => (isSame(reading) ? { ...reading, records: [] } : reading)),
  };
}

function hashOf({ records }: Reading): string {
  const text = JSON.stringify(records.map(({ content, booked }) => [content, booked]));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
