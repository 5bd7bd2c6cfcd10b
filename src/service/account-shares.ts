// The part that this process has of each account, while it has calls for it. One look at the records serves all accounts: others that
// came are made room for, what others left is taken, and a part is renewed before it runs out. Nobody uses a seat that is not on record.
import type { Timers } from '../domain/runtime.js';
import { fairSeats, othersOf, type Part } from './share-out.js';

export interface KeptParts {
  readonly account: string;
  /** 0: there is no row yet. */
  readonly version: number;
  readonly parts: readonly Part[];
}

export interface PartsRecords {
  /** With the time by the clock of the records. */
  read(accounts: readonly string[]): Promise<{ readonly nowMs: number; readonly kept: readonly KeptParts[] }>;
  /** Those that are as they were read; says which. */
  write(changes: readonly KeptParts[]): Promise<ReadonlySet<string>>;
}

/** What calls an account. */
export interface Load {
  /** Seats of the account, by the tenant's file. */
  limit(): number;
  underWay(): number;
  waiting(): number;
  /** From now on so many calls may be under way. */
  mayHave(seats: number): void;
}

export interface AccountShare {
  /** Asked before each call. false: what it had has run out, for instance because the process slept. */
  isKnown(): boolean;
  /** Resolves when it is. */
  known(): Promise<void>;
}

export interface SharesOptions {
  readonly records: PartsRecords;
  /** Of this start of the process. */
  readonly owner: string;
  readonly timers: Timers;
  /** Counts evenly, whatever is done to the clock. */
  readonly monotonicMs: () => number;
}

/** Longer than a slow moment of the database, shorter than anybody waits for what a killed process had. */
const LIFE_MS = 3_000;
const LOOK_MS = 250;
/** Between looks of a process whose calls wait for seats. */
const HURRY_MS = 50;
/** Who has had no calls for this long leaves its seats to others. */
const LINGER_MS = 500;
/** The odd seat goes to another process this often. */
const TURN_MS = 2_000;
/** In one look; another process came first each time. */
const WRITES_MAX = 5;

export class AccountShares {
  readonly #options: SharesOptions;
  readonly #active = new Set<Seats>();
  #looking = false;
  #wake = new AbortController();

  constructor(options: SharesOptions) {
    this.#options = options;
  }

  of(account: string, load: Load): AccountShare {
    const { monotonicMs } = this.#options;
    return new Seats(account, load, monotonicMs, (seats) => this.#use(seats));
  }

  #use(seats: Seats): void {
    if (!this.#active.has(seats)) {
      this.#active.add(seats);
      this.#wake.abort();
    }
    if (!this.#looking) void this.#lookOn();
  }

  async #lookOn(): Promise<void> {
    this.#looking = true;
    try {
      while (this.#active.size > 0) {
        const looked = [...this.#active];
        this.#wake = new AbortController();
        if (!(await this.#lookInTime(looked))) for (const seats of looked) seats.unreachable();
        const isShort = looked.some((seats) => seats.isShort());
        await this.#pause(isShort ? HURRY_MS : LOOK_MS);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** false: the records cannot be reached. */
  async #lookInTime(looked: readonly Seats[]): Promise<boolean> {
    const inTime = new AbortController();
    const look = this.#look(looked).then(
      () => true,
      () => false,
    );
    const tooLate = this.#options.timers.sleep(LIFE_MS, inTime.signal).then(
      () => false,
      () => false,
    );
    const isDone = await Promise.race([look, tooLate]);
    inTime.abort();
    return isDone;
  }

  async #pause(ms: number): Promise<void> {
    await this.#options.timers.sleep(ms, this.#wake.signal).catch(() => undefined);
  }

  async #look(looked: readonly Seats[]): Promise<void> {
    let open = looked;
    for (let write = 0; write < WRITES_MAX && open.length > 0; write++) open = await this.#lookOnce(open);
  }

  /** Answers those for whom another process came first. */
  async #lookOnce(looked: readonly Seats[]): Promise<readonly Seats[]> {
    const { records, owner, monotonicMs } = this.#options;
    const askedAt = monotonicMs();
    const { nowMs, kept } = await records.read(looked.map(({ account }) => account));
    const changes = looked.flatMap((seats) => {
      const { account } = seats;
      const { version, parts } = kept.find((row) => row.account === account) ?? NOTHING_KEPT;
      const isIdle = seats.restIfIdle(LINGER_MS);
      if (isIdle) this.#active.delete(seats);
      const others = othersOf(parts, owner, nowMs);
      const own = isIdle ? null : seats.partOf(others, owner, nowMs);
      const lastsMs = own && aloneAsBefore(parts, own, nowMs);
      if (lastsMs) {
        seats.have(own.seats, askedAt + lastsMs);
        return [];
      }
      return [{ seats, own, kept: { account, version, parts: own ? [...others, own] : others } }];
    });
    if (changes.length === 0) return [];
    const written = await records.write(changes.map((change) => change.kept));
    const isWritten = ({ seats }: { seats: Seats }) => written.has(seats.account);
    for (const { seats, own } of changes.filter(isWritten)) if (own) seats.have(own.seats, askedAt + LIFE_MS);
    return changes.filter((change) => change.own && !isWritten(change)).map(({ seats }) => seats);
  }
}

const NOTHING_KEPT: Pick<KeptParts, 'version' | 'parts'> = { version: 0, parts: [] };

/** How long what is on record lasts, where that is a while yet, nobody else is there and nothing has changed. */
function aloneAsBefore(parts: readonly Part[], own: Part, nowMs: number): number | null {
  const [only, ...others] = parts;
  if (only?.owner !== own.owner || others.length > 0 || only.seats !== own.seats) return null;
  const lastsMs = only.untilMs - nowMs;
  return lastsMs > LIFE_MS / 2 ? lastsMs : null;
}

class Seats implements AccountShare {
  readonly account: string;
  readonly #load: Load;
  readonly #monotonicMs: () => number;
  readonly #use: (seats: Seats) => void;
  #waiting: (() => void)[] = [];
  #allowed = 0;
  #fair = 0;
  #untilMs = -Infinity;
  #usedAtMs = -Infinity;
  #awaySinceMs: number | null = null;

  constructor(account: string, load: Load, monotonicMs: () => number, use: (seats: Seats) => void) {
    this.account = account;
    this.#load = load;
    this.#monotonicMs = monotonicMs;
    this.#use = use;
  }

  isKnown(): boolean {
    this.#usedAtMs = this.#monotonicMs();
    this.#use(this);
    return this.#usedAtMs < this.#untilMs;
  }

  async known(): Promise<void> {
    while (!this.isKnown()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** true: nobody calls, and what it had is not used any more. */
  restIfIdle(lingerMs: number): boolean {
    if (this.#load.underWay() > 0 || this.#load.waiting() > 0 || this.#waiting.length > 0) return false;
    if (this.#monotonicMs() - this.#usedAtMs < lingerMs) return false;
    this.#untilMs = -Infinity;
    this.#awaySinceMs = null;
    this.#allow(0);
    return true;
  }

  /** What goes on record: never less than is used until the next look. */
  partOf(others: readonly Part[], owner: string, nowMs: number): Part {
    const limit = this.#load.limit();
    const underWay = this.#load.underWay();
    const wants = Math.min(limit, Math.max(1, underWay + this.#load.waiting() + this.#waiting.length));
    const all = new Map([...others.map((part) => [part.owner, part.wants] as const), [owner, wants]]);
    this.#fair = fairSeats(limit, all, Math.floor(nowMs / TURN_MS)).get(owner) ?? 0;
    // Nobody enters above it while it is written; whoever is inside stays.
    this.#allow(this.#monotonicMs() < this.#untilMs ? Math.min(this.#allowed, this.#fair) : 0);
    const free = limit - others.reduce((sum, part) => sum + part.seats, 0);
    const seats = Math.max(underWay, Math.min(this.#fair, Math.max(0, free)));
    return { owner, wants, seats, untilMs: nowMs + LIFE_MS };
  }

  have(seats: number, untilMs: number): void {
    this.#awaySinceMs = null;
    this.#untilMs = untilMs;
    this.#allow(Math.min(seats, this.#fair));
  }

  /** What it has is its own until it runs out. From then on it makes do with one: others may have the rest. */
  unreachable(): void {
    const nowMs = this.#monotonicMs();
    if (this.restIfIdle(LINGER_MS)) return;
    this.#awaySinceMs ??= nowMs;
    if (nowMs < Math.max(this.#untilMs, this.#awaySinceMs + LIFE_MS)) return;
    this.#untilMs = nowMs + 2 * LOOK_MS;
    this.#allow(1);
  }

  /** Others have yet to make room. */
  isShort(): boolean {
    return this.#load.waiting() > 0 && this.#allowed < this.#fair;
  }

  #allow(seats: number): void {
    if (seats !== this.#allowed) this.#load.mayHave(seats);
    this.#allowed = seats;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
