// The Retry-After header in both of its forms, bounded: a server cannot put a connection to sleep for days.
import type { Clock } from '../domain/runtime.js';

const RETRY_AFTER_MS_MAX = 60 * 60 * 1000;

/** Undefined when the header is missing or unreadable: the caller's own back-off then decides. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, clock: Clock): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now().getTime();
  if (!Number.isFinite(ms)) return undefined;
  return Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}
