// Between our journal and Odoo's entry, without I/O. Everything that Odoo knows by number has been looked up already.
import { type Decimal, ZERO } from '../../domain/money.js';
import { isGross, type Journal, type JournalLine, type JournalParty } from '../../domain/journal.js';
import { clipText, numbered } from '../line-text.js';
import type { ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { owedOn } from '../owed-line.js';
import { partyNumber } from '../partner-directory.js';
import { EXTERNAL_ID_START, NO_TAXES, OWED, TEXT_LENGTH_MAX } from './settings.js';
import type { OdooLine, OdooMove, OdooPlanAccount } from './wire.js';

/** Where entries go, and invoices and bills where these are wanted. */
export interface OdooJournals {
  readonly entries: number;
  readonly sales: number;
  readonly purchases: number;
}

/** Odoo's numbers for the names in a journal. */
export interface OdooNumbers {
  readonly journals: OdooJournals;
  readonly accounts: ReadonlyMap<string, number>;
  readonly currencies: ReadonlyMap<string, number>;
  /** By kennitala. */
  readonly partners: ReadonlyMap<string, number>;
  /** By `dimension=value`. */
  readonly analyticAccounts: ReadonlyMap<string, number>;
  /** By VAT code; empty where VAT has lines of its own. */
  readonly taxes: ReadonlyMap<string, number>;
}

export interface OdooEntryValues {
  readonly move_type: 'entry';
  readonly journal_id: number;
  readonly date: string;
  readonly ref: string;
  readonly reversed_entry_id?: number;
  readonly line_ids: readonly (readonly [0, 0, OdooLineValues])[];
}

export interface OdooLineValues {
  readonly account_id: number;
  readonly name: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly partner_id?: number;
  readonly currency_id?: number;
  readonly amount_currency?: Decimal;
  readonly date_maturity?: string;
  readonly analytic_distribution?: Readonly<Record<string, number>>;
  readonly tax_ids: readonly [readonly [6, 0, readonly number[]]];
}

export function toEntryValues(
  key: string,
  journal: Journal,
  numbers: OdooNumbers,
  reversedId?: number,
): OdooEntryValues {
  return {
    move_type: 'entry',
    journal_id: numbers.journals.entries,
    date: journal.postingDate,
    ref: key,
    ...(reversedId === undefined ? {} : { reversed_entry_id: reversedId }),
    line_ids: journal.lines.map((line) => [0, 0, toLineValues(journal, line, numbers)]),
  };
}

function toLineValues(journal: Journal, line: JournalLine, numbers: OdooNumbers): OdooLineValues {
  const partner = line.counterparty === undefined ? undefined : partyNumber(line.counterparty);
  return {
    account_id: known(numbers.accounts, line.account),
    name: describedAs(journal, line),
    ...netOf(line),
    ...(partner === undefined ? {} : { partner_id: known(numbers.partners, partner) }),
    ...currencyOf(line, numbers),
    ...(line.dueDate === undefined ? {} : { date_maturity: line.dueDate }),
    ...distributionOf(line, numbers),
    tax_ids: taxesOf(line, numbers),
  };
}

export function describedAs(journal: Journal, line: JournalLine): string {
  return clipText(numbered(journal.documentNo, line.text), TEXT_LENGTH_MAX);
}

/** Odoo adds VAT to what it is given, so it is given what is left without. */
export function netOf(line: JournalLine): Pick<JournalLine, 'debit' | 'credit'> {
  const { debit, credit, vatBase } = line;
  if (!isGross(line) || vatBase === undefined) return { debit, credit };
  return debit.isZero() ? { debit: ZERO, credit: vatBase } : { debit: vatBase, credit: ZERO };
}

export function taxesOf({ vatCode }: JournalLine, { taxes }: OdooNumbers): OdooLineValues['tax_ids'] {
  return vatCode === undefined || taxes.size === 0 ? NO_TAXES : [[6, 0, [known(taxes, vatCode)]]];
}

/** A line worth ISK but nothing in the currency must carry none: Odoo refuses a sign that it cannot derive. */
export function withoutEmptyCurrencies(journal: Journal): Journal {
  return { ...journal, lines: journal.lines.map((line) => (hasCurrency(line) ? line : inKronur(line))) };
}

function hasCurrency(line: JournalLine): boolean {
  return line.currency !== undefined && line.currencyAmount !== undefined && !line.currencyAmount.isZero();
}

function inKronur(line: JournalLine): JournalLine {
  const { currency: _currency, currencyAmount: _amount, ...rest } = line;
  return rest;
}

function currencyOf(line: JournalLine, numbers: OdooNumbers) {
  const { currency, currencyAmount } = line;
  if (currency === undefined || currency === 'ISK' || !currencyAmount) return {};
  return {
    currency_id: known(numbers.currencies, currency),
    amount_currency: netInCurrency(line, currencyAmount),
  };
}

function netInCurrency(line: JournalLine, gross: Decimal): Decimal {
  if (!isGross(line) || line.vatBase === undefined) return gross;
  return gross.times(line.vatBase).div(line.debit.plus(line.credit)).toDecimalPlaces(gross.decimalPlaces());
}

export function distributionOf(line: JournalLine, numbers: OdooNumbers) {
  const ids = Object.entries(line.dimensions ?? {}).map(([name, value]) =>
    known(numbers.analyticAccounts, `${name}=${value}`),
  );
  if (ids.length === 0) return {};
  // One key of several plans' accounts: the whole line belongs to each of them.
  return { analytic_distribution: { [ids.sort((a, b) => a - b).join(',')]: 100 } };
}

export function known(numbers: ReadonlyMap<string, number>, name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new RangeError(`"${name}" was not looked up before it was translated.`);
  return number;
}

/** The names for Odoo's numbers, the other way round. */
export interface OdooNames {
  readonly accounts: ReadonlyMap<number, string>;
  readonly currencies: ReadonlyMap<number, string>;
  readonly partners: ReadonlyMap<number, string>;
  readonly analyticAccounts: ReadonlyMap<number, { readonly dimension: string; readonly value: string }>;
}

export function toEntry(
  move: OdooMove,
  lines: readonly OdooLine[],
  names: OdooNames,
  wasReversed: boolean,
): ErpEntry {
  const isNumbered = move.name !== '' && move.name !== '/';
  return {
    reference: { id: String(move.id), ...(isNumbered ? { number: move.name } : {}) },
    key: move.ref,
    state: move.state === 'posted' ? 'posted' : 'draft',
    postingDate: move.date,
    lines: lines.map((line) => toEntryLine(line, names, move.move_type)),
    ...(wasReversed || move.reversed_entry_id !== undefined ? { reversed: true } : {}),
  };
}

function toEntryLine(line: OdooLine, names: OdooNames, moveType: string): ErpEntryLine {
  const currency = line.currency_id === undefined ? undefined : names.currencies.get(line.currency_id);
  // Every line of an invoice has its partner; the one that is owed is the one that counts.
  const isOwed = moveType === 'entry' || line.display_type === OWED;
  const counterparty =
    line.partner_id === undefined || !isOwed ? undefined : names.partners.get(line.partner_id);
  const isForeign = currency !== undefined && currency !== 'ISK' && !line.amount_currency.isZero();
  const dimensions = dimensionsOf(line, names);
  return {
    account: (line.account_id === undefined ? undefined : names.accounts.get(line.account_id)) ?? '?',
    debit: line.debit,
    credit: line.credit,
    ...(isForeign ? { currency, currencyAmount: line.amount_currency } : {}),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

function dimensionsOf(line: OdooLine, names: OdooNames): Record<string, string> {
  const distribution = line.analytic_distribution;
  if (!distribution) return {};
  const dimensions: Record<string, string> = {};
  for (const key of Object.keys(distribution)) {
    for (const id of key.split(',')) {
      const account = names.analyticAccounts.get(Number(id));
      if (account) dimensions[account.dimension] = account.value;
    }
  }
  return dimensions;
}

/** An analytic account is known by its code, or by its name where it has none. */
export function valueOf(account: OdooPlanAccount): string {
  return account.code || account.name;
}

/** Arguments of `load`: names of columns and one row of texts. */
export type OdooImport = Readonly<
  Record<'fields', readonly string[]> & Record<'data', readonly (readonly string[])[]>
>;

export function toPartnerImport(party: JournalParty): OdooImport {
  const number = partyNumber(party.kennitala);
  const columns: Record<string, string | undefined> = {
    id: externalIdOf(number),
    name: party.name,
    company_registry: number,
    is_company: isCompany(number) ? '1' : '0',
    street: party.address,
    zip: party.zip,
    city: party.city,
    email: party.email,
  };
  const present = Object.entries(columns).filter((column): column is [string, string] => Boolean(column[1]));
  return { fields: present.map(([name]) => name), data: [present.map(([, value]) => value)] };
}

/** One per number: whatever is no letter or digit is spelled out, so that two numbers never become the same. */
export function externalIdOf(kennitala: string): string {
  const name = partyNumber(kennitala).replace(
    /[^A-Za-z0-9]/gu,
    (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`,
  );
  return EXTERNAL_ID_START + name;
}

/** The first digit of a company's kennitala is raised by four (the day of its registration plus forty). */
function isCompany(kennitala: string): boolean {
  return /^[4-7]\d{9}$/.test(kennitala);
}

// Invoices, bills and credit notes of Odoo's own. Everything else (payments, costs that were paid at once, releases, journals of a day,
// reversals) stays a plain entry, and so does a document in another currency: Odoo would reckon its krónur by a rate of its own.

export type OdooDocumentType = 'out_invoice' | 'out_refund' | 'in_invoice' | 'in_refund';

export interface OdooDocumentValues {
  readonly move_type: OdooDocumentType;
  readonly journal_id: number;
  readonly partner_id: number;
  readonly date: string;
  readonly invoice_date: string;
  readonly invoice_date_due: string;
  /** Otherwise the term of the partner would replace the due date. */
  readonly invoice_payment_term_id: false;
  readonly ref: string;
  /** The number that people know it by. */
  readonly payment_reference: string;
  /** The guid at the source, by which payments and credit notes find it. */
  readonly invoice_origin: string;
  readonly invoice_line_ids: readonly (readonly [0, 0, OdooItemValues])[];
}

interface OdooItemValues extends Pick<
  OdooLineValues,
  'account_id' | 'name' | 'analytic_distribution' | 'tax_ids'
> {
  readonly quantity: 1;
  readonly price_unit: Decimal;
}

/** Odoo reckons the krónur of a foreign document by a rate of its own, so that one stays an entry. */
export function owedInKronur(journal: Journal): JournalLine | null {
  return journal.currency === 'ISK' ? owedOn(journal) : null;
}

function typeOf({ role, debit }: JournalLine): OdooDocumentType {
  const isDebit = !debit.isZero();
  if (role === 'receivable') return isDebit ? 'out_invoice' : 'out_refund';
  return isDebit ? 'in_refund' : 'in_invoice';
}

export function toDocumentValues(
  key: string,
  journal: Journal,
  owed: JournalLine,
  numbers: OdooNumbers,
): OdooDocumentValues {
  const isSale = owed.role === 'receivable';
  const isOwedToUs = !owed.debit.isZero();
  return {
    move_type: typeOf(owed),
    journal_id: isSale ? numbers.journals.sales : numbers.journals.purchases,
    partner_id: known(numbers.partners, partyNumber(owed.counterparty ?? '')),
    date: journal.postingDate,
    // The date of a sale is its invoice date, whatever else it is given.
    invoice_date: isSale ? journal.postingDate : journal.documentDate,
    invoice_date_due: owed.dueDate ?? journal.dueDate ?? journal.documentDate,
    invoice_payment_term_id: false,
    ref: key,
    payment_reference: journal.documentNo,
    invoice_origin: journal.externalReference,
    invoice_line_ids: journal.lines
      .filter((line) => line !== owed)
      .map((line) => [0, 0, itemOf(journal, line, isOwedToUs, numbers)]),
  };
}

function itemOf(
  journal: Journal,
  line: JournalLine,
  isOwedToUs: boolean,
  numbers: OdooNumbers,
): OdooItemValues {
  const { debit, credit } = netOf(line);
  return {
    account_id: known(numbers.accounts, line.account),
    name: describedAs(journal, line),
    quantity: 1,
    price_unit: isOwedToUs ? credit.minus(debit) : debit.minus(credit),
    ...distributionOf(line, numbers),
    tax_ids: taxesOf(line, numbers),
  };
}
