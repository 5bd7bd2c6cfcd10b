// Something that is slow to fetch and seldom changes (a chart of accounts), kept for a while. Failures are not kept, and
// many who ask at once share one request.
import type { Clock } from '../domain/runtime.js';
import type { ReadAnswer } from './answer.js';

export class Remembered<T> {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  readonly #fetch: () => Promise<ReadAnswer<T>>;
  #kept: { readonly value: T; readonly until: number } | undefined;
  #underWay: Promise<ReadAnswer<T>> | undefined;

  constructor(clock: Clock, lifeMs: number, fetch: () => Promise<ReadAnswer<T>>) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
    this.#fetch = fetch;
  }

  get(): Promise<ReadAnswer<T>> {
    if (this.#kept && this.#clock.now().getTime() < this.#kept.until) {
      return Promise.resolve({ outcome: 'ok', value: this.#kept.value });
    }
    return this.fresh();
  }

  /** For when what is kept lacks something that a person may have added since. */
  fresh(): Promise<ReadAnswer<T>> {
    this.#underWay ??= this.#load().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #load(): Promise<ReadAnswer<T>> {
    const answer = await this.#fetch();
    if (answer.outcome === 'ok') {
      this.#kept = { value: answer.value, until: this.#clock.now().getTime() + this.#lifeMs };
    }
    return answer;
  }
}
