// What a line says in an ERP that has one text for it. The number of the document comes first, once; and where the ERP
// keeps no currency, the foreign amount and its rate stand before the words, where no field is too short for them.
import type { Journal, JournalLine } from '../domain/journal.js';
import { REVERSAL_MARK } from './reversal.js';

export function lineText(journal: Journal, line: JournalLine): string {
  if (line.text.startsWith(REVERSAL_MARK)) return line.text;
  const words = withoutNumber(journal.documentNo, line.text);
  return [journal.documentNo, foreignAmount(journal, line), words].filter(Boolean).join(' ');
}

export function headText(journal: Journal): string {
  return numbered(journal.documentNo, journal.description);
}

/** `EUR 33.33 @145.32`; empty for lines in ISK. */
function foreignAmount({ currency, exchangeRate }: Journal, line: JournalLine): string {
  if (line.currency === undefined || line.currency === 'ISK' || !line.currencyAmount) return '';
  const rate = line.currency === currency ? ` @${exchangeRate.toFixed()}` : '';
  return `${line.currency} ${line.currencyAmount.abs().toFixed()}${rate}`;
}

export function numbered(documentNo: string, text: string): string {
  return [documentNo, withoutNumber(documentNo, text)].filter(Boolean).join(' ');
}

/** The rules may have put the number before the text already. */
function withoutNumber(documentNo: string, text: string): string {
  if (text === documentNo) return '';
  return text.startsWith(`${documentNo} `) ? text.slice(documentNo.length + 1) : text;
}

// Text for a field of limited length: one line, no control characters, never half a character at the end.
const CONTROL_OR_SEPARATOR = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

export function clipText(text: string, lengthMax: number): string {
  const flat = text.normalize('NFC').replace(CONTROL_OR_SEPARATOR, ' ').replace(/ {2,}/g, ' ').trim();
  return flat
    .slice(0, lengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
