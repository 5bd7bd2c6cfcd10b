// What no ERP may be asked to book, checked before anything is translated. The mapper promises the same; an adapter does
// not take it on trust, since some ERPs balance a crooked entry silently on an account of their own.
import { type Decimal, sum } from '../domain/decimal.js';
import { isGross, isVatLine, type Journal, type JournalLine } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import type { ErpCapabilities, Rejected } from './erp-adapter.js';
import { rejected, told } from './told.js';

export function checkJournal(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (journal.lines.length < 2) return unbalanced(message('FEWER_THAN_TWO_LINES'));
  const crooked = journal.lines.find((line) => !hasOneSide(line));
  if (crooked) return unbalanced(message('NOT_ONE_SIDE', { account: crooked.account }));
  const debit = sum(journal.lines.map((line) => line.debit));
  const credit = sum(journal.lines.map((line) => line.credit));
  if (!debit.equals(credit))
    return unbalanced(message('SIDES_DIFFER', { debit: debit.toFixed(), credit: credit.toFixed() }));
  return unsupported(journal, capabilities) ?? otherVatMode(journal, capabilities);
}

/** Gross amounts would be booked as they are, VAT lines taxed once more: neither is ever guessed. */
function otherVatMode({ lines }: Journal, { vatMode }: ErpCapabilities): Rejected | null {
  const [strange] = lines.filter(vatMode === 'erp-splits' ? isVatLine : isGross);
  if (!strange) return null;
  const words = told('LINE_OF_OTHER_VAT_MODE', { account: strange.account, mode: vatMode });
  const { vatCode } = strange;
  return rejected('unknown-vat-code', words, vatCode === undefined ? {} : { vatCode });
}

function unsupported(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (capabilities.foreignCurrency === 'none' && journal.lines.some((line) => isForeign(line)))
    return rejected(
      'unsupported',
      told('ISK_ONLY', { number: journal.documentNo, currency: journal.currency }),
    );
  if (!capabilities.dimensions && journal.lines.some((line) => Object.keys(line.dimensions ?? {}).length > 0))
    return rejected('unsupported', told('NO_DIMENSIONS'));
  return null;
}

function isForeign(line: JournalLine): boolean {
  return line.currency !== undefined && line.currency !== 'ISK';
}

function hasOneSide(line: JournalLine): boolean {
  return isAmount(line.debit) && isAmount(line.credit) && line.debit.isZero() !== line.credit.isZero();
}

function isAmount(value: Decimal): boolean {
  return value.isFinite() && (value.isZero() || value.isPositive());
}

function unbalanced(why: Message): Rejected {
  return rejected('unbalanced', told('UNBALANCED', { why }));
}
