// Between our journal and Xero's manual journals, invoices, bills and credit notes, without I/O. The key opens the narration, which is what a journal is
// found by; accounts that manual journals refuse are replaced by clearing accounts and named back when read.
import { Decimal, sum, ZERO } from '../../domain/money.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { clipText, headText, lineText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, VatMode } from '../erp-adapter.js';
import { controlAccount, isInCurrency } from '../owed-line.js';
import { keyUndoneBy, REVERSAL_MARK } from '../reversal.js';
import {
  CURRENCY_RATE_DECIMALS,
  DESCRIPTION_LENGTH_MAX,
  NARRATION_LENGTH_MAX,
  NO_TAX_TYPE,
  NUMBER_LENGTH_MAX,
  VAT_ACCOUNT,
  type XeroConfiguration,
} from './settings.js';
import type {
  XeroDocument,
  XeroDocumentList,
  XeroDocumentRead,
  XeroDocumentType,
  XeroItem,
  XeroItemRead,
  XeroJournal,
  XeroJournalLine,
  XeroJournalRead,
  XeroWords,
} from './wire.js';

export type TranslateSettings = Pick<XeroConfiguration, 'clearingAccounts' | 'dimensions'>;

export function toXeroJournal(
  key: string,
  journal: Journal,
  settings: TranslateSettings,
  vatMode: VatMode = 'explicit-lines',
): XeroJournal {
  const isReversal = journal.description.startsWith(REVERSAL_MARK);
  const about = isReversal ? journal.description : headText(journal);
  return {
    Narration: clipText(`${key} ${about}`, NARRATION_LENGTH_MAX),
    Date: journal.postingDate,
    Status: 'POSTED',
    LineAmountTypes: vatMode === 'erp-splits' ? 'Inclusive' : 'NoTax',
    JournalLines: journal.lines.map((line) => ({
      ...toXeroLine(journal, line, settings),
      ...(vatMode === 'erp-splits' ? { TaxType: line.vatCode ?? NO_TAX_TYPE } : {}),
    })),
  };
}

function toXeroLine(journal: Journal, line: JournalLine, settings: TranslateSettings): XeroJournalLine {
  return {
    LineAmount: line.debit.minus(line.credit),
    AccountCode: xeroCode(line.account, settings),
    Description: described(lineText(journal, line), line.counterparty),
    ...trackingOf(line, settings),
  };
}

/** A manual journal has no contact, so the kennitala ends the text; another text that ends in one is given a full stop. */
function described(text: string, counterparty: string | undefined): string {
  if (counterparty === undefined)
    return clipText(PARTNER.test(text) ? `${text}.` : text, DESCRIPTION_LENGTH_MAX);
  const partner = ` kt. ${counterparty}`;
  return clipText(text, DESCRIPTION_LENGTH_MAX - partner.length) + partner;
}

const PARTNER = / kt\. (\S+)$/;

export function trackingOf(
  { dimensions = {} }: Pick<JournalLine, 'dimensions'>,
  settings: Pick<TranslateSettings, 'dimensions'>,
): Pick<XeroJournalLine, 'Tracking'> {
  const tracking = Object.entries(dimensions).flatMap(([name, Option]) => {
    const Name = settings.dimensions[name];
    return Name === undefined ? [] : [{ Name, Option }];
  });
  return tracking.length === 0 ? {} : { Tracking: tracking };
}

export function xeroCode(account: string, settings: Pick<TranslateSettings, 'clearingAccounts'>): string {
  return settings.clearingAccounts[account] ?? account;
}

/** The key that a narration opens with. */
export function keyOf(narration: string): string {
  return narration.split(' ', 1)[0] ?? '';
}

/** The key that a reversal undoes: its narration opens with its own key, the mark and that other key. */
export function undoneBy(narration: string): string | undefined {
  return keyUndoneBy(narration.slice(keyOf(narration).length + 1));
}

export function toEntry(read: XeroJournalRead, settings: TranslateSettings, wasReversed = false): ErpEntry {
  const key = keyOf(read.Narration);
  const isReversal = undoneBy(read.Narration) !== undefined;
  return {
    reference: { id: read.ManualJournalID },
    key,
    state: read.Status === 'POSTED' ? 'posted' : 'draft',
    postingDate: read.Date,
    lines: (read.JournalLines ?? []).flatMap((line) => toEntryLines(line, read.LineAmountTypes, settings)),
    ...(isReversal || wasReversed ? { reversed: true } : {}),
  };
}

type ReadLine = NonNullable<XeroJournalRead['JournalLines']>[number];

/** Xero shows the VAT that it took out beside the line, and not the account that it went on. */
function toEntryLines(line: ReadLine, types: string, settings: TranslateSettings): ErpEntryLine[] {
  const vat = line.TaxAmount ?? ZERO;
  if (types !== 'Inclusive' || vat.isZero()) return [toEntryLine(line, settings)];
  const net = { ...line, LineAmount: line.LineAmount.minus(vat) };
  return [toEntryLine(net, settings), { account: VAT_ACCOUNT, ...sides(vat) }];
}

function toEntryLine(line: ReadLine, settings: TranslateSettings): ErpEntryLine {
  const amount = line.LineAmount;
  const account = nameBehind(settings.clearingAccounts, line.AccountCode) ?? line.AccountCode;
  const counterparty = PARTNER.exec(line.Description)?.[1];
  return {
    account,
    ...sides(amount),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...dimensionsOf(line.Tracking, settings),
  };
}

export function dimensionsOf(
  tracking: ReadLine['Tracking'],
  settings: Pick<TranslateSettings, 'dimensions'>,
): Pick<ErpEntryLine, 'dimensions'> {
  const dimensions: Record<string, string> = {};
  for (const { Name, Option } of tracking ?? []) {
    const name = nameBehind(settings.dimensions, Name);
    if (name !== undefined) dimensions[name] = Option;
  }
  return Object.keys(dimensions).length === 0 ? {} : { dimensions };
}

export function nameBehind(names: Readonly<Record<string, string>>, value: string): string | undefined {
  return Object.entries(names).find(([, each]) => each === value)?.[0];
}

// Invoices, bills and credit notes. A sale keeps its own number and has our key in its reference; a bill has no reference in Xero, so the
// key is behind the supplier's number.

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
