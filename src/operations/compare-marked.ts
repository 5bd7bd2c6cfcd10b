// Is an entry that somebody booked by hand this document? Where the rules make a journal, the two are compared line by line. Where they
// make none, only the amount is: in the document's currency where the entry shows it, else in ISK at the document's rate.
import { BOOK_CURRENCY, amountText, isWithin, roundTo, Decimal, sum } from '../domain/money.js';
import type { Journal } from '../domain/journal.js';
import type { Message } from '../domain/message.js';
import type { SourceDocument } from '../domain/source-document.js';
import { entryDifferences, type ComparableCapabilities } from '../erp/compare-entry.js';
import type { ErpEntry, ErpHealth, Finding } from '../erp/erp-adapter.js';
import { message } from '../language/messages.js';
import type { MappingContext } from '../pipeline/mapping/context.js';
import { costRate, invoiceRate } from '../pipeline/mapping/exchange-rate.js';
import { isStop } from '../pipeline/mapping/outcome.js';
import { openRuleBook, type TenantRules } from '../pipeline/mapping/rules.js';
import { ublOf } from '../pipeline/mapping/ubl/read-ubl.js';
import { type Language, say } from '../language/say.js';

export interface Marked {
  readonly entry: ErpEntry;
  readonly document: SourceDocument;
  /** null when the rules make none (booked by hand for that reason). */
  readonly journal: Journal | null;
  readonly context: MappingContext;
  readonly rules: TenantRules;
  readonly capabilities: ComparableCapabilities;
}

export interface Compared {
  readonly differences: readonly Message[];
  /** A person may say that it is this document all the same: other accounts, or krónur at a rate of their own. */
  readonly isAcceptable: boolean;
}

const ROUNDING_ISK = new Decimal(1);

export function compareMarked(marked: Marked): Compared {
  const { journal, entry, document, capabilities } = marked;
  if (!journal) return compareAmounts(marked);
  const wanted = sum(journal.lines.map(({ debit }) => debit));
  return {
    differences: entryDifferences(journal, entry, capabilities),
    isAcceptable:
      holds(amountsInIsk(entry), wanted) || holds(amountsIn(document.currency, entry), document.amount),
  };
}

function compareAmounts(marked: Marked): Compared {
  const { entry, document } = marked;
  const { amount, currency } = document;
  const inIsk = amountsInIsk(entry);
  const own = currency === BOOK_CURRENCY ? inIsk : amountsIn(currency, entry);
  if (own.length > 0) {
    if (holds(own, amount)) return SAME;
    const sums = { entry: text(totalOf(own), currency), document: text(amount, currency) };
    return { differences: [message('SUMS_DIFFER', sums)], isAcceptable: false };
  }
  const rate = rateOf(marked);
  const wanted = rate && roundTo(amount.abs().times(rate), 0);
  if (wanted && inIsk.some((found) => isWithin(found, wanted, ROUNDING_ISK))) return SAME;
  const sums = {
    entry: text(totalOf(inIsk), BOOK_CURRENCY),
    document: text(amount, currency),
    ...(rate && wanted ? { isk: amountText(wanted), rate: amountText(rate) } : {}),
  };
  return { differences: [message('SUMS_NOT_COMPARED', sums)], isAcceptable: true };
}

const SAME: Compared = { differences: [], isAcceptable: true };

/** What the document would be booked at; null where nobody knows it, or it cannot be right. */
function rateOf({ document, context, rules }: Marked): Decimal | null {
  const known = { book: openRuleBook(rules), context };
  const exchange = document.kind === 'invoice' ? invoiceRate(document, known) : rateOfCost(document, known);
  return isStop(exchange) ? null : exchange.rate;
}

function rateOfCost(
  cost: Extract<SourceDocument, { kind: 'cost' }>,
  known: Parameters<typeof costRate>[3],
): ReturnType<typeof costRate> {
  const read = ublOf(cost);
  const ubl = read?.outcome === 'read' ? read.ubl : null;
  return costRate(cost.currency, cost.issueDate || (ubl?.issueDate ?? ''), ubl, known);
}

function holds(found: readonly Decimal[], wanted: Decimal): boolean {
  return found.some((amount) => amount.equals(wanted.abs()));
}

/** The whole of it first, then what stands on each line. */
function amountsInIsk({ lines }: ErpEntry): Decimal[] {
  return [sum(lines.map(({ debit }) => debit)), ...lines.flatMap(({ debit, credit }) => [debit, credit])];
}

/** The same in another currency; nothing where the entry does not show it. */
function amountsIn(currency: string, { lines }: ErpEntry): Decimal[] {
  const shown = lines.flatMap((line) => (line.currency === currency ? (line.currencyAmount ?? []) : []));
  const debits = sum(shown.filter((amount) => amount.gt(0)));
  return shown.length === 0 ? [] : [debits, ...shown.map((amount) => amount.abs())];
}

function totalOf([whole]: readonly Decimal[]): Decimal {
  return whole ?? sum([]);
}

function text(amount: Decimal, currency: string): string {
  return `${amount.toFixed()} ${currency}`;
}

// The wrong company: documents of one booked into the books of another are wrong in every line, and nothing else shows it.

type Healthy = Extract<ErpHealth, { outcome: 'healthy' }>;

/** The code of its finding: a plan with it is confirmed only when that is meant. */
export const OTHER_COMPANY = 'OTHER_COMPANY';

/** null: they are the same, or one of the two does not say. */
export function otherCompany(
  { company, registrationNo }: Healthy,
  sourceAccount: string,
  language: Language = 'en',
): Finding | null {
  const [books, documents] = [digitsOf(registrationNo ?? ''), digitsOf(sourceAccount)];
  if (books === '' || documents === '' || books === documents) return null;
  const said = message(OTHER_COMPANY, { company, books, documents });
  return {
    severity: 'error',
    message: say(language, said),
    said,
    remedy: say(language, message('CORRECT_THE_COMPANY')),
  };
}

/** Ten digits, however they are written; what is no kennitala is not compared. */
function digitsOf(number: string): string {
  const digits = number.replaceAll(/\D/g, '');
  return digits.length === 10 ? digits : '';
}
