// The requests to Uniconta that the adapter needs, each answered in the port's outcomes.
import { z } from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import { failedSend, type Purpose } from '../http-dispositions.js';
import { told } from '../told.js';
import { INSERT_LIST, PAGE_SIZE, PAGES_MAX, userName } from './assumptions.js';
import type { UnicontaConfiguration } from './config.js';
import { errorMessage, judge, refused } from './dispositions.js';

export interface UnicontaClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly configuration: Pick<UnicontaConfiguration, 'baseUrl' | 'companyId' | 'user'>;
  readonly password: Secret;
}

/** A text in a filter; an apostrophe is doubled. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export class UnicontaClient {
  readonly #options: UnicontaClientOptions;

  constructor(options: UnicontaClientOptions) {
    this.#options = options;
  }

  /** All records that fit, page by page, in the order of a field. */
  async list<T>(
    entity: string,
    schema: z.ZodType<T>,
    { filter, orderBy }: { readonly filter?: string; readonly orderBy?: string } = {},
  ): Promise<ReadAnswer<T[]>> {
    const all: T[] = [];
    for (let page = 0; page < PAGES_MAX; page++) {
      const answer = await this.#page(entity, schema, {
        ...(filter === undefined ? {} : { $filter: filter }),
        ...(orderBy === undefined ? {} : { $orderby: orderBy }),
        ...{ $top: String(PAGE_SIZE), $skip: String(page * PAGE_SIZE) },
      });
      if (answer.outcome !== 'ok') return answer;
      all.push(...answer.value);
      if (answer.value.length < PAGE_SIZE) return { outcome: 'ok', value: all };
    }
    return { outcome: 'transient', ...told('SYSTEM_SHOWS_TOO_MUCH', { system: 'Uniconta', what: entity }) };
  }

  insertList(entity: string, body: string): Promise<Answer<undefined>> {
    return this.#write(`/api/Entities/${INSERT_LIST}/${entity}`, body);
  }

  insert(entity: string, body: string): Promise<Answer<undefined>> {
    return this.#write(`/api/Entities/Insert/${entity}`, body);
  }

  async #page<T>(
    entity: string,
    schema: z.ZodType<T>,
    query: Readonly<Record<string, string>>,
  ): Promise<ReadAnswer<T[]>> {
    const { baseUrl, companyId } = this.#options.configuration;
    const url = new URL(`${baseUrl}/odata/${companyId}/${entity}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await this.#send({ method: 'GET', url }, 'read');
    if (answer.outcome !== 'ok') return asRead(answer);
    const parsed = z.object({ value: z.array(schema) }).safeParse(readWireJson(answer.value.body));
    if (parsed.success) return { outcome: 'ok', value: parsed.data.value };
    const problem = z.prettifyError(parsed.error);
    return { outcome: 'transient', ...told('SYSTEM_UNREADABLE', { system: 'Uniconta', problem }) };
  }

  /** What the answer to an insertion holds is not documented: an empty one or JSON says that it was taken, the read-back the rest. */
  async #write(path: string, body: string): Promise<Answer<undefined>> {
    const url = new URL(`${this.#options.configuration.baseUrl}${path}`);
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await this.#send({ method: 'POST', url, headers, body }, 'write');
    if (answer.outcome !== 'ok') return answer;
    const said = readWireJson(answer.value.body);
    const message = errorMessage(said);
    if (message !== undefined) return refused(message);
    const isOwn = said !== undefined || answer.value.body.byteLength === 0;
    return isOwn
      ? { outcome: 'ok', value: undefined }
      : { outcome: 'unknown', ...told('SYSTEM_NOT_ITSELF', { system: 'Uniconta' }) };
  }

  async #send(request: HttpRequest, purpose: Purpose): Promise<Answer<HttpResponse>> {
    const { http, clock, configuration, password } = this.#options;
    const user = userName(configuration.companyId, configuration.user);
    const basic = Buffer.from(`${user}:${password.reveal()}`).toString('base64');
    const headers = { accept: 'application/json', authorization: `Basic ${basic}`, ...request.headers };
    const result = await http.send({ ...request, headers });
    if (result.outcome === 'failure') return failedSend(result, 'Uniconta');
    const isGood = result.status >= 200 && result.status <= 299;
    return isGood ? { outcome: 'ok', value: result } : judge(result, purpose, clock.now());
  }
}
