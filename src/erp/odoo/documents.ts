// Which journals are invoices, bills and credit notes of Odoo's own, and how they are written; without I/O. Everything else (payments,
// costs that were paid at once, releases, journals of a day, reversals) stays a plain entry, and so does a document in another
// currency: Odoo would reckon its krónur by a rate of its own.
import type { Decimal } from '../../domain/decimal.js';
import type { Journal, JournalLine } from '../../domain/journal.js';
import { owedOn } from '../owed-line.js';
import { partyNumber } from '../party-key.js';
import {
  describedAs,
  distributionOf,
  known,
  netOf,
  type OdooLineValues,
  type OdooNumbers,
  taxesOf,
} from './translate.js';

export type OdooDocumentType = 'out_invoice' | 'out_refund' | 'in_invoice' | 'in_refund';

export interface OdooDocumentValues {
  readonly move_type: OdooDocumentType;
  readonly journal_id: number;
  readonly partner_id: number;
  readonly date: string;
  readonly invoice_date: string;
  readonly invoice_date_due: string;
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
