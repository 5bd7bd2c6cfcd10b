// Calls any endpoint of either table: checks the parameters and write rules before a byte leaves, keeps to the load the
// service can bear, refreshes a token once when told it expired, and reads the answer strictly. An explicit no is an
// outcome; everything else that is not a success throws a CodedError whose disposition comes from dispositions.ts.
import type { CodedError } from '../domain/errors/coded-error.js';
import { onceOf } from '../domain/once-of.js';
import type { IsoDate } from '../domain/source-document.js';
import { createHttpClient, type HttpClient, type HttpResult } from '../http/http-client.js';
import { coded } from '../language/coded.js';
import { message, told } from '../language/messages.js';
import { type Access, basicHeader, type OtherTokens } from './access.js';
import { ShapeProblem } from './answers.js';
import { buildRequest, type Params } from './build-request.js';
import { checkCall } from './check-call.js';
import { DISPOSITION_TABLE, type Failure, judge, type Verdict, type FailureVerdict } from './dispositions.js';
import type { AnyEndpoint, CallParams, CallResult, Endpoint } from './endpoint.js';
import { GrowthWatch, type Newcomer } from './growth-watch.js';
import { Scrubber } from './scrubber.js';
import type { SourceServices } from './source-services.js';
import type { AgentScope, SourceSettings } from './source-settings.js';
import { SENDS_MAX } from './oauth/token-outcome.js';
import { CONCURRENCY_MAX, type Judged, Traffic } from './traffic.js';
import { type JsonObject, parseJson } from './wire-json.js';
import { asText } from './wire-types.js';
import type { Message } from '../domain/message.js';
import { Shelf } from '../domain/shelf.js';

// A document is read three times on its way, and the second answer is nearly always the first again, byte for byte. What was
// made of a text is kept for a moment under the question that brought it, and given again when the same text comes. What it
// says is decided by the text alone, so nothing can be out of date.

const QUESTIONS_MAX = 256;
const TEXT_MAX = 64 * 1024;

export class ReadBefore {
  readonly #answers = new Shelf<{ readonly text: string; readonly value: unknown }>(QUESTIONS_MAX);

  /** A text that differs is the last that is asked for: the document has changed, or the source was told of it. */
  parse(question: string, text: string, parse: (text: string) => unknown): unknown {
    const before = this.#answers.find(question);
    if (before?.text === text) return before.value;
    this.#answers.drop(question);
    const value = parse(text);
    if (!before && text.length <= TEXT_MAX) this.#answers.put(question, { text, value });
    return value;
  }
}

export type CallOutcome<T> =
  | {
      readonly outcome: 'ok';
      readonly value: T;
      /** As it came, for showing; may hold personal data, never a credential of ours. */
      readonly body: JsonObject;
      readonly message: string;
      /** Every agent call returns one; the only trace the service keeps. */
      readonly actionId: string | null;
    }
  | {
      readonly outcome: 'refused';
      readonly message: string;
      readonly status: number;
      readonly errorCode: string;
      readonly said: 'envelope' | 'http';
    };

export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  /** Nothing of it leaves later than this, however long it waited for its turn. */
  readonly leaveBy?: Date;
}

const TOO_LATE_WORDS = told('CALL_TOO_LATE');
const TOO_LATE: Judged = {
  result: {
    outcome: 'failure',
    reason: 'aborted',
    reached: 'not-sent',
    ...TOO_LATE_WORDS,
    durationMs: 0,
  },
  verdict: {
    verdict: 'cancelled-unsent',
    message: TOO_LATE_WORDS.message,
    ours: TOO_LATE_WORDS.said,
    status: null,
  },
};

/** One for all connections of a process: what bounds it is then a bound on all of them. */
const readBefore = new ReadBefore();

/** Bodies are kept by account, surface and endpoint: the first who reads one reads it for all who get the same. */
const valueOf = onceOf((body: JsonObject, endpoint: Endpoint, watch: GrowthWatch) =>
  endpoint.answer.read(body, watch),
);

export class ApiClient {
  readonly #settings: SourceSettings;
  readonly #services: SourceServices;
  readonly #access: Access;
  readonly #http: HttpClient;
  readonly #traffic: Traffic;
  readonly #watch: GrowthWatch;
  readonly #scrubber: Scrubber;

  constructor(settings: SourceSettings, services: SourceServices, access: Access) {
    this.#settings = settings;
    this.#services = services;
    this.#access = access;
    this.#http = createHttpClient({
      origins: [settings.baseUrl],
      userAgent: `ledgerbridge/${services.version}`,
      connections: CONCURRENCY_MAX,
      ...(services.limits?.deadlineMs !== undefined && { deadlineMs: services.limits.deadlineMs }),
    });
    const { runtime, limits, traffic } = services;
    this.#traffic = traffic ?? new Traffic({ runtime, limits, origin: settings.baseUrl });
    this.#watch = new GrowthWatch(services.log);
    this.#scrubber = new Scrubber(settings, access);
  }

  /** Server clock minus ours, from the last answer that had a Date. */
  get clockSkewMs(): number | null {
    return this.#traffic.clockSkewMs;
  }

  /** Fields and values that the documents do not name, seen since the connection was made. */
  newcomers(): readonly Newcomer[] {
    return this.#watch.newcomers();
  }

  async call<E extends AnyEndpoint>(
    endpoint: E,
    params: CallParams<E>,
    signal?: AbortSignal,
  ): Promise<CallOutcome<CallResult<E>>> {
    return this.callUntyped(endpoint, params, { signal }) as Promise<CallOutcome<CallResult<E>>>;
  }

  /** For callers that have an endpoint by name only, as the command line has. The checks are the same. */
  async callUntyped(
    endpoint: AnyEndpoint,
    params: Params,
    limits: CallLimits = {},
  ): Promise<CallOutcome<unknown>> {
    const checked = this.check(endpoint, params);
    if (endpoint.scope !== undefined) await this.#mustBeGranted(endpoint, endpoint.scope);
    let verdict = await this.#attempt(endpoint, checked, limits);
    // A kept-alive connection may have been closed just as we wrote to it; a question can simply be asked again.
    if (verdict.verdict === 'no-answer' && verdict.status === null && endpoint.effect === 'read') {
      verdict = await this.#attempt(endpoint, checked, limits);
    }
    if (verdict.verdict === 'success') return this.#read(endpoint, verdict.body);
    if (verdict.verdict === 'refused') {
      const message = this.#scrubber.clean(verdict.message);
      return { ...verdict, outcome: 'refused', message, errorCode: this.#scrubber.clean(verdict.errorCode) };
    }
    throw this.#error(endpoint, verdict);
  }

  /** Throws what a call with these parameters would throw before a byte leaves. */
  check(endpoint: AnyEndpoint, params: Params): Params {
    return checkCall(endpoint as Endpoint, params, () => this.today());
  }

  now(): Date {
    return this.#services.runtime.clock.now();
  }

  /** The service's own day: it runs on UTC. */
  today(): IsoDate {
    return this.now().toISOString().slice(0, 10);
  }

  /** The answer outside the granted scopes is known (403), so the question is not asked. */
  async #mustBeGranted({ name, credentials }: AnyEndpoint, scope: AgentScope): Promise<void> {
    if (credentials !== 'header' || (await this.#access.allows(scope))) return;
    throw coded('SOURCE_FORBIDDEN', message('SCOPE_NOT_GRANTED', { call: name, scope }), {
      details: { tenant: this.#services.tenantName, endpoint: name, scope },
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#access.close()]);
  }

  async #attempt(endpoint: AnyEndpoint, params: Params, limits: CallLimits): Promise<Verdict> {
    let tokens: OtherTokens = 'stored';
    for (let sends = 1; ; sends++) {
      const { headers, version } = await this.#authorize(endpoint);
      const verdict = await this.#exchange(endpoint, params, headers, limits);
      // What expired in the moment in which it was made will not be better the next time.
      if (version === null || sends === SENDS_MAX || tokens === 'refreshed') return verdict;
      tokens = await this.#otherTokens(endpoint, verdict, version);
      if (tokens === 'none') return verdict;
    }
  }

  /**
   * Refreshing is for expiry alone; after any other no there may be the tokens of a new sign-in. A change is sent again only when the
   * service itself turned it away: a bare 401 or 403 may be a proxy's, said while the service works on.
   */
  async #otherTokens({ effect }: AnyEndpoint, verdict: Verdict, version: number): Promise<OtherTokens> {
    if (verdict.verdict === 'token-expired') return this.#access.renew(version);
    if (verdict.verdict !== 'unauthorized' && verdict.verdict !== 'forbidden') return 'none';
    const mayRepeat = effect === 'read' || verdict.errorCode !== undefined;
    return mayRepeat ? this.#access.reread(version) : 'none';
  }

  async #authorize(
    endpoint: AnyEndpoint,
  ): Promise<{ headers: Readonly<Record<string, string>>; version: number | null }> {
    if (endpoint.credentials === 'header') return this.#access.authorize();
    if (endpoint.credentials === 'body') return { headers: {}, version: null };
    const credentials = this.#access.credentials();
    // They travel elsewhere, and are to open the same account.
    await this.#access.authorize();
    return {
      headers: endpoint.credentials === 'basic' ? { authorization: basicHeader(credentials) } : {},
      version: null,
    };
  }

  #exchange(
    endpoint: AnyEndpoint,
    params: Params,
    headers: Readonly<Record<string, string>>,
    { signal, leaveBy }: CallLimits,
  ): Promise<Verdict> {
    const exchange = async () => {
      if (leaveBy !== undefined && this.#services.runtime.clock.now() > leaveBy) return TOO_LATE;
      const requestId = this.#services.runtime.random.uuid();
      const result = await this.#send(endpoint, params, { 'x-request-id': requestId, ...headers }, signal);
      const verdict = judge(result, this.#parserOf(endpoint, params));
      const status = result.outcome === 'response' ? result.status : null;
      this.#services.log.debug(
        {
          endpoint: endpoint.name,
          requestId,
          status,
          durationMs: result.durationMs,
          verdict: verdict.verdict,
        },
        'called the invoicing service',
      );
      return { result, verdict };
    };
    return this.#traffic.pass(endpoint.name, exchange, signal);
  }

  /** Whoever asks for one document asks again soon; lists and writes are not kept. */
  #parserOf({ surface, name, effect }: AnyEndpoint, { guid }: Params): (text: string) => unknown {
    if (effect !== 'read' || typeof guid !== 'string') return parseJson;
    const question = `${this.#services.tenantName} ${surface} ${name} ${guid}`;
    return (text) => readBefore.parse(question, text, parseJson);
  }

  #send(
    endpoint: AnyEndpoint,
    params: Params,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<HttpResult> {
    const { username, apiKey } =
      endpoint.credentials === 'query' ? this.#access.credentials() : { username: '', apiKey: null };
    const queryCredentials = apiKey === null ? {} : { username, api_key: apiKey.reveal() };
    const settings = this.#settings;
    return this.#http.send(buildRequest({ settings, endpoint, params, headers, queryCredentials }), signal);
  }

  #read(endpoint: AnyEndpoint, body: JsonObject): CallOutcome<unknown> {
    try {
      if (!saysSuccess(endpoint, body)) throw new ShapeProblem('the answer does not say that it succeeded');
      const value = valueOf(body, endpoint as Endpoint, this.#watch);
      const message = this.#scrubber.clean(asText(body['message']) ?? '');
      const actionId = asText(body['action_id']);
      return { outcome: 'ok', value, body, message, actionId: actionId === '' ? null : actionId };
    } catch (problem) {
      if (!(problem instanceof ShapeProblem)) throw problem;
      throw this.#error(endpoint, { verdict: 'unreadable', message: problem.message, status: 200 });
    }
  }

  #error(endpoint: AnyEndpoint, failure: Failure): CodedError {
    const code = DISPOSITION_TABLE[failure.verdict][endpoint.effect];
    const answer = failure.ours ?? message('AS_SAID', { text: this.#scrubber.clean(failure.message) });
    const why = explainFailure(
      failure.verdict,
      failure.status,
      this.#settings.environment,
      this.#traffic.everSucceeded,
    );
    const waitMs = this.#traffic.pauseMs;
    const details = {
      tenant: this.#services.tenantName,
      endpoint: endpoint.name,
      status: failure.status,
      verdict: failure.verdict,
      ...(failure.errorCode !== undefined && { errorCode: this.#scrubber.clean(failure.errorCode) }),
      ...(waitMs > 0 && { retryAfterMs: waitMs }),
    };
    const said = message('CALL_FAILED', { call: endpoint.name, answer, ...(why && { why }) });
    return coded(code, said, { details });
  }
}

function saysSuccess(endpoint: AnyEndpoint, body: JsonObject): boolean {
  const { success } = endpoint.answer;
  if (success === 'shape') return true;
  return body['status'] === true || (success === 'status-or-success' && body['success'] === true);
}

// A sentence that saves a person the next hour, where the code alone would not.

function explainFailure(
  verdict: FailureVerdict,
  status: number | null,
  environment: 'production' | 'development',
  everSucceeded: boolean,
): Message | undefined {
  if (verdict === 'unavailable' && status === 503 && environment === 'development') {
    return message(everSucceeded ? 'CODE_WORKED_BEFORE' : 'CODE_PROBABLY_WRONG');
  }
  if (verdict === 'unavailable' && status === 503) {
    return message('OUTAGE_OR_DEVELOPMENT');
  }
  if (verdict === 'unreadable') return message('PROBABLY_A_PROXY');
  if (verdict === 'redirect') return message('REDIRECTS_NOT_FOLLOWED');
  return undefined;
}
