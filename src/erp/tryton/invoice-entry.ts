// Invoices of Tryton in our terms; pure. A posted one is its move; a draft has none yet, so its lines are those that its move will have.
import { type Decimal, ZERO } from '../../domain/decimal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { ErpEntry, ErpEntryLine, ErpReference } from '../erp-adapter.js';
import type { WireInvoice, WireItem } from './invoice-wire.js';
import { kennitalaOf, type TrytonSetup } from './setup.js';
import { keyIn, toEntry } from './translate.js';
import type { WireMove } from './wire.js';

const INVOICE_ID = /^account\.invoice,(\d{1,15})$/;
const LINE_ORIGIN = /^account\.invoice\.line,(\d{1,15})$/;

/** References name an invoice as Tryton itself does, and a move by its number alone. */
export function invoiceReference(id: number, number: string | null): ErpReference {
  return { id: `account.invoice,${String(id)}`, ...(number ? { number } : {}) };
}

export function invoiceIdOf(reference: string): number | null {
  const [, id] = INVOICE_ID.exec(reference) ?? [];
  return id === undefined ? null : Number(id);
}

/** Lines of other invoices that this one credits. */
export function creditedLines(invoice: WireInvoice): number[] {
  return invoice['lines.'].flatMap(({ origin }) => {
    const [, id] = LINE_ORIGIN.exec(origin ?? '') ?? [];
    return id === undefined ? [] : [Number(id)];
  });
}

/**
 * Tryton copies the texts when somebody credits an invoice of ours there, and our key with them: such a one is not ours. A credit note of
 * ours says in its comment which key it undoes. A draft that was cancelled is no entry.
 */
export function isOurs(invoice: WireInvoice): boolean {
  if (invoice.state === 'cancelled' && invoice.move === null) return false;
  const key = keyIn(invoice.description);
  return key !== null && (creditedLines(invoice).length === 0 || isPostingKey(invoice.comment ?? ''));
}

export function invoiceEntry(
  invoice: WireInvoice,
  move: WireMove | undefined,
  isReversed: boolean,
  setup: TrytonSetup,
): ErpEntry {
  const key = keyIn(invoice.description) ?? '';
  const reference = invoiceReference(invoice.id, invoice.number);
  const isUndone = isReversed || invoice.cancel_move !== null || creditedLines(invoice).length > 0;
  if (move && move.state === 'posted') return { ...toEntry(move, key, isUndone, setup), reference };
  return {
    reference,
    key,
    state: 'draft',
    postingDate: invoice.accounting_date ?? invoice.invoice_date ?? '',
    lines: draftLines(invoice, setup),
    ...(isUndone ? { reversed: true } : {}),
  };
}

function draftLines(invoice: WireInvoice, setup: TrytonSetup): ErpEntryLine[] {
  const side = (amount: Decimal) => (invoice.type === 'out' ? amount.negated() : amount);
  const items = invoice['lines.'].filter(({ type }) => type === 'line');
  return [
    {
      ...sides(side(invoice.total_amount).negated()),
      account: invoice['account.'].code ?? '',
      counterparty: kennitalaOf(invoice['party.']),
    },
    ...items.map((item) => ({
      ...sides(side(item.amount ?? ZERO)),
      account: item['account.']?.code ?? '',
      ...dimensionsOf(item, setup),
    })),
    ...invoice['taxes.']
      .filter(({ amount }) => !amount.isZero())
      .map((tax) => ({ ...sides(side(tax.amount)), account: tax['account.'].code ?? '' })),
  ];
}

function sides(amount: Decimal): Pick<ErpEntryLine, 'debit' | 'credit'> {
  return amount.isNegative() ? { debit: ZERO, credit: amount.negated() } : { debit: amount, credit: ZERO };
}

function dimensionsOf(item: WireItem, setup: TrytonSetup): Pick<ErpEntryLine, 'dimensions'> {
  const dimensions: Record<string, string> = {};
  for (const { 'account.': account } of item['analytic_accounts.'] ?? [])
    for (const [name, axis] of setup.axes)
      if (account && axis.rootId === account.root) dimensions[name] = account[axis.match] ?? '';
  return Object.keys(dimensions).length === 0 ? {} : { dimensions };
}
