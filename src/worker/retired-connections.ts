// Connections that were replaced or dropped while work may still hold them. Each is closed when no call has been under way for
// longer than any work pauses between two calls, so that nobody's call is cut off by a reload. Clients let go of idle sockets
// by themselves meanwhile.
import type { ErpAdapter } from '../erp/erp-adapter.js';
import type { InvoicingSource } from '../invoicing/invoicing-source.js';

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
  let underWay = 0;
  let lastAt = performance.now();
  const began = () => {
    underWay += 1;
  };
  const ended = () => {
    underWay -= 1;
    lastAt = performance.now();
  };
  return {
    source: counting(source, began, ended),
    erp: counting(erp, began, ended),
    isIdleFor: (ms) => underWay === 0 && performance.now() - lastAt >= ms,
    close: async () => {
      await Promise.all([source.close(), erp.close()]);
    },
  };
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

/** The same object, with every call counted from its beginning to its end. What counts a method is made once: there are many calls. */
function counting<Target extends object>(target: Target, began: () => void, ended: () => void): Target {
  const counted = (value: Method): Method =>
    function counts(...given) {
      began();
      let pending = false;
      try {
        const answer: unknown = Reflect.apply(value, target, given);
        if (answer instanceof Promise) {
          pending = true;
          answer.then(ended, ended);
        }
        return isAsyncIterable(answer) ? countedPages(answer, began, ended) : answer;
      } finally {
        if (!pending) ended();
      }
    };
  const made = new Map<Method, Method>();
  return new Proxy(target, {
    get: (of, name) => {
      const value: unknown = Reflect.get(of, name, of);
      if (!isMethod(value)) return value;
      const before = made.get(value);
      if (before) return before;
      const method = counted(value);
      made.set(value, method);
      return method;
    },
  });
}

type Method = (...given: unknown[]) => unknown;

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

function isAsyncIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

async function* countedPages(
  pages: AsyncIterable<unknown>,
  began: () => void,
  ended: () => void,
): AsyncIterable<unknown> {
  began();
  try {
    yield* pages;
  } finally {
    ended();
  }
}
