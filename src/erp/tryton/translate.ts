// Between journals and Tryton's moves: pure.
import { isVatLine, type Journal, type JournalLine } from '../../domain/journal.js';
import { isPostingKey, isTrialKey } from '../../domain/posting-key.js';
import { clipText, headText } from '../line-text.js';
import type { ErpEntry, ErpEntryLine, ErpReference } from '../erp-adapter.js';
import { partyNumber } from '../partner-directory.js';
import {
  accountOf,
  kennitalaOf,
  partOf,
  taxLinesOf,
  taxOf,
  type TaxPart,
  type TrytonSetup,
  type TrytonTax,
} from './facts.js';
import { date, decimal, type WireLine, type WireMove } from './wire.js';
import { type Decimal, sum } from '../../domain/money.js';
import { owedOn } from '../owed-line.js';
import type { WireInvoice, WireItem } from './invoices.js';

export const DESCRIPTION_LENGTH_MAX = 250;

export interface MoveContext {
  readonly setup: TrytonSetup;
  readonly periodId: number;
  /** Kennitala → id of the party. */
  readonly parties: ReadonlyMap<string, number>;
  /** The move that this one reverses; a reversal stays in its journal. */
  readonly reverses?: {
    readonly id: string;
    readonly journal: number;
    readonly lines: readonly WireLine[];
  };
}

/** The values of account.move, with its lines. The key comes first in the description, which is never edited once posted. */
export function toMove(key: string, journal: Journal, context: MoveContext): Record<string, unknown> {
  const { setup, periodId, reverses } = context;
  return {
    company: setup.company.id,
    journal: reverses?.journal ?? journalOf(journal, setup),
    period: periodId,
    date: date(journal.postingDate),
    description: describedAs(key, journal),
    ...(reverses === undefined ? {} : { origin: `account.move,${reverses.id}` }),
    lines: [
      [
        'create',
        journal.lines.map((line, index) => ({
          ...toLine(line, journal, context),
          ...taxLines(line, index, context),
        })),
      ],
    ],
  };
}

export function describedAs(key: string, journal: Journal): string {
  return clipText(`${key} ${headText(journal)}`, DESCRIPTION_LENGTH_MAX);
}

function journalOf(journal: Journal, setup: TrytonSetup): number {
  const party = journal.party ?? journal.parties?.[0];
  return party?.kind === 'supplier' ? setup.purchaseJournal : setup.salesJournal;
}

function toLine(line: JournalLine, journal: Journal, context: MoveContext): Record<string, unknown> {
  const { setup, parties } = context;
  const party = line.counterparty === undefined ? undefined : parties.get(partyNumber(line.counterparty));
  const currency = foreignCurrency(line, setup);
  const analytic = Object.entries(line.dimensions ?? {}).map(([name, value]) => ({
    account: setup.axes.get(name)?.values.get(value),
    debit: decimal(line.debit),
    credit: decimal(line.credit),
    date: date(journal.postingDate),
  }));
  return {
    account: setup.accounts.get(line.account)?.id,
    debit: decimal(line.debit),
    credit: decimal(line.credit),
    description: clipText(line.text, DESCRIPTION_LENGTH_MAX),
    ...(party === undefined ? {} : { party }),
    ...(party === undefined || line.dueDate === undefined ? {} : { maturity_date: date(line.dueDate) }),
    ...(currency === undefined || line.currencyAmount === undefined
      ? {}
      : {
          second_currency: setup.currencies.get(currency),
          amount_second_currency: decimal(line.currencyAmount),
        }),
    ...(analytic.length === 0 ? {} : { analytic_lines: [['create', analytic]] }),
  };
}

/** A reversal takes out of the tax report what its original put there. */
function taxLines(
  line: JournalLine,
  index: number,
  { setup, reverses }: MoveContext,
): Record<string, unknown> {
  if (reverses === undefined) return taxLinesOf(line, setup.taxes, setup.accounts);
  const original = reverses.lines[index];
  const isSame = original?.debit.equals(line.credit) === true && original.credit.equals(line.debit);
  const made = isSame ? (original['tax_lines.'] ?? []) : [];
  if (made.length === 0) return {};
  const mirrored = made.map(({ amount, type, tax }) => ({ amount: decimal(amount.negated()), type, tax }));
  return { tax_lines: [['create', mirrored]] };
}

function foreignCurrency(line: JournalLine, setup: TrytonSetup): string | undefined {
  return line.currency === setup.company.currency ? undefined : line.currency;
}

/** A bookkeeper's own description does not begin like a key. */
export function keyIn(description: string | null): string | null {
  const [key = ''] = (description ?? '').split(' ', 1);
  return isPostingKey(key) || isTrialKey(key) ? key : null;
}

export function toReference(move: Pick<WireMove, 'id' | 'post_number'>): ErpReference {
  return { id: String(move.id), ...(move.post_number ? { number: move.post_number } : {}) };
}

export function toEntry(move: WireMove, key: string, isReversed: boolean, setup: TrytonSetup): ErpEntry {
  const isReversal = move.origin?.startsWith('account.move,') === true;
  return {
    reference: toReference(move),
    key,
    state: move.state,
    postingDate: move.date,
    lines: move['lines.'].map((line) => toEntryLine(line, setup)),
    ...(isReversed || isReversal ? { reversed: true } : {}),
  };
}

function toEntryLine(line: WireLine, setup: TrytonSetup): ErpEntryLine {
  const party = line['party.'];
  const currency = line['second_currency.'];
  const dimensions = dimensionsOf(line, setup);
  return {
    account: line['account.'].code ?? '',
    debit: line.debit,
    credit: line.credit,
    ...(currency ? { currency: currency.code } : {}),
    ...(currency && line.amount_second_currency ? { currencyAmount: line.amount_second_currency } : {}),
    ...(party ? { counterparty: kennitalaOf(party) } : {}),
    ...(Object.keys(dimensions).length === 0 ? {} : { dimensions }),
  };
}

function dimensionsOf(line: WireLine, setup: TrytonSetup): Record<string, string> {
  const dimensions: Record<string, string> = {};
  for (const { 'account.': account } of line['analytic_lines.'] ?? []) {
    for (const [name, axis] of setup.axes)
      if (axis.rootId === account.root) dimensions[name] = account[axis.match] ?? '';
  }
  return dimensions;
}

// How invoices, bills and credit notes of Tryton's own are written; pure. What was reckoned at the source stands in them as it is: items are
// one piece each, and taxes are given with their amounts, which Tryton keeps where their bases agree with its own.

export interface InvoiceContext {
  readonly setup: TrytonSetup;
  /** Kennitala → id of the party. */
  readonly parties: ReadonlyMap<string, number>;
  readonly address: number;
}

type Values = Record<string, unknown>;

/**
 * The line of what is owed, where Tryton takes the journal for an invoice. Plain moves remain: documents in another currency, whose
 * krónur Tryton would reckon by a rate of its own, and those with lines on accounts that it allows on no invoice.
 */
export function invoicedLine(journal: Journal, setup: TrytonSetup): JournalLine | null {
  const owed = journal.currency === setup.company.currency ? owedOn(journal) : null;
  if (!owed) return null;
  const isSale = owed.role === 'receivable';
  const typeOf = (line: JournalLine) => setup.accounts.get(line.account)?.['type.'];
  const owedType = typeOf(owed);
  if (!(isSale ? owedType?.receivable : owedType?.payable)) return null;
  const fits = itemsOf(journal, owed).every((line) => {
    const type = typeOf(line);
    return isSale ? type?.revenue : type?.expense === true || type?.debt === true;
  });
  return fits ? owed : null;
}

function itemsOf({ lines }: Journal, owed: JournalLine): JournalLine[] {
  return lines.filter((line) => line !== owed && !isVatLine(line));
}

/** The key comes first in the description, as in a move; the number is the one that people know, and Tryton gives no other. */
export function toInvoice(key: string, journal: Journal, owed: JournalLine, context: InvoiceContext): Values {
  const { setup, parties, address } = context;
  const isSale = owed.role === 'receivable';
  const items = itemsOf(journal, owed);
  return {
    company: setup.company.id,
    type: isSale ? 'out' : 'in',
    journal: isSale ? setup.salesJournal : setup.purchaseJournal,
    party: parties.get(partyNumber(owed.counterparty ?? '')),
    invoice_address: address,
    account: setup.accounts.get(owed.account)?.id,
    currency: setup.currencies.get(setup.company.currency),
    invoice_date: date(journal.documentDate),
    accounting_date: date(journal.postingDate),
    payment_term_date: date(owed.dueDate ?? journal.dueDate ?? journal.documentDate),
    number: journal.documentNo,
    reference: journal.documentNo,
    description: describedAs(key, journal),
    comment: journal.externalReference,
    lines: [['create', items.map((line) => itemValues(line, isSale, setup))]],
    taxes: [['create', taxValues(journal, items, isSale, setup)]],
  };
}

function amountIn(isSale: boolean, { debit, credit }: JournalLine): Decimal {
  return isSale ? credit.minus(debit) : debit.minus(credit);
}

function itemValues(line: JournalLine, isSale: boolean, setup: TrytonSetup): Values {
  const amount = amountIn(isSale, line);
  const tax = taxOf(line, setup.taxes);
  const analytic = Object.entries(line.dimensions ?? {}).map(([name, value]) => {
    const axis = setup.axes.get(name);
    return { root: axis?.rootId, account: axis?.values.get(value) };
  });
  return {
    ...ofCompany(setup, isSale),
    account: setup.accounts.get(line.account)?.id,
    quantity: amount.isNegative() ? -1 : 1,
    unit_price: decimal(amount.abs()),
    description: clipText(line.text, DESCRIPTION_LENGTH_MAX),
    ...(tax ? { taxes: [['add', [tax.id]]] } : {}),
    ...(analytic.length === 0 ? {} : { analytic_accounts: [['create', analytic]] }),
  };
}

function ofCompany(setup: TrytonSetup, isSale: boolean): Values {
  return {
    type: 'line',
    company: setup.company.id,
    currency: setup.currencies.get(setup.company.currency),
    invoice_type: isSale ? 'out' : 'in',
  };
}

/** Every tax that Tryton would reckon from the items, with our amounts; VAT that belongs to none of them stands by itself. */
function taxValues(
  journal: Journal,
  items: readonly JournalLine[],
  isSale: boolean,
  setup: TrytonSetup,
): Values[] {
  const left = journal.lines.filter(isVatLine);
  const used = new Map<number, TrytonTax>();
  for (const item of items) {
    const tax = taxOf(item, setup.taxes);
    if (tax) used.set(tax.id, tax);
  }
  const reckoned = [...used.values()].flatMap((tax) => {
    const taxed = items.filter((item) => taxOf(item, setup.taxes)?.id === tax.id);
    const bases = basesOf(taxed, isSale);
    return tax.parts.flatMap((part) =>
      bases.map((base, index) => {
        const at =
          index === 0
            ? left.findIndex((line) => partOf(line, setup.taxes, setup.accounts)?.id === part.id)
            : -1;
        const [line] = at < 0 ? [] : left.splice(at, 1);
        return reckonedTax(
          part,
          tax.name,
          base,
          line === undefined ? null : { line, amount: amountIn(isSale, line) },
        );
      }),
    );
  });
  return [...reckoned, ...left.map((line) => ownTax(line, isSale, setup))];
}

/** Tryton reckons what is sold and what is given back apart. The larger of the two has the VAT of both, which is one line of ours. */
function basesOf(taxed: readonly JournalLine[], isSale: boolean): Decimal[] {
  const amounts = taxed.map((line) => amountIn(isSale, line));
  const sides = [amounts.filter((each) => !each.isNegative()), amounts.filter((each) => each.isNegative())];
  return sides
    .filter((side) => side.length > 0)
    .map((side) => sum(side))
    .sort((a, b) => b.abs().comparedTo(a.abs()));
}

function reckonedTax(
  part: TaxPart,
  name: string,
  base: Decimal,
  vat: { readonly line: JournalLine; readonly amount: Decimal } | null,
): Values {
  return {
    manual: false,
    tax: part.id,
    account: accountOf(part, base.isNegative()),
    base: decimal(base),
    amount: decimal(vat?.amount ?? base.minus(base)),
    description: clipText(vat?.line.text ?? name, DESCRIPTION_LENGTH_MAX),
  };
}

function ownTax(line: JournalLine, isSale: boolean, setup: TrytonSetup): Values {
  const amount = amountIn(isSale, line);
  const base = line.vatBase?.abs() ?? amount.minus(amount);
  const part = partOf(line, setup.taxes, setup.accounts);
  return {
    manual: true,
    ...(part ? { tax: part.id } : {}),
    account: setup.accounts.get(line.account)?.id,
    base: decimal(amount.isNegative() ? base.negated() : base),
    amount: decimal(amount),
    description: clipText(line.text, DESCRIPTION_LENGTH_MAX),
  };
}

/** The credit note that undoes an invoice, item by item and tax by tax, as Tryton itself would make it. */
export function toCreditNote(
  key: string,
  journal: Journal,
  invoice: WireInvoice,
  setup: TrytonSetup,
): Values {
  const isSale = invoice.type === 'out';
  return {
    company: setup.company.id,
    type: invoice.type,
    journal: invoice.journal,
    party: invoice.party,
    invoice_address: invoice.invoice_address,
    account: invoice.account,
    currency: invoice.currency,
    invoice_date: date(journal.documentDate),
    accounting_date: date(journal.postingDate),
    payment_term_date: date(journal.postingDate),
    number: `${invoice.number ?? String(invoice.id)}-R`,
    reference: invoice.number,
    description: describedAs(key, journal),
    comment: journal.externalReference,
    lines: [['create', invoice['lines.'].map((line) => creditedItem(line, isSale, setup))]],
    taxes: [
      [
        'create',
        invoice['taxes.'].map(({ account, base, amount, manual, tax, description }) => ({
          ...{ account, manual, tax, description },
          base: decimal(base.negated()),
          amount: decimal(amount.negated()),
        })),
      ],
    ],
  };
}

function creditedItem(line: WireItem, isSale: boolean, setup: TrytonSetup): Values {
  const analytic = (line['analytic_accounts.'] ?? []).filter(({ account }) => account !== null);
  return {
    ...ofCompany(setup, isSale),
    account: line.account,
    quantity: -(line.quantity ?? 1),
    unit_price: decimal(line.unit_price ?? line.amount ?? sum([])),
    description: line.description,
    origin: `account.invoice.line,${String(line.id)}`,
    ...(line.taxes.length === 0 ? {} : { taxes: [['add', line.taxes]] }),
    ...(analytic.length === 0
      ? {}
      : { analytic_accounts: [['create', analytic.map(({ root, account }) => ({ root, account }))]] }),
  };
}
