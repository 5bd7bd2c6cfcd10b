// A journal line on its way: one signed amount, plus is debit, with the reasons for its account, code and dimensions.
// It gets its two sides, and its number in the trace, when the journal is made.
import { ZERO, type Decimal } from '../../domain/decimal.js';
import type { JournalLine, LineRole } from '../../domain/journal.js';
import { isAboveZero, isBelowZero } from '../../domain/money.js';
import type { IsoDate } from '../../domain/source-document.js';
import { type Because, type TraceEntry, warning } from './outcome.js';
import type { Treatment } from './vat-rates.js';
import type { Message } from '../../domain/message.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';

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
  /** Waits for other months; `amount` where the line holds more than what is released. */
  readonly spread?: {
    readonly account: string;
    readonly days: readonly IsoDate[];
    readonly amount?: Decimal;
  };
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
  /** A magnitude; only where the ERP reckons VAT. */
  readonly reverseVat?: Decimal;
}

type Unfinished<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** `isMirrored`: a credit note books the other side of everything. */
export function toJournalLine(priced: PricedLine, currency: string, isMirrored: boolean): JournalLine {
  const { draft, vatBase, reverseVat, currencyAmount } = priced;
  const { vatCode, counterparty, dueDate, dimensions, spread } = draft;
  const isk = isMirrored ? priced.isk.neg() : priced.isk;
  const line: Unfinished<JournalLine> = {
    account: draft.account,
    role: draft.role,
    debit: isAboveZero(isk) ? isk : ZERO,
    credit: isBelowZero(isk) ? isk.neg() : ZERO,
    text: draft.text,
  };
  // Assigned one by one: this runs for every line of every document, and spreading costs more than all the rest of it.
  if (currencyAmount !== undefined) {
    line.currency = currency;
    line.currencyAmount = isMirrored ? currencyAmount.neg() : currencyAmount;
  }
  if (vatCode !== undefined) line.vatCode = vatCode;
  if (vatBase !== undefined) line.vatBase = vatBase.abs();
  if (reverseVat !== undefined) line.reverseVat = reverseVat.abs();
  if (counterparty !== undefined && counterparty !== '') line.counterparty = counterparty;
  if (dueDate !== undefined) line.dueDate = dueDate;
  if (dimensions !== undefined && Object.keys(dimensions).length > 0) line.dimensions = dimensions;
  if (spread !== undefined) {
    // Where the ERP takes VAT out of the line, what waits is the rest of it.
    const amount = (spread.amount ?? vatBase ?? isk).abs();
    line.release = { account: spread.account, amount, days: spread.days };
  }
  return line;
}

export function traceOf(journal: TraceEntry['journal'], lines: readonly PricedLine[]): TraceEntry[] {
  return lines.flatMap(({ draft }, line) =>
    draft.because.map(({ field, value, rule, why }) => ({ journal, line, field, value, rule, why })),
  );
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

// The kennitala of the other side. Neither its shape nor its check digit stops a document: both are warnings.

export interface CheckedKennitala {
  /** Ten digits where it has the shape, else as it came. */
  readonly kennitala: string;
  readonly warnings: readonly Message[];
}

/** `isNeeded`: a receivable or payable line stands on it, so that a missing one deserves a warning too. */
export function checkKennitala(written: string, isNeeded: boolean): CheckedKennitala {
  const plain = plainKennitala(written);
  const read = readKennitala(plain);
  if (!read.format) {
    const isWorthSaying = plain !== '' || isNeeded;
    return {
      kennitala: plain,
      warnings: isWorthSaying ? [warning('KENNITALA_FORMAT', { written: written.trim() })] : [],
    };
  }
  return {
    kennitala: read.digits,
    warnings: read.checksum ? [] : [warning('KENNITALA_CHECKSUM', { kennitala: read.digits })],
  };
}
