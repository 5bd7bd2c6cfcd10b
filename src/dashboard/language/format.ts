// Numbers, moments and amounts as Icelanders write them, in both languages: 1.234.567 kr., 15.11.2026 13:05, by the clocks of
// the installation's time zone, which the foot of every page names.
import { trimEndOf, writtenNumber } from '../../domain/text.js';
import { localTime } from '../../domain/local-time.js';

export { writtenNumber as decimal };

export function count(value: number): string {
  return writtenNumber(String(Math.trunc(value)));
}

/** Krónur have no decimals unless there are some; then, as in other currencies, at least two. */
export function money(text: string, currency: string): string {
  const given = trimEndOf(text.split('.')[1] ?? '', '0').length;
  const decimals = Math.max(2, given);
  if (currency === 'ISK') return `${writtenNumber(text, given === 0 ? 0 : decimals)} kr.`;
  return `${writtenNumber(text, decimals)} ${currency}`;
}

/** 2026-11-15 → 15.11.2026; what is not such a day is shown as it is. */
export function day(text: string): string {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  return year === undefined ? text : `${date ?? ''}.${month ?? ''}.${year}`;
}

export function moment(iso: string): string {
  const local = localTime(iso);
  return local === null ? iso : `${day(local.day)} ${local.time}`;
}

export function exactMoment(iso: string): string {
  const local = localTime(iso);
  return local === null ? iso : `${day(local.day)} ${local.time}:${local.seconds} ${local.zone}`;
}

export interface Units {
  readonly s: string;
  readonly min: string;
  readonly h: string;
  readonly d: string;
  /** With # where the amount of time goes. */
  readonly ago: string;
  readonly ahead: string;
  readonly now: string;
}

const STEPS = [
  { unit: 's', ms: 1_000, below: 60_000 },
  { unit: 'min', ms: 60_000, below: 3_600_000 },
  { unit: 'h', ms: 3_600_000, below: 48 * 3_600_000 },
  { unit: 'd', ms: 86_400_000, below: Number.POSITIVE_INFINITY },
] as const;

/** 4 min, 2 h, 12 d. assets/dashboard.js counts on in the same way. */
export function span(ms: number, units: Units): string {
  if (ms > 0 && ms < 1_000) return `${writtenNumber((ms / 1_000).toFixed(2), 2)} ${units.s}`;
  const step = STEPS.find(({ below }) => ms < below) ?? STEPS[3];
  return `${count(Math.floor(ms / step.ms))} ${units[step.unit]}`;
}

export function relative(iso: string, now: Date, units: Units): string {
  const ms = now.getTime() - Date.parse(iso);
  if (Math.abs(ms) < 1_000) return units.now;
  return (ms > 0 ? units.ago : units.ahead).replace('#', span(Math.abs(ms), units));
}

/** 120785-1234 → 120785-1234, also when it comes without the hyphen. */
export function kennitala(text: string): string {
  return /^\d{10}$/.test(text) ? `${text.slice(0, 6)}-${text.slice(6)}` : text;
}
