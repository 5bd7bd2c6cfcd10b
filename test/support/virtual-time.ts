// Time that passes only when a test lets it, and the records that processes share out an account in, with what goes wrong there.
import type { KeptParts, PartsRecords } from '../../src/service/account-shares.js';

/** Time that passes only when it is told to. */
export class VirtualTime {
  nowMs = 0;
  readonly #due: { readonly atMs: number; readonly wake: () => void }[] = [];

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#due.push({ atMs: this.nowMs + ms, wake: resolve });
      signal?.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
      if (signal?.aborted) reject(new Error('aborted'));
    });
  }

  async pass(ms: number, each: () => void = () => undefined): Promise<void> {
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs; this.nowMs += 5) {
      for (const due of [...this.#due])
        if (due.atMs <= this.nowMs) {
          this.#due.splice(this.#due.indexOf(due), 1);
          due.wake();
        }
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      each();
    }
  }
}

export class SharedRecords implements PartsRecords {
  readonly kept = new Map<string, KeptParts>();
  isAway = false;
  readonly #world: VirtualTime;
  readonly #delayMs: () => number;

  constructor(world: VirtualTime, delayMs: () => number) {
    this.#world = world;
    this.#delayMs = delayMs;
  }

  async read(accounts: readonly string[]) {
    await this.#reach();
    return { nowMs: this.#world.nowMs, kept: accounts.flatMap((account) => this.kept.get(account) ?? []) };
  }

  async write(changes: readonly KeptParts[]) {
    await this.#reach();
    const good = changes.filter(({ account, version }) => (this.kept.get(account)?.version ?? 0) === version);
    for (const change of good) this.kept.set(change.account, { ...change, version: change.version + 1 });
    const lost = this.#delayMs() > 35;
    await this.#reach();
    if (lost) throw new Error('the answer was lost');
    return new Set(good.map(({ account }) => account));
  }

  async #reach(): Promise<void> {
    await this.#world.sleep(this.#delayMs());
    if (this.isAway) throw new Error('the database is away');
  }
}
