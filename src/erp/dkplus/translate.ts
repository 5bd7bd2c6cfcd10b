// Between our journal and dk's, without I/O. Debit is positive; every line carries the key as its reference, which is
// what an entry is found by.
import { type Decimal, ZERO } from '../../domain/decimal.js';
import type { Journal, JournalLine, JournalParty } from '../../domain/journal.js';
import { clipText } from '../clip-text.js';
import type { ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { headText, lineText } from '../line-text.js';
import { keyUndoneBy, REVERSAL_MARK } from '../mirror-journal.js';
import { partnerOfLine } from '../partner-directory.js';
import { TEXT_LENGTH_MAX } from './assumptions.js';
import type { DkPlusConfiguration } from './config.js';
import type { DkDimensionField, DkJournal, DkJournalLine, DkTransaction } from './wire.js';

export type DimensionSettings = Pick<DkPlusConfiguration, 'dim1' | 'dim2' | 'dim3'>;
export type TranslateSettings = Pick<DkPlusConfiguration, 'journalCode' | 'subledger'> & DimensionSettings;

/** dk's dimensions that are used, each with the name that the rules have for it. */
export function dimensionNames({
  dim1,
  dim2,
  dim3,
}: DimensionSettings): readonly [DkDimensionField, string][] {
  const all = [['Dim1', dim1] as const, ['Dim2', dim2] as const, ['Dim3', dim3] as const];
  return all.flatMap(([field, name]) => (name === undefined ? [] : [[field, name]]));
}

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
