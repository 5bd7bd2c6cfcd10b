// Requests to the API v2.0 of one company: a token at hand, one renewal when it is refused, OData spelled out, and every
// answer in the port's outcomes.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import { type AccessTokens, createClientCredentials } from '../../http/client-credentials.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, orThrow } from '../answer.js';
import type { ErpServices, Rejected, RejectionCode } from '../erp-adapter.js';
import {
  dispositionOf,
  erpHttpClient,
  failedSend,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';
import { BATCH_OPERATIONS_MAX, type BusinessCentralConfiguration } from './settings.js';
import { bcBatchReply, list } from './wire.js';

export interface BcClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  readonly configuration: Pick<
    BusinessCentralConfiguration,
    'baseUrl' | 'tenantId' | 'environment' | 'companyId'
  >;
}

interface BcRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the company, or below the API when it starts with `$` or is empty. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly bodyBytesMax?: number;
}

/** What says why there is no file may be longer than the file. */
const ERROR_BYTES_MAX = 64 * 1_024;

export class BcClient {
  readonly #options: BcClientOptions;
  readonly #root: string;

  constructor(options: BcClientOptions) {
    const { baseUrl, tenantId, environment } = options.configuration;
    this.#options = options;
    this.#root = `${baseUrl}/v2.0/${tenantId}/${encodeURIComponent(environment)}/api/v2.0`;
  }

  /** Reads throw `ReadFailed`. */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return orThrow(asRead(decode(await this.#send({ method: 'GET', path }), schema)));
  }

  async list<T>(path: string, query: Readonly<Record<string, string>>, item: z.ZodType<T>): Promise<T[]> {
    return orThrow(asRead(decode(await this.#send({ method: 'GET', path, query }), list(item)))).value;
  }

  async create<T>(path: string, body: string, schema: z.ZodType<T>): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return decode(await this.#send({ method: 'POST', path, headers, body }), schema);
  }

  /** A bound action: 204 and no body, or an error. Anything else is not Business Central. */
  act(path: string): Promise<Answer<undefined>> {
    return this.#expectEmpty({ method: 'POST', path });
  }

  change(path: string, body: unknown): Promise<Answer<undefined>> {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'if-match': '*' };
    return this.#expectEmpty({ method: 'PATCH', path, headers, body: writeWireJson(body) });
  }

  upload(path: string, content: Uint8Array): Promise<Answer<undefined>> {
    const headers = { 'content-type': 'application/octet-stream', 'if-match': '*' };
    return this.#expectEmpty({ method: 'PATCH', path, headers, body: content });
  }

  /** The bytes of a file, which are not JSON; an answer that is larger is cut off. */
  async download(path: string, bytesMax: number): Promise<Buffer> {
    const bodyBytesMax = Math.max(bytesMax, ERROR_BYTES_MAX);
    const headers = { accept: 'application/octet-stream' };
    return orThrow(asRead(await this.#send({ method: 'GET', path, headers, bodyBytesMax }))).body;
  }

  remove(path: string): Promise<Answer<undefined>> {
    return this.#expectEmpty({ method: 'DELETE', path, headers: { 'if-match': '*' } });
  }

  /** All or nothing. */
  async batch<T>(requests: readonly unknown[], schema: z.ZodType<T>): Promise<Answer<T>> {
    const headers = { 'content-type': 'application/json', isolation: 'snapshot' };
    const body = writeWireJson({ requests });
    return decode(await this.#send({ method: 'POST', path: '$batch', headers, body }), schema);
  }

  /** Where an inner request of a batch points to. */
  below(path: string): string {
    return `companies(${this.#options.configuration.companyId})/${path}`;
  }

  async #expectEmpty(request: BcRequest): Promise<Answer<undefined>> {
    const answer = await this.#send(request);
    if (answer.outcome !== 'ok') return answer;
    const { body, status } = answer.value;
    if (status === 204 || (request.method === 'PATCH' && readWireJson(body) !== undefined)) {
      const error = errorIn(readWireJson(body));
      return error ? inBody(error) : { outcome: 'ok', value: undefined };
    }
    const error = errorIn(readWireJson(body));
    if (error) return inBody(error);
    return { outcome: 'unknown', ...told('BUSINESS_CENTRAL_NOT_204', { status }) };
  }

  async #send(request: BcRequest): Promise<Answer<HttpResponse>> {
    const first = await this.#attempt(request);
    // 401 is said before anything is done, so one more try with a new token is safe.
    return first.outcome === 'ok' && first.value.status === 401
      ? this.#judged(request, await this.#attempt(request))
      : this.#judged(request, first);
  }

  #judged({ method }: BcRequest, answer: Answer<HttpResponse>): Answer<HttpResponse> {
    if (answer.outcome !== 'ok') return answer;
    const { status } = answer.value;
    if (status >= 200 && status <= 299) return answer;
    return judge(answer.value, method === 'GET' ? 'read' : 'write', this.#options.clock.now());
  }

  async #attempt(request: BcRequest): Promise<Answer<HttpResponse>> {
    const token = await this.#options.tokens.current();
    if (token.outcome !== 'ok') return token;
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token.token.reveal()}`,
      ...request.headers,
    };
    const result = await this.#options.http.send({
      method: request.method,
      url: this.#url(request),
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.bodyBytesMax === undefined ? {} : { bodyBytesMax: request.bodyBytesMax }),
    });
    if (result.outcome === 'failure') return failedSend(result, 'Business Central');
    if (result.status === 401) this.#options.tokens.forget(token.token);
    return { outcome: 'ok', value: result };
  }

  #url(request: BcRequest): URL {
    const path = request.path.startsWith('$') ? request.path : this.below(request.path);
    const query = Object.entries(request.query ?? {}).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    return new URL(
      `${this.#root}/${path.replace(/\/$/, '')}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    );
  }
}

function decode<T>(answer: Answer<HttpResponse>, schema: z.ZodType<T>): Answer<T> {
  if (answer.outcome !== 'ok') return answer;
  const body = readWireJson(answer.value.body);
  const error = errorIn(body);
  if (error) return inBody(error);
  const parsed = schema.safeParse(body);
  if (parsed.success) return { outcome: 'ok', value: parsed.data };
  const problem = z.prettifyError(parsed.error);
  return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'Business Central', problem }) };
}

function inBody(error: { readonly message: string; readonly code: string }): Rejected {
  const answer = `${error.message} (${error.code})`;
  return rejected('invalid', told('SYSTEM_SAYS', { system: 'Business Central', answer }));
}

/** A text literal in an OData filter. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

// Many small requests in one of `$batch`, all or nothing, in as many pieces as its limit asks for.

export interface InnerRequest {
  /** Below the company. */
  readonly path: string;
  readonly body: unknown;
}

/** What each of them made, in their order. */
export async function sendBatch<T>(
  { client, clock }: { readonly client: BcClient; readonly clock: Clock },
  requests: readonly InnerRequest[],
  item: z.ZodType<T>,
): Promise<Answer<T[]>> {
  const made: T[] = [];
  const inner = requests.map(({ path, body }) => ({
    method: 'POST',
    url: client.below(path),
    headers: { 'Content-Type': 'application/json' },
    body,
  }));
  for (let start = 0; start < inner.length; start += BATCH_OPERATIONS_MAX) {
    const chunk = inner.slice(start, start + BATCH_OPERATIONS_MAX);
    const answer = await client.batch(chunk, bcBatchReply);
    if (answer.outcome !== 'ok') return answer;
    const refused = answer.value.responses.find((response) => errorIn(response.body));
    if (refused) {
      const body = Buffer.from(writeWireJson(refused.body));
      return judge({ status: refused.status, headers: {}, body }, 'write', clock.now());
    }
    const parsed = answer.value.responses.map(({ body }) => item.safeParse(body));
    if (parsed.length !== chunk.length || parsed.some(({ success }) => !success))
      return { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Business Central' }) };
    made.push(...parsed.flatMap(({ data }) => (data === undefined ? [] : [data])));
  }
  return { outcome: 'ok', value: made };
}

// What an error of Business Central means: by its code first (Microsoft's list of OData error codes), by its status where
// the code says nothing. `Application_*` covers everything that the application itself refuses, in words only.

const system = 'Business Central';

interface Row {
  /** The whole code, or its beginning when it ends in an underscore. */
  readonly code: string;
  readonly disposition: HttpDisposition;
  readonly rejection?: RejectionCode;
}

/** First match wins. */
export const BUSINESS_CENTRAL_CODES: readonly Row[] = [
  { code: 'Authentication_', disposition: 'auth' },
  { code: 'Authorization_', disposition: 'auth' },
  { code: 'Request_EntityChanged', disposition: 'transient' },
  // Neither says how far the server had come.
  { code: 'Internal_TenantUnavailable', disposition: 'unknown' },
  { code: 'Internal_ServerError', disposition: 'unknown' },
  { code: 'Internal_EntityWithSameKeyExists', disposition: 'rejected', rejection: 'duplicate' },
  { code: 'Internal_CompanyNotFound', disposition: 'rejected', rejection: 'wrong-company' },
  { code: 'Internal_InvalidTableRelation', disposition: 'rejected', rejection: 'unknown-account' },
  { code: 'Internal_RecordNotFound', disposition: 'rejected' },
  { code: 'Internal_DataNotFoundFilter', disposition: 'rejected' },
  { code: 'Application_', disposition: 'rejected' },
  { code: 'BadRequest_', disposition: 'rejected' },
  { code: 'BadRequest', disposition: 'rejected' },
];

/** `Application_DialogException` has only its text; these are the ones a bookkeeper can do something about. */
export const BUSINESS_CENTRAL_TEXTS: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /not within your range of allowed posting dates/i, code: 'closed-period' },
  { text: /out of balance/i, code: 'unbalanced' },
  { text: /Direct Posting must be equal to 'Yes'|Blocked must be equal to 'No'/i, code: 'blocked-account' },
  { text: /dimension/i, code: 'unknown-dimension' },
];

const errorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export function errorIn(body: unknown): { readonly code: string; readonly message: string } | undefined {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return undefined;
  const { code, message } = parsed.data.error;
  return { code, message: message.replace(CORRELATION, '').trim() };
}

/** Another one with every answer: with it in the message no two documents would have the same cause. */
const CORRELATION = /CorrelationId:\s*[0-9a-f-]{36}\.?/gi;

export function judge(
  response: Pick<HttpResponse, 'status' | 'headers' | 'body'>,
  purpose: Purpose,
  now: Date,
): FailedSend {
  const error = errorIn(readWireJson(response.body));
  const row = error && BUSINESS_CENTRAL_CODES.find((each) => fits(each.code, error.code));
  const message = error ? `${error.message} (${error.code})` : `HTTP ${response.status}`;
  switch (dispositionFor(response.status, purpose, row)) {
    case 'auth':
      return { outcome: 'auth', ...told('BUSINESS_CENTRAL_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_SAYS', { system, answer: message }), response, now);
    case 'rejected':
      return rejected(rejectionOf(row, message), told('SYSTEM_SAYS', { system, answer: message }));
  }
}

/**
 * A code of the list is Business Central's own word, and what it refuses is rolled back. Without one, and with the statuses
 * of the gateways in front of it (429 included, whose body is not documented), a write stays open.
 */
function dispositionFor(status: number, purpose: Purpose, row: Row | undefined): HttpDisposition {
  const isGateways = status === 408 || status === 429 || status > 500;
  return isGateways || !row ? dispositionOf(status, { purpose, isOwn: row !== undefined }) : row.disposition;
}

function rejectionOf(row: Row | undefined, message: string): RejectionCode {
  return row?.rejection ?? BUSINESS_CENTRAL_TEXTS.find((each) => each.text.test(message))?.code ?? 'invalid';
}

function fits(pattern: string, code: string): boolean {
  return pattern.endsWith('_') ? code.startsWith(pattern) : code === pattern;
}

// How Business Central is reached: its API and Microsoft's token end point, each request after the gate of the connection.

export interface BcConnection {
  readonly http: HttpClient;
  readonly tokens: AccessTokens;
}

export function connectBc(
  { baseUrl, loginUrl, tenantId, clientId, clientSecret }: BusinessCentralConfiguration,
  services: ErpServices,
  connections: number,
  deadlineMs: number,
): BcConnection {
  const http = erpHttpClient(services, { origins: [baseUrl, loginUrl], connections, deadlineMs });
  const tokens = createClientCredentials({
    http,
    clock: services.clock,
    tokenUrl: new URL(`${loginUrl}/${tenantId}/oauth2/v2.0/token`),
    clientId,
    clientSecret: services.secret(clientSecret),
    scope: 'https://api.businesscentral.dynamics.com/.default',
    style: 'form',
  });
  return { http, tokens };
}
