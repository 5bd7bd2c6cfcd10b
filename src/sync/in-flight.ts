// The documents that this process works on at the same time, over all its queues. A turn that needs places waits for them, and gets them in small
// batches, so that claims stay small too. The tenant with the fewest documents under way is first, so that a tenant with one turn does not wait
// behind one with many. Of the turns of a tenant the oldest is first, so that turns end one after another and make room for other tenants.
import type { TenantName } from '../domain/ids.js';
import type { Timers } from '../domain/runtime.js';

export interface InFlightOptions {
  readonly places: number;
  readonly timers: Timers;
}

/** A turn that is under way; the later it began, the higher its number. */
export interface Underway {
  readonly tenant: TenantName;
  readonly number: number;
}

interface Waiting {
  readonly turn: Underway;
  readonly most: number;
  readonly resolve: (places: number) => void;
}

/** A line waits until half of all places are free: sixteen claims of one cost as much as sixteen of eight. */
const BATCHES = 2;
/** But no longer than this. Where answers take their time places come back one by one, and some may not for long. */
const WAIT_MS_MAX = 100;

export class InFlight {
  readonly #timers: Timers;
  readonly #least: number;
  #free: number;
  #isClosed = false;
  #begun = 0;
  /** How often places were given. */
  #given = 0;
  #isWaiting = false;
  /** The oldest turn first. */
  readonly #line: Waiting[] = [];
  /** Places by tenant; who has none is not in it. */
  readonly #held = new Map<TenantName, number>();

  constructor({ places, timers }: InFlightOptions) {
    this.#timers = timers;
    this.#free = places;
    this.#least = Math.max(1, Math.floor(places / BATCHES));
  }

  begin(tenant: TenantName): Underway {
    return { tenant, number: this.#begun++ };
  }

  /** At least one, as soon as there are some; 0 when no more are given. */
  take(turn: Underway, most: number): Promise<number> {
    if (this.#isClosed) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.#line.splice(this.#behind(turn), 0, { turn, most, resolve });
      this.#serve();
    });
  }

  giveBack({ tenant }: Underway, places: number): void {
    this.#free += places;
    this.#hold(tenant, -places);
    this.#serve();
  }

  /** Whoever waits goes home; what is under way gives its places back as ever. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#line.splice(0)) resolve(0);
  }

  #serve(least = this.#least): void {
    for (let at = this.#next(); at >= 0; at = this.#next()) {
      const next = this.#line[at];
      if (next === undefined || this.#free === 0) return;
      if (this.#free < Math.min(next.most, least)) {
        void this.#serveSoon();
        return;
      }
      this.#given++;
      const given = Math.min(next.most, this.#free);
      this.#free -= given;
      this.#hold(next.turn.tenant, given);
      this.#line.splice(at, 1);
      next.resolve(given);
    }
  }

  /** With what is free by then, unless places were given in the meantime. */
  async #serveSoon(): Promise<void> {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const before = this.#given;
    await this.#timers.sleep(WAIT_MS_MAX);
    this.#isWaiting = false;
    this.#serve(this.#given === before ? 1 : this.#least);
  }

  /** Where in the line a turn belongs. Most are new, or nearly so. */
  #behind({ number }: Underway): number {
    let place = this.#line.length;
    while (place > 0 && (this.#line[place - 1]?.turn.number ?? 0) > number) place--;
    return place;
  }

  /** Of whoever has the fewest, the oldest: with hundreds in line one of the first has none. -1 when nobody waits. */
  #next(): number {
    let at = -1;
    let fewest = Infinity;
    for (let place = 0; place < this.#line.length && fewest > 0; place++) {
      const waiting = this.#line[place];
      const held = waiting ? (this.#held.get(waiting.turn.tenant) ?? 0) : Infinity;
      if (held >= fewest) continue;
      fewest = held;
      at = place;
    }
    return at;
  }

  #hold(tenant: TenantName, more: number): void {
    const held = (this.#held.get(tenant) ?? 0) + more;
    if (held > 0) this.#held.set(tenant, held);
    else this.#held.delete(tenant);
  }
}
