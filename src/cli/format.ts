// Amounts and moments as people in Iceland write them.
import { groupThousands } from '../domain/text.js';
import { momentInWords } from '../domain/local-time.js';

export function money(amount: string, currency = ''): string {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const grouped = groupThousands(whole);
  const fraction = /^0*$/.test(decimals) ? '' : `,${decimals}`;
  return `${amount.startsWith('-') ? '-' : ''}${grouped}${fraction}${currency === '' ? '' : ` ${currency}`}`;
}

export function moment(instant: string | null): string {
  return instant === null ? '' : momentInWords(instant);
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** 3 min, 2 h: the largest unit that fits. */
export function duration(ms: number): string {
  const [name, size] = UNITS.find(([, unitMs]) => ms >= unitMs) ?? ['s', 1_000];
  return `${String(Math.floor(ms / size))} ${name}`;
}

export function ago(instant: string | null, now: Date): string {
  return instant === null ? 'never' : `${duration(Math.max(0, now.getTime() - Date.parse(instant)))} ago`;
}

export function documents(number: number): string {
  return `${money(String(number))} ${number === 1 ? 'document' : 'documents'}`;
}
