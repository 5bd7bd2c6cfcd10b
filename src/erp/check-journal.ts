// What no ERP may be asked to book, checked before anything is translated. The mapper promises the same; an adapter does
// not take it on trust, since some ERPs balance a crooked entry silently on an account of their own.
import { type Decimal, sum } from '../domain/decimal.js';
import { isGross, isVatLine, type Journal, type JournalLine } from '../domain/journal.js';
import type { ErpCapabilities, Rejected } from './erp-adapter.js';

export function checkJournal(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (journal.lines.length < 2) return unbalanced('it has fewer than two lines');
  const crooked = journal.lines.find((line) => !hasOneSide(line));
  if (crooked) return unbalanced(`the line on account ${crooked.account} is not on exactly one side`);
  const debit = sum(journal.lines.map((line) => line.debit));
  const credit = sum(journal.lines.map((line) => line.credit));
  if (!debit.equals(credit))
    return unbalanced(`debit is ${debit.toFixed()} and credit ${credit.toFixed()} ISK`);
  return unsupported(journal, capabilities) ?? otherVatMode(journal, capabilities);
}

/** Gross amounts would be booked as they are, VAT lines taxed once more: neither is ever guessed. */
function otherVatMode({ lines }: Journal, { vatMode }: ErpCapabilities): Rejected | null {
  const [strange] = lines.filter(vatMode === 'erp-splits' ? isVatLine : isGross);
  if (!strange) return null;
  const why =
    vatMode === 'erp-splits'
      ? 'has VAT on a line of its own, and this ERP connection reckons VAT itself'
      : 'holds VAT that the ERP is to take out, and this ERP connection cannot do that';
  return {
    outcome: 'rejected',
    code: 'unknown-vat-code',
    message: `The line on account ${strange.account} ${why}. Set \`vat.mode: ${vatMode}\` in the rules of the tenant.`,
    ...(strange.vatCode === undefined ? {} : { vatCode: strange.vatCode }),
  };
}

function unsupported(journal: Journal, capabilities: ErpCapabilities): Rejected | null {
  if (capabilities.foreignCurrency === 'none' && journal.lines.some((line) => isForeign(line)))
    return {
      outcome: 'rejected',
      code: 'unsupported',
      message: `This ERP connection takes ISK only; document ${journal.documentNo} is in ${journal.currency}. Book it by hand, then mark it as posted.`,
    };
  if (!capabilities.dimensions && journal.lines.some((line) => Object.keys(line.dimensions ?? {}).length > 0))
    return {
      outcome: 'rejected',
      code: 'unsupported',
      message: 'This ERP connection takes no dimensions. Remove them from the rules of the tenant.',
    };
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

function unbalanced(why: string): Rejected {
  return { outcome: 'rejected', code: 'unbalanced', message: `The journal does not balance: ${why}.` };
}
