// Items by guid, as they were read a short while ago. An invoice names up to hundreds of them and the next one names the same:
// asking anew for every line of every invoice would use up the account's limits.
import type { Guid } from '../domain/ids.js';
import type { Clock } from '../domain/runtime.js';
import type { SourceItem } from './invoicing-source.js';

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
