// The requests to dkPlus that the adapter needs, each answered in the port's outcomes.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpRequest } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import { failedSend, type Purpose } from '../http-dispositions.js';
import { told } from '../told.js';
import { LOOK_UP_PAGES_MAX, PAGE_SIZE } from './assumptions.js';
import { errorMessage, judge, refused } from './dispositions.js';
import {
  dkAccount,
  type DkAccount,
  dkCompany,
  dkCurrency,
  dkDimension,
  dkInvoice,
  type DkInvoice,
  dkPartner,
  type DkPartner,
  dkTransaction,
  type DkTransaction,
  dkVendorTransaction,
} from './wire.js';

export interface DkClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly token: Secret;
}

type Query = Readonly<Record<string, string>>;

export class DkClient {
  readonly #options: DkClientOptions;

  constructor(options: DkClientOptions) {
    this.#options = options;
  }

  connection(): Promise<ReadAnswer<boolean>> {
    return this.#get('/company/connection', z.boolean());
  }

  async company(): Promise<ReadAnswer<{ Name: string; SSNumber: string }>> {
    const answer = await this.#get('/company', dkCompany);
    return answer.outcome === 'ok' ? { outcome: 'ok', value: answer.value.Information.Company } : answer;
  }

  accounts(): Promise<ReadAnswer<DkAccount[]>> {
    return this.#get('/generalLedger/account', z.array(dkAccount));
  }

  dimensions(): Promise<ReadAnswer<z.infer<typeof dkDimension>[]>> {
    return this.#pages((page) => `/general/dimension/${page}/${PAGE_SIZE}`, {}, dkDimension);
  }

  /** Undefined when dk has no such partner. */
  async partner(kind: 'Customer' | 'Vendor', number: string): Promise<ReadAnswer<DkPartner | undefined>> {
    const path = `/${kind}/${encodeURIComponent(number)}`;
    const result = await this.#send({ method: 'GET', url: this.#url(path) });
    if (result.outcome === 'failed') return asRead(result.answer);
    if (result.response.status === 404) return { outcome: 'ok', value: undefined };
    return asRead(this.#decode(result.response, dkPartner, 'read'));
  }

  createPartner(kind: 'Customer' | 'Vendor', fields: Record<string, string>): Promise<Answer<DkPartner>> {
    return this.#post(`/${kind}`, fields, dkPartner);
  }

  transactions(reference: string): Promise<ReadAnswer<DkTransaction[]>> {
    return this.#pages((page) => transactionPage(page), { reference }, dkTransaction);
  }

  transactionsOfVoucher(voucher: string): Promise<ReadAnswer<DkTransaction[]>> {
    return this.#pages((page) => transactionPage(page), { voucher }, dkTransaction);
  }

  createdAfter(day: string, page: number): Promise<ReadAnswer<DkTransaction[]>> {
    const query = { createdAfter: `${day}T00:00:00`, sort: 'ID', sorttype: 'Ascending' };
    return this.#get(transactionPage(page), z.array(dkTransaction), query);
  }

  currencies(): Promise<ReadAnswer<z.infer<typeof dkCurrency>[]>> {
    return this.#get('/general/currency', z.array(dkCurrency));
  }

  /** Supplier invoices that nobody has booked yet: all of them, since dk takes neither page nor filter. */
  waitingInvoices(): Promise<ReadAnswer<DkInvoice[]>> {
    return this.#get('/vendor/invoice/unprocessed', z.array(dkInvoice));
  }

  supplierTransactions(reference: string): Promise<ReadAnswer<z.infer<typeof dkVendorTransaction>[]>> {
    const path = (page: number) => `/vendor/transaction/${page}/${PAGE_SIZE}`;
    return this.#pages(path, { reference }, dkVendorTransaction);
  }

  postJournal(body: string): Promise<Answer<undefined>> {
    return this.#write('/generalledger/journal', body);
  }

  postInvoice(vendor: string, body: string): Promise<Answer<undefined>> {
    return this.#write(`/Vendor/${encodeURIComponent(vendor)}/Invoice`, body);
  }

  /** dk's answer is empty: 2xx says that it was taken, the read-back says what became of it. */
  async #write(path: string, body: string): Promise<Answer<undefined>> {
    const result = await this.#send({
      method: 'POST',
      url: this.#url(path),
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
    });
    if (result.outcome === 'failed') return result.answer;
    const { response } = result;
    if (response.status < 200 || response.status > 299)
      return judge(response, 'write', this.#options.clock.now());
    const message = errorMessage(readWireJson(response.body));
    if (message !== undefined) return refused(message);
    if (!isEmptyAnswer(response.body)) {
      return { outcome: 'unknown', ...told('SYSTEM_NOT_ITSELF', { system: 'dkPlus' }) };
    }
    return { outcome: 'ok', value: undefined };
  }

  async #pages<T>(
    path: (page: number) => string,
    query: Query,
    schema: z.ZodType<T>,
  ): Promise<ReadAnswer<T[]>> {
    const all: T[] = [];
    for (let page = 1; page <= LOOK_UP_PAGES_MAX; page++) {
      const answer = await this.#get(path(page), z.array(schema), query);
      if (answer.outcome !== 'ok') return answer;
      all.push(...answer.value);
      if (answer.value.length < PAGE_SIZE) return { outcome: 'ok', value: all };
    }
    const what = `${String(LOOK_UP_PAGES_MAX * PAGE_SIZE)} transactions`;
    return { outcome: 'transient', ...told('SYSTEM_SHOWS_TOO_MUCH', { system: 'dkPlus', what }) };
  }

  async #get<T>(path: string, schema: z.ZodType<T>, query: Query = {}): Promise<ReadAnswer<T>> {
    const result = await this.#send({ method: 'GET', url: this.#url(path, query) });
    return result.outcome === 'failed'
      ? asRead(result.answer)
      : asRead(this.#decode(result.response, schema, 'read'));
  }

  async #post<T>(path: string, body: unknown, schema: z.ZodType<T>): Promise<Answer<T>> {
    const result = await this.#send({
      method: 'POST',
      url: this.#url(path),
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: writeWireJson(body),
    });
    return result.outcome === 'failed' ? result.answer : this.#decode(result.response, schema, 'write');
  }

  #decode<T>(response: SentResponse, schema: z.ZodType<T>, purpose: Purpose): Answer<T> {
    if (response.status < 200 || response.status > 299)
      return judge(response, purpose, this.#options.clock.now());
    const body = readWireJson(response.body);
    const message = errorMessage(body);
    if (message !== undefined) return refused(message);
    const parsed = schema.safeParse(body);
    if (parsed.success) return { outcome: 'ok', value: parsed.data };
    const problem = z.prettifyError(parsed.error);
    return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'dkPlus', problem }) };
  }

  async #send(request: HttpRequest) {
    const headers = {
      accept: 'application/json',
      authorization: `bearer ${this.#options.token.reveal()}`,
      ...request.headers,
    };
    const result = await this.#options.http.send({ ...request, headers });
    if (result.outcome === 'failure')
      return { outcome: 'failed', answer: failedSend(result, 'dkPlus') } as const;
    return { outcome: 'sent', response: result } as const;
  }

  #url(path: string, query: Query = {}): URL {
    const url = new URL(this.#options.baseUrl + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}

type SentResponse = Parameters<typeof judge>[0];

function transactionPage(page: number): string {
  return `/generalledger/transaction/page/${page}/${PAGE_SIZE}`;
}

function isEmptyAnswer(body: Buffer): boolean {
  const text = body.toString('utf8').trim();
  return text === '' || readWireJson(body) !== undefined;
}
