// Between an operation and its answer: the faults. Promise: an effect happens at most once per request, and exactly when
// the fault's description in behaviour.ts says so.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultKind, LedgerBehaviour } from './behaviour.js';
import type { StoredEntry } from './books.js';

/** Waits that end early when the ledger closes or is reset, so that no effect comes from the grave. */
export class Delays {
  readonly #waiting = new Set<{ timer: NodeJS.Timeout; end: (ran: boolean) => void }>();

  /** True after the time, false when the wait was called off. */
  wait(ms: number): Promise<boolean> {
    if (ms === 0) return Promise.resolve(true);
    if (this.#waiting.size >= WAITING_MAX) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (ran: boolean): void => {
        clearTimeout(waiting.timer);
        this.#waiting.delete(waiting);
        resolve(ran);
      };
      const waiting = { timer: setTimeout(() => end(true), ms), end };
      this.#waiting.add(waiting);
    });
  }

  callOff(): void {
    for (const waiting of this.#waiting) waiting.end(false);
  }
}

const WAITING_MAX = 20_000;

export interface Delivery {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly delays: Delays;
  readonly behaviour: LedgerBehaviour;
  effect(): Answer;
}

export async function deliver(delivery: Delivery, fault: FaultKind | null): Promise<void> {
  const { response, delays, behaviour } = delivery;
  switch (fault) {
    case null:
      send(response, delivery.effect());
      break;
    case 'slow':
      if ((await delays.wait(behaviour.delayMs)) && !hasLeft(response)) send(response, delivery.effect());
      else reset(delivery);
      break;
    case 'late-reply': {
      const answer = delivery.effect();
      if (await delays.wait(behaviour.delayMs)) send(response, answer);
      else reset(delivery);
      break;
    }
    case 'late-effect':
      if (await delays.wait(behaviour.delayMs)) send(response, delivery.effect());
      else reset(delivery);
      break;
    case 'lose-reply':
      delivery.effect();
      break;
    case 'reset-before-effect':
      reset(delivery);
      break;
    case 'reset-after-effect':
      delivery.effect();
      reset(delivery);
      break;
    case 'error-after-effect':
      delivery.effect();
      send(response, unavailable(behaviour));
      break;
    case 'truncated':
      sendHalf(delivery, delivery.effect());
      break;
    case 'html':
      sendHtml(response);
      break;
    case 'rate-limit':
    case 'error-before-effect':
    case 'error-body':
    case 'unauthorized':
    case 'lie':
      send(response, withoutEffect(fault, behaviour));
  }
}

function withoutEffect(
  fault: 'rate-limit' | 'error-before-effect' | 'error-body' | 'unauthorized' | 'lie',
  behaviour: LedgerBehaviour,
): Answer {
  switch (fault) {
    case 'rate-limit':
      return {
        ...refusal('rate_limited', 'Too many requests.'),
        headers: { 'retry-after': String(behaviour.retryAfterSeconds) },
      };
    case 'error-before-effect':
      return unavailable(behaviour);
    case 'error-body':
      return { ...refusal('invalid', 'The ledger could not do this.'), status: 200 };
    case 'unauthorized':
      return refusal('unauthorized', 'The session has ended.');
    case 'lie':
      return { status: 204, body: null };
  }
}

function unavailable(behaviour: LedgerBehaviour): Answer {
  return {
    ...refusal('unavailable', 'The ledger is not well.'),
    status: behaviour.errorStatus,
    headers: behaviour.errorStatus === 503 ? { 'retry-after': String(behaviour.retryAfterSeconds) } : {},
  };
}

export function send(response: ServerResponse, answer: Answer): void {
  if (hasLeft(response)) return;
  const text = answer.status === 204 ? '' : JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 204 ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The header promises the whole, so that the client can tell: a short body under its own length would be a lie. */
function sendHalf({ incoming, response }: Delivery, answer: Answer): void {
  if (hasLeft(response)) return;
  const bytes = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => incoming.socket.destroy());
}

function sendHtml(response: ServerResponse): void {
  if (hasLeft(response)) return;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>Proxy</title><h1>The service is being updated</h1>\n');
}

function reset({ incoming }: Delivery): void {
  incoming.socket.resetAndDestroy();
}

function hasLeft(response: ServerResponse): boolean {
  return response.destroyed || response.socket?.destroyed === true;
}

// What the ledger says back, before a fault decides what becomes of it on the way.

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  not_found: 404,
  duplicate: 409,
  collision: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

/** Every refusal of the content itself is 422. */
export function refusal(code: string, message: string, existing?: StoredEntry): Answer {
  return {
    status: STATUS_OF_CODE[code] ?? 422,
    body: { error: { code, message, ...(existing === undefined ? {} : { existingId: existing.id }) } },
  };
}

export function done(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, body, headers };
}
