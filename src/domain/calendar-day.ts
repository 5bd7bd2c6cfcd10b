const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** True for a day that exists, written 2025-02-28; false for 2025-02-30 and for anything else. */
export function isCalendarDay(written: string): boolean {
  const [, year = '', month = '', day = ''] = WRITTEN.exec(written) ?? [];
  const days = DAYS[Number(month) - 1];
  if (days === undefined || year === '0000') return false;
  const isLeapDay = month === '02' && day === '29' && isLeapYear(Number(year));
  return Number(day) >= 1 && (Number(day) <= days || isLeapDay);
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
