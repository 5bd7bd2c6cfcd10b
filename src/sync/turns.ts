// Turns share the workers fairly. A round gives every tenant that has work one turn, in random order, and a turn is a number of documents at one
// of two stages. The rows of the database say what is due; a turn says whose work is next.
import type { TenantName } from '../domain/ids.js';
import type { InFlight, Underway } from './in-flight.js';

export const STAGES = ['write-back', 'post'] as const;
/** Which of its two queues a document is due for. */
export type Stage = (typeof STAGES)[number];

export interface Turn {
  readonly stage: Stage;
  readonly tenantName: TenantName;
  /** Documents that it may take. */
  readonly share: number;
  /** One document goes first to try a side that was down. */
  readonly isProbe: boolean;
}

export interface Round {
  readonly stage: Stage;
  /** Only these: a tenant whose file is gone or says paused waits. */
  readonly tenants: readonly string[];
  /** Documents for each, times its weight. */
  readonly perTenant: number;
  /** How long a side that is tried waits for the answer. */
  readonly probeMs: number;
}

/** A turn as a queue carries it: the queue says at which stage. */
export type TurnOrder = Omit<Turn, 'stage'>;

/** What a queue carries. */
export interface WakeUp extends Partial<Omit<TurnOrder, 'tenantName'>> {
  /** An outbox row's; empty for turns. */
  readonly id: string;
  readonly tenantName: TenantName | null;
  /** Turns of other tenants that go with this one. Whoever does not know of them leaves them, and they are due as before. */
  readonly more?: readonly TurnOrder[];
}

export function turnsOf(stage: Stage, { tenantName, share = 1, isProbe = false, more = [] }: WakeUp): Turn[] {
  return [{ tenantName: tenantName ?? '', share, isProbe }, ...more].map((order) => ({ ...order, stage }));
}

/** A job costs a queue the same whatever it carries: small turns go together until they have so many documents. */
export function jobsOf(turns: readonly Turn[], documents: number): WakeUp[] {
  const jobs: (WakeUp & { more: TurnOrder[] })[] = [];
  let room = 0;
  for (const { tenantName, share, isProbe } of turns) {
    const order = { tenantName, share, isProbe };
    if (room > 0) jobs.at(-1)?.more.push(order);
    else jobs.push({ id: '', ...order, more: [] });
    room = (room > 0 ? room : documents) - share;
  }
  return jobs;
}

export interface TurnRecords {
  /** A turn for every tenant that may work now and has something due, in an order of chance. */
  turnsDue(round: Round): Promise<readonly Turn[]>;
  /** Postings a second that each tenant's file or ERP allows. */
  rates(): Promise<ReadonlyMap<string, number>>;
}

export interface TurnQueues {
  /** Waiting, and taken up by nobody. */
  depth(stage: Stage): Promise<number>;
  add(stage: Stage, wakeUps: readonly WakeUp[]): Promise<void>;
}

// ---- Rounds ----
// The next round starts when workers have taken half of the jobs of this one. So a tenant with 100,000 waiting documents delays a tenant with three
// by at most two rounds, and the size of a round does not depend on what waits.

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

// ---- Rate limits ----
// One process leads the dispatch over all processes, so its buckets are the only ones.

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

// ---- Taking a turn ----
// Documents are claimed as places become free, and each is advanced as far as it goes. An error of one does not affect the others; the turn ends
// when all have ended.

export interface TurnSteps<Claim> {
  readonly inFlight: InFlight;
  readonly tenant: TenantName;
  /** None: nothing is due, or the tenant may not work any more. */
  claim(most: number): Promise<readonly Claim[]>;
  /** Never throws. */
  carry(claim: Claim): Promise<void>;
}

export async function takeTurn<Claim>(steps: TurnSteps<Claim>, share: number): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  const turn = steps.inFlight.begin(steps.tenant);
  for (let left = share; left > 0;) {
    const places = await steps.inFlight.take(turn, left);
    if (places === 0) break;
    const claims = await claimOrGiveBack(steps, turn, places);
    for (const claim of claims)
      underWay.push(steps.carry(claim).finally(() => steps.inFlight.giveBack(turn, 1)));
    left -= claims.length;
    if (claims.length < places) break;
  }
  await Promise.all(underWay);
}

async function claimOrGiveBack<Claim>(
  steps: TurnSteps<Claim>,
  turn: Underway,
  places: number,
): Promise<readonly Claim[]> {
  let taken = 0;
  try {
    const claims = await steps.claim(places);
    taken = claims.length;
    return claims;
  } finally {
    steps.inFlight.giveBack(turn, places - taken);
  }
}

// ---- A bounded number at once ----
// For work that may wait and must not block other work.

export class ByTurns {
  readonly #atOnce: number;
  #underWay = 0;
  readonly #inLine: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#underWay < this.#atOnce) this.#underWay++;
    // Whoever ends hands its place on, so that nobody who comes later takes it first.
    else await new Promise<void>((resolve) => this.#inLine.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#inLine.shift();
      if (next) next();
      else this.#underWay--;
    }
  }
}
