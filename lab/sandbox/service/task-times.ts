// The times of a log entry. The documents give `h` and `p` as hours of the day in one place and as hours worked and a
// price in another; dates come as Y-m-d or d.m.Y. All of that is read here.
import { daysBetween, isDateText } from '../clock.js';
import type { DateText, Hundredths } from '../model.js';
import { isDecimalText, parseHundredths } from '../money.js';
import type { DataObject } from './data-object.js';
import { Refusal } from './refusal.js';

export interface LogTimes {
  /** Hours in hundredths. */
  readonly quantity: Hundredths;
  readonly advanced: boolean;
  readonly from: DateText;
  readonly to: DateText;
  readonly hoursPerDay: number;
  readonly manual: boolean;
}

const MINUTES_PER_DAY = 24 * 60;

/** `fallback`: the day when none is given. null: "date (required), end_date (required)". */
export function readLogTimes(fields: DataObject, fallback: DateText | null): LogTimes {
  if (fallback === null) for (const name of ['date', 'end_date']) fields.required(name);
  const from = readDay(fields, 'date') ?? fallback ?? '';
  const to = readDay(fields, 'end_date') ?? from;
  if (to < from) throw new Refusal('field-format', 'end_date must not be before date');
  const advanced = fields.flag('adv');
  const perDay = minutesPerDay(fields);
  const days = advanced ? daysBetween(from, to) + 1 : 1;
  const quantity = fields.has('qty') ? hours(fields, 'qty') : Math.round((perDay * days * 100) / 60);
  return { quantity, advanced, from, to, hoursPerDay: Math.floor(perDay / 60), manual: true };
}

/** Agent end-task with adv: `h` is hours worked, as a decimal string. */
export function readWorkedHours(fields: DataObject, today: DateText): LogTimes {
  const from = readDay(fields, 'date') ?? today;
  return {
    quantity: hours(fields, 'h'),
    advanced: true,
    from,
    to: readDay(fields, 'end_date') ?? from,
    hoursPerDay: 0,
    manual: true,
  };
}

function minutesPerDay(fields: DataObject): number {
  if (!fields.has('h') || !fields.has('p')) return 0;
  const minutes = timeOfDay(fields, 'p') - timeOfDay(fields, 'h');
  if (minutes < 0) throw new Refusal('field-format', 'Field p must not be before h');
  return minutes;
}

/** HH:MM, or a whole hour. */
function timeOfDay(fields: DataObject, name: string): number {
  const match = /^(\d{1,2})(?::(\d{2}))?$/.exec(fields.text(name));
  const minutes = match === null ? NaN : Number(match[1]) * 60 + Number(match[2] ?? 0);
  if (!(minutes >= 0 && minutes <= MINUTES_PER_DAY))
    throw new Refusal('field-format', `Field ${name} must be a time, HH:MM`);
  return minutes;
}

function hours(fields: DataObject, name: string): Hundredths {
  const text = fields.required(name);
  if (!isDecimalText(text) || text.startsWith('-'))
    throw new Refusal('field-format', `Field ${name} must be hours as a decimal number`);
  return parseHundredths(text);
}

function readDay(fields: DataObject, name: string): DateText | null {
  if (!fields.has(name)) return null;
  const text = fields.text(name);
  const icelandic = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  const day = icelandic === null ? text : `${icelandic[3] ?? ''}-${icelandic[2] ?? ''}-${icelandic[1] ?? ''}`;
  if (!isDateText(day)) throw new Refusal('field-format', `Field ${name} must be a date`);
  return day;
}
