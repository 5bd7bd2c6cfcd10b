// Tables for people: aligned columns, amounts to the right, cut to the width of a terminal. Where nobody looks (a pipe, a
// file) nothing is cut and nothing is coloured.
import { stripVTControlCharacters } from 'node:util';
import { withoutDirections, groupThousands } from '../domain/text.js';
import type { CliIo } from './command.js';
import { momentInWords } from '../domain/local-time.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
const WIDTH_MIN = 8;
const WIDTH_UNKNOWN = 100;

export function table<Row>(
  io: Pick<CliIo, 'isTty' | 'columns'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const cells = rows.map((row) => columns.map(({ value }) => oneLine(value(row))));
  const natural = columns.map(({ title }, index) =>
    Math.max(width(title), ...cells.map((line) => width(line[index] ?? ''))),
  );
  const widths = io.isTty ? fitted(natural, io.columns ?? WIDTH_UNKNOWN) : natural;
  const line = (texts: readonly string[]) =>
    columns
      .map(({ align }, index) => pad(texts[index] ?? '', widths[index] ?? 0, align ?? 'left'))
      .join(GAP)
      .trimEnd();
  const header = line(columns.map(({ title }) => title));
  return `${[io.isTty ? bold(header) : header, ...cells.map(line)].join('\n')}\n`;
}

/** Takes from the widest column first, so that short ones stay readable. */
function fitted(natural: readonly number[], total: number): readonly number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - total;
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const current = widths[widest] ?? 0;
    if (current <= WIDTH_MIN) break;
    widths[widest] = current - 1;
    over -= 1;
  }
  return widths;
}

function pad(text: string, size: number, align: 'left' | 'right'): string {
  const cut =
    width(text) > size
      ? `${characters(text)
          .slice(0, Math.max(size - 1, 0))
          .join('')}…`
      : text;
  const space = ' '.repeat(Math.max(size - width(cut), 0));
  return align === 'right' ? space + cut : cut + space;
}

function oneLine(text: string): string {
  return withoutDirections(stripVTControlCharacters(text)).replaceAll(/\s+/g, ' ').trim();
}

/** Made for the first table: it is slow to make. */
let segmenter: Intl.Segmenter | null = null;

/** What a person would count as one; plain text has one a code unit and is most of what is shown. */
function characters(text: string): readonly string[] {
  if (/^[\u0020-\u02FF]*$/.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function width(text: string): number {
  return characters(text).length;
}

function bold(text: string): string {
  return `\u001B[1m${text}\u001B[22m`;
}

// Amounts and moments as people in Iceland write them.

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
