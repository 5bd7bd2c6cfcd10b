// From a journal to a stored request: the names that Tryton must know are looked up, partners are found or created, and the
// values of the move are fixed, so that a resend sends the same.
import type * as port from '../erp-adapter.js';
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { ReadAnswer } from '../answer.js';
import { checkJournal } from '../check-journal.js';
import { plainJournal } from '../../domain/journal-json.js';
import { createPartnerDirectory, type PartnerDirectory, partyNumber } from '../partner-directory.js';
import { periodFindings, type Remembered } from '../chart.js';
import { rejected, told, type Told } from '../told.js';
import type { TrytonClient } from './client.js';
import type { TrytonConfiguration } from './config.js';
import { type InvoiceContext, invoicedLine, toCreditNote, toInvoice } from './documents.js';
import { invoiceIdOf } from './invoice-entry.js';
import type { TrytonInvoices } from './invoices.js';
import { rememberedSetup, type TrytonSetup } from './setup.js';
import { type MoveContext, refusal, toMove } from './translate.js';
import type { WireParty } from './wire.js';

export class TrytonPreparation {
  readonly setup: Remembered<TrytonSetup>;
  readonly #client: TrytonClient;
  readonly #invoices: TrytonInvoices;
  readonly #makesInvoices: boolean;
  readonly #capabilities: port.ErpCapabilities;
  readonly #partners: PartnerDirectory<WireParty>;

  constructor(
    client: TrytonClient,
    invoices: TrytonInvoices,
    configuration: TrytonConfiguration,
    capabilities: port.ErpCapabilities,
    clock: Clock,
  ) {
    this.#client = client;
    this.#invoices = invoices;
    this.#makesInvoices = configuration.books === 'documents';
    this.#capabilities = capabilities;
    this.setup = rememberedSetup(client, invoices, configuration, clock);
    this.#partners = createPartnerDirectory<WireParty>({
      mayCreate: configuration.partners.create,
      find: ({ kennitala }) => client.parties(kennitala),
      create: (party) => client.createParty(party),
    });
  }

  async prepare(
    key: string,
    journal: Journal,
    reverses?: MoveContext['reverses'],
  ): Promise<port.PrepareOutcome> {
    const crooked = checkJournal(journal, this.#capabilities);
    if (crooked) return crooked;
    const setup = await this.#setupFor(key, journal);
    if (setup.outcome !== 'ok') return setup;
    const period = await this.#openPeriod(setup.value, journal.postingDate);
    if (period.outcome !== 'ok') return period;
    const parties = await this.#resolveParties(journal);
    if (parties.outcome !== 'ok') return parties;
    const owed = this.#makesInvoices && !reverses ? invoicedLine(journal, setup.value) : null;
    if (owed) return this.#prepareInvoice(key, journal, owed, { setup: setup.value, parties: parties.value });
    const move = toMove(key, journal, {
      setup: setup.value,
      periodId: period.value,
      parties: parties.value,
      ...(reverses === undefined ? {} : { reverses }),
    });
    return stored(key, journal, { company: setup.value.company.id, move });
  }

  async #prepareInvoice(
    key: string,
    journal: Journal,
    owed: JournalLine,
    context: Omit<InvoiceContext, 'address'>,
  ): Promise<port.PrepareOutcome> {
    const kennitala = partyNumber(owed.counterparty ?? '');
    const address = await this.#invoices.address(context.parties.get(kennitala) ?? 0);
    if (address.outcome !== 'ok') return address;
    if (address.value === undefined) {
      const words = told('PARTY_WITHOUT_ADDRESS', { system: 'Tryton', party: kennitala });
      return rejected('unknown-party', words, { party: kennitala });
    }
    const invoice = toInvoice(key, journal, owed, { ...context, address: address.value });
    return stored(key, journal, { company: context.setup.company.id, invoice });
  }

  async prepareReversal(request: port.ReverseRequest, journal: Journal): Promise<port.PrepareOutcome> {
    const setup = await this.setup.get();
    if (setup.outcome !== 'ok') return setup;
    const { id } = request.original.reference;
    const invoice = invoiceIdOf(id);
    if (invoice !== null) return this.#prepareCreditNote(request.key, journal, invoice, setup.value);
    const original = await this.#client.moves(setup.value.company.id, [['id', '=', Number(id)]]);
    if (original.outcome !== 'ok') return original;
    const [move] = original.value;
    if (!move) return rejected('invalid', told('NO_MOVE_TO_REVERSE', { id }));
    return this.prepare(request.key, journal, { id, journal: move.journal, lines: move['lines.'] });
  }

  async #prepareCreditNote(
    key: string,
    journal: Journal,
    id: number,
    setup: TrytonSetup,
  ): Promise<port.PrepareOutcome> {
    const company = setup.company.id;
    const original = await this.#invoices.find(company, [['id', '=', id]]);
    if (original.outcome !== 'ok') return original;
    const period = await this.#openPeriod(setup, journal.postingDate);
    if (period.outcome !== 'ok') return period;
    const [invoice] = original.value;
    if (!invoice) return rejected('invalid', told('NO_MOVE_TO_REVERSE', { id: `account.invoice,${id}` }));
    return stored(key, journal, { company, invoice: toCreditNote(key, journal, invoice, setup) });
  }

  async #setupFor(key: string, journal: Journal): Promise<ReadAnswer<TrytonSetup>> {
    const kept = await this.setup.get();
    if (kept.outcome !== 'ok' || !refusal(key, journal, kept.value)) return kept;
    // Somebody may have created or opened it a moment ago.
    const fresh = await this.setup.fresh();
    if (fresh.outcome !== 'ok') return fresh;
    return refusal(key, journal, fresh.value) ?? fresh;
  }

  async periodFindings(setup: TrytonSetup, days: readonly IsoDate[] = []): Promise<port.Finding[]> {
    const closed = new Map<IsoDate, Told>();
    for (const day of days) {
      const answer = await this.#openPeriod(setup, day);
      // Whatever is wrong with the connection was found before; the days are then not said to be open.
      if (answer.outcome === 'transient' || answer.outcome === 'auth') return [];
      if (answer.outcome !== 'ok') closed.set(day, answer);
    }
    return periodFindings(days, (day) => closed.get(day) ?? null);
  }

  async #openPeriod(setup: TrytonSetup, day: IsoDate): Promise<ReadAnswer<number>> {
    const answer = await this.#client.periods(setup.company.id, day);
    if (answer.outcome !== 'ok') return answer;
    const open = answer.value.find((period) => period.state === 'open');
    if (open) return { outcome: 'ok', value: open.id };
    const [closed] = answer.value;
    const words = closed
      ? told('PERIOD_CLOSED', { system: 'Tryton', period: closed.name })
      : told('PERIOD_LACKING');
    return rejected('closed-period', words, { period: closed?.name ?? day });
  }

  async #resolveParties(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const parties = new Map<string, number>();
    for (const line of journal.lines) {
      if (line.counterparty === undefined) continue;
      const kennitala = partyNumber(line.counterparty);
      if (parties.has(kennitala)) continue;
      const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
      const kind = (party ?? journal.party)?.kind ?? 'customer';
      const found = await this.#partners.resolve({ kind, kennitala, ...(party ? { party } : {}) });
      if (found.outcome !== 'ok') return found;
      parties.set(kennitala, found.value.id);
    }
    return { outcome: 'ok', value: parties };
  }
}

function stored(
  key: string,
  journal: Journal,
  values: { readonly company: number; readonly move?: unknown; readonly invoice?: unknown },
): port.PrepareOutcome {
  const request = JSON.stringify({ journal: plainJournal(journal), ...values });
  return { outcome: 'prepared', prepared: { key, request } };
}
