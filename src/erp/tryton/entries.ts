// Entries as Tryton holds them, in our terms: moves under our keys, and invoices under our keys with the moves that Tryton made of them.
import type { IsoDate } from '../../domain/source-document.js';
import { type Answer, asAnswer, ok } from '../answer.js';
import type { ErpEntry, ErpEntryLine, ErpReference } from '../erp-adapter.js';
import type { Domain, TrytonClient } from './client.js';
import type { TrytonInvoices, WireInvoice, WireItem } from './invoices.js';
import { kennitalaOf, type TrytonSetup } from './facts.js';
import { keyIn, toEntry, toReference } from './translate.js';
import type { WireMove } from './wire.js';
import { type Decimal, ZERO } from '../../domain/decimal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import * as z from 'zod';
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';

export type Period = { readonly from: IsoDate; readonly to: IsoDate };
/** A page, and the id after which the next one begins; null: there is none. */
export interface Page {
  readonly entries: readonly ErpEntry[];
  readonly next: number | null;
}

export class TrytonLedgerReader {
  readonly #client: TrytonClient;
  readonly #invoices: TrytonInvoices;

  constructor(client: TrytonClient, invoices: TrytonInvoices) {
    this.#client = client;
    this.#invoices = invoices;
  }

  async moves(setup: TrytonSetup, domain: Domain): Promise<ErpEntry[]> {
    return this.#moveEntries(setup, await this.#client.moves(setup.company.id, domain));
  }

  async invoices(setup: TrytonSetup, domain: Domain): Promise<ErpEntry[]> {
    return this.#invoiceEntries(setup, await this.#invoices.find(setup.company.id, domain));
  }

  async movesPage(setup: TrytonSetup, after: number, period: Period): Promise<Page> {
    const found = await this.#client.movesAfter(setup.company.id, after, period);
    return pageOf(found, await this.#moveEntries(setup, found));
  }

  async invoicesPage(setup: TrytonSetup, after: number, period: Period): Promise<Page> {
    const found = await this.#invoices.findAfter(setup.company.id, after, period);
    return pageOf(found, await this.#invoiceEntries(setup, found));
  }

  async #moveEntries(setup: TrytonSetup, moves: readonly WireMove[]): Promise<ErpEntry[]> {
    const ours = moves.flatMap((move) => {
      const key = keyIn(move.description);
      return key === null ? [] : [{ move, key }];
    });
    if (ours.length === 0) return [];
    const origins = ours.map(({ move }) => `account.move,${move.id}`);
    const reversals = await this.#client.moves(setup.company.id, [
      ['origin', 'in', origins],
      ['state', '=', 'posted'],
    ]);
    const reversed = new Set(reversals.map((reversal) => reversal.origin));
    return ours.map(({ move, key }) => toEntry(move, key, reversed.has(`account.move,${move.id}`), setup));
  }

  async #invoiceEntries(setup: TrytonSetup, invoices: readonly WireInvoice[]): Promise<ErpEntry[]> {
    const ours = invoices.filter(isOurs);
    if (ours.length === 0) return [];
    const company = setup.company.id;
    const made = ours.flatMap(({ move }) => move ?? []);
    const moves = await this.#client.moves(company, [['id', 'in', made]]);
    const credited = await this.#invoices.credited(
      company,
      ours.flatMap((invoice) => invoice['lines.'].map(({ id }) => id)),
    );
    return ours.map((invoice) => {
      const move = moves.find(({ id }) => id === invoice.move);
      const isCredited = invoice['lines.'].every(({ id }) => credited.has(id));
      return invoiceEntry(invoice, move, isCredited, setup);
    });
  }
}

function pageOf(found: readonly { readonly id: number }[], entries: readonly ErpEntry[]): Page {
  return { entries, next: found.length === 0 ? null : Math.max(...found.map(({ id }) => id)) };
}

// Invoices of Tryton in our terms; pure. A posted one is its move; a draft has none yet, so its lines are those that its move will have.

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

// What a journal becomes in Tryton: a move, or an invoice with the move that Tryton makes of it. Both are made as drafts and then posted.

export interface TrytonRecords {
  create(company: number, values: unknown): Promise<Answer<number>>;
  /** Puts a draft into the books. */
  complete(company: number, id: number, journal: Journal): Promise<Answer<unknown>>;
  /** Takes a draft away that Tryton will not book. */
  remove(company: number, id: number): Promise<Answer<unknown>>;
  /** Gives a draft back what a removal that did not come to its end has taken. `values`: what it was made of. */
  restore(company: number, id: number, draft: ErpEntry, values: unknown): Promise<Answer<unknown>>;
  draft(id: number): ErpReference;
  /** With the number that it has once it is in the books. */
  booked(company: number, id: number): Promise<ErpReference>;
}

const WHOLE: Answer<unknown> = ok(undefined);
const numbered = z.object({ number: z.string() });

export function moveRecords(client: TrytonClient): TrytonRecords {
  return {
    create: (company, values) => client.createMove(company, values),
    complete: (company, id) => client.postMove(company, id),
    remove: (company, id) => client.deleteMove(company, id),
    restore: () => Promise.resolve(WHOLE),
    draft: (id) => toReference({ id, post_number: null }),
    booked: async (company, id) => {
      const number = await asAnswer(() => client.postNumber(company, id));
      return toReference({ id, post_number: number.outcome === 'ok' ? number.value : null });
    },
  };
}

export function invoiceRecords(invoices: TrytonInvoices, clock: Clock): TrytonRecords {
  return {
    create: (company, values) => invoices.create(company, values),
    complete: async (company, id, { dueDate, postingDate }) => {
      // The day may be another one where Tryton is; saying yes to what it does not ask does no harm.
      const isPast = (dueDate ?? postingDate) <= clock.now().toISOString().slice(0, 10);
      const confirmed = isPast ? await invoices.confirmPastDueDate(company, id) : null;
      if (confirmed && confirmed.outcome !== 'ok') return confirmed;
      return invoices.post(company, id);
    },
    remove: (company, id) => invoices.remove(company, id),
    restore: (company, id, { reference }, values) => {
      const { number } = numbered.parse(values);
      return reference.number === undefined
        ? invoices.setNumber(company, id, number)
        : Promise.resolve(WHOLE);
    },
    draft: (id) => invoiceReference(id, null),
    booked: async (company, id) => {
      const number = await asAnswer(() => invoices.number(company, id));
      return invoiceReference(id, number.outcome === 'ok' ? number.value : null);
    },
  };
}
