// Documents that this process works on at once, over all its queues. Whoever wants places waits in line; places are given in
// small batches, so that claims are too.
export interface InFlightOptions {
  readonly places: number;
}

interface Waiting {
  readonly most: number;
  readonly resolve: (places: number) => void;
}

/** A line gets nothing until a quarter of all places is free: sixteen claims of one cost as much as sixteen of four. */
const BATCHES = 4;

export class InFlight {
  readonly #least: number;
  #free: number;
  #isClosed = false;
  readonly #line: Waiting[] = [];

  constructor({ places }: InFlightOptions) {
    this.#free = places;
    this.#least = Math.max(1, Math.floor(places / BATCHES));
  }

  /** At least one, as soon as there are some; 0 when no more are given. */
  take(most: number): Promise<number> {
    if (this.#isClosed) return Promise.resolve(0);
    return new Promise((resolve) => {
      this.#line.push({ most, resolve });
      this.#serve();
    });
  }

  giveBack(places: number): void {
    this.#free += places;
    this.#serve();
  }

  /** Whoever waits goes home; what is under way gives its places back as ever. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#line.splice(0)) resolve(0);
  }

  #serve(): void {
    for (let next = this.#line[0]; next !== undefined; next = this.#line[0]) {
      if (this.#free < Math.min(next.most, this.#least)) return;
      const given = Math.min(next.most, this.#free);
      this.#free -= given;
      this.#line.shift();
      next.resolve(given);
    }
  }
}
