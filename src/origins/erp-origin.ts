// The company's own ERP as an origin. It is asked now and then, not at every look, and less often while it does not answer, so that an
// ERP that is down keeps nobody waiting.
import { canonicalJson } from '../domain/canonical-json.js';
import type { Clock } from '../domain/runtime.js';
import type { SubmissionKind } from '../domain/submission.js';
import type { NamedAtOrigin, Origin, OriginChanges, OriginProblem, OriginRecord, Told } from './origin.js';
import type { ErpFeed, ErpPage, ErpRecords, Listed, Reading } from './erp-records.js';
import type { CreateOrigin } from './origin-services.js';
import { createHash } from 'node:crypto';
import * as z from 'zod';

export interface ErpOriginPace {
  /** Between two times that the ERP is asked. */
  readonly everyMs: number;
  /** Of what changed, how much is read at a look. */
  readonly atOnce: number;
}

const REST_MS_MAX = 5 * 60_000;

export class ErpOrigin implements Origin {
  readonly name: string;
  readonly takesBack = true;
  readonly #erp: ErpRecords;
  readonly #clock: Clock;
  readonly #pace: ErpOriginPace;
  #restUntil = 0;
  #failures = 0;

  constructor(name: string, erp: ErpRecords, clock: Clock, pace: ErpOriginPace) {
    this.name = name;
    this.#erp = erp;
    this.#clock = clock;
    this.#pace = pace;
  }

  async changes(cursor: string | null): Promise<OriginChanges> {
    const now = this.#clock.now().getTime();
    if (now < this.#restUntil)
      return { records: [], problems: [], looked: [], cursor: cursor ?? '', more: false, isResting: true };
    try {
      const changes = await this.#look(cursor, now);
      this.#failures = 0;
      if (!changes.more) this.#rest(this.#pace.everyMs);
      return changes;
    } catch (error) {
      this.#failures++;
      this.#rest(Math.min(REST_MS_MAX, this.#pace.everyMs * 2 ** Math.min(this.#failures, 10)));
      throw error;
    }
  }

  async read(kind: SubmissionKind, reference: string): Promise<OriginRecord | OriginProblem | null> {
    let unfit: OriginProblem | null = null;
    for (const feed of this.#erp.feeds.filter(({ kinds }) => kinds.includes(kind))) {
      const id = await feed.find(reference);
      const [read] = id === null ? [] : await feed.read([id]);
      const record = read?.records.find((one) => one.kind === kind && one.reference === reference);
      if (record) return record;
      unfit ??= read?.problems[0] ?? null;
    }
    return unfit;
  }

  tell(told: Told): Promise<void> {
    return this.#erp.tell(told);
  }

  /** A record of an ERP is no file itself. */
  async file(_place: string, named?: NamedAtOrigin): Promise<Uint8Array | null> {
    const { at, version } = named ?? {};
    return at === undefined || version === undefined
      ? null
      : ((await this.#erp.file?.({ at, version })) ?? null);
  }

  close(): Promise<void> {
    return this.#erp.close();
  }

  async #look(before: string | null, now: number): Promise<OriginChanges> {
    const cursors = readCursors(before);
    const records: OriginRecord[] = [];
    const problems: OriginProblem[] = [];
    const looked: string[] = [];
    let more = false;
    for (const feed of this.#erp.feeds) {
      const at = cursorOf(cursors, feed);
      const page = await feed.list(at.since, at.after);
      const taken = take(at, page, this.#pace.atOnce, now);
      const again = [...Object.keys(at.unread), ...Object.keys(at.recent)];
      const ids = [...new Set([...taken.ids, ...again])];
      const read = ids.length === 0 ? [] : await feed.read(ids);
      const unread = withUnread(taken.cursor, read);
      const { cursor, readings } =
        feed.isCoarse === true ? withRecent(unread.cursor, read) : { cursor: unread.cursor, readings: read };
      for (const reading of readings) {
        records.push(...reading.records);
        problems.push(...reading.problems);
        looked.push(reading.looked);
      }
      looked.push(...unread.gone);
      cursors[feed.name] = cursor;
      more ||= taken.more;
    }
    return { records: withoutTwins(records), problems, looked, cursor: canonicalJson(cursors), more };
  }

  #rest(ms: number): void {
    this.#restUntil = this.#clock.now().getTime() + ms;
  }
}

/** A customer comes with each of its invoices; the same one is handed over once. */
function withoutTwins(records: readonly OriginRecord[]): OriginRecord[] {
  const byName = new Map<string, OriginRecord>();
  for (const record of records) byName.set(`${record.kind} ${record.reference}`, record);
  return [...byName.values()];
}

// How far a feed was read. An ERP stamps a change when its transaction begins and shows it when that ends, so a list is never read on from
// the newest stamp alone: each pass looks back a while, and what it has handed over already is known by id and stamp. A pass that takes
// several looks goes on behind its last position; what changes meanwhile is younger than its beginning, and the next pass looks back
// as much further as this one took. Pure.

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

const AT_ONCE = 50;

export const createErp: CreateOrigin<'erp'> = async (settings, services) => {
  const pace = { everyMs: settings.everySeconds * 1_000, atOnce: AT_ONCE };
  return new ErpOrigin(settings.name, await services.erp(settings), services.clock, pace);
};
