// The faults that strike before anything happens: they are the whole answer.
import { setTimeout as delay } from 'node:timers/promises';
import { DROPPED, type Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json } from '../http/reply.js';

const DELAY_MS_MAX = 600_000;
const REFUSED_MESSAGE = 'The request could not be completed at this time';

/** null: go on. */
export async function beforeEffect(exchange: Exchange): Promise<Outcome | null> {
  if (exchange.faults.length === 0) return null;
  const latency = exchange.fault('latency');
  if (latency !== undefined)
    await delay(Math.min(latency.delayMs ?? 1_000, DELAY_MS_MAX), undefined, { ref: false });
  if (exchange.fault('reset-before') !== undefined) return DROPPED;
  const limited = exchange.fault('rate-limit');
  if (limited !== undefined)
    return {
      ...json(429, { status: false, message: 'Too many requests', result: null }),
      headers: { 'retry-after': String(limited.retryAfterSeconds ?? 1) },
    };
  if (exchange.fault('maintenance') !== undefined) return maintenance();
  const broken = exchange.fault('server-error');
  if (broken !== undefined)
    return json(broken.status ?? 500, { status: false, message: 'Internal server error', result: null });
  if (exchange.fault('refused') !== undefined)
    return json(200, { status: false, message: REFUSED_MESSAGE, result: null });
  if (exchange.fault('expired-token') !== undefined && exchange.header('authorization').startsWith('Bearer '))
    return tokenExpired();
  return null;
}

export function maintenance() {
  return json(503, { status: false, message: 'The service is in maintenance mode', result: null });
}

/** Document 2, Errors: "error indicates expiry (`token_expired` or a message mentioning token/expired)". */
export function tokenExpired() {
  return json(401, { error: 'token_expired', message: 'The access token has expired', code: 401 });
}
