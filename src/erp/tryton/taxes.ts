// Taxes of Tryton by the VAT codes of the rules, so that its tax report knows what was booked. A tax may have parts (a reverse charge
// is owed and deducted at once); each part has an account of its own, by which a line of VAT finds it. Pure.
import type { Decimal } from '../../domain/decimal.js';
import { isVatLine, type Journal, type JournalLine, type LineRole } from '../../domain/journal.js';
import type { Rejected } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import type { WireTax } from './invoice-wire.js';
import { decimal } from './wire.js';

export interface TrytonTax {
  readonly id: number;
  readonly name: string;
  readonly parts: readonly TaxPart[];
}

export interface TaxPart {
  readonly id: number;
  readonly invoiceAccount: number | null;
  readonly creditNoteAccount: number | null;
}

const SALES: ReadonlySet<LineRole> = new Set(['revenue', 'residual', 'vat-out']);
const TAXED: ReadonlySet<LineRole> = new Set(['revenue', 'residual', 'expense']);

type Taxes = ReadonlyMap<string, TrytonTax>;
type Accounts = ReadonlyMap<string, { readonly id: number }>;

/** VAT code → tax, for the names in the configuration. A name that is not there, or there twice, is refused. */
export function taxesByCode(
  wanted: Readonly<Record<string, string>>,
  known: readonly WireTax[],
): { readonly outcome: 'ok'; readonly value: Taxes } | Rejected {
  const taxes = new Map<string, TrytonTax>();
  for (const [code, name] of Object.entries(wanted)) {
    const [tax, another] = known.filter((each) => each.name === name && each.parent === null);
    if (!tax || another) {
      const about = { system: 'Tryton', name, vatCode: code };
      const words = tax ? told('TAX_NAME_AMBIGUOUS', about) : told('TAX_NAME_LACKING', about);
      return rejected('unknown-vat-code', words, { vatCode: code });
    }
    taxes.set(code, { id: tax.id, name, parts: partsOf(tax, known) });
  }
  return { outcome: 'ok', value: taxes };
}

function partsOf(tax: WireTax, known: readonly WireTax[]): TaxPart[] {
  const children = known.filter(({ parent }) => parent === tax.id);
  const { id, type, invoice_account: invoiceAccount, credit_note_account: creditNoteAccount } = tax;
  const own = type === 'none' ? [] : [{ id, invoiceAccount, creditNoteAccount }];
  return [...own, ...children.flatMap((child) => partsOf(child, known))];
}

/** What a line comes to in the sense of its side: sales plus when credit, everything else plus when debit. */
export function sidedAmount({ role, debit, credit }: JournalLine): Decimal {
  return SALES.has(role) ? credit.minus(debit) : debit.minus(credit);
}

export function taxOf({ vatCode, role }: JournalLine, taxes: Taxes): TrytonTax | undefined {
  return TAXED.has(role) && vatCode !== undefined ? taxes.get(vatCode) : undefined;
}

/** The part of its tax that a line of VAT is, by the account that it goes to. */
export function partOf(line: JournalLine, taxes: Taxes, accounts: Accounts): TaxPart | undefined {
  const tax = line.vatCode === undefined ? undefined : taxes.get(line.vatCode);
  const account = accounts.get(line.account)?.id;
  const isCredited = isOwed(line) ? line.credit.isZero() : line.debit.isZero();
  return tax?.parts.find((part) => accountOf(part, isCredited) === account);
}

export function accountOf(
  { invoiceAccount, creditNoteAccount }: TaxPart,
  isCredited: boolean,
): number | null {
  return isCredited ? creditNoteAccount : invoiceAccount;
}

function isOwed({ role }: JournalLine): boolean {
  return role === 'vat-out' || role === 'reverse-charge-out';
}

/** A VAT line on another account than its tax has in Tryton: its report and the books would not agree. */
export function taxRefusal({ lines }: Journal, taxes: Taxes, accounts: Accounts): Rejected | null {
  for (const line of lines.filter(isVatLine)) {
    const tax = line.vatCode === undefined ? undefined : taxes.get(line.vatCode);
    if (!tax || partOf(line, taxes, accounts)) continue;
    const { account, vatCode = '' } = line;
    const words = told('TAX_ON_OTHER_ACCOUNT', { name: tax.name, account, vatCode });
    return rejected('unknown-vat-code', words, { account, vatCode });
  }
  return null;
}

/** `tax_lines` of a line of a plain move, from which Tryton's tax report is made. */
export function taxLinesOf(line: JournalLine, taxes: Taxes, accounts: Accounts): Record<string, unknown> {
  const amount = decimal(sidedAmount(line));
  const part = isVatLine(line) ? partOf(line, taxes, accounts) : undefined;
  const made = part
    ? [{ amount, type: 'tax', tax: part.id }]
    : (taxOf(line, taxes)?.parts ?? []).map(({ id }) => ({ amount, type: 'base', tax: id }));
  return made.length === 0 ? {} : { tax_lines: [['create', made]] };
}
