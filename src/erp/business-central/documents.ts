// Between our journal and the sales and purchase documents of Business Central, without I/O. They get a number from a series of Business
// Central's own, which nobody can give them; the key stands behind the number that people know, where documents can be looked up by it.
import * as assumed from './settings.js';
import { type Decimal, sum, ZERO } from '../../domain/money.js';
import { isGross, type Journal, type JournalLine } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { clipText, lineText, numbered } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, VatMode } from '../erp-adapter.js';
import { controlAccount, isInCurrency } from '../owed-line.js';
import type { BusinessCentralConfiguration } from './settings.js';
import {
  type BcDocumentLine,
  type BcDocumentRead,
  type BcDocumentSent,
  type BcDocumentSet,
  type BcEntry,
  type BcSentLine,
  SET_FACTS,
} from './wire.js';
import { dimensionsOf } from './translate.js';

export type BcDocumentSettings = Pick<
  BusinessCentralConfiguration,
  'books' | 'dimensions' | 'foreignDocuments' | 'noVatGroup' | 'subledger'
>;

const LINE_STEP = 10_000;

export function setOf({ role, debit }: JournalLine): BcDocumentSet {
  const isDebit = !debit.isZero();
  if (role === 'receivable') return isDebit ? 'salesInvoices' : 'salesCreditMemos';
  return isDebit ? 'purchaseCreditMemos' : 'purchaseInvoices';
}

/** A sale, or a bill that is taken back: then the items stand on the credit side. */
export function isOwedToUs(set: BcDocumentSet): boolean {
  const { partner, isCredit } = SET_FACTS[set];
  return (partner === 'customer') !== isCredit;
}

export interface DocumentFacts {
  readonly key: string;
  readonly journal: Journal;
  readonly owed: JournalLine;
  /** In Business Central. */
  readonly partnerNumber: string;
}

export function toBcDocument(
  facts: DocumentFacts,
  settings: BcDocumentSettings,
  vatMode: VatMode,
): BcDocumentSent {
  const { journal, owed } = facts;
  const inCurrency = isInCurrency(journal, settings);
  const items = journal.lines.filter(
    (line) => line !== owed && (!inCurrency || line.currencyAmount !== undefined),
  );
  const words = inCurrency ? [] : foreignTotal(journal, owed);
  const set = setOf(owed);
  const lines = [
    ...words.map((description) => ({ lineType: 'Comment' as const, description })),
    ...items.map((line) => itemOf(journal, line, { set, settings, vatMode, inCurrency })),
  ].map((line, index): BcSentLine => ({ sequence: (index + 1) * LINE_STEP, ...line }));
  const dimensions = items.flatMap((line, index) =>
    Object.entries(line.dimensions ?? {}).flatMap(([name, valueCode]) => {
      const code = settings.dimensions[name];
      const lineNumber = (words.length + index + 1) * LINE_STEP;
      return code === undefined ? [] : [{ lineNumber, code, valueCode }];
    }),
  );
  return { set, header: headerOf(facts, set, inCurrency, vatMode), lines, dimensions };
}

function headerOf(
  { key, journal, owed, partnerNumber }: DocumentFacts,
  set: BcDocumentSet,
  inCurrency: boolean,
  vatMode: VatMode,
): BcDocumentSent['header'] {
  const { date, isCredit, mark, partnerNumber: partner } = SET_FACTS[set];
  return {
    [partner]: partnerNumber,
    [mark]: markOf(key, journal.documentNo),
    currencyCode: inCurrency ? journal.currency : 'ISK',
    postingDate: journal.postingDate,
    [date]: journal.documentDate,
    ...(set === 'salesInvoices'
      ? { customerPurchaseOrderReference: guidMark(journal.externalReference) }
      : {}),
    // Only here it can be said; elsewhere the customer or vendor says it.
    ...(set === 'purchaseInvoices' && vatMode === 'erp-splits' ? { pricesIncludeTax: true } : {}),
    // Last, since the other dates reckon it from the terms of payment.
    ...(isCredit ? {} : { dueDate: owed.dueDate ?? journal.dueDate ?? journal.documentDate }),
  };
}

/** What a document is found by. Codes are in upper case, so that both sides of a comparison are. */
export function markOf(key: string, documentNo: string): string {
  const number = clipText(documentNo, assumed.MARK_LENGTH_MAX - key.length - 1).trim();
  return `${number} ${key}`.trim().toUpperCase();
}

/** As much of a number as a mark has room for, whatever its key. */
export function markedNumber(documentNo: string): string {
  return markOf('', clipText(documentNo, assumed.MARK_LENGTH_MAX - assumed.DOCUMENT_NUMBER_LENGTH_MAX - 1));
}

/** A long number is cut before our key, and lines of ours begin with all of it. */
export function hasNumber(document: BcDocumentRead, documentNo: string): boolean {
  const key = keyOfDocument(document);
  if (key === '') return document.mark === documentNo.toUpperCase();
  if (document.mark !== markOf(key, documentNo)) return false;
  return document.lines.some(({ description }) => `${description} `.startsWith(`${documentNo} `));
}

/** The guid at the source, in as many characters as the customer's reference has room for. */
export function guidMark(guid: string): string {
  return clipText(guid.replaceAll('-', ''), assumed.MARK_LENGTH_MAX);
}

/** In krónur the items say their foreign amounts, and a line of words alone says the whole of it. */
function foreignTotal(journal: Journal, owed: JournalLine): string[] {
  return journal.currency === 'ISK'
    ? []
    : [clipText(lineText(journal, owed), assumed.DESCRIPTION_LENGTH_MAX)];
}

interface ItemContext {
  readonly set: BcDocumentSet;
  readonly settings: BcDocumentSettings;
  readonly vatMode: VatMode;
  readonly inCurrency: boolean;
}

function itemOf(journal: Journal, line: JournalLine, context: ItemContext): Omit<BcSentLine, 'sequence'> {
  const { set, settings, vatMode, inCurrency } = context;
  const kronur = line.debit.minus(line.credit);
  const debit = inCurrency ? (line.currencyAmount ?? ZERO) : kronur;
  const isNegative = debit.isNegative() !== isOwedToUs(set);
  const withVat = debit.abs();
  const part = isGross(line) && line.vatBase ? line.vatBase.div(kronur.abs()) : null;
  const text = inCurrency ? numbered(journal.documentNo, line.text) : lineText(journal, line);
  return {
    lineType: 'Account',
    lineObjectNumber: line.account,
    description: clipText(text, assumed.DESCRIPTION_LENGTH_MAX),
    quantity: isNegative ? -1 : 1,
    withVat,
    withoutVat: part ? withVat.times(part).toDecimalPlaces(2) : withVat,
    taxCode: (vatMode === 'erp-splits' ? line.vatCode : undefined) ?? settings.noVatGroup ?? '',
  };
}

/** Ours ends the number. */
export function keyOfDocument({ mark }: Pick<BcDocumentRead, 'mark'>): string {
  const key = mark.split(' ').at(-1) ?? '';
  return isPostingKey(key) ? key : '';
}

export function isPosted({ status }: Pick<BcDocumentRead, 'status'>): boolean {
  return assumed.POSTED_STATUSES.has(status);
}

/** A posted document on which nothing is owed only fills a gap in the series of numbers. */
export function isLive(document: BcDocumentRead): boolean {
  return !isPosted(document) || !document.total.isZero();
}

/** What people copy keeps our key: a credit memo that corrects a document under the same key is theirs, and undoes it. */
export function isCorrected({ id, total }: BcDocumentRead, among: readonly BcDocumentRead[]): boolean {
  return among.some((other) => other.invoiceId === id && isPosted(other) && other.total.equals(total));
}

export function withoutCorrections(documents: readonly BcDocumentRead[]): BcDocumentRead[] {
  const ids = new Set(documents.map(({ id }) => id));
  return documents.filter(({ invoiceId }) => invoiceId === undefined || !ids.has(invoiceId));
}

/** The line on which Business Central did not keep the VAT group that it was given. */
export function groupLost(sent: BcDocumentSent, read: BcDocumentRead): string | undefined {
  return sent.lines.find(({ sequence, taxCode }) => {
    const kept = read.lines.find((line) => line.sequence === sequence)?.taxCode ?? '';
    return taxCode !== undefined && kept.toUpperCase() !== taxCode.toUpperCase();
  })?.taxCode;
}

export function totalOfLines(
  lines: readonly { readonly debitAmount: Decimal; readonly creditAmount: Decimal }[],
) {
  return sum(lines.map(({ debitAmount, creditAmount }) => debitAmount.minus(creditAmount)));
}

// A sales or purchase document as an entry of ours. The document shows every line, in its own currency; the ledger shows what came of it
// in krónur, with lines of the same account in one. So the lines are the document's, as far as the ledger bears them out.

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
