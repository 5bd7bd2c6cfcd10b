// Costs as supplier invoices that people in dk approve and book, where the settings ask for them. Between our journal and dk's invoice,
// without I/O: the reference of the invoice and of its lines is the key.
import { type Decimal, sum, ZERO } from '../../domain/decimal.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { clipText } from '../clip-text.js';
import type { Attachment, ErpEntry, ErpEntryLine } from '../erp-adapter.js';
import { headText, lineText } from '../line-text.js';
import { owedOn } from '../owed-line.js';
import { partyNumber } from '../party-key.js';
import { INVOICE_LINE_TYPE, INVOICE_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from './assumptions.js';
import type { DkPlusConfiguration } from './config.js';
import { isWholeInCurrency } from './exchange-rates.js';
import { dimensionFields, dimensionsOf, midnight, sides } from './translate.js';
import type { DkInvoice } from './wire.js';

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
