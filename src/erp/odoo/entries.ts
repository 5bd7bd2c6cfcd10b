// Entries as Odoo holds them: read in our terms (moves, their lines, and the names behind Odoo's numbers), and set against each other.
import * as z from 'zod';
import { type Decimal, sum } from '../../domain/money.js';
import type { Journal } from '../../domain/journal.js';
import type { Told } from '../../domain/message.js';
import { isPostingKey } from '../../domain/posting-key.js';
import { type Answer, ok, ReadFailed } from '../answer.js';
import type { ErpEntry, ErpLog, ReverseRequest } from '../erp-adapter.js';
import { type Matching, type PostedEntry, setAgainst } from '../keyed-books.js';
import { partyNumber } from '../partner-directory.js';
import { told } from '../told.js';
import type { OdooClient } from './client.js';
import type { OdooFactsReader, Setup } from './facts.js';
import { LINE_PAGES_MAX, LINES_MAX, MATCHED_LINES_MAX, type OdooConfiguration } from './settings.js';
import { type OdooNames, owedInKronur, toEntry } from './translate.js';
import {
  ignored,
  odooAccount,
  odooLine,
  type OdooLine,
  odooMove,
  type OdooMove,
  odooMoveId,
  odooMovePartner,
  odooMoveRef,
  type OdooOwedLine,
  odooOwedLine,
  odooPartial,
  odooPartner,
} from './wire.js';

const MOVE_FIELDS = ['name', 'ref', 'state', 'date', 'move_type', 'reversed_entry_id'];
const LINE_FIELDS = [
  ...['move_id', 'account_id', 'partner_id', 'currency_id'],
  ...['debit', 'credit', 'amount_currency', 'analytic_distribution'],
];

export class OdooLedgerReader {
  readonly #client: OdooClient;
  readonly #facts: OdooFactsReader;
  readonly #lineFields: readonly string[];

  constructor(client: OdooClient, facts: OdooFactsReader, { books }: Pick<OdooConfiguration, 'books'>) {
    this.#client = client;
    this.#facts = facts;
    this.#lineFields = books === 'documents' ? [...LINE_FIELDS, 'display_type'] : LINE_FIELDS;
  }

  /** Entries of our journals that fit the domain, oldest first; cancelled ones are no entries. */
  async entries(domain: readonly unknown[], limit: number): Promise<ErpEntry[]> {
    const setup = await this.#facts.setup.get();
    const journals = Object.values(setup.journals);
    const whole = [['journal_id', 'in', journals], ['state', '!=', 'cancel'], ...domain];
    const paging = { limit, order: 'id' };
    const moves = await this.#client.searchRead('account.move', whole, MOVE_FIELDS, odooMove, paging);
    return moves.length === 0 ? [] : this.#complete(setup, moves);
  }

  async #complete(setup: Setup, moves: readonly OdooMove[]): Promise<ErpEntry[]> {
    const ids = moves.map((move) => move.id);
    const lines = await this.#lines(ids);
    const names = await this.#names(setup, lines);
    const undoing = [
      ['reversed_entry_id', 'in', ids],
      ['state', '=', 'posted'],
    ];
    const paging = { limit: ids.length * 10 };
    const reversals = await this.#client.searchRead('account.move', undoing, MOVE_FIELDS, odooMove, paging);
    const reversed = new Set(reversals.map((move) => move.reversed_entry_id));
    return moves.map((move) => {
      const its = lines.filter((line) => line.move_id === move.id);
      return toEntry(move, its, names, reversed.has(move.id));
    });
  }

  /** By id, in as many requests as they need. */
  async #lines(moves: readonly number[]): Promise<OdooLine[]> {
    const all: OdooLine[] = [];
    const paging = { limit: LINES_MAX, order: 'id' };
    for (let page = 0; page < LINE_PAGES_MAX; page++) {
      const rest = [
        ['move_id', 'in', moves],
        ['id', '>', all.at(-1)?.id ?? 0],
      ];
      const lines = await this.#client.searchRead(
        'account.move.line',
        rest,
        this.#lineFields,
        odooLine,
        paging,
      );
      all.push(...lines);
      if (lines.length < LINES_MAX) return all;
    }
    throw tooMuch(moves.length);
  }

  async #names(setup: Setup, lines: readonly OdooLine[]): Promise<OdooNames> {
    const accounts = await this.#byId('account.account', ids(lines, 'account_id'), ['code'], odooAccount);
    const fields = ['vat', 'company_registry'];
    const partners = await this.#byId('res.partner', ids(lines, 'partner_id'), fields, odooPartner);
    const hasDimensions = lines.some((line) => line.analytic_distribution);
    return {
      accounts: new Map(accounts.map((account) => [account.id, account.code])),
      partners: new Map(partners.map((partner) => [partner.id, kennitalaOf(partner)])),
      currencies: new Map(setup.currencies.map((currency) => [currency.id, currency.name])),
      analyticAccounts: hasDimensions ? await this.#facts.dimensionsById() : new Map<number, never>(),
    };
  }

  async #byId<T>(model: string, wanted: number[], fields: string[], schema: z.ZodType<T>): Promise<T[]> {
    if (wanted.length === 0) return [];
    return this.#client.read({ model, method: 'read', ids: wanted, arguments: { fields } }, z.array(schema));
  }
}

function tooMuch(entries: number): ReadFailed {
  const words = told('SYSTEM_SHOWS_TOO_MUCH', { system: 'Odoo', what: `${entries} entries` });
  return new ReadFailed({ outcome: 'transient', ...words });
}

function ids(lines: readonly OdooLine[], field: 'account_id' | 'partner_id'): number[] {
  return [...new Set(lines.flatMap((line) => line[field] ?? []))];
}

function kennitalaOf(partner: z.infer<typeof odooPartner>): string {
  return partyNumber(partner.company_registry || partner.vat.replace(/^IS/, ''));
}

const DONE: Answer<unknown> = ok(undefined);

/**
 * A payment or a credit note settles its invoice only when the two are matched; one that was taken back is matched with what it takes
 * back, so that the invoice is open again. It changes no amount, so what fails is reported, and a bookkeeper can still do it.
 */
export class OdooMatching implements Matching {
  readonly #client: OdooClient;
  readonly #log: ErpLog;

  constructor(client: OdooClient, log: ErpLog) {
    this.#client = client;
    this.#log = log;
  }

  /** With the invoice that the journal is about: its own where it is a payment, the original where it is a credit note. */
  withInvoice({ reference: { id } }: PostedEntry, journal: Journal): Promise<Told | undefined> {
    const moveId = Number(id);
    const { appliesToNo } = journal;
    if (appliesToNo !== undefined && owedInKronur(journal))
      return this.#tried(moveId, () => this.#withBill(moveId, appliesToNo));
    if (journal.appliesTo === undefined && owedInKronur(journal)) return Promise.resolve(undefined);
    const invoice = [['invoice_origin', '=', journal.appliesTo ?? journal.externalReference]];
    return this.#tried(moveId, () => this.#withOnly(moveId, invoice, journal.documentNo));
  }

  withOriginal({ reference: { id } }: PostedEntry, { original }: ReverseRequest): Promise<Told | undefined> {
    return this.#tried(Number(id), () => this.#match(Number(id), Number(original.reference.id)));
  }

  #tried(moveId: number, match: () => Promise<Answer<unknown>>): Promise<Told | undefined> {
    return setAgainst({ system: 'Odoo', entry: String(moveId), log: this.#log }, match);
  }

  /** The bill of the same supplier with that number: ours have it as payment reference, those that people type in as reference. */
  async #withBill(moveId: number, number: string): Promise<Answer<unknown>> {
    const itself = [['id', '=', moveId]];
    const paging = { limit: 1 };
    const own = await this.#client.searchRead(
      'account.move',
      itself,
      ['partner_id'],
      odooMovePartner,
      paging,
    );
    const partner = own[0]?.partner_id;
    if (partner === undefined) return DONE;
    return this.#withOnly(moveId, [
      ['move_type', '=', 'in_invoice'],
      ['partner_id', '=', partner],
      ...['|', ['payment_reference', '=', number], ['ref', '=', number]],
    ]);
  }

  /** Among several it is not known which one is meant. */
  async #withOnly(moveId: number, wanted: readonly unknown[], documentNo?: string): Promise<Answer<unknown>> {
    const domain = [['state', '=', 'posted'], ...wanted];
    const paging = { limit: 2 };
    const found = await this.#client.searchRead('account.move', domain, ['move_type'], odooMoveId, paging);
    const [invoice, another] = found.filter(({ id }) => id !== moveId);
    return invoice && !another ? this.#match(moveId, invoice.id, documentNo) : DONE;
  }

  async #match(moveId: number, otherId: number, documentNo?: string): Promise<Answer<unknown>> {
    const domain = [
      ['move_id', 'in', [moveId, otherId]],
      ['account_id.reconcile', '=', true],
    ];
    const owed = await this.#owedLines(domain);
    for (const account of new Set(owed.map(({ account_id }) => account_id))) {
      const lines = owed.filter(({ account_id }) => account_id === account);
      const ours = lines.filter(({ move_id, reconciled }) => move_id === moveId && !reconciled);
      const theirs = lines.filter(({ move_id }) => move_id === otherId);
      if (ours.length === 0 || theirs.length === 0) continue;
      const isTakenBack = balanceOf(ours).isNegative() === balanceOf(theirs).isNegative();
      const answer = isTakenBack
        ? await this.#takeBack(ours, theirs, documentNo)
        : await this.#reconcile(
            ours,
            theirs.filter(({ reconciled }) => !reconciled),
          );
      if (answer.outcome !== 'ok') return answer;
    }
    return DONE;
  }

  #owedLines(domain: readonly unknown[]): Promise<OdooOwedLine[]> {
    const fields = ['move_id', 'account_id', 'partner_id', 'name', 'reconciled', 'debit', 'credit'];
    const paging = { limit: MATCHED_LINES_MAX, order: 'id' };
    return this.#client.searchRead('account.move.line', domain, fields, odooOwedLine, paging);
  }

  /** What was paid is owed again: the payment is matched with what takes it back, and no longer with the invoice. */
  async #takeBack(
    ours: readonly OdooOwedLine[],
    theirs: readonly OdooOwedLine[],
    documentNo: string | undefined,
  ): Promise<Answer<unknown>> {
    const matched = await this.#matchedPayment(theirs, balanceOf(ours).abs());
    // Without such a match, an earlier try may have undone it without receiving the answer; the payment is open then.
    const payment = matched ?? (await this.#openPayment(ours, documentNo));
    // Nothing of that amount was ever paid: what is taken back stays open beside the invoice.
    if (payment === undefined) return DONE;
    if (matched !== undefined) {
      const undone = await this.#call('remove_move_reconcile', [matched]);
      if (undone.outcome !== 'ok') return undone;
    }
    return this.#call('reconcile', [payment, ...ours.map(({ id }) => id)]);
  }

  /** The last line of that amount that is matched with the invoice. */
  async #matchedPayment(invoice: readonly OdooOwedLine[], paid: Decimal): Promise<number | undefined> {
    const owed = invoice.map(({ id }) => id);
    const domain = ['|', ['debit_move_id', 'in', owed], ['credit_move_id', 'in', owed]];
    const fields = ['debit_move_id', 'credit_move_id', 'amount'];
    const paging = { limit: MATCHED_LINES_MAX };
    const model = 'account.partial.reconcile';
    const payments = (await this.#client.searchRead(model, domain, fields, odooPartial, paging))
      .filter(({ amount }) => amount.equals(paid))
      .map(({ debit_move_id: debit, credit_move_id: credit }) => (owed.includes(debit) ? credit : debit));
    return payments.at(-1);
  }

  /** The last open line of an entry of ours for the same invoice, with the same amount on the other side. */
  async #openPayment(ours: readonly OdooOwedLine[], documentNo = ''): Promise<number | undefined> {
    const [{ account_id: account, partner_id: partner } = {}] = ours;
    if (partner === undefined || documentNo === '') return undefined;
    const open = await this.#owedLines([
      ['account_id', '=', account],
      ['partner_id', '=', partner],
      ['move_id.state', '=', 'posted'],
      ['reconciled', '=', false],
      ['name', 'ilike', documentNo],
    ]);
    const paid = balanceOf(ours).negated();
    const payments = open.filter(
      (line) => `${line.name} `.startsWith(`${documentNo} `) && balanceOf([line]).equals(paid),
    );
    const moves = payments.flatMap(({ move_id }) => move_id ?? []);
    const domain = [['id', 'in', moves]];
    const paging = { limit: MATCHED_LINES_MAX };
    const named = await this.#client.searchRead('account.move', domain, ['ref'], odooMoveRef, paging);
    const keyed = new Set(named.filter(({ ref }) => isPostingKey(ref)).map(({ id }) => id));
    return payments.findLast(({ move_id }) => move_id !== undefined && keyed.has(move_id))?.id;
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
