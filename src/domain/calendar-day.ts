/** True for a day that exists, written 2025-02-28; false for 2025-02-30 and for anything else. */
export function isCalendarDay(written: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(written)) return false;
  const parsed = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === written;
}
