// A journal line on its way: one signed amount, plus is debit, with the reasons for its account, code and dimensions.
// It gets its two sides, and its number in the trace, when the journal is made.
import { ZERO, type Decimal } from '../../domain/decimal.js';
import type { JournalLine, LineRole } from '../../domain/journal.js';
import { isAboveZero, isBelowZero } from '../../domain/money.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { Because, TraceEntry } from './trace.js';
import type { Treatment } from './vat-rates.js';

export interface DraftLine {
  readonly account: string;
  readonly role: LineRole;
  /** In the document's currency. */
  readonly amount: Decimal;
  /** On revenue, expense and VAT lines: what ties VAT to its base. */
  readonly treatment?: Treatment;
  readonly vatCode?: string;
  /** On gross lines that the ERP splits: the part without VAT. */
  readonly net?: Decimal;
  readonly counterparty?: string;
  readonly dueDate?: IsoDate;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly text: string;
  readonly because: readonly Because[];
}

export interface PricedLine {
  readonly draft: DraftLine;
  readonly isk: Decimal;
  /** Absent on ISK documents and on lines that exist in ISK only. */
  readonly currencyAmount?: Decimal;
  /** A magnitude, on the side of its line. */
  readonly vatBase?: Decimal;
}

/** `isMirrored`: a credit note books the other side of everything. */
export function toJournalLine(priced: PricedLine, currency: string, isMirrored: boolean): JournalLine {
  const { draft, vatBase } = priced;
  const isk = isMirrored ? priced.isk.neg() : priced.isk;
  const { currencyAmount } = priced;
  const { account, role, vatCode, counterparty, dueDate, dimensions, text } = draft;
  return {
    account,
    role,
    debit: isAboveZero(isk) ? isk : ZERO,
    credit: isBelowZero(isk) ? isk.neg() : ZERO,
    ...(currencyAmount === undefined
      ? {}
      : { currency, currencyAmount: isMirrored ? currencyAmount.neg() : currencyAmount }),
    ...(vatCode === undefined ? {} : { vatCode }),
    ...(vatBase === undefined ? {} : { vatBase: vatBase.abs() }),
    ...(counterparty === undefined || counterparty === '' ? {} : { counterparty }),
    ...(dueDate === undefined ? {} : { dueDate }),
    ...(dimensions === undefined || Object.keys(dimensions).length === 0 ? {} : { dimensions }),
    text,
  };
}

export function traceOf(journal: TraceEntry['journal'], lines: readonly PricedLine[]): TraceEntry[] {
  return lines.flatMap(({ draft }, line) => draft.because.map((entry) => ({ journal, line, ...entry })));
}

/** Largest first; of equals, by treatment and account, so that the order of lines on the document has no say. */
export function bySizeThenName(one: DraftLine, other: DraftLine): number {
  const bySize = other.amount.abs().comparedTo(one.amount.abs());
  if (bySize !== 0) return bySize;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

function nameOf({ treatment, account, vatCode }: DraftLine): string {
  return [treatment ?? '', account, vatCode ?? ''].join('|');
}
