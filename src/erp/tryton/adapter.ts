// The port on Tryton. Creating a move or an invoice and posting it are two steps, so a crash may leave a draft: it is found under its
// key and finished or deleted. Nothing in Tryton is unique about a key, so a post looks first, one at a time per key.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import { isPostingKey, isTrialKey } from '../../domain/posting-key.js';
import type { HttpClient } from '../../http/http-client.js';
import { alreadyThere, confirmed, foundEntries, OneAtATime } from '../keyed-books.js';
import type { Chart, Remembered } from '../chart.js';
import {
  asAnswer,
  asLookUp,
  inDoubt,
  type LookUpAnswer,
  orFailure,
  orThrow,
  type ReadAnswer,
} from '../answer.js';
import { clipText } from '../line-text.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reversal.js';
import { listFailed, rejected, told, type Told } from '../told.js';
import { type Domain, TrytonClient, TrytonModels, TrytonSession } from './client.js';
import type { TrytonConfiguration } from './settings.js';
import {
  invoiceIdOf,
  invoiceRecords,
  moveRecords,
  type Page,
  TrytonLedgerReader,
  type TrytonRecords,
} from './entries.js';
import { TrytonInvoices } from './invoices.js';
import { TrytonMatching } from './matching.js';
import { withUnmatched } from '../set-against.js';
import {
  type InvoiceContext,
  invoicedLine,
  type MoveContext,
  toCreditNote,
  toInvoice,
  toMove,
} from './translate.js';
import type { Clock } from '../../domain/runtime.js';
import { checkJournal } from '../check-journal.js';
import { createPartnerDirectory, type PartnerDirectory, partyNumber } from '../partner-directory.js';
import { rememberedSetup, trytonChart, type TrytonFacts, type TrytonSetup } from './facts.js';
import type { WireParty } from './wire.js';

const preparedRequest = z.object({
  journal: journalJsonSchema,
  company: z.int(),
  move: z.unknown().optional(),
  invoice: z.unknown().optional(),
});
const LIST_PAGES_MAX = 100_000;
const FILE_NAME_LENGTH_MAX = 200;

export class TrytonAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: TrytonClient;
  readonly #moves: TrytonRecords;
  readonly #invoices: TrytonRecords;
  readonly #reader: TrytonLedgerReader;
  readonly #matching: TrytonMatching;
  readonly #makesInvoices: boolean;
  readonly #preparation: TrytonPreparation;
  readonly #perKey = new OneAtATime();

  constructor(configuration: TrytonConfiguration, services: port.ErpServices, http: HttpClient) {
    const { clock } = services;
    const withAnalytic = Object.keys(configuration.dimensions).length > 0;
    const password = services.secret(configuration.password);
    const { baseUrl, database, user } = configuration;
    const session = new TrytonSession({ http, clock, baseUrl, database, user, password });
    const models = new TrytonModels(session);
    const client = new TrytonClient(models, {
      analytic: withAnalytic,
      taxes: Object.keys(configuration.taxes).length > 0,
    });
    const invoices = new TrytonInvoices(models, withAnalytic);
    this.#http = http;
    this.#client = client;
    this.#moves = moveRecords(client);
    this.#invoices = invoiceRecords(invoices, clock);
    this.#reader = new TrytonLedgerReader(client, invoices);
    this.#matching = new TrytonMatching(invoices, services.log);
    this.#makesInvoices = configuration.books === 'documents';
    this.ledger = `tryton:${database}:${configuration.company}`;
    this.capabilities = capabilitiesOf(withAnalytic);
    this.#preparation = new TrytonPreparation(client, invoices, configuration, this.capabilities, clock);
  }

  health(): Promise<port.ErpHealth> {
    return orFailure(async () => {
      const { company } = await this.#preparation.chart.open();
      return { outcome: 'healthy', ...company };
    });
  }

  validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    return this.#preparation.chart.findings(expected);
  }

  prepare({ key, journal }: port.PostRequest): Promise<port.PrepareOutcome> {
    return this.#preparation.prepare(key, journal);
  }

  post(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, () => this.#postOnce(prepared));
  }

  /** A draft that was found is booked only when it is what we meant. */
  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, async () => {
      const { journal: stored, company, ...made } = preparedRequest.parse(JSON.parse(prepared.request));
      const journal = journalFromPlain(stored);
      const found = await this.findByKey(prepared.key);
      const there = alreadyThere(found, journal, this.capabilities);
      if (there.outcome === 'answer') return there.answer;
      const { id } = draft.reference;
      if (there.outcome === 'nothing' || there.entry.reference.id !== id)
        return rejected('invalid', told('DRAFT_GONE', { system: 'Tryton' }));
      const same = confirmed(there.entry, journal, this.capabilities);
      if (same.outcome === 'rejected') return same;
      const invoice = invoiceIdOf(id);
      const records = invoice === null ? this.#moves : this.#invoices;
      const whole = await records.restore(company, invoice ?? Number(id), there.entry, made.invoice);
      if (whole.outcome !== 'ok') return whole.outcome === 'rejected' ? whole : inDoubt(whole);
      return this.#finish({ records, company, id: invoice ?? Number(id), key: prepared.key, journal });
    });
  }

  async match({ key, reference }: port.ErpEntry, journal: Journal): Promise<Told | undefined> {
    if (!this.#makesInvoices) return undefined;
    const setup = await asAnswer(() => this.#preparation.setup.get());
    if (setup.outcome !== 'ok') return setup;
    const company = setup.value.company.id;
    return this.#perKey.run(key, () => this.#matching.matchWithInvoice(company, reference.id, journal));
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    const domain = [['description', 'like', `${key}%`]];
    const answer = await this.#entriesWhere(domain, domain);
    if (answer.outcome !== 'ok') return answer;
    return foundEntries({ outcome: 'ok', value: answer.value.filter((entry) => entry.key === key) });
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    const invoice = invoiceIdOf(reference);
    if (invoice !== null) return foundEntries(await this.#entriesWhere(null, [['id', '=', invoice]]));
    const byNumber = await this.#entriesWhere(
      [['post_number', '=', reference]],
      [['OR', ['number', '=', reference], ['move.post_number', '=', reference]]],
    );
    if (byNumber.outcome !== 'ok' || byNumber.value.length > 0 || !/^\d{1,15}$/.test(reference))
      return foundEntries(byNumber);
    return foundEntries(await this.#entriesWhere([['id', '=', Number(reference)]], null));
  }

  async reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const outcome = await reverseByMirror(this, request, (journal) =>
      this.#preparation.prepareReversal(request, journal),
    );
    const setup = outcome.outcome === 'posted' ? await asAnswer(() => this.#preparation.setup.get()) : null;
    if (outcome.outcome !== 'posted' || setup?.outcome !== 'ok') return outcome;
    const { id: undone } = request.original.reference;
    const { id: company } = setup.value.company;
    return withUnmatched(outcome, await this.#matching.withUndone(company, outcome.reference.id, undone));
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const setup = await asAnswer(() => this.#preparation.setup.get());
    if (setup.outcome !== 'ok') return setup;
    const company = setup.value.company.id;
    const resource = invoiceIdOf(reference.id) === null ? `account.move,${reference.id}` : reference.id;
    const fileName = clipText(attachment.fileName, FILE_NAME_LENGTH_MAX);
    const there = await this.#client.attachments(company, resource, fileName);
    if (there.outcome !== 'ok') return there;
    if (there.value.length > 0) return { outcome: 'attached' };
    const answer = await this.#client.attach(company, resource, { ...attachment, fileName });
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const setup = await asAnswer(() => this.#preparation.setup.get());
    if (setup.outcome !== 'ok') throw listFailed(setup);
    yield* this.#paged((after) => this.#reader.movesPage(setup.value, after, period));
    if (this.#makesInvoices)
      yield* this.#paged((after) => this.#reader.invoicesPage(setup.value, after, period));
  }

  async *#paged(read: (after: number) => Promise<ReadAnswer<Page>>): AsyncIterable<port.ErpEntry> {
    let after: number | null = 0;
    for (let page = 0; page < LIST_PAGES_MAX && after !== null; page++) {
      const answer: ReadAnswer<Page> = await read(after);
      if (answer.outcome !== 'ok') throw listFailed(answer);
      yield* answer.value.entries.filter(({ key }) => isPostingKey(key));
      after = answer.value.next;
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal: stored, company, move, invoice } = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored);
    const before = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') return { outcome: 'draft', reference: before.entry.reference };
    const records = invoice === undefined ? this.#moves : this.#invoices;
    const created = await records.create(company, invoice ?? move);
    if (created.outcome === 'rejected') return this.#explained(prepared.key, journal, created);
    if (created.outcome !== 'ok') return created;
    return this.#finish({ records, company, id: created.value, key: prepared.key, journal });
  }

  async #finish({ records, company, id, key, journal }: Draft): Promise<port.PostOutcome> {
    const answer = await records.complete(company, id, journal);
    if (answer.outcome === 'rejected') {
      const removed = await records.remove(company, id);
      const refused = await this.#explained(key, journal, answer);
      return removed.outcome === 'ok' ? refused : { outcome: 'draft', reference: records.draft(id) };
    }
    // The draft is there, whatever became of the post: only a look-up can tell, so nothing here is merely transient.
    if (answer.outcome !== 'ok') return inDoubt(answer);
    const reference = await records.booked(company, id);
    const booked = { outcome: 'posted', reference } as const;
    return this.#makesInvoices
      ? withUnmatched(booked, await this.#matching.matchWithInvoice(company, reference.id, journal))
      : booked;
  }

  /** Tryton's own words say what; the state of its periods and accounts says which of our codes that is. */
  async #explained(key: string, journal: Journal, refused: port.Rejected): Promise<port.Rejected> {
    await asAnswer(() => this.#preparation.setup.fresh());
    const again = await this.#preparation.prepare(key, journal);
    return again.outcome === 'rejected' ? again : refused;
  }

  /** Moves and, where there are any, invoices under our keys. */
  async #entriesWhere(moves: Domain | null, invoices: Domain | null): Promise<LookUpAnswer<port.ErpEntry[]>> {
    const setup = await asAnswer(() => this.#preparation.setup.get());
    if (setup.outcome !== 'ok') return asLookUp(setup);
    const [asMoves, asInvoices] = await Promise.all([
      moves === null ? NONE : this.#reader.moves(setup.value, moves),
      invoices === null || !this.#makesInvoices ? NONE : this.#reader.invoices(setup.value, invoices),
    ]);
    if (asMoves.outcome !== 'ok') return asLookUp(asMoves);
    if (asInvoices.outcome !== 'ok') return asLookUp(asInvoices);
    return { outcome: 'ok', value: [...asMoves.value, ...asInvoices.value] };
  }
}

interface Draft {
  readonly records: TrytonRecords;
  readonly company: number;
  readonly id: number;
  readonly key: string;
  readonly journal: Journal;
}

const NONE: ReadAnswer<port.ErpEntry[]> = { outcome: 'ok', value: [] };

function capabilitiesOf(withAnalytic: boolean): port.ErpCapabilities {
  return {
    idempotency: 'none',
    lookUp: 'posted-and-draft',
    lookUpLagMs: 0,
    finality: 'posted',
    atomicPost: false,
    readBack: 'lines',
    attachments: true,
    dimensions: withAnalytic,
    foreignCurrency: 'in-currency',
    subledger: true,
    vatMode: 'explicit-lines',
    makesDocuments: true,
    matchesPayments: true,
    creditsBills: true,
    reverse: true,
    keyLengthMax: 20,
    // Tryton has no documented limits; a server of a few processes is the usual case.
    concurrency: 4,
    requestsPerSecond: 20,
  };
}

// From a journal to a stored request: the names that Tryton must know are looked up, partners are found or created, and the
// values of the move are fixed, so that a resend sends the same.

export class TrytonPreparation {
  readonly setup: Remembered<TrytonSetup>;
  readonly chart: Chart<TrytonFacts>;
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
    this.chart = trytonChart(client, this.setup);
    this.#partners = createPartnerDirectory<WireParty>({
      mayCreate: configuration.partners.create,
      find: async ({ kennitala }) => orThrow(await client.parties(kennitala)),
      create: (party) => client.createParty(party),
    });
  }

  async prepare(
    key: string,
    journal: Journal,
    reverses?: MoveContext['reverses'],
  ): Promise<port.PrepareOutcome> {
    const invalid = checkJournal(journal, this.#capabilities);
    if (invalid) return invalid;
    if (!isPostingKey(key) && !isTrialKey(key)) return rejected('invalid', told('KEY_UNFIT', { key }));
    const facts = await asAnswer(() => this.chart.check(journal));
    if (facts.outcome !== 'ok') return facts;
    const { setup } = facts.value;
    const parties = await this.#resolveParties(journal);
    if (parties.outcome !== 'ok') return parties;
    const owed = this.#makesInvoices && !reverses ? invoicedLine(journal, setup) : null;
    if (owed) return this.#prepareInvoice(key, journal, owed, { setup, parties: parties.value });
    const move = toMove(key, journal, {
      setup,
      periodId: facts.value.periodOf(journal.postingDate) ?? 0,
      parties: parties.value,
      ...(reverses === undefined ? {} : { reverses }),
    });
    return stored(key, journal, { company: setup.company.id, move });
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
    const setup = await asAnswer(() => this.setup.get());
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
    // Its accounts are those of the invoice, so only the day can be closed.
    const open = await asAnswer(() => this.chart.check({ ...journal, lines: [] }));
    if (open.outcome !== 'ok') return open;
    const [invoice] = original.value;
    if (!invoice) return rejected('invalid', told('NO_MOVE_TO_REVERSE', { id: `account.invoice,${id}` }));
    return stored(key, journal, { company, invoice: toCreditNote(key, journal, invoice, setup) });
  }

  async #resolveParties(journal: Journal): Promise<ReadAnswer<ReadonlyMap<string, number>>> {
    const parties = new Map<string, number>();
    for (const line of journal.lines) {
      if (line.counterparty === undefined) continue;
      const kennitala = partyNumber(line.counterparty);
      if (parties.has(kennitala)) continue;
      const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
      const kind = (party ?? journal.party)?.kind ?? 'customer';
      const wanted = { kind, kennitala, ...(party ? { party } : {}) };
      const found = await asAnswer(() => this.#partners.resolve(wanted));
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
