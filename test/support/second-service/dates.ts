/** Dates in the forms of the documents: `Y-m-d` everywhere, `d.m.Y` for logged time, `d.m.Y H:i` for a task's start. */
const pad = (part: number): string => String(part).padStart(2, '0');

export const day = (moment: Date): string => moment.toISOString().slice(0, 10);

export const moment = (at: Date): string => `${day(at)} ${at.toISOString().slice(11, 19)}`;

export const icelandicDay = (at: Date): string =>
  `${pad(at.getUTCDate())}.${pad(at.getUTCMonth() + 1)}.${at.getUTCFullYear()}`;

export const icelandicMinute = (at: Date): string =>
  `${icelandicDay(at)} ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;

/** The day itself when the text is a real one in the form `Y-m-d`. */
export function readDay(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || day(at) !== text ? null : text;
}

/** The day when the text is a real one in the form `d.m.Y`. */
export function readIcelandicDay(text: string): string | null {
  const parts = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  return parts === null ? null : readDay(`${parts[3]}-${pad(Number(parts[2]))}-${pad(Number(parts[1]))}`);
}

/** Minutes after midnight of `8` or `08:30`: "integer start hour, HH:MM". */
export function readHour(text: string): number | null {
  const parts = /^(\d{1,2})(?::(\d{2}))?$/.exec(text);
  if (parts === null) return null;
  const minutes = Number(parts[1]) * 60 + Number(parts[2] ?? 0);
  return minutes <= 24 * 60 && Number(parts[2] ?? 0) < 60 ? minutes : null;
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);

export const addDays = (from: string, days: number): string =>
  day(new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000));
