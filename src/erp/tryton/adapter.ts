// The port on Tryton. Creating a move and posting it are two steps, so a crash may leave a draft: it is found under its key
// and finished or deleted. Nothing in Tryton is unique about a key, so a post looks first, one at a time per key.
import * as z from 'zod';
import type { Journal } from '../../domain/journal.js';
import type { HttpClient } from '../../http/http-client.js';
import { alreadyThere } from '../already-there.js';
import { currencyFindings, lackingFinding, withNames } from '../chart-problems.js';
import { asLookUp, asRead, inDoubt, type LookUpAnswer, type ReadAnswer } from '../answer.js';
import { clipText } from '../clip-text.js';
import type * as port from '../erp-adapter.js';
import { journalFromPlain, journalJsonSchema } from '../../domain/journal-json.js';
import { OneAtATime } from '../one-at-a-time.js';
import { reverseByMirror } from '../reverse-by-mirror.js';
import { failedCheck, listFailed, rejected, told } from '../told.js';
import { TrytonClient } from './client.js';
import type { TrytonConfiguration } from './config.js';
import { TrytonPreparation } from './preparation.js';
import { TrytonSession } from './session.js';
import type { TrytonSetup } from './setup.js';
import { accountRefusal, dimensionRefusal, keyOf, toEntry, toReference } from './translate.js';
import type { WireMove } from './wire.js';

const preparedRequest = z.object({ journal: journalJsonSchema, company: z.int(), move: z.unknown() });
const LIST_PAGES_MAX = 100_000;
const FILE_NAME_LENGTH_MAX = 200;

export class TrytonAdapter implements port.ErpAdapter {
  readonly capabilities: port.ErpCapabilities;
  readonly ledger: string;
  readonly #http: HttpClient;
  readonly #client: TrytonClient;
  readonly #preparation: TrytonPreparation;
  readonly #perKey = new OneAtATime();

  constructor(configuration: TrytonConfiguration, services: port.ErpServices, http: HttpClient) {
    const { clock } = services;
    const withAnalytic = Object.keys(configuration.dimensions).length > 0;
    const password = services.secret(configuration.password);
    const { baseUrl, database, user } = configuration;
    const session = new TrytonSession({ http, clock, baseUrl, database, user, password });
    const client = new TrytonClient(session, withAnalytic);
    this.#http = http;
    this.#client = client;
    this.ledger = `tryton:${database}:${configuration.company}`;
    this.capabilities = capabilitiesOf(withAnalytic);
    this.#preparation = new TrytonPreparation(client, configuration, this.capabilities, clock);
  }

  async health(): Promise<port.ErpHealth> {
    const setup = await this.#preparation.setup.fresh();
    if (setup.outcome !== 'ok') return setup;
    const { name: company, kennitala } = setup.value.company;
    return { outcome: 'healthy', company, ...(kennitala === '' ? {} : { registrationNo: kennitala }) };
  }

  async validate(expected: port.ExpectedChart): Promise<readonly port.Finding[]> {
    const answer = await this.#preparation.setup.fresh();
    if (answer.outcome !== 'ok') return [failedCheck(answer, 'Correct the connection, then check again.')];
    const setup = answer.value;
    const refusals = [
      ...expected.accounts.map((account) => accountRefusal(account, setup)),
      ...Object.entries(expected.dimensions).flatMap(([name, values]) =>
        values.map((value) => dimensionRefusal(name, value, setup.axes)),
      ),
    ].filter((refused) => refused !== null);
    const periods = await this.#preparation.periodFindings(setup, expected.postingDates);
    const remedy = 'Create or open it in Tryton, or correct the rules.';
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

  resume(draft: port.ErpEntry, prepared: port.PreparedPost): Promise<port.PostOutcome> {
    return this.#perKey.run(prepared.key, async () => {
      const { journal, company } = preparedRequest.parse(JSON.parse(prepared.request));
      const found = await this.findByKey(prepared.key);
      const there = alreadyThere(found, journalFromPlain(journal), this.capabilities);
      if (there.outcome === 'answer') return there.answer;
      if (there.outcome === 'nothing' || there.entry.reference.id !== draft.reference.id)
        return rejected('invalid', told('DRAFT_GONE', { system: 'Tryton' }));
      return this.#finish(company, Number(draft.reference.id), prepared.key, journalFromPlain(journal));
    });
  }

  async findByKey(key: string): Promise<port.FindOutcome> {
    return found(await this.#entriesWhere([['description', 'like', `${key}%`]], key));
  }

  async findByReference(reference: string): Promise<port.FindOutcome> {
    const byNumber = await this.#entriesWhere([['post_number', '=', reference]]);
    if (byNumber.outcome !== 'ok' || byNumber.value.length > 0 || !/^\d{1,15}$/.test(reference))
      return found(byNumber);
    return found(await this.#entriesWhere([['id', '=', Number(reference)]]));
  }

  reverse(request: port.ReverseRequest): Promise<port.PostOutcome> {
    return reverseByMirror(this, request, (journal) => this.#preparation.prepareReversal(request, journal));
  }

  async attach(reference: port.ErpReference, attachment: port.Attachment): Promise<port.AttachOutcome> {
    const setup = await this.#preparation.setup.get();
    if (setup.outcome !== 'ok') return setup;
    const company = setup.value.company.id;
    const fileName = clipText(attachment.fileName, FILE_NAME_LENGTH_MAX);
    const there = await this.#client.attachments(company, reference.id, fileName);
    if (there.outcome !== 'ok') return there;
    if (there.value.length > 0) return { outcome: 'attached' };
    const answer = await this.#client.attach(company, reference.id, { ...attachment, fileName });
    return answer.outcome === 'ok' ? { outcome: 'attached' } : answer;
  }

  async *entries(period: { readonly from: string; readonly to: string }): AsyncIterable<port.ErpEntry> {
    const setup = await this.#preparation.setup.get();
    if (setup.outcome !== 'ok') throw listFailed(setup);
    let lastId = 0;
    for (let page = 0; page < LIST_PAGES_MAX; page++) {
      const moves = await this.#client.movesAfter(setup.value.company.id, lastId, period);
      if (moves.outcome !== 'ok') throw listFailed(moves);
      if (moves.value.length === 0) return;
      const entries = await this.#toEntries(setup.value, moves.value);
      if (entries.outcome !== 'ok') throw listFailed(entries);
      yield* entries.value;
      lastId = Math.max(...moves.value.map((move) => move.id));
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #postOnce(prepared: port.PreparedPost): Promise<port.PostOutcome> {
    const { journal: stored, company, move } = preparedRequest.parse(JSON.parse(prepared.request));
    const journal = journalFromPlain(stored);
    const before = alreadyThere(await this.findByKey(prepared.key), journal, this.capabilities);
    if (before.outcome === 'answer') return before.answer;
    if (before.outcome === 'draft') return { outcome: 'draft', reference: before.entry.reference };
    const created = await this.#client.createMove(company, move);
    if (created.outcome === 'rejected') return this.#explained(prepared.key, journal, created);
    return created.outcome === 'ok' ? this.#finish(company, created.value, prepared.key, journal) : created;
  }

  async #finish(company: number, id: number, key: string, journal: Journal): Promise<port.PostOutcome> {
    const answer = await this.#client.postMove(company, id);
    if (answer.outcome === 'rejected') {
      const deleted = await this.#client.deleteMove(company, id);
      const refused = await this.#explained(key, journal, answer);
      return deleted.outcome === 'ok' ? refused : { outcome: 'draft', reference: { id: String(id) } };
    }
    // The draft is there, whatever became of the post: only a look-up can tell, so nothing here is merely transient.
    if (answer.outcome !== 'ok') return inDoubt(answer);
    const number = await this.#client.postNumber(company, id);
    const postNumber = number.outcome === 'ok' ? number.value : null;
    return { outcome: 'posted', reference: toReference({ id, post_number: postNumber }) };
  }

  /** Tryton's own words say what; the state of its periods and accounts says which of our codes that is. */
  async #explained(key: string, journal: Journal, refused: port.Rejected): Promise<port.Rejected> {
    await this.#preparation.setup.fresh();
    const again = await this.#preparation.prepare(key, journal);
    return again.outcome === 'rejected' ? again : refused;
  }

  async #entriesWhere(domain: readonly unknown[], key?: string): Promise<LookUpAnswer<port.ErpEntry[]>> {
    const setup = await this.#preparation.setup.get();
    if (setup.outcome !== 'ok') return asLookUp(setup);
    const moves = await this.#client.moves(setup.value.company.id, domain);
    if (moves.outcome !== 'ok') return asLookUp(moves);
    const wanted = key === undefined ? moves.value : moves.value.filter((move) => keyOf(move) === key);
    return asLookUp(await this.#toEntries(setup.value, wanted));
  }

  async #toEntries(setup: TrytonSetup, moves: readonly WireMove[]): Promise<ReadAnswer<port.ErpEntry[]>> {
    const ours = moves.flatMap((move) => {
      const key = keyOf(move);
      return key === null ? [] : [{ move, key }];
    });
    if (ours.length === 0) return { outcome: 'ok', value: [] };
    const origins = ours.map(({ move }) => `account.move,${move.id}`);
    const reversals = asRead(
      await this.#client.moves(setup.company.id, [
        ['origin', 'in', origins],
        ['state', '=', 'posted'],
      ]),
    );
    if (reversals.outcome !== 'ok') return reversals;
    const reversed = new Set(reversals.value.map((reversal) => reversal.origin));
    const entries = ours.map(({ move, key }) =>
      toEntry(move, key, reversed.has(`account.move,${move.id}`), setup),
    );
    return { outcome: 'ok', value: entries };
  }
}

function found(answer: LookUpAnswer<port.ErpEntry[]>): port.FindOutcome {
  if (answer.outcome !== 'ok') return answer;
  const [entry] = answer.value;
  if (!entry) return { outcome: 'none' };
  return answer.value.length === 1 ? { outcome: 'one', entry } : { outcome: 'many', entries: answer.value };
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
    reverse: true,
    keyLengthMax: 20,
    // Tryton has no documented limits; a server of a few processes is the usual case.
    concurrency: 4,
    requestsPerSecond: 20,
  };
}
