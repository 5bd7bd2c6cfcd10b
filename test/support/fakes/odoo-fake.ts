// Odoo's two external interfaces over the same records: JSON-2 with its bearer key and HTTP statuses, and JSON-RPC, which
// answers every error with 200. Methods take exactly the arguments they have; others are a TypeError, as in Python.
import { createHash } from 'node:crypto';
import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { Decimal } from '../../../src/domain/money.js';
import { decimal, integer, json, readJson } from './fake-json.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';
import { invoiceValues, moveValues, OdooAccounting } from './odoo-accounting.js';
import { OdooImports } from './odoo-imports.js';
import { OdooException, type OdooRecords, type Row } from './odoo-records.js';

export interface OdooFakeOptions {
  readonly database: string;
  readonly user: string;
  readonly apiKey: string;
}

interface Call {
  readonly model: string;
  readonly method: string;
  readonly ids: readonly number[];
  readonly arguments: Record<string, unknown>;
  readonly context: Context;
}

/** What the adapter may say about a call; any other word would go unheard in Odoo. */
const contextOf = z.strictObject({
  lang: z.literal('en_US'),
  allowed_company_ids: z.array(integer).min(1).optional(),
  mode: z.enum(['init', 'update']).optional(),
  noupdate: z.boolean().optional(),
});
export type Context = z.infer<typeof contextOf>;

const rpcRequest = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: integer,
  method: z.literal('call'),
  params: z.strictObject({
    service: z.enum(['common', 'object']),
    method: z.string(),
    args: z.array(z.unknown()),
  }),
});

const attachmentValues = z.strictObject({
  name: z.string().min(1),
  mimetype: z.string(),
  datas: z.base64(),
  res_model: z.literal('account.move'),
  res_id: integer,
});

export class OdooFake implements FakeVendor {
  readonly records: OdooRecords;
  readonly imports: OdooImports;
  readonly #accounting: OdooAccounting;
  readonly #options: OdooFakeOptions;
  refuseReconciling = false;
  #keyExpired = false;

  constructor(records: OdooRecords, options: OdooFakeOptions) {
    this.records = records;
    this.#accounting = new OdooAccounting(records);
    this.imports = new OdooImports(records);
    this.#options = options;
  }

  expireTokens(): void {
    this.#keyExpired = true;
  }

  renewTokens(): void {
    this.#keyExpired = false;
  }

  /** What is left of a line after all that stands against it. */
  readonly openOf = (line: Row): Decimal => this.#accounting.openOf(line);

  effectOf(request: FakeRequest): Effect {
    const call = this.#named(request);
    if (call === 'account.move/create') return 'create';
    if (call === 'account.move/action_post') return 'book';
    if (call === 'ir.attachment/create') return 'attach';
    if (/^res\.partner\/(create|load)$/.test(call)) return 'partner';
    if (call === 'account.move/unlink') return 'clean-up';
    return /\/(create|load)$/.test(call) ? 'other' : 'none';
  }

  errorBody(request: FakeRequest): FakeReply {
    const isRpc = request.url.pathname === '/jsonrpc';
    return json(200, body(new OdooException('odoo.exceptions.UserError', 'Not today'), isRpc));
  }

  refuseAttachment(): FakeReply {
    return json(413, 'Request Entity Too Large');
  }

  answer(request: FakeRequest): FakeReply {
    const isRpc = request.url.pathname === '/jsonrpc';
    try {
      const result = isRpc ? this.#rpc(request) : this.#json2(request);
      if (!isRpc) return json(200, result);
      // Odoo leaves out the result of a method that returns None.
      return json(200, { jsonrpc: '2.0', id: 1, ...(result === null ? {} : { result }) });
    } catch (error) {
      const exception = error instanceof OdooException ? error : unexpected(error);
      return json(isRpc ? 200 : exception.status, body(exception, isRpc));
    }
  }

  #json2(request: FakeRequest): unknown {
    const [, model, method] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(request.url.pathname) ?? [];
    if (model === undefined || method === undefined) {
      throw new OdooException('werkzeug.exceptions.NotFound', 'Not Found', 404);
    }
    if (request.headers['x-odoo-database'] !== this.#options.database) {
      throw new OdooException('werkzeug.exceptions.NotFound', 'no such database', 404);
    }
    if (request.headers['authorization'] !== `bearer ${this.#options.apiKey}` || this.#keyExpired) {
      throw new OdooException('werkzeug.exceptions.Unauthorized', 'Invalid apikey', 401);
    }
    const { ids, context, ...named } = readJson(request.body) as Record<string, unknown>;
    return this.#run({
      ...{ model, method, arguments: named },
      ...{ ids: z.array(integer).parse(ids ?? []), context: contextOf.parse(context) },
    });
  }

  #rpc(request: FakeRequest): unknown {
    const { params } = rpcRequest.parse(readJson(request.body));
    if (params.service === 'common') {
      const [database, user, key] = params.args;
      const { database: ours, user: known, apiKey } = this.#options;
      return database === ours && user === known && key === apiKey && !this.#keyExpired ? 2 : false;
    }
    const [database, uid, key, model, method, positional, named] = params.args;
    const { apiKey } = this.#options;
    if (database !== this.#options.database || plainNumber(uid) !== 2 || key !== apiKey || this.#keyExpired) {
      throw new OdooException('odoo.exceptions.AccessDenied', 'Access Denied', 403);
    }
    const { context, ...rest } = named as Record<string, unknown>;
    const [first] = positional as unknown[];
    const called = { model: String(model), method: String(method), context: contextOf.parse(context) };
    if (method !== 'create') {
      const ids = z.array(integer).parse(first ?? []);
      return this.#run({ ...called, ids, arguments: rest });
    }
    // Odoo 17 reads the values of `create` from the first positional argument, whatever is named.
    if (first === undefined) throw new OdooException('builtins.IndexError', 'tuple index out of range', 500);
    return this.#run({ ...called, ids: [], arguments: { ...rest, vals_list: first } });
  }

  #run(call: Call): unknown {
    const { model } = call;
    switch (call.method) {
      case 'search_read': {
        const args = only(call, ['domain', 'fields', 'limit', 'order']);
        const all = this.records.search(model, args['domain'] as unknown[]);
        const rows = all.filter((row) => this.#isVisible(call, row));
        if (args['order'] === 'id desc') rows.reverse();
        const limit = plainNumber(args['limit']) ?? rows.length;
        return this.records.read(model, rows.slice(0, limit), args['fields'] as string[]);
      }
      case 'read': {
        const rows = this.#accessible(call);
        return this.records.read(model, rows, only(call, ['fields'])['fields'] as string[]);
      }
      case 'fields_get':
        only(call, ['attributes']);
        return Object.fromEntries(this.records.fields(model).map((field) => [field, { type: 'char' }]));
      case 'load':
        if (model !== 'res.partner') throw forbidden(`You are not allowed to import ${model}`);
        return this.imports.load(only(call, ['fields', 'data']), call.context);
      case 'create':
        return (only(call, ['vals_list'])['vals_list'] as unknown[]).map(
          (values) => this.#create(model, values).id,
        );
      case 'action_post':
        for (const move of this.#accessible(call)) this.#accounting.post(move);
        return false;
      case 'reconcile':
        if (this.refuseReconciling) throw forbidden('You are not allowed to reconcile.');
        this.#accounting.reconcile(this.#accessible(call));
        return true;
      case 'remove_move_reconcile':
        this.#accounting.removeReconcile(this.#accessible(call));
        return null;
      case 'message_post':
        for (const { id } of this.#accessible(call)) this.#say(model, id, only(call, ['body'])['body']);
        return 1;
      case 'unlink':
        for (const move of this.#accessible(call)) this.#accounting.remove(move);
        return true;
      default:
        throw new OdooException(
          'builtins.AttributeError',
          `'${model}' has no attribute '${call.method}'`,
          404,
        );
    }
  }

  #create(model: string, values: unknown): Row {
    if (model === 'account.move') {
      const invoice = invoiceValues.safeParse(values);
      return invoice.success
        ? this.#accounting.createInvoice(invoice.data)
        : this.#accounting.create(moveValues.parse(values));
    }
    if (model !== 'ir.attachment') throw forbidden(`You are not allowed to create ${model}`);
    const attachment = attachmentValues.parse(values);
    const checksum = createHash('sha1').update(Buffer.from(attachment.datas, 'base64')).digest('hex');
    return this.records.insert(model, { ...attachment, checksum });
  }

  /** A plain text is escaped, and kept in a paragraph. */
  #say(model: string, id: number, text: unknown): void {
    const escaped = String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
    this.records.insert('mail.message', { model, res_id: id, body: `<p>${escaped}</p>` });
  }

  /** The record rules of a multi-company database: only records of the companies that the call is made in. */
  #isVisible({ model, context }: Call, row: Row): boolean {
    const known = this.records.rows('res.company').map((company) => company.id);
    const allowed = context.allowed_company_ids ?? known;
    if (!allowed.every((id) => known.includes(id)))
      throw forbidden('Access to unauthorized or invalid companies.');
    const company = model === 'res.company' ? row.id : row['company_id'];
    return typeof company !== 'number' || allowed.includes(company);
  }

  #accessible(call: Call): Row[] {
    const rows = call.ids.map((id) => this.records.byId(call.model, id));
    if (rows.every((row) => this.#isVisible(call, row))) return rows;
    throw forbidden(`You are not allowed to access ${call.model} of another company.`);
  }

  #named(request: FakeRequest): string {
    const [, model, method] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(request.url.pathname) ?? [];
    if (model !== undefined && method !== undefined) return `${model}/${method}`;
    const parsed = rpcRequest.safeParse(readJson(request.body));
    if (!parsed.success || parsed.data.params.service !== 'object') return '';
    return `${String(parsed.data.params.args[3])}/${String(parsed.data.params.args[4])}`;
  }
}

const forbidden = (message: string) => new OdooException('odoo.exceptions.AccessError', message, 403);

function only(call: Call, names: readonly string[]): Record<string, unknown> {
  const stray = Object.keys(call.arguments).find((name) => !names.includes(name));
  if (stray === undefined) return call.arguments;
  const message = `${call.method}() got an unexpected keyword argument '${stray}'`;
  throw new OdooException('builtins.TypeError', message, 500);
}

function unexpected(error: unknown): OdooException {
  const message = error instanceof Error ? error.message : String(error);
  return new OdooException('builtins.ValueError', message, 500);
}

function body(error: OdooException, isRpc: boolean): unknown {
  const data = {
    name: error.name,
    message: error.message,
    arguments: [error.message],
    context: {},
    debug: 'Traceback (most recent call last): …',
  };
  return isRpc ? { jsonrpc: '2.0', id: 1, error: { code: 200, message: 'Odoo Server Error', data } } : data;
}

function plainNumber(value: unknown): number | undefined {
  return isLosslessNumber(value) ? decimal.parse(value).toNumber() : undefined;
}
