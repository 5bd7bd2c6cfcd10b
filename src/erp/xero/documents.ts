// Between our journal and Xero's invoices, bills and credit notes, without I/O. A sale keeps its own number and has our key in its
// reference; a bill has no reference in Xero, so the key stands behind the supplier's number.
import { Decimal, sum, ZERO } from '../../domain/decimal.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { clipText, lineText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, VatMode } from '../erp-adapter.js';
import { controlAccount, isInCurrency } from '../owed-line.js';
import {
  CURRENCY_RATE_DECIMALS,
  DESCRIPTION_LENGTH_MAX,
  NO_TAX_TYPE,
  NUMBER_LENGTH_MAX,
  VAT_ACCOUNT,
} from './assumptions.js';
import type { XeroConfiguration } from './config.js';
import { dimensionsOf, nameBehind, trackingOf, xeroCode } from './translate.js';
import type {
  XeroDocument,
  XeroDocumentList,
  XeroDocumentRead,
  XeroDocumentType,
  XeroItem,
  XeroItemRead,
  XeroWords,
} from './wire-documents.js';

export type DocumentSettings = Pick<
  XeroConfiguration,
  'books' | 'clearingAccounts' | 'dimensions' | 'foreignDocuments' | 'subledger'
>;

export function listOf(type: XeroDocumentType): XeroDocumentList {
  return type === 'ACCREC' || type === 'ACCPAY' ? 'Invoices' : 'CreditNotes';
}

function typeOf({ role, debit }: JournalLine): XeroDocumentType {
  const isDebit = !debit.isZero();
  if (role === 'receivable') return isDebit ? 'ACCREC' : 'ACCRECCREDIT';
  return isDebit ? 'ACCPAYCREDIT' : 'ACCPAY';
}

export interface DocumentFacts {
  readonly key: string;
  readonly journal: Journal;
  readonly owed: JournalLine;
  readonly contactId: string;
  /** The number that it has in Xero; another than the document's own only where that one is taken. */
  readonly number: string;
}

export function toXeroDocument(
  { key, journal, owed, contactId, number }: DocumentFacts,
  settings: DocumentSettings,
  vatMode: VatMode,
): XeroDocument {
  const Type = typeOf(owed);
  const inCurrency = isInCurrency(journal, settings);
  const items = journal.lines.filter(
    (line) => line !== owed && (!inCurrency || line.currencyAmount !== undefined),
  );
  return {
    Type,
    Contact: { ContactID: contactId },
    Date: journal.postingDate,
    ...(listOf(Type) === 'Invoices'
      ? { DueDate: owed.dueDate ?? journal.dueDate ?? journal.documentDate }
      : {}),
    Status: 'AUTHORISED',
    LineAmountTypes: vatMode === 'erp-splits' ? 'Inclusive' : 'NoTax',
    ...marksOf(Type, key, number, journal.externalReference),
    CurrencyCode: inCurrency ? journal.currency : 'ISK',
    ...(inCurrency ? { CurrencyRate: xeroRate(journal.exchangeRate) } : {}),
    LineItems: [
      ...(inCurrency ? [] : foreignTotal(journal, owed)),
      ...items.map((line) => itemOf(journal, line, { owed, settings, vatMode, inCurrency })),
    ],
  };
}

/** In krónur the items say their foreign amounts, and a line of words alone says the whole of it. */
function foreignTotal(journal: Journal, owed: JournalLine): XeroWords[] {
  if (journal.currency === 'ISK') return [];
  return [{ Description: clipText(lineText(journal, owed), DESCRIPTION_LENGTH_MAX) }];
}

/** Currency for a króna, where ours is krónur for one of the currency. */
function xeroRate(exchangeRate: Decimal): Decimal {
  return new Decimal(1).div(exchangeRate).toDecimalPlaces(CURRENCY_RATE_DECIMALS);
}

function marksOf(Type: XeroDocumentType, key: string, number: string, guid: string) {
  const isSale = Type === 'ACCREC' || Type === 'ACCRECCREDIT';
  const name = listOf(Type) === 'Invoices' ? 'InvoiceNumber' : 'CreditNoteNumber';
  if (isSale) return { [name]: clipText(number, NUMBER_LENGTH_MAX), Reference: `${key} ${guid}` };
  return { [name]: `${clipText(number, NUMBER_LENGTH_MAX - key.length - 1)} ${key}` };
}

interface ItemContext {
  readonly owed: JournalLine;
  readonly settings: DocumentSettings;
  readonly vatMode: VatMode;
  readonly inCurrency: boolean;
}

function itemOf(journal: Journal, line: JournalLine, context: ItemContext): XeroItem {
  const { owed, settings, vatMode, inCurrency } = context;
  const debit = inCurrency ? (line.currencyAmount ?? ZERO) : line.debit.minus(line.credit);
  // Xero has the text in the words of the document, and the foreign amount where it does not keep the currency.
  const text = inCurrency ? line.text : lineText(journal, line);
  return {
    Description: clipText(text || journal.documentNo, DESCRIPTION_LENGTH_MAX),
    Quantity: 1,
    UnitAmount: owed.debit.isZero() ? debit : debit.negated(),
    AccountCode: xeroCode(line.account, settings),
    ...(vatMode === 'erp-splits' ? { TaxType: line.vatCode ?? NO_TAX_TYPE } : {}),
    ...trackingOf(line, settings),
  };
}

/** Ours opens the reference of a sale, and ends the number of a bill. */
export function keyOfDocument({ Type, Reference, number }: XeroDocumentRead): string {
  const isSale = Type === 'ACCREC' || Type === 'ACCRECCREDIT';
  const key = isSale ? Reference.split(' ', 1)[0] : number.split(' ').at(-1);
  return key !== undefined && isPostingKey(key) ? key : '';
}

const BOOKED = new Set(['AUTHORISED', 'PAID']);
const WAITING = new Set(['DRAFT', 'SUBMITTED']);

/** Deleted and voided ones are no entries. */
export function isLive({ Status }: XeroDocumentRead): boolean {
  return BOOKED.has(Status) || WAITING.has(Status);
}

export function isBooked({ Status }: XeroDocumentRead): boolean {
  return BOOKED.has(Status);
}

export function toDocumentEntry(
  read: XeroDocumentRead,
  settings: DocumentSettings,
  kennitala: string | undefined,
  wasReversed = false,
): ErpEntry {
  const isOwedToUs = read.Type === 'ACCREC' || read.Type === 'ACCPAYCREDIT';
  const isSale = read.Type === 'ACCREC' || read.Type === 'ACCRECCREDIT';
  const items = read.LineItems.filter(({ AccountCode }) => AccountCode !== '').flatMap((item) =>
    itemLines(item, read, isOwedToUs, settings),
  );
  const owed: ErpEntryLine = {
    account: controlAccount(isSale, settings),
    // What is owed is all the rest, in krónur too, so that what is read is as balanced as it is in Xero.
    ...sides(sum(items.map(({ debit, credit }) => credit.minus(debit)))),
    ...currencyOf(read, isOwedToUs ? read.Total : read.Total.negated()),
    ...(kennitala === undefined ? {} : { counterparty: kennitala }),
  };
  return {
    reference: { id: `${read.Type}/${read.id}`, ...(read.number === '' ? {} : { number: read.number }) },
    key: keyOfDocument(read),
    state: isBooked(read) ? 'posted' : 'draft',
    postingDate: read.Date,
    lines: [owed, ...items],
    ...(wasReversed ? { reversed: true } : {}),
  };
}

/** Xero shows the VAT that it took out beside the item, and not the account that it went on. */
function itemLines(
  item: XeroItemRead,
  read: XeroDocumentRead,
  isOwedToUs: boolean,
  settings: DocumentSettings,
): ErpEntryLine[] {
  const vat = read.LineAmountTypes === 'Inclusive' ? (item.TaxAmount ?? ZERO) : ZERO;
  const account = nameBehind(settings.clearingAccounts, item.AccountCode) ?? item.AccountCode;
  const net = lineOf((item.LineAmount ?? ZERO).minus(vat), read, isOwedToUs);
  const line = { account, ...net, ...dimensionsOf(item.Tracking, settings) };
  return vat.isZero() ? [line] : [line, { account: VAT_ACCOUNT, ...lineOf(vat, read, isOwedToUs) }];
}

function lineOf(amount: Decimal, read: XeroDocumentRead, isOwedToUs: boolean) {
  const debit = isOwedToUs ? amount.negated() : amount;
  const rate = isForeign(read) ? read.CurrencyRate : undefined;
  const kronur = rate ? debit.div(rate).toDecimalPlaces(2) : debit;
  return { ...sides(kronur), ...currencyOf(read, debit) };
}

function isForeign({ CurrencyCode }: XeroDocumentRead): boolean {
  return CurrencyCode !== '' && CurrencyCode !== 'ISK';
}

function currencyOf(read: XeroDocumentRead, debit: Decimal) {
  return isForeign(read) ? { currency: read.CurrencyCode, currencyAmount: debit } : {};
}

function sides(debit: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return debit.isNegative() ? { debit: ZERO, credit: debit.negated() } : { debit, credit: ZERO };
}
