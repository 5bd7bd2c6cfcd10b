// One call of one method of one model of Odoo, over JSON-2 or JSON-RPC; every call is a transaction of its own there. Below it, what an
// error means: Odoo names the Python exception, and the transaction of a failed call is rolled back, so an error that Odoo itself reports
// had no effect. An answer that is not Odoo's leaves the outcome of a write open.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson, wireInteger, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, orThrow } from '../answer.js';
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
import type { OdooConfiguration } from './settings.js';

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

  /** Throws `ReadFailed`, as `searchRead` does. */
  async read<T>(call: OdooCall, schema: z.ZodType<T>): Promise<T> {
    return orThrow(asRead(await this.#call(call, schema, 'read')));
  }

  searchRead<T>(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    schema: z.ZodType<T>,
    paging: { readonly limit: number; readonly order?: string },
  ): Promise<T[]> {
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
    const { positional, named: rest } = rpcArguments(call);
    const named = { ...rest, context: this.#context(call) };
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
    // Verified (odoo.http, 16 to 19): what a method returns as None is left out, as by `remove_move_reconcile`.
    const envelope = z.object({ jsonrpc: z.literal('2.0'), result: z.unknown() }).safeParse(answer.value);
    if (envelope.success) return { outcome: 'ok', value: envelope.data.result ?? null };
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

/**
 * Verified (odoo.api of 17, a real server): `execute_kw` takes the ids of a record's method, and the values of `create`, from the first
 * positional argument, and fails where they are named. Everything else may be named.
 */
function rpcArguments({ method, ids, arguments: named }: OdooCall) {
  if (method !== 'create') return { positional: ids ? [ids] : [], named };
  const { vals_list: values, ...rest } = named;
  return { positional: [values], named: rest };
}

const system = 'Odoo';

/** Verified names (odoo.exceptions, werkzeug, psycopg2). A name that is not here is taken as `rejected`. */
export const ODOO_EXCEPTIONS: Readonly<Record<string, HttpDisposition>> = {
  'odoo.exceptions.AccessDenied': 'auth',
  'odoo.exceptions.AccessError': 'auth',
  'odoo.http.SessionExpiredException': 'auth',
  'werkzeug.exceptions.Unauthorized': 'auth',
  'werkzeug.exceptions.Forbidden': 'auth',
  'odoo.exceptions.LockError': 'transient',
  'odoo.exceptions.ConcurrencyError': 'transient',
  'psycopg2.errors.SerializationFailure': 'transient',
  'psycopg2.errors.LockNotAvailable': 'transient',
  'psycopg2.errors.DeadlockDetected': 'transient',
  // The connection to the database broke, perhaps while the transaction was committed.
  'psycopg2.OperationalError': 'unknown',
  'psycopg2.InterfaceError': 'unknown',
  'odoo.exceptions.UserError': 'rejected',
  'odoo.exceptions.ValidationError': 'rejected',
  'odoo.exceptions.RedirectWarning': 'rejected',
  'odoo.exceptions.MissingError': 'rejected',
};

const exceptionBody = z.object({ name: z.string(), message: z.string(), debug: z.string() });
const rpcBody = z.object({
  error: z.object({
    message: z.string(),
    data: z.object({ name: z.string(), message: z.string() }).optional(),
  }),
});

export interface OdooError {
  readonly name: string;
  readonly message: string;
}

/** The error in a body of either protocol, or undefined when the body is none. Bodies may be an object or a bare string. */
export function errorIn(body: unknown): OdooError | undefined {
  const exception = exceptionBody.safeParse(body);
  if (exception.success) return exception.data;
  const rpc = rpcBody.safeParse(body);
  if (rpc.success) return rpc.data.error.data ?? { name: '', message: rpc.data.error.message };
  return undefined;
}

export function judgeError(error: OdooError): FailedSend {
  const disposition = ODOO_EXCEPTIONS[error.name] ?? 'rejected';
  switch (disposition) {
    case 'auth':
      return { outcome: 'auth', ...told('ODOO_REFUSED_RIGHT', { answer: error.message }) };
    case 'transient':
      return { outcome: 'transient', ...told('ODOO_CONFLICT', { answer: error.message }) };
    case 'unknown':
      return { outcome: 'unknown', ...told('SYSTEM_SAYS', { system, answer: error.message }) };
    case 'rejected':
      return rejected('invalid', told('SYSTEM_SAYS', { system, answer: error.message }));
  }
}

/** Odoo itself never answers with these: nginx and the like do, whatever the body looks like. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** An answer outside 2xx. */
export function judge(response: HttpResponse, purpose: Purpose, now: Date): FailedSend {
  const body = readWireJson(response.body);
  const error = errorIn(body);
  if (error && !GATEWAY_STATUSES.has(response.status)) return judgeError(error);
  const text = typeof body === 'string' ? body : `HTTP ${response.status}`;
  // A bare JSON string is how Odoo says what went wrong before a method was called.
  switch (dispositionOf(response.status, { purpose, isOwn: typeof body === 'string' })) {
    case 'auth':
      return { outcome: 'auth', ...told('ODOO_REFUSED_KEY', { answer: text }) };
    case 'transient':
      return transient(told('SYSTEM_BUSY', { system, answer: text }), response, now);
    case 'unknown':
      return unknownYet(
        told('SYSTEM_ANSWERED', { system, status: response.status, answer: text }),
        response,
        now,
      );
    case 'rejected':
      return rejected('invalid', told('SYSTEM_SAYS', { system, answer: text }));
  }
}
