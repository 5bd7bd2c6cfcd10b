// Which journals an ERP can hold as an invoice, a bill or a credit note of its own: one line of what is owed, by one party, and items
// against it. Everything else (payments, costs that were paid at once, releases, journals of a day, reversals) is a plain entry.
import type { Journal, JournalLine, LineRole } from '../domain/journal.js';
import type { Subledger } from './partner-directory.js';

const ITEM_ROLES: ReadonlySet<LineRole> = new Set([
  ...(['revenue', 'expense', 'residual', 'rounding'] as const),
  ...(['vat-out', 'vat-in', 'reverse-charge-in', 'reverse-charge-out'] as const),
]);

/** The line of what is owed, where the journal is one document with one party. */
export function owedOn(journal: Journal): JournalLine | null {
  const owed = journal.lines.filter(({ role }) => role === 'receivable' || role === 'payable');
  const [line, another] = owed;
  if (!line || another || line.counterparty === undefined) return null;
  return journal.lines.every((each) => each === line || ITEM_ROLES.has(each.role)) ? line : null;
}

/** How an ERP whose own documents have a currency, and whose plain entries have none, is to keep the books. */
export interface DocumentSettings {
  readonly books: 'journals' | 'documents';
  readonly foreignDocuments: 'in-isk' | 'in-currency' | 'refuse';
  readonly subledger: Subledger;
}

/** The line that is owed, where the settings make this journal an invoice, a bill or a credit note of the ERP's own. */
export function owedAsDocument(journal: Journal, settings: DocumentSettings): JournalLine | null {
  const owed = settings.books === 'documents' ? owedOn(journal) : null;
  if (!owed || controlAccount(owed.role === 'receivable', settings) !== owed.account) return null;
  const isLost = isInCurrency(journal, settings) && !journal.lines.every(hasPlaceInCurrency);
  return isLost ? null : owed;
}

export function isInCurrency(
  { currency }: Pick<Journal, 'currency'>,
  { foreignDocuments }: Pick<DocumentSettings, 'foreignDocuments'>,
): boolean {
  return currency !== 'ISK' && foreignDocuments === 'in-currency';
}

/** The account of the rules that the ERP's own receivables, or payables, stand for. */
export function controlAccount(isSale: boolean, { subledger }: Pick<DocumentSettings, 'subledger'>): string {
  return (isSale ? subledger.customers : subledger.suppliers)[0] ?? '';
}

/** What evens out our own rounding is reckoned anew by the ERP; anything else in krónur alone would be lost. */
function hasPlaceInCurrency({ currencyAmount, role }: JournalLine): boolean {
  return currencyAmount !== undefined || role === 'rounding';
}
