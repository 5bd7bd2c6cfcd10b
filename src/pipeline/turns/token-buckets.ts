// How fast each tenant may be worked on at one stage, over all processes: one leads the dispatch, so its buckets are the only
// ones.
import type { TenantName } from '../../domain/ids.js';

const RATES_EVERY_MS = 5_000;
/** What may come at once after a quiet time, in seconds of the rate. */
const BURST_SECONDS = 1;

interface Bucket {
  tokens: number;
  perSecond: number;
}

export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #nowMs: () => number;
  #filledAt: number;
  #ratesAt = Number.NEGATIVE_INFINITY;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#filledAt = nowMs();
  }

  async refill(readRates: () => Promise<ReadonlyMap<string, number>>): Promise<void> {
    const now = this.#nowMs();
    if (now - this.#ratesAt > RATES_EVERY_MS) {
      this.#ratesAt = now;
      this.#setRates(await readRates());
    }
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#filledAt = now;
    for (const bucket of this.#buckets.values()) {
      bucket.tokens = Math.min(sizeOf(bucket.perSecond), bucket.tokens + bucket.perSecond * seconds);
    }
  }

  /** Whole documents that a tenant may get now; one that is not known may get as many as its turn gives. */
  allowance(tenantName: TenantName): number {
    const bucket = this.#buckets.get(tenantName);
    return bucket ? Math.floor(Math.max(0, bucket.tokens)) : Infinity;
  }

  spend(tenantName: TenantName, documents: number): void {
    const bucket = this.#buckets.get(tenantName);
    if (bucket) bucket.tokens -= documents;
  }

  #setRates(rates: ReadonlyMap<string, number>): void {
    for (const name of this.#buckets.keys()) if (!rates.has(name)) this.#buckets.delete(name);
    for (const [name, perSecond] of rates) {
      const known = this.#buckets.get(name);
      if (known) known.perSecond = perSecond;
      else this.#buckets.set(name, { tokens: sizeOf(perSecond), perSecond });
    }
  }
}

/** Never smaller than one wake-up: a tenant that may post every two seconds must be able to save up for it. */
function sizeOf(perSecond: number): number {
  return Math.max(1, perSecond * BURST_SECONDS);
}
