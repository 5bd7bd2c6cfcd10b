// Entries as Tryton holds them, in our terms: moves under our keys, and invoices under our keys with the moves that Tryton made of them.
import * as z from 'zod';
import type { IsoDate } from '../../domain/source-document.js';
import { type Answer, asAnswer, ok } from '../answer.js';
import type { ErpEntry, ErpEntryLine, ErpReference, ErpLog } from '../erp-adapter.js';
import type { Domain, TrytonClient } from './client.js';
import type {
  TrytonInvoices,
  WireInvoice,
  WireItem,
  WireOpenInvoice as Invoice,
  WireOpenLine as Line,
} from './invoices.js';
import { kennitalaOf, type TrytonSetup } from './facts.js';
import { keyIn, toEntry, toReference } from './translate.js';
import type { WireMove } from './wire.js';
import { type Decimal, ZERO, sum } from '../../domain/money.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { Told } from '../../domain/message.js';
import { owedOn } from '../owed-line.js';
import { setAgainst } from '../keyed-books.js';

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

// A payment or a credit note in Tryton settles its invoice when it is set against it, and the invoice is paid once the lines come to nothing
// and are reconciled. It is done after the posting and changes no amount, so what fails here is told, and a bookkeeper can still do it.

const DONE: Answer<unknown> = ok(undefined);

export class TrytonMatching {
  readonly #invoices: TrytonInvoices;
  readonly #log: ErpLog;

  constructor(invoices: TrytonInvoices, log: ErpLog) {
    this.#invoices = invoices;
    this.#log = log;
  }

  /** With the invoice that the journal is about: its own where it is a payment, the original where it is a credit note. */
  async matchWithInvoice(company: number, reference: string, journal: Journal): Promise<Told | undefined> {
    const { appliesTo, appliesToNo, externalReference } = journal;
    if (appliesToNo !== undefined && owedOn(journal)) return this.#withBill(company, reference, appliesToNo);
    if (appliesTo === undefined && owedOn(journal)) return undefined;
    return this.#tried(company, reference, [['comment', '=', appliesTo ?? externalReference]]);
  }

  /** A reversal with what it undoes, where that is an invoice. */
  async withUndone(company: number, reference: string, undone: string): Promise<Told | undefined> {
    const id = invoiceIdOf(undone);
    return id === null ? undefined : this.#tried(company, reference, [['id', '=', id]]);
  }

  /** With the bill of the same supplier that has this number, and never with a credit note of that number. */
  async #withBill(company: number, reference: string, number: string): Promise<Told | undefined> {
    const ownId = invoiceIdOf(reference);
    if (ownId === null) return undefined;
    return setAgainst({ system: 'Tryton', entry: reference, log: this.#log }, async () => {
      const [note] = await this.#invoices.open(company, [['id', '=', ownId]]);
      if (!note) return DONE;
      const bill = [
        ['type', '=', 'in'],
        ['party', '=', note.party],
        ['reference', '=', number],
      ];
      return this.#match(company, reference, bill, false);
    });
  }

  #tried(company: number, reference: string, invoice: Domain): Promise<Told | undefined> {
    const about = { system: 'Tryton', entry: reference, log: this.#log };
    return setAgainst(about, () => this.#match(company, reference, invoice));
  }

  async #match(
    company: number,
    reference: string,
    domain: Domain,
    mayTakeBack = true,
  ): Promise<Answer<unknown>> {
    const ownId = invoiceIdOf(reference) ?? -1;
    const [invoice, another] = await this.#invoices.open(company, [...domain, ['id', '!=', ownId]]);
    if (!invoice || another) return DONE;
    const ours = await this.#invoices.lines(company, [
      ownId < 0 ? ['move', '=', Number(reference)] : ['move.origin', '=', reference],
      ['account', '=', invoice.account],
      ['party', '=', invoice.party],
      ['reconciliation', '=', null],
    ]);
    if (ours.length === 0) return DONE;
    const owed = await this.#invoices.lines(company, [['id', 'in', invoice.lines_to_pay]]);
    const isPayment = balanceOf(owed).isNegative() !== balanceOf(ours).isNegative();
    if (!isPayment) return mayTakeBack ? this.#takeBack(company, invoice, owed, ours) : DONE;
    return invoice.state === 'paid' ? DONE : this.#setAgainst(company, invoice, ours);
  }

  /** Reconciled when nothing is left to pay; until then what was paid only stands against the invoice. */
  async #setAgainst(company: number, invoice: Invoice, ours: readonly Line[]): Promise<Answer<unknown>> {
    const ids = ours.map(({ id }) => id);
    const set = await this.#invoices.setAgainst(company, invoice.id, ids);
    if (set.outcome !== 'ok') return set;
    const all = [...invoice.lines_to_pay, ...invoice.payment_lines, ...ids];
    const lines = await this.#invoices.lines(company, [['id', 'in', all]]);
    const open = lines.filter(({ reconciliation }) => reconciliation === null);
    return this.#reconcile(company, open);
  }

  /** What was paid is owed again: the payment is reconciled with what takes it back, and no longer with the invoice. */
  async #takeBack(
    company: number,
    invoice: Invoice,
    owed: readonly Line[],
    ours: readonly Line[],
  ): Promise<Answer<unknown>> {
    const settledBy = new Set(owed.flatMap(({ reconciliation }) => reconciliation ?? []));
    const undone = settledBy.size === 0 ? DONE : await this.#invoices.unreconcile(company, [...settledBy]);
    if (undone.outcome !== 'ok') return undone;
    const payments = await this.#invoices.lines(company, [
      ['id', 'in', invoice.payment_lines],
      ['reconciliation', '=', null],
    ]);
    const one = payments.find((payment) => balanceOf([payment, ...ours]).isZero());
    return this.#reconcile(company, [...(one ? [one] : payments), ...ours]);
  }

  async #reconcile(company: number, lines: readonly Line[]): Promise<Answer<unknown>> {
    const [last] = lines
      .map(({ date }) => date)
      .sort()
      .reverse();
    if (last === undefined || !balanceOf(lines).isZero()) return DONE;
    return this.#invoices.reconcile(
      company,
      lines.map(({ id }) => id),
      last,
    );
  }
}

function balanceOf(lines: readonly Line[]): Decimal {
  return sum(lines.map(({ debit, credit }) => debit.minus(credit)));
}
