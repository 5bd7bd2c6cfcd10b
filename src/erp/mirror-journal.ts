// The entry that undoes another: the same lines with the sides changed, under a key and on a day of its own. For ERPs
// that have no reversal of their own, or none that can be keyed.
import { Decimal } from '../domain/decimal.js';
import { isGross, type Journal, type JournalLine } from '../domain/journal.js';
import type { ErpEntryLine, ReverseRequest } from './erp-adapter.js';

/** First words of every line of a reversal; an entry read back is known by them. */
export const REVERSAL_MARK = 'Bakfærsla';
const UNDOES = new RegExp(`^${REVERSAL_MARK} (\\S+)`);

/** The key that a reversal's text says it undoes. The mark must open the text: customers may write the word as well. */
export function keyUndoneBy(text: string): string | undefined {
  return UNDOES.exec(text)?.[1];
}

export function mirrorJournal(request: ReverseRequest): Journal {
  const { original, date } = request;
  const text = `${REVERSAL_MARK} ${original.key} ${request.reason}`.trim();
  return {
    documentNo: original.reference.number ?? original.reference.id,
    externalReference: original.key,
    postingDate: date,
    documentDate: date,
    description: text,
    currency: 'ISK',
    exchangeRate: new Decimal(1),
    lines: linesToUndo(request).map((line) => mirrored(line, text)),
  };
}

/** Where the ERP took VAT out of what it was given, or owed it by a reverse charge, it has to be given the same again to put it back. */
function linesToUndo({ original, journal }: ReverseRequest): readonly ErpEntryLine[] {
  const isReckoned = journal?.lines.some((line) => isGross(line) || line.reverseVat !== undefined);
  return journal && isReckoned === true ? journal.lines : original.lines;
}

function mirrored(line: ErpEntryLine, text: string): JournalLine {
  return {
    ...line,
    role: 'clearing',
    debit: line.credit,
    credit: line.debit,
    ...(line.currencyAmount ? { currencyAmount: line.currencyAmount.negated() } : {}),
    text,
  };
}
