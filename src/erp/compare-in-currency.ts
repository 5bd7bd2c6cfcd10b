// An ERP that keeps documents in their own currency reckons the krónur itself, by a rate that it rounds or has of its own. Such a
// document is compared in its currency, to the last cent, and its krónur only as a whole, within what the ERP's rate may be off.
import { type Decimal, sum, ZERO } from '../domain/decimal.js';
import { isWithin } from '../domain/own-rate.js';
import type { Journal, JournalLine } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import type { ErpEntry, ErpEntryLine } from './erp-adapter.js';

export function isShownInCurrency({ currency }: Journal, entry: ErpEntry): boolean {
  return currency !== 'ISK' && entry.lines.some((line) => line.currency === currency);
}

/** The journal as the ERP keeps it: without what stands in krónur alone, which only evens out our own rounding. */
export function journalInCurrency(journal: Journal): Journal {
  const lines = journal.lines.flatMap((line): JournalLine[] => {
    if (!line.currencyAmount || line.currency !== journal.currency) return [];
    const { vatBase, reverseVat } = line;
    const scale = line.currencyAmount.abs().div(line.debit.plus(line.credit));
    return [
      {
        ...line,
        ...sides(line.currencyAmount),
        ...(vatBase ? { vatBase: vatBase.times(scale).toDecimalPlaces(2) } : {}),
        ...(reverseVat ? { reverseVat: reverseVat.times(scale).toDecimalPlaces(2) } : {}),
      },
    ];
  });
  return { ...journal, lines };
}

export function entryInCurrency(entry: ErpEntry): ErpEntry {
  const lines = entry.lines.map((line): ErpEntryLine => ({ ...line, ...sides(line.currencyAmount ?? ZERO) }));
  return { ...entry, lines };
}

/** Whether the krónur are as many as the ERP's own rate allows. */
export function kronurDiffer(journal: Journal, entry: ErpEntry, tolerance: number): Message[] {
  const wanted = debitsOf(journal.lines);
  const found = debitsOf(entry.lines);
  const lines = journal.lines.length;
  return isWithin(found, wanted, { tolerance, lines })
    ? []
    : [message('KRONUR_DIFFER', { found: found.toFixed(), wanted: wanted.toFixed() })];
}

function debitsOf(lines: readonly Pick<ErpEntryLine, 'debit'>[]): Decimal {
  return sum(lines.map(({ debit }) => debit));
}

function sides(amount: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return amount.isNegative() ? { debit: ZERO, credit: amount.negated() } : { debit: amount, credit: ZERO };
}
