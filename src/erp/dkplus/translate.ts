// Between our journal and dk's journals and supplier invoices, without I/O. Debit is positive; every line carries the key as its
// reference, which is what an entry is found by.
import { type Decimal, sum, ZERO } from '../../domain/money.js';
import type { Journal, JournalLine, JournalParty } from '../../domain/journal.js';
import { clipText, headText, lineText } from '../line-text.js';
import type { Attachment, ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { keyUndoneBy, REVERSAL_MARK } from '../reversal.js';
import { owedOn } from '../owed-line.js';
import { partnerOfLine, partyNumber } from '../partner-directory.js';
import type { DkInvoice, DkJournal, DkJournalLine, DkTransaction } from './client.js';
import {
  dimensionNames,
  type DimensionSettings,
  type DkDimensionField,
  type DkPlusConfiguration,
  INVOICE_LINE_TYPE,
  INVOICE_TEXT_LENGTH_MAX,
  TEXT_LENGTH_MAX,
} from './settings.js';

export type TranslateSettings = Pick<DkPlusConfiguration, 'journalCode' | 'subledger'> & DimensionSettings;

export interface JournalForm {
  /** The lines are booked under it, as a reversal is under its original's; without, dk gives a new one. */
  readonly voucher?: string | undefined;
  /** The lines are in the currency of the document, and those that even out our own rounding are left to dk. */
  readonly isInCurrency?: boolean;
}

export function toDkJournal(
  key: string,
  journal: Journal,
  settings: TranslateSettings,
  { voucher, isInCurrency = false }: JournalForm = {},
): DkJournal {
  // The swagger document names the posting switches `Option`, dk's own examples say `Options`: both are sent.
  const posting = { Post: true, GenerateVoucher: voucher === undefined } as const;
  return {
    Code: settings.journalCode,
    Description: clip(headText(journal)),
    Option: posting,
    Options: posting,
    Lines: (isInCurrency ? linesInCurrency(journal) : journal.lines).map((line) => ({
      ...toDkLine(key, journal, line, settings),
      ...(isInCurrency ? { Amount: line.currencyAmount ?? ZERO, Currency: journal.currency } : {}),
      ...(voucher === undefined ? {} : { Voucher: voucher }),
    })),
  };
}

export function linesInCurrency({ lines }: Journal): readonly JournalLine[] {
  return lines.filter(({ currencyAmount }) => currencyAmount !== undefined && !currencyAmount.isZero());
}

function toDkLine(
  key: string,
  journal: Journal,
  line: JournalLine,
  settings: TranslateSettings,
): DkJournalLine {
  const partner = partnerOfLine(settings.subledger, line);
  return {
    Type: partner ? (partner.kind === 'customer' ? 'Customer' : 'Vendor') : 'GeneralLedger',
    Account: partner ? partner.kennitala : line.account,
    Amount: line.debit.minus(line.credit),
    Currency: 'ISK',
    Date: midnight(journal.postingDate),
    ...(line.dueDate === undefined ? {} : { DueDate: midnight(line.dueDate) }),
    ...dimensionFields(line, settings),
    Reference: key,
    Text: clip(lineText(journal, line)),
  };
}

/** `Dim1` and the others that the line has a value for. */
export function dimensionFields(
  line: JournalLine,
  settings: DimensionSettings,
): Partial<Record<DkDimensionField, string>> {
  const fields = dimensionNames(settings).flatMap(([field, name]) => {
    const value = line.dimensions?.[name];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(fields);
}

/** One entry per voucher: dk numbers what was booked together. A reversal shares the voucher of what it undoes. */
export function toEntries(transactions: readonly DkTransaction[], settings: DimensionSettings): ErpEntry[] {
  const vouchers = new Map<string, DkTransaction[]>();
  const undone = new Set<string>();
  for (const transaction of transactions) {
    const name = entryName(transaction.Reference, transaction.Voucher);
    const together = vouchers.get(name) ?? [];
    together.push(transaction);
    vouchers.set(name, together);
    const key = keyUndoneBy(transaction.Text);
    if (key !== undefined) undone.add(entryName(key, transaction.Voucher));
  }
  return [...vouchers].map(([name, together]) => toEntry(together, settings, undone.has(name)));
}

function entryName(key: string, voucher: string): string {
  return `${key}\n${voucher}`;
}

function toEntry(
  transactions: readonly DkTransaction[],
  settings: DimensionSettings,
  wasReversed: boolean,
): ErpEntry {
  const sorted = [...transactions].sort((a, b) => a.ID - b.ID);
  const [first] = sorted;
  if (!first) throw new RangeError('An entry has at least one transaction.');
  const isReversal = sorted.every((transaction) => transaction.Text.startsWith(REVERSAL_MARK));
  return {
    reference: { id: first.Voucher || String(first.ID), ...(first.Voucher ? { number: first.Voucher } : {}) },
    key: first.Reference,
    state: 'posted',
    postingDate: first.JournalDate.slice(0, 10),
    lines: sorted.map((transaction) => toEntryLine(transaction, settings)),
    ...(isReversal || wasReversed ? { reversed: true } : {}),
  };
}

function toEntryLine(transaction: DkTransaction, settings: DimensionSettings): ErpEntryLine {
  const { Currency: currency } = transaction;
  return {
    account: transaction.Account,
    ...sides(transaction.Amount),
    ...(currency === '' || currency === 'ISK'
      ? {}
      : { currency, currencyAmount: enteredAmount(transaction) }),
    ...(transaction.SubAccount === '' ? {} : { counterparty: transaction.SubAccount }),
    ...dimensionsOf(transaction, settings),
  };
}

/** What was entered, unless VAT was taken out of it or the transaction is that VAT. */
function enteredAmount({ Amount, Exchange, InputAmount }: DkTransaction): Decimal {
  if (!Exchange || Exchange.isZero()) return InputAmount ?? Amount;
  const reckoned = Amount.div(Exchange).toDecimalPlaces(2);
  const isWhole = InputAmount?.times(Exchange).minus(Amount).abs().lessThanOrEqualTo(1);
  return InputAmount && isWhole === true ? InputAmount : reckoned;
}

export function sides(amount: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return {
    debit: amount.isPositive() ? amount : ZERO,
    credit: amount.isNegative() ? amount.negated() : ZERO,
  };
}

export function dimensionsOf(
  booked: Readonly<Record<DkDimensionField, string>>,
  settings: DimensionSettings,
): Pick<ErpEntryLine, 'dimensions'> {
  const dimensions = dimensionNames(settings).flatMap(([field, name]) =>
    booked[field] === '' ? [] : [[name, booked[field]] as const],
  );
  return dimensions.length === 0 ? {} : { dimensions: Object.fromEntries(dimensions) };
}

export function toDkPartner(party: JournalParty, number: string, group?: string): Record<string, string> {
  const isCustomer = party.kind === 'customer';
  const fields: Record<string, string | undefined> = {
    Number: number,
    // Only the vendor's model has a kennitala of its own; a customer's is its number.
    SSNumber: isCustomer ? undefined : number,
    Name: party.name,
    Address1: party.address,
    ZipCode: party.zip,
    City: isCustomer ? undefined : party.city,
    Email: party.email,
    Group: isCustomer ? group : undefined,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1])),
  );
}

export function midnight(date: string): string {
  return `${date}T00:00:00Z`;
}

function clip(text: string): string {
  return clipText(text, TEXT_LENGTH_MAX);
}

/** Every line has an amount in the currency of the document, but for what evens out our own rounding, and they come to nothing. */
export function isWholeInCurrency(journal: Journal): boolean {
  const { currency, lines } = journal;
  if (currency === 'ISK') return false;
  const foreign = linesInCurrency(journal);
  if (foreign.length < 2 || foreign.some((line) => line.currency !== currency)) return false;
  const rest = lines.filter((line) => !foreign.includes(line));
  if (rest.some(({ role }) => role !== 'rounding')) return false;
  return sum(foreign.flatMap(({ currencyAmount }) => currencyAmount ?? [])).isZero();
}

// Costs as supplier invoices that people in dk approve and book, where the settings ask for them: the reference of the invoice and of
// its lines is the key.

type InvoiceSettings = Pick<
  DkPlusConfiguration,
  'supplierInvoices' | 'foreignDocuments' | 'subledger' | 'dim1' | 'dim2' | 'dim3'
>;

/** The line that is owed to one supplier, where the settings make an invoice of this journal. Credit notes stay journals. */
export function owedToSupplier(journal: Journal, settings: InvoiceSettings): JournalLine | null {
  const owed = settings.supplierInvoices === 'approval' ? owedOn(journal) : null;
  const isBill = owed?.role === 'payable' && owed.credit.isPositive() && !owed.credit.isZero();
  return owed && isBill && owed.account === settings.subledger.suppliers[0] ? owed : null;
}

/** With its rate, which an invoice can say: the krónur come out as the document has them. */
export function toDkInvoice(
  { key, journal, owed }: { readonly key: string; readonly journal: Journal; readonly owed: JournalLine },
  settings: InvoiceSettings,
) {
  const isForeign = settings.foreignDocuments === 'in-currency' && isWholeInCurrency(journal);
  const amountOf = (line: JournalLine): Decimal =>
    isForeign ? (line.currencyAmount ?? ZERO) : line.debit.minus(line.credit);
  const items = journal.lines.filter((line) => line !== owed && !amountOf(line).isZero());
  const { dueDate = journal.dueDate } = owed;
  return {
    Number: journal.documentNo,
    Reference: key,
    Description: clipText(headText(journal), INVOICE_TEXT_LENGTH_MAX),
    Text: clipText(lineText(journal, owed), INVOICE_TEXT_LENGTH_MAX),
    Date: midnight(journal.postingDate),
    ...(dueDate === undefined ? {} : { DueDate: midnight(dueDate) }),
    Amount: amountOf(owed).negated(),
    ...(isForeign ? { Currency: journal.currency, Exchange: journal.exchangeRate } : {}),
    Lines: items.map((line) => ({
      Type: INVOICE_LINE_TYPE,
      Account: line.account,
      Amount: amountOf(line),
      Text: clipText(lineText(journal, line), TEXT_LENGTH_MAX),
      Reference: key,
      ...dimensionFields(line, settings),
    })),
  };
}

/** What is on record, with the files behind it: they travel with the invoice or not at all. */
export function withFiles(body: string, files: readonly Attachment[]): string {
  if (files.length === 0) return body;
  const sent = files.map(({ fileName, content }) => ({
    Name: fileName,
    Content: Buffer.from(content).toString('base64'),
  }));
  return `${body.slice(0, -1)},"Files":${JSON.stringify(sent)}}`;
}

/** Nobody has booked it: what it will come to, by what it says. */
export function toDraft(invoice: DkInvoice, settings: InvoiceSettings): ErpEntry {
  const { ID, InvoiceNumber: number, CurrencyCode: currency, Exchange } = invoice;
  const rate = currency === '' || currency === 'ISK' ? null : (Exchange ?? null);
  const inBoth = (amount: Decimal): Omit<ErpEntryLine, 'account'> =>
    rate
      ? { ...sides(amount.times(rate).toDecimalPlaces(0)), currency, currencyAmount: amount }
      : sides(amount);
  const items = invoice.Lines.map((line) => ({
    account: line.Account,
    ...inBoth(line.Amount),
    ...dimensionsOf(line, settings),
  }));
  const owed = sum(items.map(({ debit, credit }) => debit.minus(credit))).negated();
  return {
    reference: { id: invoiceReference(ID), ...(number === '' ? {} : { number }) },
    key: invoice.Reference,
    state: 'draft',
    postingDate: invoice.InvoiceDate.slice(0, 10),
    lines: [
      {
        account: settings.subledger.suppliers[0] ?? '',
        ...inBoth(invoice.Amount.negated()),
        ...sides(owed),
        counterparty: partyNumber(invoice.Vendor),
      },
      ...items,
    ],
  };
}

const INVOICE = 'invoice/';

export function invoiceReference(id: number): string {
  return `${INVOICE}${String(id)}`;
}

/** null: a voucher. */
export function invoiceIdOf(reference: string): number | null {
  const id = reference.startsWith(INVOICE) ? reference.slice(INVOICE.length) : '';
  return /^\d{1,12}$/.test(id) ? Number(id) : null;
}
