// A payment or a credit note in Odoo settles its invoice only when the two are matched; one that was taken back is matched with what it
// takes back, so that the invoice is open again. It is done after the posting and changes no amount, so what fails here is told, and a
// bookkeeper can still do it.
import { type Decimal, sum } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import type { Told } from '../../domain/message.js';
import type { Answer } from '../answer.js';
import type { ErpLog } from '../erp-adapter.js';
import { setAgainst } from '../set-against.js';
import { MATCHED_LINES_MAX } from './assumptions.js';
import type { OdooClient } from './client.js';
import { owedInKronur } from './documents.js';
import {
  ignored,
  odooMoveId,
  odooMovePartner,
  type OdooOwedLine,
  odooOwedLine,
  odooPartial,
} from './wire.js';

const DONE: Answer<unknown> = { outcome: 'ok', value: undefined };

export class OdooMatching {
  readonly #client: OdooClient;
  readonly #log: ErpLog;

  constructor(client: OdooClient, log: ErpLog) {
    this.#client = client;
    this.#log = log;
  }

  /** With the invoice that the journal is about: its own where it is a payment, the original where it is a credit note. */
  matchWithInvoice(moveId: number, journal: Journal): Promise<Told | undefined> {
    const { appliesToNo } = journal;
    if (appliesToNo !== undefined && owedInKronur(journal))
      return this.#tried(moveId, () => this.#withBill(moveId, appliesToNo));
    if (journal.appliesTo === undefined && owedInKronur(journal)) return Promise.resolve(undefined);
    return this.#tried(moveId, () => this.#withInvoice(moveId, journal));
  }

  together(moveId: number, otherId: number): Promise<Told | undefined> {
    return this.#tried(moveId, () => this.#match(moveId, otherId));
  }

  #tried(moveId: number, match: () => Promise<Answer<unknown>>): Promise<Told | undefined> {
    return setAgainst({ system: 'Odoo', entry: String(moveId), log: this.#log }, match);
  }

  async #withInvoice(moveId: number, { appliesTo, externalReference }: Journal): Promise<Answer<unknown>> {
    return this.#withOnly(moveId, [['invoice_origin', '=', appliesTo ?? externalReference]]);
  }

  /** The bill of the same supplier with that number: ours have it as payment reference, those that people type in as reference. */
  async #withBill(moveId: number, number: string): Promise<Answer<unknown>> {
    const own = await this.#client.searchRead(
      'account.move',
      [['id', '=', moveId]],
      ['partner_id'],
      odooMovePartner,
      { limit: 1 },
    );
    if (own.outcome !== 'ok') return own;
    const partner = own.value[0]?.partner_id;
    if (partner === undefined) return DONE;
    return this.#withOnly(moveId, [
      ['move_type', '=', 'in_invoice'],
      ['partner_id', '=', partner],
      ...['|', ['payment_reference', '=', number], ['ref', '=', number]],
    ]);
  }

  /** Among several nobody can tell. */
  async #withOnly(moveId: number, wanted: readonly unknown[]): Promise<Answer<unknown>> {
    const domain = [['state', '=', 'posted'], ...wanted];
    const found = await this.#client.searchRead('account.move', domain, ['move_type'], odooMoveId, {
      limit: 2,
    });
    if (found.outcome !== 'ok') return found;
    const [invoice, another] = found.value.filter(({ id }) => id !== moveId);
    return invoice && !another ? this.#match(moveId, invoice.id) : DONE;
  }

  async #match(moveId: number, otherId: number): Promise<Answer<unknown>> {
    const domain = [
      ['move_id', 'in', [moveId, otherId]],
      ['account_id.reconcile', '=', true],
    ];
    const fields = ['move_id', 'account_id', 'reconciled', 'debit', 'credit'];
    const limit = MATCHED_LINES_MAX;
    const read = await this.#client.searchRead('account.move.line', domain, fields, odooOwedLine, { limit });
    if (read.outcome !== 'ok') return read;
    for (const account of new Set(read.value.map(({ account_id }) => account_id))) {
      const lines = read.value.filter(({ account_id }) => account_id === account);
      const ours = lines.filter(({ move_id, reconciled }) => move_id === moveId && !reconciled);
      const theirs = lines.filter(({ move_id }) => move_id === otherId);
      if (ours.length === 0 || theirs.length === 0) continue;
      const isTakenBack = balanceOf(ours).isNegative() === balanceOf(theirs).isNegative();
      const answer = isTakenBack
        ? await this.#takeBack(ours, theirs)
        : await this.#reconcile(
            ours,
            theirs.filter(({ reconciled }) => !reconciled),
          );
      if (answer.outcome !== 'ok') return answer;
    }
    return DONE;
  }

  /** What was paid is owed again: the payment stands against what takes it back, and no longer against the invoice. */
  async #takeBack(ours: readonly OdooOwedLine[], theirs: readonly OdooOwedLine[]): Promise<Answer<unknown>> {
    const owed = theirs.map(({ id }) => id);
    const domain = ['|', ['debit_move_id', 'in', owed], ['credit_move_id', 'in', owed]];
    const fields = ['debit_move_id', 'credit_move_id', 'amount'];
    const limit = MATCHED_LINES_MAX;
    const read = await this.#client.searchRead('account.partial.reconcile', domain, fields, odooPartial, {
      limit,
    });
    if (read.outcome !== 'ok') return read;
    const taken = balanceOf(ours).abs();
    const payment = read.value
      .filter(({ amount }) => amount.equals(taken))
      .map(({ debit_move_id, credit_move_id }) =>
        owed.includes(debit_move_id) ? credit_move_id : debit_move_id,
      )
      .at(-1);
    // Nothing of that amount was ever matched: it stays open beside the invoice.
    if (payment === undefined) return DONE;
    const undone = await this.#call('remove_move_reconcile', [payment]);
    return undone.outcome === 'ok' ? this.#call('reconcile', [payment, ...ours.map(({ id }) => id)]) : undone;
  }

  async #reconcile(ours: readonly OdooOwedLine[], open: readonly OdooOwedLine[]): Promise<Answer<unknown>> {
    if (open.length === 0) return DONE;
    return this.#call(
      'reconcile',
      [...ours, ...open].map(({ id }) => id),
    );
  }

  #call(method: 'reconcile' | 'remove_move_reconcile', ids: readonly number[]): Promise<Answer<unknown>> {
    return this.#client.call({ model: 'account.move.line', method, ids, arguments: {} }, ignored);
  }
}

function balanceOf(lines: readonly OdooOwedLine[]): Decimal {
  return sum(lines.map(({ debit, credit }) => debit.minus(credit)));
}
