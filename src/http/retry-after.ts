// Retry-After comes as seconds or as a date (RFC 9110, 10.2.3). Bounded, since a server may say anything.
export const RETRY_AFTER_MS_MAX = 6 * 60 * 60 * 1000;

/** null: absent or unreadable. A date is measured against the server's own Date header where there is one. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const written = headers['retry-after']?.trim();
  if (written === undefined || written === '') return null;
  if (/^\d{1,10}$/.test(written)) return Math.min(Number(written) * 1000, RETRY_AFTER_MS_MAX);
  const until = Date.parse(written);
  if (Number.isNaN(until)) return null;
  const from = serverTime(headers) ?? now;
  return Math.min(Math.max(0, until - from.getTime()), RETRY_AFTER_MS_MAX);
}

export function serverTime(headers: Readonly<Record<string, string>>): Date | null {
  const written = headers['date'] ?? '';
  // All answers of a second say the same.
  if (written !== latest.written) latest = { written, at: Date.parse(written) };
  return Number.isNaN(latest.at) ? null : new Date(latest.at);
}

let latest = { written: '', at: Number.NaN };
