// Odoo's two external interfaces over the same records: JSON-2 with its bearer key and HTTP statuses, and JSON-RPC, which
// answers every error with 200. Methods take exactly the arguments they have; others are a TypeError, as in Python.
import { isLosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { decimal, integer, json, readJson } from './fake-json.js';
import type { Effect, FakeReply, FakeRequest, FakeVendor } from './fake-server.js';
import { moveValues, OdooAccounting } from './odoo-accounting.js';
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
}

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

const partnerValues = z.strictObject({
  name: z.string().min(1),
  company_registry: z.string().optional(),
  vat: z.string().optional(),
  is_company: z.boolean().optional(),
  street: z.string().optional(),
  zip: z.string().optional(),
  city: z.string().optional(),
  email: z.string().optional(),
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
  readonly #accounting: OdooAccounting;
  readonly #options: OdooFakeOptions;
  #keyExpired = false;

  constructor(records: OdooRecords, options: OdooFakeOptions) {
    this.records = records;
    this.#accounting = new OdooAccounting(records);
    this.#options = options;
  }

  expireTokens(): void {
    this.#keyExpired = true;
  }

  renewTokens(): void {
    this.#keyExpired = false;
  }

  effectOf(request: FakeRequest): Effect {
    const call = this.#named(request);
    if (call === 'account.move/create') return 'create';
    if (call === 'account.move/action_post') return 'book';
    if (call === 'ir.attachment/create') return 'attach';
    return call.endsWith('/create') || call.endsWith('/unlink') ? 'other' : 'none';
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
      return json(200, isRpc ? { jsonrpc: '2.0', id: 1, result } : result);
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
    const { ids, context: _context, ...named } = readJson(request.body) as Record<string, unknown>;
    return this.#run({ model, method, ids: z.array(integer).parse(ids ?? []), arguments: named });
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
    const { context: _context, ...rest } = named as Record<string, unknown>;
    const [first] = positional as unknown[];
    const ids = z.array(integer).parse(first ?? []);
    return this.#run({ model: String(model), method: String(method), ids, arguments: rest });
  }

  #run(call: Call): unknown {
    const { model, ids } = call;
    switch (call.method) {
      case 'search_read': {
        const args = only(call, ['domain', 'fields', 'limit', 'order']);
        const rows = this.records.search(model, args['domain'] as unknown[]);
        const limit = plainNumber(args['limit']) ?? rows.length;
        return this.records.read(model, rows.slice(0, limit), args['fields'] as string[]);
      }
      case 'read': {
        const rows = ids.map((id) => this.records.byId(model, id));
        return this.records.read(model, rows, only(call, ['fields'])['fields'] as string[]);
      }
      case 'fields_get':
        return Object.fromEntries(this.records.fields(model).map((field) => [field, { type: 'char' }]));
      case 'create':
        return (only(call, ['vals_list'])['vals_list'] as unknown[]).map(
          (values) => this.#create(model, values).id,
        );
      case 'action_post':
        for (const id of ids) this.#accounting.post(this.records.byId('account.move', id));
        return false;
      case 'unlink':
        for (const id of ids) this.#accounting.remove(this.records.byId('account.move', id));
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
    if (model === 'account.move') return this.#accounting.create(moveValues.parse(values));
    if (model === 'res.partner') return this.records.insert(model, partnerValues.parse(values));
    if (model === 'ir.attachment') return this.records.insert(model, attachmentValues.parse(values));
    throw new OdooException('odoo.exceptions.AccessError', `You are not allowed to create ${model}`, 403);
  }

  #named(request: FakeRequest): string {
    const [, model, method] = /^\/json\/2\/([^/]+)\/([^/]+)$/.exec(request.url.pathname) ?? [];
    if (model !== undefined && method !== undefined) return `${model}/${method}`;
    const parsed = rpcRequest.safeParse(readJson(request.body));
    if (!parsed.success || parsed.data.params.service !== 'object') return '';
    return `${String(parsed.data.params.args[3])}/${String(parsed.data.params.args[4])}`;
  }
}

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
