// Requests to Xero's accounting API for one organisation, answered in the port's outcomes. Below it, what an answer means: a 200 may hold
// validation errors, a 400 holds them in `Elements`. They have texts and no codes, so the texts are all there is; one that is not in the
// table is `invalid`, which stops the document as well.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { AccessTokens } from '../../http/client-credentials.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, orThrow } from '../answer.js';
import type { Rejected, RejectionCode } from '../erp-adapter.js';
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
import { NUMBER_TAKEN, PAGE_SIZE, type XeroConfiguration } from './settings.js';
import { xeroJournals, type XeroJournalRead } from './wire.js';

export interface XeroClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  readonly configuration: Pick<XeroConfiguration, 'baseUrl' | 'tenantId'>;
}

interface XeroRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface XeroWrite {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  /** Xero answers the same under it for six minutes. */
  readonly key: string;
  readonly body: string;
}

const JSON_BODY = { 'content-type': 'application/json; charset=utf-8' };

export class XeroClient {
  readonly #options: XeroClientOptions;

  constructor(options: XeroClientOptions) {
    this.#options = options;
  }

  /** Reads throw `ReadFailed`. */
  async get<T>(path: string, schema: z.ZodType<T>, query: Readonly<Record<string, string>> = {}): Promise<T> {
    return orThrow(asRead(decode(await this.#send({ method: 'GET', path, query }), schema)));
  }

  /** One page of what fits, with lines. */
  list<T>(path: string, where: string, page: number, schema: z.ZodType<T>): Promise<T> {
    const query = { where, order: 'Date ASC', page: String(page), pageSize: String(PAGE_SIZE) };
    return this.get(path, schema, query);
  }

  async journals(where: string, page: number): Promise<XeroJournalRead[]> {
    return (await this.list('ManualJournals', where, page, xeroJournals)).ManualJournals;
  }

  /** The same key with the same body is answered as it was the first time, while the key lives. */
  createJournal(key: string, body: string): Promise<Answer<XeroJournalRead>> {
    return this.#journal({ method: 'PUT', path: 'ManualJournals', key, body });
  }

  changeJournal(id: string, key: string, body: string): Promise<Answer<XeroJournalRead>> {
    return this.#journal({ method: 'POST', path: `ManualJournals/${id}`, key, body });
  }

  /** To what stands under the path: a journal, an invoice, a credit note. */
  async attach(owner: string, fileName: string, type: string, content: Uint8Array): Promise<Answer<unknown>> {
    const path = `${owner}/Attachments/${encodeURIComponent(fileName)}`;
    const headers = { 'content-type': type };
    return decode(await this.#send({ method: 'POST', path, headers, body: content }), z.looseObject({}));
  }

  async write<T>({ method, path, key, body }: XeroWrite, schema: z.ZodType<T>): Promise<Answer<T>> {
    const headers = { ...JSON_BODY, 'idempotency-key': key };
    const query = { summarizeErrors: 'false' };
    return decode(await this.#send({ method, path, query, headers, body }), schema);
  }

  async #journal(request: XeroWrite): Promise<Answer<XeroJournalRead>> {
    const answer = await this.write(request, xeroJournals);
    if (answer.outcome !== 'ok') return answer;
    const [journal] = answer.value.ManualJournals;
    if (journal) return { outcome: 'ok', value: journal };
    return { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Xero' }) };
  }

  async #send(request: XeroRequest): Promise<Answer<HttpResponse>> {
    const first = await this.#attempt(request);
    // 401 is said before anything is done, so one more try with a new token is safe.
    const isExpired = first.outcome === 'ok' && first.value.status === 401;
    const answer = isExpired ? await this.#attempt(request) : first;
    if (answer.outcome !== 'ok') return answer;
    const { status } = answer.value;
    if (status >= 200 && status <= 299) return answer;
    return judge(answer.value, request.method === 'GET' ? 'read' : 'write', this.#options.clock.now());
  }

  async #attempt(request: XeroRequest): Promise<Answer<HttpResponse>> {
    const token = await this.#options.tokens.current();
    if (token.outcome !== 'ok') return token;
    const { baseUrl, tenantId } = this.#options.configuration;
    const url = new URL(`${baseUrl}/api.xro/2.0/${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const result = await this.#options.http.send({
      method: request.method,
      url,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token.token.reveal()}`,
        'xero-tenant-id': tenantId,
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    if (result.outcome === 'failure') return failedSend(result, 'Xero');
    if (result.status === 401) this.#options.tokens.forget(token.token);
    return { outcome: 'ok', value: result };
  }
}

function decode<T>(answer: Answer<HttpResponse>, schema: z.ZodType<T>): Answer<T> {
  if (answer.outcome !== 'ok') return answer;
  const body = readWireJson(answer.value.body);
  const complaints = complaintsIn(body);
  if (complaints.length > 0) return refused(complaints);
  const parsed = schema.safeParse(body);
  if (parsed.success) return { outcome: 'ok', value: parsed.data };
  const problem = z.prettifyError(parsed.error);
  return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'Xero', problem }) };
}

const system = 'Xero';

/** Xero's limits are its own: said before anything is done, and named in a header that no proxy sends. */
const RATE_LIMIT_HEADER = 'x-rate-limit-problem';
const XERO_STATUSES: Readonly<Record<number, HttpDisposition>> = { 429: 'transient' };

export const XERO_TEXTS: readonly { readonly text: RegExp; readonly code: RejectionCode }[] = [
  { text: /lock date|locked period|cannot be before/i, code: 'closed-period' },
  { text: /total debits .* must equal total credits/i, code: 'unbalanced' },
  {
    text: /cannot be used (in|on|for) manual journals|not a valid code for this document/i,
    code: 'blocked-account',
  },
  { text: /account (code|id)?.*(not (found|a recognised|exist)|invalid|removed)/i, code: 'unknown-account' },
  { text: /tracking/i, code: 'unknown-dimension' },
  { text: NUMBER_TAKEN, code: 'duplicate' },
  { text: /TaxType/i, code: 'unknown-vat-code' },
  { text: /contact/i, code: 'unknown-party' },
];

const messages = z.array(z.object({ Message: z.string() }));
const validation = z.object({ ValidationErrors: messages.optional() });
const errorBody = z.object({
  Message: z.string().optional(),
  Detail: z.string().optional(),
  Title: z.string().optional(),
  Elements: z.array(validation).optional(),
  ManualJournals: z.array(validation).optional(),
  Invoices: z.array(validation).optional(),
  CreditNotes: z.array(validation).optional(),
  Contacts: z.array(validation).optional(),
  Payments: z.array(validation).optional(),
  Allocations: z.array(validation).optional(),
});

/** The sentences in an error body, or in a 200 that is one. Empty when there is nothing wrong. */
export function complaintsIn(body: unknown): string[] {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return [];
  const { Message, Detail, Title, ...lists } = parsed.data;
  const found = Object.values(lists).flatMap((list = []) =>
    list.flatMap((each) => each.ValidationErrors ?? []),
  );
  if (found.length > 0) return found.map((error) => error.Message);
  return [Message ?? Detail ?? Title].filter((text) => text !== undefined);
}

export function refused(complaints: readonly string[]): Rejected {
  const message = complaints.join(' ');
  const code = XERO_TEXTS.find((row) => row.text.test(message))?.code ?? 'invalid';
  return rejected(code, told('SYSTEM_SAYS', { system, answer: message }));
}

/** 5xx is held under the idempotency key like any other answer; whether the journal exists, a look-up tells. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const complaints = complaintsIn(readWireJson(response.body));
  const isLimit = response.status === 429 && response.headers[RATE_LIMIT_HEADER] !== undefined;
  const isOwn = isLimit || (response.status !== 429 && complaints.length > 0);
  const { status } = response;
  const message = complaints.length > 0 ? complaints.join(' ') : `HTTP ${status}`;
  switch (dispositionOf(status, { purpose, isOwn, documented: XERO_STATUSES })) {
    case 'auth':
      return { outcome: 'auth', ...told('XERO_REFUSED', { answer: message }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: message }), response, now);
    case 'unknown':
      return unknownYet(told('SYSTEM_ANSWERED', { system, status, answer: message }), response, now);
    case 'rejected':
      return refused([message]);
  }
}
