// Connections that were replaced or dropped while work may still hold them. Each is closed when no call has been under way for
// longer than any work pauses between two calls, so that nobody's call is cut off by a reload. Clients let go of idle sockets
// by themselves meanwhile.
import { connect, type ErpHook } from '../erp/connect.js';
import type { ErpAdapter, ErpEntry } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../invoicing/invoicing-source.js';
import { type AroundSource, SourceAround } from '../invoicing/source-around.js';

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
  const calls = new CallCount();
  return {
    source: new SourceAround(source, calls),
    erp: connect(erp, [calls]),
    isIdleFor: (ms) => calls.isIdleFor(ms),
    close: async () => {
      await Promise.all([source.close(), erp.close()]);
    },
  };
}

/** Calls of both ends, each from its beginning to its end. */
class CallCount implements ErpHook, AroundSource {
  #underWay = 0;
  #lastAt = performance.now();

  /** The promise itself is handed on. */
  around<Answer>(_call: string, act: () => Promise<Answer>): Promise<Answer> {
    this.#underWay += 1;
    const ended = () => this.#end();
    try {
      const answer = act();
      answer.then(ended, ended);
      return answer;
    } catch (error) {
      ended();
      throw error;
    }
  }

  /** Whoever reads a period is at it between two pages too. */
  async *entries(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
    this.#underWay += 1;
    try {
      yield* read();
    } finally {
      this.#end();
    }
  }

  isIdleFor(ms: number): boolean {
    return this.#underWay === 0 && performance.now() - this.#lastAt >= ms;
  }

  #end(): void {
    this.#underWay -= 1;
    this.#lastAt = performance.now();
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
