// Entries as Odoo holds them, in our terms: moves, their lines, and the names behind Odoo's numbers.
import * as z from 'zod';
import type { ReadAnswer } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import { partyNumber } from '../party-key.js';
import { told } from '../told.js';
import { LINES_MAX } from './assumptions.js';
import type { OdooClient } from './client.js';
import type { OdooConfiguration } from './config.js';
import type { OdooSetup, Setup } from './setup.js';
import { type OdooNames, toEntry } from './translate.js';
import { odooAccount, odooLine, type OdooLine, odooMove, type OdooMove, odooPartner } from './wire.js';

const MOVE_FIELDS = ['name', 'ref', 'state', 'date', 'move_type', 'reversed_entry_id'];
const LINE_FIELDS = [
  ...['move_id', 'account_id', 'partner_id', 'currency_id'],
  ...['debit', 'credit', 'amount_currency', 'analytic_distribution'],
];

export class OdooLedgerReader {
  readonly #client: OdooClient;
  readonly #setup: OdooSetup;
  readonly #lineFields: readonly string[];

  constructor(client: OdooClient, setup: OdooSetup, { books }: Pick<OdooConfiguration, 'books'>) {
    this.#client = client;
    this.#setup = setup;
    this.#lineFields = books === 'documents' ? [...LINE_FIELDS, 'display_type'] : LINE_FIELDS;
  }

  /** Entries of our journals that fit the domain, oldest first; cancelled ones are no entries. */
  async entries(domain: readonly unknown[], limit: number): Promise<ReadAnswer<ErpEntry[]>> {
    const setup = await this.#setup.get();
    if (setup.outcome !== 'ok') return setup;
    const journals = Object.values(setup.value.journals);
    const whole = [['journal_id', 'in', journals], ['state', '!=', 'cancel'], ...domain];
    const moves = await this.#client.searchRead('account.move', whole, MOVE_FIELDS, odooMove, {
      limit,
      order: 'id',
    });
    if (moves.outcome !== 'ok') return moves;
    return moves.value.length === 0 ? { outcome: 'ok', value: [] } : this.#complete(setup.value, moves.value);
  }

  async #complete(setup: Setup, moves: readonly OdooMove[]): Promise<ReadAnswer<ErpEntry[]>> {
    const ids = moves.map((move) => move.id);
    const lines = await this.#client.searchRead(
      'account.move.line',
      [['move_id', 'in', ids]],
      this.#lineFields,
      odooLine,
      { limit: LINES_MAX, order: 'id' },
    );
    if (lines.outcome !== 'ok') return lines;
    if (lines.value.length === LINES_MAX) {
      return {
        outcome: 'transient',
        ...told('SYSTEM_SHOWS_TOO_MUCH', { system: 'Odoo', what: `${ids.length} entries` }),
      };
    }
    const names = await this.#names(setup, lines.value);
    if (names.outcome !== 'ok') return names;
    const reversals = await this.#client.searchRead(
      'account.move',
      [
        ['reversed_entry_id', 'in', ids],
        ['state', '=', 'posted'],
      ],
      MOVE_FIELDS,
      odooMove,
      { limit: ids.length * 10 },
    );
    if (reversals.outcome !== 'ok') return reversals;
    const reversed = new Set(reversals.value.map((move) => move.reversed_entry_id));
    const entries = moves.map((move) =>
      toEntry(
        move,
        lines.value.filter((line) => line.move_id === move.id),
        names.value,
        reversed.has(move.id),
      ),
    );
    return { outcome: 'ok', value: entries };
  }

  async #names(setup: Setup, lines: readonly OdooLine[]): Promise<ReadAnswer<OdooNames>> {
    const accounts = await this.#byId('account.account', ids(lines, 'account_id'), ['code'], odooAccount);
    if (accounts.outcome !== 'ok') return accounts;
    const fields = ['vat', 'company_registry'];
    const partners = await this.#byId('res.partner', ids(lines, 'partner_id'), fields, odooPartner);
    if (partners.outcome !== 'ok') return partners;
    const hasDimensions = lines.some((line) => line.analytic_distribution);
    const dimensions = hasDimensions
      ? await this.#setup.dimensionsById()
      : ({ outcome: 'ok', value: new Map<number, never>() } as const);
    if (dimensions.outcome !== 'ok') return dimensions;
    return {
      outcome: 'ok',
      value: {
        accounts: new Map(accounts.value.map((account) => [account.id, account.code])),
        partners: new Map(partners.value.map((partner) => [partner.id, kennitalaOf(partner)])),
        currencies: new Map(setup.currencies.map((currency) => [currency.id, currency.name])),
        analyticAccounts: dimensions.value,
      },
    };
  }

  async #byId<T>(
    model: string,
    wanted: number[],
    fields: string[],
    schema: z.ZodType<T>,
  ): Promise<ReadAnswer<T[]>> {
    if (wanted.length === 0) return { outcome: 'ok', value: [] };
    const call = { model, method: 'read', ids: wanted, arguments: { fields } };
    return this.#client.read(call, z.array(schema));
  }
}

function ids(lines: readonly OdooLine[], field: 'account_id' | 'partner_id'): number[] {
  return [...new Set(lines.flatMap((line) => line[field] ?? []))];
}

function kennitalaOf(partner: z.infer<typeof odooPartner>): string {
  return partyNumber(partner.company_registry || partner.vat.replace(/^IS/, ''));
}
