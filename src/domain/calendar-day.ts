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
