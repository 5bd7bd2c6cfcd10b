// Counts and sums, kept as decimals until they are shown.
import type { AccountLine, Tally, VatLine } from '../../certificate/certificate.js';
import { Decimal } from '../../domain/money.js';
import type { JournalJson } from '../../domain/journal-json.js';
import type { ErpEntry } from '../../erp/erp-adapter.js';

const ZERO = new Decimal(0);

/** Subject → how many, and how much. */
export class Tallies {
  readonly #bySubject = new Map<string, { count: number; sum: Decimal }>();

  add(subject: string, amount: Decimal | string): void {
    const known = this.#bySubject.get(subject) ?? { count: 0, sum: ZERO };
    this.#bySubject.set(subject, { count: known.count + 1, sum: known.sum.plus(amount) });
  }

  get(subject: string): Tally {
    const { count, sum } = this.#bySubject.get(subject) ?? { count: 0, sum: ZERO };
    return { count, sum: sum.toFixed() };
  }

  subjects(): string[] {
    return [...this.#bySubject.keys()];
  }
}

interface VatCoded {
  readonly vatCode?: string;
  readonly debit: Decimal | string;
  readonly credit: Decimal | string;
}

interface Sides {
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly lines: number;
}

/** Account or VAT code → both sides. */
export class Ledger {
  readonly #sides = new Map<string, Sides>();

  add(name: string, debit: Decimal | string, credit: Decimal | string): void {
    const known = this.#sides.get(name) ?? { debit: ZERO, credit: ZERO, lines: 0 };
    this.#sides.set(name, {
      debit: known.debit.plus(debit),
      credit: known.credit.plus(credit),
      lines: known.lines + 1,
    });
  }

  addJournal({ lines }: Pick<JournalJson, 'lines'>): void {
    for (const { account, debit, credit } of lines) this.add(account, debit, credit);
  }

  addEntry({ lines }: ErpEntry): void {
    for (const { account, debit, credit } of lines) this.add(account, debit, credit);
  }

  /** By VAT code instead of account; lines without one are left aside. */
  addVat(lines: readonly VatCoded[]): void {
    for (const { vatCode, debit, credit } of lines)
      if (vatCode !== undefined) this.add(vatCode, debit, credit);
  }

  names(): string[] {
    return [...this.#sides.keys()];
  }

  sides(name: string): { readonly debit: string; readonly credit: string } {
    const { debit, credit } = this.#sides.get(name) ?? { debit: ZERO, credit: ZERO };
    return { debit: debit.toFixed(), credit: credit.toFixed() };
  }

  lines(name: string): number {
    return this.#sides.get(name)?.lines ?? 0;
  }
}

/** `erp`: null where the ERP shows no VAT codes. */
export function compareVat(
  bridge: Ledger,
  erp: Ledger | null,
  ratesOf: (vatCode: string) => readonly string[],
): VatLine[] {
  return compareAccounts(bridge, erp).map(({ account: vatCode, bridge: ours, erp: theirs, agrees }) => ({
    ...{ vatCode, rates: ratesOf(vatCode), lines: bridge.lines(vatCode), ...ours, erp: theirs, agrees },
  }));
}

/** An ERP may hold a line of an account as two, or net both sides: what counts is the balance. */
export function compareAccounts(bridge: Ledger, erp: Ledger | null): AccountLine[] {
  const names = [...new Set([...bridge.names(), ...(erp?.names() ?? [])])].sort();
  return names.map((account) => {
    const ours = bridge.sides(account);
    const theirs = erp?.sides(account) ?? null;
    const agrees = theirs === null || balance(ours).equals(balance(theirs));
    return { account, bridge: ours, erp: theirs, agrees };
  });
}

function balance({ debit, credit }: { readonly debit: string; readonly credit: string }): Decimal {
  return new Decimal(debit).minus(credit);
}
