// The port on Tryton. Creating a move or an invoice and posting it are two steps, so a crash may leave a draft: it is found under its
// key and finished or deleted. Nothing in Tryton is unique about a key, so a post looks first, one at a time per key.
// Not on the driver of `keyed-books.ts`: a draft that is found is restored before it is posted, and a refusal is explained by looking again.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import { type Journal, type JournalLine, partyWith } from '../../domain/journal.js';
import { isPostingKey, isTrialKey } from '../../domain/posting-key.js';
import type { HttpClient } from '../../http/http-client.js';
import {
  alreadyThere,
  confirmed,
  listed,
  lookedUp,
  OneAtATime,
  unmatched,
  withUnmatched,
} from '../keyed-books.js';
import type { Chart, Remembered } from '../chart.js';
import { asAnswer, inDoubt, orFailure } from '../answer.js';
import { clipText } from '../line-text.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reversal.js';
import { rejected, told, type Told } from '../told.js';
import { type Domain, TrytonClient, TrytonModels, TrytonSession } from './client.js';
import type { TrytonConfiguration } from './settings.js';
import {
  invoiceIdOf,
  invoiceRecords,
  moveRecords,
  type Page,
  type Period,
  TrytonLedgerReader,
  type TrytonRecords,
  TrytonMatching,
} from './entries.js';
import { TrytonInvoices } from './invoices.js';
import {
  type InvoiceContext,
  invoicedLine,
  type MoveContext,
  toCreditNote,
  toInvoice,
  toMove,
} from './translate.js';
import type { Clock } from '../../domain/runtime.js';
import { checkJournal } from '../compare-entry.js';
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
    return orFailure(() => this.#preparation.prepare(key, journal));
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

  match({ key, reference }: port.ErpEntry, journal: Journal): Promise<Told | undefined> {
    if (!this.#makesInvoices) return Promise.resolve(undefined);
    return this.#perKey.run(key, () => this.#unmatched(reference.id, journal));
  }

  findByKey(key: string): Promise<port.FindOutcome> {
    const domain = [['description', 'like', `${key}%`]];
    return lookedUp(async () =>
      (await this.#entriesWhere(domain, domain)).filter((entry) => entry.key === key),
    );
  }

  findByReference(reference: string): Promise<port.FindOutcome> {
    const invoice = invoiceIdOf(reference);
    return lookedUp(async () => {
      if (invoice !== null) return this.#entriesWhere(null, [['id', '=', invoice]]);
      const byNumber = await this.#entriesWhere(
        [['post_number', '=', reference]],
        [['OR', ['number', '=', reference], ['move.post_number', '=', reference]]],
      );
      if (byNumber.length > 0 || !/^\d{1,15}$/.test(reference)) return byNumber;
      return this.#entriesWhere([['id', '=', Number(reference)]], null);
    });
  }

  async reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    const outcome = await reverseByMirror(this, request, (journal) =>
      orFailure(() => this.#preparation.prepareReversal(request, journal)),
    );
    if (outcome.outcome !== 'posted') return outcome;
    const { id: undone } = request.original.reference;
    const withUndone = async () =>
      this.#matching.withUndone(await this.#company(), outcome.reference.id, undone);
    return withUnmatched(outcome, await unmatched(withUndone));
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const resource = invoiceIdOf(reference.id) === null ? `account.move,${reference.id}` : reference.id;
    const fileName = clipText(attachment.fileName, FILE_NAME_LENGTH_MAX);
    const read = await asAnswer(async () => {
      const company = await this.#company();
      return { company, there: await this.#client.attachments(company, resource, fileName) };
    });
    if (read.outcome !== 'ok') return read;
    const { company, there } = read.value;
    if (there.length > 0) return { outcome: 'attached' };
    const answer = await this.#client.attach(company, resource, { ...attachment, fileName });
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  entries(period: Period): AsyncIterable<port.ErpEntry> {
    return listed(this.#entries(period));
  }

  async *#entries(period: Period): AsyncIterable<port.ErpEntry> {
    const setup = await this.#preparation.setup.get();
    yield* this.#paged((after) => this.#reader.movesPage(setup, after, period));
    if (this.#makesInvoices) yield* this.#paged((after) => this.#reader.invoicesPage(setup, after, period));
  }

  async *#paged(read: (after: number) => Promise<Page>): AsyncIterable<port.ErpEntry> {
    let after: number | null = 0;
    for (let page = 0; page < LIST_PAGES_MAX && after !== null; page++) {
      const { entries, next }: Page = await read(after);
      yield* entries;
      after = next;
    }
  }

  async #company(): Promise<number> {
    return (await this.#preparation.setup.get()).company.id;
  }

  #unmatched(id: string, journal: Journal): Promise<Told | undefined> {
    return unmatched(async () => this.#matching.matchWithInvoice(await this.#company(), id, journal));
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
    return this.#makesInvoices ? withUnmatched(booked, await this.#unmatched(reference.id, journal)) : booked;
  }

  /** Tryton's own words say what; the state of its periods and accounts says which of our codes that is. */
  async #explained(key: string, journal: Journal, refused: port.Rejected): Promise<port.Rejected> {
    const again = await orFailure(async () => {
      await this.#preparation.setup.fresh();
      return this.#preparation.prepare(key, journal);
    });
    return again.outcome === 'rejected' ? again : refused;
  }

  /** Moves and, where there are any, invoices under our keys. */
  async #entriesWhere(moves: Domain | null, invoices: Domain | null): Promise<port.ErpEntry[]> {
    const setup = await this.#preparation.setup.get();
    const both = await Promise.all([
      moves === null ? [] : this.#reader.moves(setup, moves),
      invoices === null || !this.#makesInvoices ? [] : this.#reader.invoices(setup, invoices),
    ]);
    return both.flat();
  }
}

interface Draft {
  readonly records: TrytonRecords;
  readonly company: number;
  readonly id: number;
  readonly key: string;
  readonly journal: Journal;
}

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
      find: ({ kennitala }) => client.parties(kennitala),
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
    const facts = await this.chart.check(journal);
    const { setup } = facts;
    const parties = await this.#resolveParties(journal);
    const owed = this.#makesInvoices && !reverses ? invoicedLine(journal, setup) : null;
    if (owed) return this.#prepareInvoice(key, journal, owed, { setup, parties });
    const move = toMove(key, journal, {
      setup,
      periodId: facts.periodOf(journal.postingDate) ?? 0,
      parties,
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
    if (address === undefined) {
      const words = told('PARTY_WITHOUT_ADDRESS', { system: 'Tryton', party: kennitala });
      return rejected('unknown-party', words, { party: kennitala });
    }
    const invoice = toInvoice(key, journal, owed, { ...context, address });
    return stored(key, journal, { company: context.setup.company.id, invoice });
  }

  async prepareReversal(request: port.ReverseRequest, journal: Journal): Promise<port.PrepareOutcome> {
    const setup = await this.setup.get();
    const { id } = request.original.reference;
    const invoice = invoiceIdOf(id);
    if (invoice !== null) return this.#prepareCreditNote(request.key, journal, invoice, setup);
    const [move] = await this.#client.moves(setup.company.id, [['id', '=', Number(id)]]);
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
    const [invoice] = await this.#invoices.find(company, [['id', '=', id]]);
    // Its accounts are those of the invoice, so only the day can be closed.
    await this.chart.check({ ...journal, lines: [] });
    if (!invoice) return rejected('invalid', told('NO_MOVE_TO_REVERSE', { id: `account.invoice,${id}` }));
    return stored(key, journal, { company, invoice: toCreditNote(key, journal, invoice, setup) });
  }

  async #resolveParties(journal: Journal): Promise<ReadonlyMap<string, number>> {
    const parties = new Map<string, number>();
    for (const line of journal.lines) {
      if (line.counterparty === undefined) continue;
      const kennitala = partyNumber(line.counterparty);
      if (parties.has(kennitala)) continue;
      const party = partyWith(journal, (one) => partyNumber(one.kennitala) === kennitala);
      const kind = (party ?? journal.party)?.kind ?? 'customer';
      const { id } = await this.#partners.resolve({ kind, kennitala, ...(party ? { party } : {}) });
      parties.set(kennitala, id);
    }
    return parties;
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
