// The requests of the contract, each signed. Reads throw `ReadFailed`; what may change the books is answered in the port's outcomes.
import { trimEndOf } from '../../domain/text.js';
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, orThrow } from '../answer.js';
import {
  type Attachment,
  type Rejected,
  REJECTION_CODES,
  type RejectionCode,
  type ReverseRequest,
} from '../erp-adapter.js';
import {
  dispositionOf,
  failedSend,
  type FailedSend,
  type HttpDisposition,
  type Purpose,
  transient,
  unknownYet,
} from '../erp-http.js';
import { rejected, told } from '../told.js';
import {
  wireChart,
  type WireChart,
  wireCompany,
  wireEntries,
  wireEntry,
  type WireEntry,
  wireError,
  wirePosted,
  type WirePosted,
} from './translate.js';
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

export interface HttpLedgerOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly secret: Secret;
}

interface Content {
  readonly body?: string;
  readonly key?: string;
}

const PAGE_SIZE = 200;
/** Answers to a question that the layer does not know. */
const NOT_UNDERSTOOD = new Set([400, 404, 422]);
const ATTACHMENT_ANSWER = z.looseObject({});

export class HttpLedgerClient {
  readonly #options: HttpLedgerOptions;
  /** Read once: every call goes there. */
  readonly #origin: string;
  readonly #basePath: string;

  constructor(options: HttpLedgerOptions) {
    this.#options = options;
    const { origin, pathname } = new URL(options.baseUrl);
    this.#origin = origin;
    this.#basePath = trimEndOf(pathname, '/');
  }

  company(): Promise<z.infer<typeof wireCompany>> {
    return this.#get('/v1/company', wireCompany);
  }

  chart(): Promise<WireChart> {
    return this.#get('/v1/accounts', wireChart);
  }

  post(key: string, body: string): Promise<Answer<WirePosted>> {
    return this.#send('/v1/journals', wirePosted, { body, key });
  }

  reverse(request: ReverseRequest): Promise<Answer<WirePosted>> {
    const { key, date, reason, original } = request;
    const body = JSON.stringify({ key, date, reason: reason.slice(0, 500) });
    return this.#send(`${entryPath(original.reference.id)}/reversal`, wirePosted, {
      body,
      key,
    });
  }

  attach(id: string, attachment: Attachment): Promise<Answer<unknown>> {
    const body = JSON.stringify({
      fileName: attachment.fileName.slice(-255),
      contentType: attachment.contentType,
      content: Buffer.from(attachment.content).toString('base64'),
    });
    return this.#send(`${entryPath(id)}/attachments`, ATTACHMENT_ANSWER, { body });
  }

  async byKey(key: string): Promise<WireEntry[]> {
    return (await this.#get(`/v1/journals?key=${encodeURIComponent(key)}`, wireEntries)).entries;
  }

  /** Undefined when there is no such entry. */
  async byId(id: string): Promise<WireEntry | undefined> {
    const response = await this.#asked(entryPath(id));
    return response.status === 404 ? undefined : this.#read(response, wireEntry);
  }

  /**
   * By the number that bookkeepers see. A layer from before this question existed may refuse it, or answer with whatever it
   * lists: only what carries the number counts.
   */
  async byNumber(number: string): Promise<WireEntry[]> {
    const response = await this.#asked(`/v1/journals?number=${encodeURIComponent(number)}`);
    if (NOT_UNDERSTOOD.has(response.status)) return [];
    return this.#read(response, wireEntries).entries.filter((entry) => entry.number === number);
  }

  period(from: string, to: string, page: number): Promise<z.infer<typeof wireEntries>> {
    const query = new URLSearchParams({ from, to, page: String(page), limit: String(PAGE_SIZE) });
    return this.#get(`/v1/journals?${query.toString()}`, wireEntries);
  }

  async #get<T>(target: string, schema: z.ZodType<T>): Promise<T> {
    return this.#read(await this.#asked(target), schema);
  }

  async #asked(target: string): Promise<HttpResponse> {
    const answer = await this.#exchange('GET', target, {});
    return answer.outcome === 'answered' ? answer.response : orThrow(asRead(answer.answer));
  }

  #read<T>(response: HttpResponse, schema: z.ZodType<T>): T {
    return orThrow(asRead(this.#decode(response, schema, 'read')));
  }

  async #send<T>(target: string, schema: z.ZodType<T>, content: Content): Promise<Answer<T>> {
    const answer = await this.#exchange('POST', target, content);
    return answer.outcome === 'answered' ? this.#decode(answer.response, schema, 'write') : answer.answer;
  }

  async #exchange(method: 'GET' | 'POST', target: string, { body, key }: Content) {
    const [path = '', query] = target.split('?', 2);
    const url = {
      origin: this.#origin,
      pathname: this.#basePath + path,
      search: query === undefined ? '' : `?${query}`,
    };
    const signed = { method, target: url.pathname + url.search, body: body ?? '' };
    const result = await this.#options.http.send({
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...signatureHeaders(this.#options.secret, this.#options.clock.now(), signed),
      },
      ...(body === undefined ? {} : { body }),
    });
    if (result.outcome === 'failure')
      return { outcome: 'failed', answer: failedSend(result, 'The integration layer') } as const;
    return { outcome: 'answered', response: result } as const;
  }

  #decode<T>(response: HttpResponse, schema: z.ZodType<T>, purpose: Purpose): Answer<T> {
    const isRefusal = response.status < 200 || response.status > 299 || wireErrorOf(response) !== null;
    if (isRefusal) return judge(response, purpose, this.#options.clock.now());
    const parsed = schema.safeParse(readWireJson(response.body));
    if (parsed.success) return { outcome: 'ok', value: parsed.data };
    const shape = z.prettifyError(parsed.error);
    return { outcome: 'unknown', ...told('LAYER_NOT_THE_CONTRACT', { problem: shape }) };
  }
}

function entryPath(id: string): string {
  return `/v1/journals/${encodeURIComponent(id)}`;
}

// What an answer of the integration layer means. The contract has codes, so no text is ever read for its meaning.

/**
 * Codes of the contract that are about the connection, each with the statuses it may come with. With these, and with nothing
 * else, the layer vouches that it did nothing. `unavailable` is not among them: a layer says it also when its own ERP has
 * not answered in time, and that ERP may book later.
 */
const CONNECTION_CODES: Readonly<Record<string, Readonly<Record<number, HttpDisposition>>>> = {
  unauthorized: { 200: 'auth', 401: 'auth', 403: 'auth' },
  rate_limited: { 200: 'transient', 429: 'transient' },
};

export function wireErrorOf(response: HttpResponse): { code: string; message: string } | null {
  const body = readWireJson(response.body);
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const parsed = wireError.safeParse(body);
  return parsed.success ? parsed.data.error : null;
}

const system = 'The integration layer';

export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const error = wireErrorOf(response);
  const { status } = response;
  const message = error?.message ?? `HTTP ${status}`;
  const documented = CONNECTION_CODES[error?.code ?? ''] ?? {};
  switch (dispositionOf(status, { purpose, isOwn: error !== null, documented })) {
    case 'auth':
      return { outcome: 'auth', ...told('LAYER_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return layerRefused(error?.code ?? 'invalid', message);
  }
}

/** The layer's own words, and nothing else. */
function layerRefused(code: string, message: string): Rejected {
  const ours = code.replace(/_/g, '-') as RejectionCode;
  return rejected(REJECTION_CODES.includes(ours) ? ours : 'invalid', { message });
}

// Every request is signed over everything that matters about it: when, what, where, and the body. A copy is worthless after
// the receiver's time window, and nothing can be changed on the way.

export interface SignedRequest {
  readonly method: string;
  /** Path and query, exactly as they go on the wire. */
  readonly target: string;
  readonly body: string;
}

const HASH_OF_NOTHING = hash('sha256', '');

export function signatureHeaders(secret: Secret, now: Date, request: SignedRequest): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const bodyHash = request.body === '' ? HASH_OF_NOTHING : hash('sha256', request.body);
  const signed = `${timestamp}.${request.method}.${request.target}.${bodyHash}`;
  const signature = createHmac('sha256', keyOf(secret)).update(signed).digest('hex');
  return { 'x-ledgerbridge-timestamp': timestamp, 'x-ledgerbridge-signature': `v1=${signature}` };
}

/** Made once: every request is signed with it. */
const keys = new WeakMap<Secret, KeyObject>();

function keyOf(secret: Secret): KeyObject {
  // Told that it is used, whether or not its key is there: what is in use is kept out of every log.
  const value = secret.reveal();
  const before = keys.get(secret);
  if (before) return before;
  const key = createSecretKey(value, 'utf8');
  keys.set(secret, key);
  return key;
}
