// How invoices, bills and credit notes of Tryton's own are written; pure. What was reckoned at the source stands in them as it is: items are
// one piece each, and taxes are given with their amounts, which Tryton keeps where their bases agree with its own.
import { type Decimal, sum } from '../../domain/decimal.js';
import { isVatLine, type Journal, type JournalLine } from '../../domain/journal.js';
import { clipText } from '../line-text.js';
import { owedOn } from '../owed-line.js';
import { partyNumber } from '../partner-directory.js';
import type { WireInvoice, WireItem } from './invoice-wire.js';
import type { TrytonSetup } from './setup.js';
import { accountOf, partOf, type TaxPart, taxOf, type TrytonTax } from './taxes.js';
import { describedAs, DESCRIPTION_LENGTH_MAX } from './translate.js';
import { date, decimal } from './wire.js';

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
