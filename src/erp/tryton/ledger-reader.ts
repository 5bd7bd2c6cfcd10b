// Entries as Tryton holds them, in our terms: moves under our keys, and invoices under our keys with the moves that Tryton made of them.
import type { IsoDate } from '../../domain/source-document.js';
import type { ReadAnswer } from '../answer.js';
import type { ErpEntry } from '../erp-adapter.js';
import type { TrytonClient } from './client.js';
import { invoiceEntry, isOurs } from './invoice-entry.js';
import type { WireInvoice } from './invoice-wire.js';
import type { TrytonInvoices } from './invoices.js';
import type { Domain } from './models.js';
import type { TrytonSetup } from './setup.js';
import { keyIn, toEntry } from './translate.js';
import type { WireMove } from './wire.js';

type Period = { readonly from: IsoDate; readonly to: IsoDate };
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

  async moves(setup: TrytonSetup, domain: Domain): Promise<ReadAnswer<ErpEntry[]>> {
    const found = await this.#client.moves(setup.company.id, domain);
    return found.outcome === 'ok' ? this.#moveEntries(setup, found.value) : found;
  }

  async invoices(setup: TrytonSetup, domain: Domain): Promise<ReadAnswer<ErpEntry[]>> {
    const found = await this.#invoices.find(setup.company.id, domain);
    return found.outcome === 'ok' ? this.#invoiceEntries(setup, found.value) : found;
  }

  async movesPage(setup: TrytonSetup, after: number, period: Period): Promise<ReadAnswer<Page>> {
    const found = await this.#client.movesAfter(setup.company.id, after, period);
    if (found.outcome !== 'ok') return found;
    return pageOf(found.value, await this.#moveEntries(setup, found.value));
  }

  async invoicesPage(setup: TrytonSetup, after: number, period: Period): Promise<ReadAnswer<Page>> {
    const found = await this.#invoices.findAfter(setup.company.id, after, period);
    if (found.outcome !== 'ok') return found;
    return pageOf(found.value, await this.#invoiceEntries(setup, found.value));
  }

  async #moveEntries(setup: TrytonSetup, moves: readonly WireMove[]): Promise<ReadAnswer<ErpEntry[]>> {
    const ours = moves.flatMap((move) => {
      const key = keyIn(move.description);
      return key === null ? [] : [{ move, key }];
    });
    if (ours.length === 0) return { outcome: 'ok', value: [] };
    const origins = ours.map(({ move }) => `account.move,${move.id}`);
    const reversals = await this.#client.moves(setup.company.id, [
      ['origin', 'in', origins],
      ['state', '=', 'posted'],
    ]);
    if (reversals.outcome !== 'ok') return reversals;
    const reversed = new Set(reversals.value.map((reversal) => reversal.origin));
    const entries = ours.map(({ move, key }) =>
      toEntry(move, key, reversed.has(`account.move,${move.id}`), setup),
    );
    return { outcome: 'ok', value: entries };
  }

  async #invoiceEntries(
    setup: TrytonSetup,
    invoices: readonly WireInvoice[],
  ): Promise<ReadAnswer<ErpEntry[]>> {
    const ours = invoices.filter(isOurs);
    if (ours.length === 0) return { outcome: 'ok', value: [] };
    const company = setup.company.id;
    const made = ours.flatMap(({ move }) => move ?? []);
    const moves = await this.#client.moves(company, [['id', 'in', made]]);
    if (moves.outcome !== 'ok') return moves;
    const credited = await this.#invoices.credited(
      company,
      ours.flatMap((invoice) => invoice['lines.'].map(({ id }) => id)),
    );
    if (credited.outcome !== 'ok') return credited;
    const entries = ours.map((invoice) =>
      invoiceEntry(
        invoice,
        moves.value.find(({ id }) => id === invoice.move),
        invoice['lines.'].every(({ id }) => credited.value.has(id)),
        setup,
      ),
    );
    return { outcome: 'ok', value: entries };
  }
}

function pageOf(
  found: readonly { readonly id: number }[],
  entries: ReadAnswer<readonly ErpEntry[]>,
): ReadAnswer<Page> {
  if (entries.outcome !== 'ok') return entries;
  const next = found.length === 0 ? null : Math.max(...found.map(({ id }) => id));
  return { outcome: 'ok', value: { entries: entries.value, next } };
}
