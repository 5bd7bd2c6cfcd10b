// A sales or purchase document as an entry of ours. The document shows every line, in its own currency; the ledger shows what came of it
// in krónur, with lines of the same account in one. So the lines are the document's, as far as the ledger bears them out.
import { type Decimal, sum, ZERO } from '../../domain/decimal.js';
import type { ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { controlAccount } from '../owed-line.js';
import { dimensionsOf } from './translate.js';
import { type BcDocumentSettings, isOwedToUs, isPosted, keyOfDocument, totalOfLines } from './documents.js';
import type { BcEntry } from './wire.js';
import { type BcDocumentLine, type BcDocumentRead, SET_FACTS } from './wire-documents.js';

export interface EntryFacts {
  readonly settings: BcDocumentSettings;
  /** Of this document; none of a draft. */
  readonly ledger: readonly BcEntry[];
  readonly kennitala: string;
  readonly isReversed: boolean;
  /** Krónur for one of the currency, as long as the ledger does not say. */
  readonly rate?: Decimal;
}

export function toDocumentEntry(read: BcDocumentRead, facts: EntryFacts): ErpEntry {
  const lines = isPosted(read) ? postedLines(read, facts) : draftLines(read, facts);
  const isReversed = facts.isReversed || read.status === 'Canceled';
  return {
    reference: { id: `${read.set}/${read.id}`, number: read.number },
    key: keyOfDocument(read),
    state: isPosted(read) ? 'posted' : 'draft',
    postingDate: read.postingDate,
    lines,
    ...(isReversed ? { reversed: true } : {}),
  };
}

/** As they were sent: VAT is still in them. */
function draftLines(read: BcDocumentRead, facts: EntryFacts): ErpEntryLine[] {
  const { settings, kennitala, rate } = facts;
  const items = itemsOf(read).map((line) => ({
    ...itemLine(read, line, line.netAmountIncludingTax, settings),
    ...inKronur(read, line.netAmountIncludingTax, rate),
  }));
  const account = controlAccount(isSale(read), settings);
  const owed = { account, ...sides(sum(items.map(({ debit, credit }) => credit.minus(debit)))) };
  return [{ ...owed, ...currencyOf(read, read.total.negated()), counterparty: kennitala }, ...items];
}

function postedLines(read: BcDocumentRead, { settings, ledger, kennitala }: EntryFacts): ErpEntryLine[] {
  const items = itemsOf(read);
  const accounts = new Set(items.map(({ lineObjectNumber }) => lineObjectNumber));
  const others = ledger.filter(({ accountNumber }) => !accounts.has(accountNumber));
  const owed = owedEntry(others, controlAccount(isSale(read), settings));
  const vat = others.filter((entry) => entry !== owed);
  const kronur = owed ? owed.debitAmount.minus(owed.creditAmount) : ZERO;
  const rate = isForeign(read) && !read.total.isZero() ? kronur.abs().div(read.total.abs()) : undefined;
  const owedLine: ErpEntryLine = {
    account: owed?.accountNumber ?? controlAccount(isSale(read), settings),
    ...sides(kronur),
    ...currencyOf(read, read.total.negated()),
    counterparty: kennitala,
  };
  const shown = items.map((line) => ({
    ...itemLine(read, line, line.netAmount, settings),
    ...inKronur(read, line.netAmount, rate),
  }));
  const onItems = ledger.filter(({ accountNumber }) => accounts.has(accountNumber));
  const borneOut = isForeign(read) || agree(shown, onItems);
  return [
    owedLine,
    ...(borneOut ? shown : onItems.map((entry) => ledgerLine(read, entry, rate, settings))),
    ...vat.map((entry) => ledgerLine(read, entry, rate, settings)),
  ];
}

/** The account of the rules, or whichever has the most, which is then seen to be another. */
function owedEntry(others: readonly BcEntry[], account: string): BcEntry | undefined {
  const amountOf = (entry: BcEntry) => entry.debitAmount.plus(entry.creditAmount).abs();
  return (
    others.find(({ accountNumber }) => accountNumber === account) ??
    [...others].sort((one, other) => amountOf(other).comparedTo(amountOf(one)))[0]
  );
}

function agree(shown: readonly ErpEntryLine[], ledger: readonly BcEntry[]): boolean {
  return [...new Set(shown.map(({ account }) => account))].every((account) => {
    const onDocument = sum(
      shown.filter((line) => line.account === account).map(({ debit, credit }) => debit.minus(credit)),
    );
    return totalOfLines(ledger.filter(({ accountNumber }) => accountNumber === account)).equals(onDocument);
  });
}

function itemsOf({ lines }: BcDocumentRead): BcDocumentLine[] {
  return lines.filter(({ lineObjectNumber }) => lineObjectNumber !== '');
}

function itemLine(
  read: BcDocumentRead,
  line: BcDocumentLine,
  amount: Decimal,
  settings: BcDocumentSettings,
): Omit<ErpEntryLine, 'debit' | 'credit'> {
  const dimensions = dimensionsOf(line, settings);
  return {
    account: line.lineObjectNumber,
    ...currencyOf(read, amount),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

function ledgerLine(
  read: BcDocumentRead,
  entry: BcEntry,
  rate: Decimal | undefined,
  settings: BcDocumentSettings,
): ErpEntryLine {
  const debit = entry.debitAmount.minus(entry.creditAmount);
  const dimensions = dimensionsOf(entry, settings);
  const foreign = rate ? debit.div(rate).toDecimalPlaces(2) : debit;
  return {
    account: entry.accountNumber,
    ...sides(debit),
    ...(isForeign(read) ? { currency: read.currencyCode, currencyAmount: foreign } : {}),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

/** Amounts of a document have no side: items of what is owed to us stand on the credit side. */
function debitOf({ set }: BcDocumentRead, amount: Decimal): Decimal {
  return isOwedToUs(set) ? amount.negated() : amount;
}

function inKronur(read: BcDocumentRead, amount: Decimal, rate: Decimal | undefined) {
  const debit = debitOf(read, amount);
  return sides(isForeign(read) && rate ? debit.times(rate).toDecimalPlaces(2) : debit);
}

function currencyOf(read: BcDocumentRead, amount: Decimal) {
  return isForeign(read) ? { currency: read.currencyCode, currencyAmount: debitOf(read, amount) } : {};
}

function isForeign({ currencyCode }: BcDocumentRead): boolean {
  return currencyCode !== '' && currencyCode !== 'ISK';
}

function isSale({ set }: BcDocumentRead): boolean {
  return SET_FACTS[set].partner === 'customer';
}

function sides(debit: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return debit.isNegative() ? { debit: ZERO, credit: debit.negated() } : { debit, credit: ZERO };
}
