// One call of one method of one model, over JSON-2 or JSON-RPC. Every call is a transaction of its own in Odoo.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient } from '../../http/http-client.js';
import { readWireJson, wireInteger, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import { failedSend, type Purpose } from '../http-dispositions.js';
import { told } from '../told.js';
import type { OdooConfiguration } from './config.js';
import { errorIn, judge, judgeError } from './dispositions.js';

export interface OdooCall {
  readonly model: string;
  readonly method: string;
  readonly ids?: readonly number[];
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Beside the company's own. */
  readonly context?: Readonly<Record<string, unknown>>;
}

export interface OdooClientOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly apiKey: Secret;
  readonly configuration: Pick<OdooConfiguration, 'url' | 'database' | 'protocol' | 'user'>;
}

const uidReply = z.union([wireInteger, z.literal(false)]);

export class OdooClient {
  readonly #options: OdooClientOptions;
  #uid: number | undefined;
  #companyId: number | undefined;

  constructor(options: OdooClientOptions) {
    this.#options = options;
  }

  /** From now on every call is made in this company and no other. */
  useCompany(id: number): void {
    this.#companyId = id;
  }

  async read<T>(call: OdooCall, schema: z.ZodType<T>): Promise<ReadAnswer<T>> {
    return asRead(await this.#call(call, schema, 'read'));
  }

  searchRead<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    paging: { readonly limit: number; readonly order?: string },
  ): Promise<ReadAnswer<T[]>> {
    const call = { model, method: 'search_read', arguments: { domain, fields, ...paging } };
    return this.read(call, z.array(schema));
  }

  call<T>(call: OdooCall, schema: z.ZodType<T>): Promise<Answer<T>> {
    return this.#call(call, schema, 'write');
  }

  async #call<T>(call: OdooCall, schema: z.ZodType<T>, purpose: Purpose): Promise<Answer<T>> {
    const isJson2 = this.#options.configuration.protocol === 'json-2';
    const raw = isJson2 ? await this.#json2(call, purpose) : await this.#rpc(call, purpose);
    if (raw.outcome !== 'ok') return raw;
    const parsed = schema.safeParse(raw.value);
    if (parsed.success) return { outcome: 'ok', value: parsed.data };
    const problem = z.prettifyError(parsed.error);
    const asked = `${call.model}.${call.method}`;
    return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'Odoo', problem, call: asked }) };
  }

  #json2(call: OdooCall, purpose: Purpose): Promise<Answer<unknown>> {
    const { database } = this.#options.configuration;
    const body = { ...(call.ids ? { ids: call.ids } : {}), ...call.arguments, context: this.#context(call) };
    const headers = {
      authorization: `bearer ${this.#options.apiKey.reveal()}`,
      'x-odoo-database': database,
    };
    return this.#exchange(`/json/2/${call.model}/${call.method}`, headers, body, purpose);
  }

  async #rpc(call: OdooCall, purpose: Purpose): Promise<Answer<unknown>> {
    const uid = await this.#authenticate();
    if (uid.outcome !== 'ok') return uid;
    const { database } = this.#options.configuration;
    const positional = call.ids ? [call.ids] : [];
    const named = { ...call.arguments, context: this.#context(call) };
    const key = this.#options.apiKey.reveal();
    const args = [database, uid.value, key, call.model, call.method, positional, named];
    const answer = await this.#service('object', 'execute_kw', args, purpose);
    if (answer.outcome === 'auth') this.#uid = undefined;
    return answer;
  }

  async #authenticate(): Promise<Answer<number>> {
    if (this.#uid !== undefined) return { outcome: 'ok', value: this.#uid };
    const { database, user } = this.#options.configuration;
    const answer = asRead(
      await this.#service(
        'common',
        'authenticate',
        [database, user, this.#options.apiKey.reveal(), {}],
        'read',
      ),
    );
    if (answer.outcome !== 'ok') return answer;
    const uid = uidReply.safeParse(answer.value);
    if (!uid.success)
      return {
        outcome: 'transient',
        ...told('SYSTEM_UNREADABLE', { system: 'Odoo', problem: z.prettifyError(uid.error) }),
      };
    if (uid.data === false) return { outcome: 'auth', ...told('ODOO_REFUSED_USER', { user, database }) };
    this.#uid = uid.data;
    return { outcome: 'ok', value: uid.data };
  }

  async #service(
    service: string,
    method: string,
    args: readonly unknown[],
    purpose: Purpose,
  ): Promise<Answer<unknown>> {
    const body = { jsonrpc: '2.0', id: 1, method: 'call', params: { service, method, args } };
    const answer = await this.#exchange('/jsonrpc', {}, body, purpose);
    if (answer.outcome !== 'ok') return answer;
    const envelope = z.object({ result: z.unknown() }).safeParse(answer.value);
    if (envelope.success && envelope.data.result !== undefined) {
      return { outcome: 'ok', value: envelope.data.result };
    }
    return { outcome: 'unknown', ...told('ANSWERED_WITHOUT_RESULT', { system: 'Odoo' }) };
  }

  async #exchange(
    path: string,
    headers: Record<string, string>,
    body: unknown,
    purpose: Purpose,
  ): Promise<Answer<unknown>> {
    const result = await this.#options.http.send({
      method: 'POST',
      url: new URL(this.#options.configuration.url + path),
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json', ...headers },
      body: writeWireJson(body),
    });
    if (result.outcome === 'failure') return failedSend(result, 'Odoo');
    if (result.status < 200 || result.status > 299) return judge(result, purpose, this.#options.clock.now());
    const value = readWireJson(result.body);
    const error = errorIn(value);
    if (error) return judgeError(error);
    if (value === undefined) {
      return {
        outcome: 'unknown',
        ...told('SYSTEM_NOT_ITSELF', { system: 'Odoo' }),
      };
    }
    return { outcome: 'ok', value };
  }

  #context(call: OdooCall): Record<string, unknown> {
    const company = this.#companyId === undefined ? {} : { allowed_company_ids: [this.#companyId] };
    return { lang: 'en_US', ...company, ...call.context };
  }
}
