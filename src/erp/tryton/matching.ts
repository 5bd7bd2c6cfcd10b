// A payment or a credit note in Tryton settles its invoice when it is set against it, and the invoice is paid once the lines come to nothing
// and are reconciled. It is done after the posting and changes no amount, so what fails here is told, and a bookkeeper can still do it.
import { type Decimal, sum } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import type { Told } from '../../domain/message.js';
import { type Answer, ok } from '../answer.js';
import type { ErpLog } from '../erp-adapter.js';
import { owedOn } from '../owed-line.js';
import { setAgainst } from '../set-against.js';
import { invoiceIdOf } from './entries.js';
import type { TrytonInvoices, WireOpenInvoice as Invoice, WireOpenLine as Line } from './invoices.js';
import type { Domain } from './client.js';

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
