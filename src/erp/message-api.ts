// A JSON interface that refuses with `{Message}` and no codes: the texts are all there is to tell a closed period from an unknown
// account. A text that is not in the table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { Clock } from '../domain/runtime.js';
import type { HttpClient, HttpRequest, HttpResponse } from '../http/http-client.js';
import { readWireJson } from '../http/wire-json.js';
import { type Answer, asRead, orThrow, ReadFailed } from './answer.js';
import type { RejectionCode } from './erp-adapter.js';
import {
  dispositionOf,
  failedSend,
  type FailedSend,
  type Purpose,
  transient,
  unknownYet,
} from './erp-http.js';
import { rejected, told, type Told } from './told.js';

export interface MessageDispositions {
  /** The message of an error body, whatever the status it came with. */
  readonly errorMessage: (body: unknown) => string | undefined;
  readonly refused: (message: string) => FailedSend;
  readonly judge: (response: HttpResponse, purpose: Purpose, now: Date) => FailedSend;
}

export interface RefusalTexts {
  readonly system: string;
  /** The first that fits counts. */
  readonly texts: readonly { readonly text: RegExp; readonly code: RejectionCode }[];
  /** The connection itself is refused. */
  readonly noEntry: (answer: string) => Told;
}

const errorBody = z.object({ Message: z.string() });

/** With `{Message}` and a status below 500 it is the ERP itself that refuses; 429 is not its word unless it documents a limit. */
export function messageDispositions({ system, texts, noEntry }: RefusalTexts): MessageDispositions {
  const errorMessage = (body: unknown) => {
    const parsed = errorBody.safeParse(body);
    return parsed.success ? parsed.data.Message : undefined;
  };
  const refused = (answer: string) => {
    const code = texts.find(({ text }) => text.test(answer))?.code ?? 'invalid';
    return rejected(code, told('SYSTEM_SAYS', { system, answer }));
  };
  return {
    errorMessage,
    refused,
    judge(response, purpose, now) {
      const said = errorMessage(readWireJson(response.body));
      const { status } = response;
      const answer = said ?? `HTTP ${status}`;
      switch (dispositionOf(status, { purpose, isOwn: said !== undefined })) {
        case 'auth':
          return { outcome: 'auth', ...noEntry(answer) };
        case 'transient':
          return transient(told('SYSTEM_BUSY', { system, answer }), response, now);
        case 'unknown':
          return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer }), response, now);
        case 'rejected':
          return refused(answer);
      }
    },
  };
}

export interface MessageApiOptions {
  readonly system: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly dispositions: MessageDispositions;
  /** Value of the Authorization header; a secret is revealed only here. */
  authorization(): string;
}

type Query = Readonly<Record<string, string>>;

export class MessageApi {
  readonly #options: MessageApiOptions;

  constructor(options: MessageApiOptions) {
    this.#options = options;
  }

  /** Reads throw `ReadFailed`. */
  async get<T>(path: string, schema: z.ZodType<T>, query: Query = {}): Promise<T> {
    const response = await this.#read(this.#url(path, query));
    return orThrow(asRead(this.#parse(response, schema)));
  }

  /** Undefined where the ERP says 404. */
  async find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const response = await this.#read(this.#url(path), 404);
    return response.status === 404 ? undefined : orThrow(asRead(this.#parse(response, schema)));
  }

  async create<T>(path: string, body: string, schema: z.ZodType<T>): Promise<Answer<T>> {
    const answer = await this.#send(this.#postOf(path, body), 'write');
    return answer.outcome === 'ok' ? this.#parse(answer.value, schema) : answer;
  }

  /** For answers that hold nothing: an empty one or JSON says that it was taken, the read-back says what became of it. */
  async write(path: string, body: string): Promise<Answer<undefined>> {
    const answer = await this.#send(this.#postOf(path, body), 'write');
    if (answer.outcome !== 'ok') return answer;
    const value = readWireJson(answer.value.body);
    const message = this.#options.dispositions.errorMessage(value);
    if (message !== undefined) return this.#options.dispositions.refused(message);
    const isOwn = value !== undefined || answer.value.body.toString('utf8').trim() === '';
    if (isOwn) return { outcome: 'ok', value: undefined };
    return { outcome: 'unknown', ...told('SYSTEM_NOT_ITSELF', { system: this.#options.system }) };
  }

  async #read(url: URL, alsoGood?: number): Promise<HttpResponse> {
    return orThrow(asRead(await this.#send({ method: 'GET', url }, 'read', alsoGood)));
  }

  async #send(request: HttpRequest, purpose: Purpose, alsoGood?: number): Promise<Answer<HttpResponse>> {
    const { http, clock, dispositions, system } = this.#options;
    const headers = {
      ...{ accept: 'application/json', authorization: this.#options.authorization() },
      ...request.headers,
    };
    const result = await http.send({ ...request, headers });
    if (result.outcome === 'failure') return failedSend(result, system);
    const { status } = result;
    const isGood = (status >= 200 && status <= 299) || status === alsoGood;
    if (isGood) return { outcome: 'ok', value: result };
    return dispositions.judge(result, purpose, clock.now());
  }

  #parse<T>({ body }: HttpResponse, schema: z.ZodType<T>): Answer<T> {
    const { system, dispositions } = this.#options;
    const value = readWireJson(body);
    const message = dispositions.errorMessage(value);
    if (message !== undefined) return dispositions.refused(message);
    const parsed = schema.safeParse(value);
    if (parsed.success) return { outcome: 'ok', value: parsed.data };
    const problem = z.prettifyError(parsed.error);
    return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system, problem }) };
  }

  #postOf(path: string, body: string): HttpRequest {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return { method: 'POST', url: this.#url(path), headers, body };
  }

  #url(path: string, query: Query = {}): URL {
    const url = new URL(this.#options.baseUrl + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}

/** All pages of a list; too many are transient, never a part of the list. */
export async function allPages<T>(
  { size, most, system, what }: { size: number; most: number; system: string; what: string },
  read: (page: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 0; page < most; page++) {
    const items = await read(page);
    all.push(...items);
    if (items.length < size) return all;
  }
  throw new ReadFailed({ outcome: 'transient', ...told('SYSTEM_SHOWS_TOO_MUCH', { system, what }) });
}
