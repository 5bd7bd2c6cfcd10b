// A credit note for an invoice of a prior period: what it takes back was income of that period, and is shown apart.
import type { SourceInvoice } from '../../domain/source-document.js';
import { message } from '../../language/messages.js';
import type { MappingContext } from './context.js';
import type { RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';

export function priorPeriodAccount(
  { type, issueDate }: SourceInvoice,
  { original }: MappingContext,
  { rules }: RuleBook,
): Because | null {
  const rule = rules.invoice.priorPeriodCredit;
  const issued = original?.issueDate;
  if (rule === undefined || type !== 'credit' || issued === undefined) return null;
  const isPrior = {
    month: issued.slice(0, 7) < issueDate.slice(0, 7),
    year: issued.slice(0, 4) < issueDate.slice(0, 4),
    locked: issued <= (rules.period.lockedUntil ?? ''),
  };
  if (!isPrior[rule.period ?? 'year']) return null;
  const why = message('PRIOR_PERIOD', { issued });
  return because('account', rule.account, 'invoice.priorPeriodCredit.account', why);
}
