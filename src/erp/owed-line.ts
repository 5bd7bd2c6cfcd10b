// Which journals an ERP can hold as an invoice, a bill or a credit note of its own: one line of what is owed, by one party, and items
// against it. Everything else (payments, costs that were paid at once, releases, journals of a day, reversals) is a plain entry.
import type { Journal, JournalLine, LineRole } from '../domain/journal.js';

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
