// The service's own time, in UTC. It can be moved and frozen, so that token lifetimes, due dates, AI processing and
// recurring invoices can be watched without waiting.
import type { DateText, TimestampText } from './model.js';

const DAY_MS = 86_400_000;

export class SandboxClock {
  #offsetMs = 0;
  #frozenAtMs: number | null = null;

  nowMs(): number {
    return this.#frozenAtMs ?? Date.now() + this.#offsetMs;
  }

  today(): DateText {
    return dateText(this.nowMs());
  }

  timestamp(): TimestampText {
    return timestampText(this.nowMs());
  }

  advance(milliseconds: number): void {
    if (this.#frozenAtMs === null) this.#offsetMs += milliseconds;
    else this.#frozenAtMs += milliseconds;
  }

  set(instantMs: number): void {
    if (this.#frozenAtMs === null) this.#offsetMs = instantMs - Date.now();
    else this.#frozenAtMs = instantMs;
  }

  freeze(): void {
    this.#frozenAtMs = this.nowMs();
  }

  unfreeze(): void {
    if (this.#frozenAtMs === null) return;
    this.#offsetMs = this.#frozenAtMs - Date.now();
    this.#frozenAtMs = null;
  }

  get frozen(): boolean {
    return this.#frozenAtMs !== null;
  }
}

export function dateText(instantMs: number): DateText {
  return new Date(instantMs).toISOString().slice(0, 10);
}

export function timestampText(instantMs: number): TimestampText {
  return new Date(instantMs).toISOString().slice(0, 19).replace('T', ' ');
}

export function instantOf(timestamp: TimestampText): number {
  return Date.parse(`${timestamp.replace(' ', 'T')}Z`);
}

/** A date that exists, as Y-m-d; 2026-02-30 is none. */
export function isDateText(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(instant) && dateText(instant) === text;
}

export function addDays(date: DateText, days: number): DateText {
  return dateText(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

export function daysBetween(from: DateText, to: DateText): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** The same day of a later month, or that month's last day when it is shorter. */
export function addMonths(date: DateText, months: number): DateText {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateText(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
}
