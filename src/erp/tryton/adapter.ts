// The port on Tryton. Creating a move or an invoice and posting it are two steps, so a crash may leave a draft: it is found under its
// key and finished or deleted. Nothing in Tryton is unique about a key, so a post looks first, one at a time per key.
import * as z from 'zod';
import type * as port from '../erp-adapter.js';
import type { Journal } from '../../domain/journal.js';
import { isPostingKey } from '../../domain/posting-key.js';
import type { HttpClient } from '../../http/http-client.js';
import { alreadyThere, confirmed, foundEntries, OneAtATime } from '../keyed-books.js';
import { currencyFindings, lackingFinding, withNames } from '../chart.js';
import { asLookUp, inDoubt, type LookUpAnswer, type ReadAnswer } from '../answer.js';
import { clipText } from '../line-text.js';
import { journalFromPlain, journalJsonSchema } from '../../domain/journal-json.js';
import { reverseByMirror } from '../reversal.js';
import { failedCheck, listFailed, rejected, told } from '../told.js';
import { TrytonClient } from './client.js';
import type { TrytonConfiguration } from './config.js';
import { invoiceIdOf } from './invoice-entry.js';
import { TrytonInvoices } from './invoices.js';
import { type Page, TrytonLedgerReader } from './ledger-reader.js';
import { TrytonMatching } from './matching.js';
import type { Told } from '../../domain/message.js';
import { withUnmatched } from '../set-against.js';
import { type Domain, TrytonModels } from './models.js';
import { TrytonPreparation } from './preparation.js';
import { invoiceRecords, moveRecords, type TrytonRecords } from './records.js';
import { TrytonSession } from './session.js';
import { accountRefusal, dimensionRefusal } from './translate.js';

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

  async health(): Promise<port.ErpHealth> {
    const setup = await this.#preparation.setup.fresh();
    if (setup.outcome !== 'ok') return setup;
    const { name: company, kennitala } = setup.value.company;
    return { outcome: 'healthy', company, ...(kennitala === '' ? {} : { registrationNo: kennitala }) };
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const answer = await this.#preparation.setup.fresh();
    if (answer.outcome !== 'ok') return [failedCheck(answer, told('CORRECT_THE_CONNECTION'))];
    const setup = answer.value;
    const refusals = [
      ...expected.accounts.map((account) => accountRefusal(account, setup)),
      ...Object.entries(expected.dimensions).flatMap(([name, values]) =>
        values.map((value) => dimensionRefusal(name, value, setup.axes)),
      ),
    ].filter((refused) => refused !== null);
    const periods = await this.#preparation.periodFindings(setup, expected.postingDates);
    const remedy = told('CREATE_IN_ERP', { system: 'Tryton' });
    const lacking = [
      ...refusals.map((refused) => lackingFinding(refused, remedy)),
      ...currencyFindings('Tryton', expected, (code) => setup.currencies.has(code)),
    ];
    const ready = told('READY_LEDGER', { company: setup.company.name });
    const chart: port.Finding[] = lacking.length > 0 ? lacking : [{ severity: 'ok', ...ready }];
    return [...withNames(chart, expected, (code) => setup.accounts.get(code)?.name), ...periods];
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
    const setup = await this.#preparation.setup.get();
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
    const setup = outcome.outcome === 'posted' ? await this.#preparation.setup.get() : null;
    if (outcome.outcome !== 'posted' || setup?.outcome !== 'ok') return outcome;
    const { id: undone } = request.original.reference;
    const { id: company } = setup.value.company;
    return withUnmatched(outcome, await this.#matching.withUndone(company, outcome.reference.id, undone));
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const setup = await this.#preparation.setup.get();
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
    const setup = await this.#preparation.setup.get();
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
    await this.#preparation.setup.fresh();
    const again = await this.#preparation.prepare(key, journal);
    return again.outcome === 'rejected' ? again : refused;
  }

  /** Moves and, where there are any, invoices under our keys. */
  async #entriesWhere(moves: Domain | null, invoices: Domain | null): Promise<LookUpAnswer<port.ErpEntry[]>> {
    const setup = await this.#preparation.setup.get();
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
