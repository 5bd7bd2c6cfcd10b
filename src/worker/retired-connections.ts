// Connections that were replaced or dropped while work may still hold them. Each is closed when no call has been under way for
// longer than any work pauses between two calls, so that nobody's call is cut off by a reload. Clients let go of idle sockets
// by themselves meanwhile.
import type { ErpAdapter, ErpEntry } from '../erp/erp-adapter.js';
import { ErpAround } from '../erp/erp-around.js';
import type { InvoicingSource } from '../invoicing/invoicing-source.js';
import { SourceAround } from '../invoicing/source-around.js';

/** The two ends of a tenant, and how many of their calls are under way. */
export interface Pair {
  /** For whoever works with them: their calls are counted. */
  readonly source: InvoicingSource;
  readonly erp: ErpAdapter;
  isIdleFor(ms: number): boolean;
  close(): Promise<void>;
}

export interface RetiredConnections {
  add(pair: Pair): void;
  /** Every one of them, whatever is under way: the process ends. */
  close(): Promise<void>;
}

/** No work rests between two calls for longer than this: the lease of a document is gone by then. */
const IDLE_MS = 120_000;
const LOOK_EVERY_MS = 15_000;

export function pairOf(source: InvoicingSource, erp: ErpAdapter): Pair {
  return new CountedPair(source, erp);
}

class CountedPair implements Pair {
  readonly source: InvoicingSource;
  readonly erp: ErpAdapter;
  #underWay = 0;
  #lastAt = performance.now();

  constructor(source: InvoicingSource, erp: ErpAdapter) {
    this.source = new CountedSource(source, this);
    this.erp = new CountedErp(erp, this);
  }

  /** A call, from its beginning to its end; the promise itself is handed on. */
  count<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    this.began();
    const ended = () => this.ended();
    try {
      const answer = act();
      answer.then(ended, ended);
      return answer;
    } catch (error) {
      ended();
      throw error;
    }
  }

  began(): void {
    this.#underWay += 1;
  }

  ended(): void {
    this.#underWay -= 1;
    this.#lastAt = performance.now();
  }

  isIdleFor(ms: number): boolean {
    return this.#underWay === 0 && performance.now() - this.#lastAt >= ms;
  }

  async close(): Promise<void> {
    await Promise.all([this.source.close(), this.erp.close()]);
  }
}

class CountedSource extends SourceAround {
  readonly #pair: CountedPair;

  constructor(source: InvoicingSource, pair: CountedPair) {
    super(source);
    this.#pair = pair;
  }

  protected around<Answer>(_call: string, act: () => Promise<Answer>): Promise<Answer> {
    return this.#pair.count(act);
  }
}

class CountedErp extends ErpAround {
  readonly #pair: CountedPair;

  constructor(erp: ErpAdapter, pair: CountedPair) {
    super(erp);
    this.#pair = pair;
  }

  protected around<Answer>(_call: string, act: () => Promise<Answer>): Promise<Answer> {
    return this.#pair.count(act);
  }

  /** Whoever reads a period is at it between two pages too. */
  override async *entries(period: Parameters<ErpAdapter['entries']>[0]): AsyncIterable<ErpEntry> {
    this.#pair.began();
    try {
      yield* super.entries(period);
    } finally {
      this.#pair.ended();
    }
  }
}

export function createRetiredConnections({
  idleMs = IDLE_MS,
  lookEveryMs = LOOK_EVERY_MS,
} = {}): RetiredConnections {
  const retired = new Set<Pair>();
  let timer: NodeJS.Timeout | null = null;
  const closeSome = async (which: (pair: Pair) => boolean) => {
    const chosen = [...retired].filter(which);
    for (const pair of chosen) retired.delete(pair);
    // One that does not close well is gone all the same, and keeps no other open.
    await Promise.allSettled(chosen.map((pair) => pair.close()));
  };
  const look = () => {
    void closeSome((pair) => pair.isIdleFor(idleMs));
    if (retired.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    add: (pair) => {
      retired.add(pair);
      timer ??= setInterval(look, lookEveryMs).unref();
    },
    close: async () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await closeSome(() => true);
    },
  };
}
