// A reversal as a posting of its own: asked twice it is one entry, and an entry that has been reversed is not reversed
// again under another key.
import { isGross, type Journal, type JournalLine } from '../domain/journal.js';
import type {
  ErpAdapter,
  ErpEntryLine,
  FindOutcome,
  PostOutcome,
  PrepareOutcome,
  ReverseRequest,
} from './erp-adapter.js';
import { rejected, told } from './told.js';
import { Decimal } from '../domain/money.js';

export async function reverseByMirror(
  erp: Pick<ErpAdapter, 'findByKey' | 'post'>,
  request: ReverseRequest,
  prepare: (journal: Journal) => Promise<PrepareOutcome>,
): Promise<PostOutcome> {
  const mine = await erp.findByKey(request.key);
  if (mine.outcome === 'transient' || mine.outcome === 'auth') return mine;
  if (mine.outcome === 'one' && mine.entry.state !== 'draft') {
    return { outcome: mine.entry.state, reference: mine.entry.reference };
  }
  const original = await erp.findByKey(request.original.key);
  if (original.outcome === 'transient' || original.outcome === 'auth') return original;
  if (isReversed(original, request.original.reference.id)) {
    const name = request.original.reference.number ?? request.original.reference.id;
    return rejected('duplicate', told('ALREADY_REVERSED', { entry: name }));
  }
  const prepared = await prepare(mirrorJournal(request));
  return prepared.outcome === 'prepared' ? erp.post(prepared.prepared) : prepared;
}

function isReversed(found: FindOutcome, id: string): boolean {
  if (found.outcome === 'one') return found.entry.reversed === true;
  if (found.outcome !== 'many') return false;
  return found.entries.some((entry) => entry.reference.id === id && entry.reversed === true);
}

// The entry that undoes another: the same lines with the sides changed, under a key and on a day of its own. For ERPs
// that have no reversal of their own, or none that can be keyed.
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
