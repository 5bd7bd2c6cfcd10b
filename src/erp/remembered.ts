// Something that is slow to fetch and seldom changes (a chart of accounts), kept for a while. Failures are not kept, and
// many who ask at once share one request.
import type { Clock } from '../domain/runtime.js';
import type { ReadAnswer } from './answer.js';
import type { AuthFailed, Rejected, Transient } from './erp-adapter.js';

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

  /** Null when what is kept has none. One that it has is looked for in what the ERP says now, before it is believed. */
  async problem(problemIn: (value: T) => Rejected | null): Promise<Rejected | Transient | AuthFailed | null> {
    const kept = await this.get();
    if (kept.outcome !== 'ok') return kept;
    if (problemIn(kept.value) === null) return null;
    const fresh = await this.fresh();
    return fresh.outcome === 'ok' ? problemIn(fresh.value) : fresh;
  }

  async #load(): Promise<ReadAnswer<T>> {
    const answer = await this.#fetch();
    if (answer.outcome === 'ok') {
      this.#kept = { value: answer.value, until: this.#clock.now().getTime() + this.#lifeMs };
    }
    return answer;
  }
}
