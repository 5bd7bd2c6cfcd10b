// Lists of the service that are held against a count, so that what is not among them is not there.
import type { Told } from '../domain/message.js';
import type { IsoDate } from '../domain/source-document.js';
import { coded } from '../language/coded.js';
import { message, told } from '../language/messages.js';
import type { RecordList } from './answers.js';
import type { CallOutcome } from './api-client.js';
import type { Guid } from '../domain/ids.js';
import type { Clock } from '../domain/runtime.js';
import type { SourceItem } from './invoicing-source.js';

/** What a refusal says of a list or a count says nothing about what is on it. */
export function valueOf<T>(answer: CallOutcome<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  const { status, errorCode } = answer;
  throw coded('SOURCE_REFUSED', message('SERVICE_REFUSED', { answer: answer.message.slice(0, 300) }), {
    details: { status, errorCode },
  });
}

const PAGES_MAX = 1_000;

export type Listed<T> =
  | { readonly outcome: 'whole'; readonly records: ReadonlyMap<string, T> }
  | ({ readonly outcome: 'incomplete' } & Told);

/**
 * Every page, by guid: a page that brings nothing new is the end, or the same page again. What a page says of whether there are more is not
 * believed: one that is wrong would hide what is there.
 */
export async function everyPage<T>(
  ask: (page: number) => Promise<RecordList<T>>,
  guidOf: (record: T) => string,
): Promise<Listed<T>> {
  const records = new Map<string, T>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const before = records.size;
    const list = await ask(page);
    const [problem] = list.problems;
    if (problem) return { outcome: 'incomplete', ...told('LISTED_UNREADABLE', { problem: problem.problem }) };
    for (const record of list.records) records.set(guidOf(record), record);
    if (records.size === before) return { outcome: 'whole', records };
  }
  return { outcome: 'incomplete', ...told('TOO_MANY_PAGES', { pages: PAGES_MAX }) };
}

/** Counted before it was listed: what is added meanwhile makes the list longer, never shorter than what it is held against. */
export function heldAgainst<T>(
  counted: number,
  listed: Listed<T>,
  what: 'invoices' | 'costs' | 'tasks' | 'customers' | 'items',
): Listed<T> {
  if (listed.outcome === 'incomplete' || listed.records.size >= counted) return listed;
  return { outcome: 'incomplete', ...told('LISTED_OF', { listed: listed.records.size, counted, what }) };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function dayBeside(day: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

// Items by guid, as they were read a short while ago. An invoice names up to hundreds of them and the next one names the same:
// asking anew for every line of every invoice would use up the account's limits.

/** A category that somebody changes is followed after this long. */
const FRESH_MS = 10 * 60 * 1000;
const ITEMS_MAX = 5_000;

export class RememberedItems {
  readonly #clock: Clock;
  /** In the order in which they were read, the oldest first. */
  readonly #items = new Map<string, { readonly item: SourceItem; readonly readAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async get(guid: Guid, read: () => Promise<SourceItem | null>): Promise<SourceItem | null> {
    const known = this.#items.get(guid);
    if (known && this.#now() - known.readAt < FRESH_MS) return known.item;
    const item = await read();
    // What is not there may be made in the next moment.
    if (item) this.#keep(guid, item);
    return item;
  }

  #keep(guid: Guid, item: SourceItem): void {
    this.#items.delete(guid);
    this.#items.set(guid, { item, readAt: this.#now() });
    const [oldest] = this.#items.keys();
    if (this.#items.size > ITEMS_MAX && oldest !== undefined) this.#items.delete(oldest);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
