// Requests to the API v2.0 of one company: a token at hand, one renewal when it is refused, OData spelled out, and every
// answer in the port's outcomes.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import type { Rejected } from '../erp-adapter.js';
import { failedSend } from '../erp-http.js';
import { rejected, told } from '../told.js';
import type { BusinessCentralConfiguration } from './config.js';
import { errorIn, judge } from './dispositions.js';
import { list } from './wire.js';

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

  async get<T>(path: string, schema: z.ZodType<T>): Promise<ReadAnswer<T>> {
    return asRead(decode(await this.#send({ method: 'GET', path }), schema));
  }

  async list<T>(
    path: string,
    query: Readonly<Record<string, string>>,
    item: z.ZodType<T>,
  ): Promise<ReadAnswer<T[]>> {
    const answer = asRead(decode(await this.#send({ method: 'GET', path, query }), list(item)));
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.value } : answer;
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
  async download(path: string, bytesMax: number): Promise<ReadAnswer<Buffer>> {
    const bodyBytesMax = Math.max(bytesMax, ERROR_BYTES_MAX);
    const headers = { accept: 'application/octet-stream' };
    const answer = asRead(await this.#send({ method: 'GET', path, headers, bodyBytesMax }));
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.body } : answer;
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
