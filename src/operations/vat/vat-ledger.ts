// What the journals of a period say about VAT, per code: turnover and tax, out and in. Reckoned from the lines as they were
// booked, never from the documents again, so that it is what the books say.
import { Decimal, ZERO } from '../../domain/money.js';
import type { JournalJson } from '../../domain/journal-json.js';
import type { TenantRules } from '../../pipeline/mapping/rules.js';

export const VAT_SIDES = ['sale', 'purchase', 'reverse-charge'] as const;
export type VatSide = (typeof VAT_SIDES)[number];

/** Boxes of the Icelandic return (RSK 10.01) that turnover goes into; outside: not reported at all (article 2). */
export type TurnoverBox = 'A' | 'B' | 'C' | 'outside' | 'none';

export interface VatAmounts {
  readonly code: string;
  readonly side: VatSide;
  readonly box: TurnoverBox;
  /** Without VAT; plus is a sale, or a purchase. */
  readonly base: Decimal;
  /** Owed on a sale, deducted on a purchase. */
  readonly vat: Decimal;
  /** Of a reverse charge: what is owed, beside what is deducted. */
  readonly owed: Decimal;
}

type Line = JournalJson['lines'][number];
type Rules = Pick<TenantRules, 'vat'>;

/** One row a code and side that the journal has. */
export function vatOfJournal(journal: JournalJson, rules: Rules): VatAmounts[] {
  const rows = new Map<string, VatAmounts>();
  for (const line of journal.lines) {
    const found = amountsOf(line, rules);
    if (found === null) continue;
    const key = `${found.side} ${found.code}`;
    const known = rows.get(key);
    rows.set(key, known ? added(known, found) : found);
  }
  return [...rows.values()];
}

export function added(one: VatAmounts, other: VatAmounts): VatAmounts {
  return {
    ...one,
    base: one.base.plus(other.base),
    vat: one.vat.plus(other.vat),
    owed: one.owed.plus(other.owed),
  };
}

function amountsOf(line: Line, rules: Rules): VatAmounts | null {
  const { vatCode: code } = line;
  if (code === undefined) return null;
  const debit = new Decimal(line.debit).minus(line.credit);
  const based = new Decimal(line.vatBase ?? 0).times(debit.isNegative() ? -1 : 1);
  const row = (side: VatSide, base: Decimal, vat: Decimal, owed = ZERO): VatAmounts => ({
    code,
    side,
    box: side === 'sale' ? boxOf(code, rules) : 'none',
    base,
    vat,
    owed,
  });
  switch (line.role) {
    case 'revenue':
    case 'residual':
      // Where the ERP splits VAT by code, the line is gross and says its own base.
      return line.vatBase === undefined
        ? row('sale', debit.neg(), ZERO)
        : row('sale', based.neg(), debit.minus(based).neg());
    case 'vat-out':
      return row('sale', ZERO, debit.neg());
    case 'vat-in':
      return row('purchase', based, debit);
    case 'reverse-charge-in':
      return row('reverse-charge', ZERO, debit);
    case 'reverse-charge-out':
      return row('reverse-charge', based.neg(), ZERO, debit.neg());
    case 'expense':
      return line.vatBase === undefined
        ? null
        : row('purchase', based, deductible(code, rules, debit.minus(based)));
    default:
      return null;
  }
}

/** On a gross line the code alone tells what comes back. */
function deductible(code: string, { vat }: Rules, amount: Decimal): Decimal {
  return Object.values(vat.inNonDeductible).includes(code) ? ZERO : amount;
}

function boxOf(code: string, { vat }: Rules): TurnoverBox {
  if (vat.outsideReturn?.includes(code)) return 'outside';
  if (vat.out.S === code) return 'A';
  return vat.out.AA === code ? 'B' : 'C';
}
