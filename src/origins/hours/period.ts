// The weeks and months by which hours are billed.
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Period {
  /** 2026-10, or the Monday of a week. */
  readonly name: string;
  readonly last: string;
}

export function periodOf(kind: 'month' | 'week', day: string): Period {
  if (kind === 'month') {
    const name = day.slice(0, 7);
    const [year = 0, month = 1] = name.split('-').map(Number);
    return { name, last: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
  }
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const name = dayAfter(day, -weekday);
  return { name, last: dayAfter(name, 6) };
}

export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}
