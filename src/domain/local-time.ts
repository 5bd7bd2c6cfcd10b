// Moments as the clocks of the people around this installation show them. Records hold UTC; what is shown is in the one time zone that the
// settings name, set once when a process begins, and always says which it is.
export const DEFAULT_TIME_ZONE = 'Atlantic/Reykjavik';

export interface LocalTime {
  /** 2026-01-31 */
  readonly day: string;
  /** 23:59 */
  readonly time: string;
  readonly seconds: string;
  /** As people abbreviate it: GMT, CET. */
  readonly zone: string;
}

let timeZone = DEFAULT_TIME_ZONE;
/** Made by whoever shows the first moment: it is slow to make, and most commands show none. */
let clock: Intl.DateTimeFormat | null = null;

/** Throws RangeError when there is no such time zone. */
export function useTimeZone(name: string): void {
  if (name === timeZone) return;
  clock = clockOf(name);
  timeZone = name;
}

export function timeZoneInUse(): string {
  return timeZone;
}

function clockOf(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  });
}

/** null: it is no moment. */
export function localTime(iso: string): LocalTime | null {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return null;
  clock ??= clockOf(timeZone);
  const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  const of = (type: string) => parts[type] ?? '';
  return {
    day: `${of('year')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}`,
    seconds: of('second'),
    zone: of('timeZoneName'),
  };
}

/** 31.01.2026 23:59 GMT; what is no moment is shown as it is. */
export function momentInWords(iso: string): string {
  const local = localTime(iso);
  return local === null ? iso : `${local.day.split('-').reverse().join('.')} ${local.time} ${local.zone}`;
}

const WRITTEN = /^\d{4}-\d{2}-\d{2}$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** True for a day that exists, written 2025-02-28; false for 2025-02-30 and for anything else. */
export function isCalendarDay(written: string): boolean {
  if (!WRITTEN.test(written)) return false;
  const [year, month, day] = [
    Number(written.slice(0, 4)),
    Number(written.slice(5, 7)),
    Number(written.slice(8)),
  ];
  const days = DAYS[month - 1];
  if (days === undefined || year === 0) return false;
  const isLeapDay = month === 2 && day === 29 && isLeapYear(year);
  return day >= 1 && (day <= days || isLeapDay);
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
