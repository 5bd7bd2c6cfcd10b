// The company's own ERP as an origin. It is asked now and then, not at every look, and less often while it does not answer, so that an
// ERP that is down keeps nobody waiting.
import { canonicalJson } from '../../domain/canonical-json.js';
import type { Clock } from '../../domain/runtime.js';
import type { SubmissionKind } from '../../domain/submission.js';
import type { NamedAtOrigin, Origin, OriginChanges, OriginProblem, OriginRecord, Told } from '../origin.js';
import type { ErpRecords } from './erp-records.js';
import { cursorOf, readCursors, take, withRecent, withUnread } from './feed-cursor.js';

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
