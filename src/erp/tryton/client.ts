// The calls to Tryton that the adapter needs. Reads throw `ReadFailed`; what may change the books is answered in the port's outcomes.
import * as z from 'zod';
import type { JournalParty } from '../../domain/journal.js';
import type { IsoDate } from '../../domain/source-document.js';
import { type Answer, asRead, orThrow, type ReadAnswer } from '../answer.js';
import type { Attachment } from '../erp-adapter.js';
import { partyNumber, partySpellings } from '../partner-directory.js';
import {
  ACCOUNT_FIELDS,
  ANALYTIC_FIELDS,
  bytes,
  COMPANY_FIELDS,
  date,
  moveFields,
  PARTY_FIELDS,
  type WireAccount,
  wireAccounts,
  wireAnalyticAccounts,
  wireCompanies,
  wireIds,
  type WireMove,
  wireMoves,
  wireNamed,
  wireParties,
  type WireParts,
  type WireParty,
  wirePeriods,
  wirePostNumbers,
  wireSession,
} from './wire.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import {
  dispositionOf,
  failedSend,
  type FailedSend,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';

const MOVES_PER_PAGE = 100;
const NOTHING = z.unknown();

export class TrytonClient {
  readonly #models: TrytonModels;
  readonly #moveFields: readonly string[];

  constructor(models: TrytonModels, parts: WireParts) {
    this.#models = models;
    this.#moveFields = moveFields(parts);
  }

  companies(): Promise<z.infer<typeof wireCompanies>> {
    return this.#models.find('company.company', [], COMPANY_FIELDS, wireCompanies, {});
  }

  journals(): Promise<z.infer<typeof wireNamed>> {
    return this.#models.find('account.journal', [], ['code', 'name'], wireNamed, {});
  }

  currencies(): Promise<z.infer<typeof wireNamed>> {
    return this.#models.find('currency.currency', [], ['code', 'name'], wireNamed, {});
  }

  accounts(company: number): Promise<WireAccount[]> {
    return this.#models.find('account.account', [['company', '=', company]], ACCOUNT_FIELDS, wireAccounts, {
      company,
    });
  }

  analyticAccounts(company: number): Promise<z.infer<typeof wireAnalyticAccounts>> {
    const domain = [['company', '=', company]];
    return this.#models.find('analytic_account.account', domain, ANALYTIC_FIELDS, wireAnalyticAccounts, {
      company,
    });
  }

  periods(company: number, day: IsoDate): Promise<z.infer<typeof wirePeriods>> {
    const domain = [
      ['company', '=', company],
      ['start_date', '<=', date(day)],
      ['end_date', '>=', date(day)],
      ['type', '=', 'standard'],
    ];
    return this.#models.find('account.period', domain, ['name', 'state'], wirePeriods, { company });
  }

  /** By identifier or by the party's own code, with and without the hyphen. */
  parties(kennitala: string): Promise<WireParty[]> {
    const spellings = partySpellings(kennitala);
    const domain = ['OR', ['identifiers.code', 'in', spellings], ['code', 'in', spellings]];
    return this.#models.find('party.party', domain, PARTY_FIELDS, wireParties, {});
  }

  /** The code of a party is unique in Tryton, so a second creation under the same kennitala is refused by the database. */
  async createParty(party: JournalParty): Promise<Answer<WireParty>> {
    const code = partyNumber(party.kennitala);
    const address = { street: party.address ?? '', postal_code: party.zip ?? '', city: party.city ?? '' };
    const values = {
      name: party.name,
      code,
      identifiers: [['create', [{ type: null, code }]]],
      addresses: [['create', [address]]],
    };
    const answer = await this.#models.call('party.party.create', [[values]], wireIds, {});
    if (answer.outcome !== 'ok') return answer;
    const [id = 0] = answer.value;
    return { outcome: 'ok', value: { id, code, name: party.name, 'identifiers.': [{ code }] } };
  }

  moves(company: number, domain: Domain): Promise<WireMove[]> {
    const ours = [['company', '=', company], ...domain];
    return this.#models.find('account.move', ours, this.#moveFields, wireMoves, { company }, MOVES_PER_PAGE);
  }

  /** The next page of a period, by id, so that entries made meanwhile neither shift nor repeat a page. */
  movesAfter(
    company: number,
    afterId: number,
    period: { readonly from: IsoDate; readonly to: IsoDate },
  ): Promise<WireMove[]> {
    return this.moves(company, [
      ['date', '>=', date(period.from)],
      ['date', '<=', date(period.to)],
      ['id', '>', afterId],
      // Moves that Tryton made of invoices have none, and are read with their invoices.
      ['description', '!=', null],
    ]);
  }

  async createMove(company: number, values: unknown): Promise<Answer<number>> {
    const answer = await this.#models.call('account.move.create', [[values]], wireIds, { company });
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value[0] ?? 0 } : answer;
  }

  postMove(company: number, id: number): Promise<Answer<unknown>> {
    return this.#models.call('account.move.post', [[id]], NOTHING, { company });
  }

  /** What a posted move is called; a lighter question than reading it with its lines. */
  async postNumber(company: number, id: number): Promise<string | null> {
    const parameters = [[id], ['post_number']];
    const [move] = await this.#models.read('account.move.read', parameters, wirePostNumbers, { company });
    return move?.post_number ?? null;
  }

  deleteMove(company: number, id: number): Promise<Answer<unknown>> {
    return this.#models.call('account.move.delete', [[id]], NOTHING, { company });
  }

  attachments(company: number, resource: string, name: string): Promise<number[]> {
    const domain = [
      ['resource', '=', resource],
      ['name', '=', name],
    ];
    return this.#models.read('ir.attachment.search', [domain, 0, 1, null], wireIds, { company });
  }

  attach(company: number, resource: string, attachment: Attachment): Promise<Answer<unknown>> {
    const values = {
      name: attachment.fileName,
      type: 'data',
      data: bytes(attachment.content),
      resource,
    };
    return this.#models.call('ir.attachment.create', [[values]], NOTHING, { company });
  }
}

// Tryton's models by name: searching, reading and calling.

const RECORDS_MAX = 10_000;

export type Domain = readonly unknown[];
type Context = Readonly<Record<string, unknown>>;

export class TrytonModels {
  readonly #session: TrytonSession;

  constructor(session: TrytonSession) {
    this.#session = session;
  }

  /** Oldest first. */
  find<T>(
    model: string,
    domain: Domain,
    fields: readonly string[],
    schema: z.ZodType<T>,
    context: Context,
    limit = RECORDS_MAX,
  ): Promise<T> {
    const parameters = [domain, 0, limit, [['id', 'ASC']], fields];
    return this.read(`${model}.search_read`, parameters, schema, context);
  }

  async read<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Context,
  ): Promise<T> {
    return orThrow(asRead(await this.#session.call(`model.${method}`, parameters, schema, context, 'read')));
  }

  call<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Context,
  ): Promise<Answer<T>> {
    return this.#session.call(`model.${method}`, parameters, schema, context, 'write');
  }

  /** Number of the user that the bridge books as. */
  user(): Promise<ReadAnswer<number>> {
    return this.#session.user();
  }
}

// Logged-in JSON-RPC. One log-in at a time; a session that has run out is renewed once and the call repeated, which is safe
// because a refused session comes before any effect.

export interface TrytonSessionOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly database: string;
  readonly user: string;
  readonly password: Secret;
}

const LANGUAGE = 'en';
const rpcAnswer = z.union([
  z.object({ error: z.array(z.unknown()).min(1) }),
  z.looseObject({ id: z.unknown(), result: z.unknown().optional() }),
]);

export class TrytonSession {
  readonly #options: TrytonSessionOptions;
  readonly #url: URL;
  #authorization: string | undefined;
  #userId = 0;
  #loggingIn: Promise<ReadAnswer<string>> | undefined;

  constructor(options: TrytonSessionOptions) {
    this.#options = options;
    this.#url = new URL(`${options.baseUrl}/${options.database}/`);
  }

  /** Calls with the context as the last parameter, as Tryton wants it. */
  async call<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Readonly<Record<string, unknown>>,
    purpose: Purpose,
  ): Promise<Answer<T>> {
    const params = [...parameters, { language: LANGUAGE, ...context }];
    const authorization = this.#authorization ?? (await this.#logIn());
    if (typeof authorization !== 'string' && authorization.outcome !== 'ok') return authorization;
    const used = typeof authorization === 'string' ? authorization : authorization.value;
    const first = await this.#send(method, params, used);
    if (first.outcome === 'failed') return first.answer;
    if (first.response.status !== 401) return this.#decode(first.response, schema, purpose);
    if (this.#authorization === used) this.#authorization = undefined;
    const renewed = await this.#logIn();
    if (renewed.outcome !== 'ok') return renewed;
    const second = await this.#send(method, params, renewed.value);
    return second.outcome === 'failed' ? second.answer : this.#decode(second.response, schema, purpose);
  }

  /** Number of the user that is logged in. */
  async user(): Promise<ReadAnswer<number>> {
    const loggedIn = await this.#logIn();
    return loggedIn.outcome === 'ok' ? { outcome: 'ok', value: this.#userId } : loggedIn;
  }

  #logIn(): Promise<ReadAnswer<string>> {
    if (this.#authorization !== undefined)
      return Promise.resolve({ outcome: 'ok', value: this.#authorization });
    this.#loggingIn ??= this.#logInNow().finally(() => (this.#loggingIn = undefined));
    return this.#loggingIn;
  }

  async #logInNow(): Promise<ReadAnswer<string>> {
    const { user, password } = this.#options;
    const params = [user, { password: password.reveal() }, LANGUAGE];
    const sent = await this.#send('common.db.login', params);
    if (sent.outcome === 'failed') return asRead(sent.answer);
    if (sent.response.status === 404)
      return { outcome: 'auth', ...told('TRYTON_NO_DATABASE', { database: this.#options.database }) };
    const answer = asRead(this.#decode(sent.response, wireSession, 'read'));
    if (answer.outcome !== 'ok') return answer;
    const [userId, session] = answer.value;
    const token = Buffer.from(`${user}:${userId}:${session}`).toString('base64');
    this.#userId = userId;
    this.#authorization = `Session ${token}`;
    return { outcome: 'ok', value: this.#authorization };
  }

  async #send(method: string, params: readonly unknown[], authorization?: string) {
    const result = await this.#options.http.send({
      method: 'POST',
      url: this.#url,
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: writeWireJson({ id: 1, method, params }),
    });
    if (result.outcome === 'failure')
      return { outcome: 'failed', answer: failedSend(result, 'Tryton') } as const;
    return { outcome: 'answered', response: result } as const;
  }

  #decode<T>(response: HttpResponse, schema: z.ZodType<T>, purpose: Purpose): Answer<T> {
    if (response.status !== 200) return judgeStatus(response, purpose, this.#options.clock.now());
    const answer = rpcAnswer.safeParse(readWireJson(response.body));
    if (!answer.success) return { outcome: 'unknown', ...told('SYSTEM_NOT_ITSELF', { system: 'Tryton' }) };
    if ('error' in answer.data && Array.isArray(answer.data.error)) return judgeError(answer.data.error);
    const result = schema.safeParse('result' in answer.data ? answer.data.result : null);
    if (result.success) return { outcome: 'ok', value: result.data };
    const problem = z.prettifyError(result.error);
    return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'Tryton', problem }) };
  }
}

// What an answer of Tryton means. Application errors come as HTTP 200 with `error: [class, …]`; a transaction that raised one
// was rolled back. The texts are translated and free, so none is read for its meaning: the adapter looks at periods and
// accounts again to say why.

export const TRYTON_ERRORS: Readonly<Record<string, 'rejected' | 'transient' | 'auth'>> = {
  UserError: 'rejected',
  // Asks a person "are you sure?"; nobody is there to say so.
  UserWarning: 'rejected',
  ConcurrencyException: 'transient',
  LoginException: 'auth',
};

const userErrorArguments = z.tuple([z.string()]).rest(z.unknown());
const warningArguments = z.tuple([z.string(), z.string()]).rest(z.unknown());

/** Tryton's errors come with 200, so another status is nobody's word on what became of a write. */
export function judgeStatus(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const { status } = response;
  switch (dispositionOf(status, { purpose, isOwn: false })) {
    case 'auth':
      return { outcome: 'auth', ...told('TRYTON_REFUSED', { status }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system: 'Tryton', answer: `HTTP ${status}` }), response, now);
    case 'unknown':
      return unknownYet(told('TRYTON_STATUS', { status }), response, now);
    case 'rejected':
      return rejected('invalid', told('TRYTON_WRONG_ADDRESS', { status }));
  }
}

/** The `error` of an answer. What is not in the table broke inside the server, perhaps while committing. */
export function judgeError(error: readonly unknown[]): FailedSend {
  const [name, details] = error;
  const disposition = TRYTON_ERRORS[String(name)];
  const words = told('SYSTEM_SAYS', { system: 'Tryton', answer: messageOf(String(name), details) });
  if (disposition === undefined)
    return { outcome: 'unknown', ...told('TRYTON_FAILED_INSIDE', { name: String(name).slice(0, 200) }) };
  return disposition === 'rejected' ? rejected('invalid', words) : { outcome: disposition, ...words };
}

function messageOf(name: string, details: unknown): string {
  if (name === 'UserWarning') return warningArguments.safeParse(details).data?.[1] ?? name;
  return userErrorArguments.safeParse(details).data?.[0] ?? name;
}
