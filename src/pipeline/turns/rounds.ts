// The rounds of one stage. A round gives every tenant that has work one turn, in an order of chance, and the next round begins when
// half of its jobs have been taken up: so a tenant with 100,000 waiting documents delays one with three by no more than two rounds, whose
// size does not depend on what waits.
import { TokenBuckets } from './token-buckets.js';
import { jobsOf, type Stage, type Turn, type TurnQueues, type TurnRecords } from './turn.js';

export interface RoundsOptions {
  /** Tenants that are connected and not paused by their file. */
  readonly tenants: () => readonly string[];
  /** Documents of a round, over all tenants that have work; but each one's turn has at least `turnMin`, times its weight. */
  readonly round: number;
  readonly turnMin: number;
  /** Documents of a job, at least, where there are as many: turns of several tenants go together. */
  readonly jobMin: number;
  /** Of this machine, for the rates. */
  readonly nowMs: () => number;
}

/** A wake-up that led to nothing (a lost queue, a killed process) is handed out again after this; a probe is another's turn then. */
export const AGAIN_AFTER_MS = 30_000;

export class Rounds {
  readonly #records: TurnRecords;
  readonly #queues: TurnQueues;
  readonly #options: RoundsOptions;
  readonly #stage: Stage;
  readonly #buckets: TokenBuckets;
  /** Jobs of the round before. */
  #size = 0;
  /** Tenants that had work when it was last looked, those that may not get any now included; at first, all of them may. */
  #busy = Infinity;

  constructor(records: TurnRecords, queues: TurnQueues, options: RoundsOptions, stage: Stage) {
    this.#records = records;
    this.#queues = queues;
    this.#options = options;
    this.#stage = stage;
    this.#buckets = new TokenBuckets(options.nowMs);
  }

  async next(): Promise<number> {
    const waiting = await this.#queues.depth(this.#stage);
    if (waiting > 0 && waiting > this.#size / 2) return 0;
    const tenants = this.#options.tenants();
    const perTenant = this.#perTenant(Math.min(this.#busy, tenants.length));
    const due = await this.#records.turnsDue({
      stage: this.#stage,
      tenants,
      perTenant,
      probeMs: AGAIN_AFTER_MS,
    });
    this.#busy = due.length;
    if (due.length === 0) return 0;
    await this.#buckets.refill(() => this.#records.rates());
    // More of them than the last time: each gets less than was counted for it, in proportion, and the round is no larger.
    const shrink = Math.min(1, this.#perTenant(due.length) / perTenant);
    const turns = due.flatMap((turn) => this.#allowed(this.#smaller(turn, shrink)));
    const jobs = jobsOf(turns, this.#options.jobMin);
    await this.#queues.add(this.#stage, jobs);
    this.#size = jobs.length;
    return turns.length;
  }

  #perTenant(busy: number): number {
    return Math.max(this.#options.turnMin, Math.floor(this.#options.round / Math.max(1, busy)));
  }

  #smaller(turn: Turn, shrink: number): Turn {
    const least = Math.min(turn.share, this.#options.turnMin);
    return { ...turn, share: Math.max(least, Math.floor(turn.share * shrink)) };
  }

  /** No more than its tenant's limits let through now. */
  #allowed(turn: Turn): Turn[] {
    const share = Math.min(turn.share, this.#buckets.allowance(turn.tenantName));
    if (share <= 0) return [];
    this.#buckets.spend(turn.tenantName, share);
    return [{ ...turn, share }];
  }
}
