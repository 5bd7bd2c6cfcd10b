// What a route of the credential surface is given, and the envelope it answers with.
import type { Exchange } from '../http/exchange.js';
import { json, list, type Reply } from '../http/reply.js';
import { asFaultsHaveIt, readPage, type Page } from '../http/paging.js';
import type { Account } from '../service/account.js';
import { DataObject } from '../service/data-object.js';
import { Refusal } from '../service/refusal.js';

export interface Call {
  readonly exchange: Exchange;
  readonly account: Account;
  readonly fields: DataObject;
}

export type Answer = (call: Call) => Reply | Promise<Reply>;

export interface CredentialRoute {
  readonly method: 'GET' | 'POST';
  /** The last part of the path, and the name of the endpoint. */
  readonly name: string;
  /** Listed fields; others are ignored and noted in the journal. */
  readonly fields: readonly string[];
  readonly answer: Answer;
}

export const SUCCESS = 'Success';

export function succeed(result: unknown, more: object = {}, status = 200): Reply {
  return json(status, { status: true, message: SUCCESS, result, ...more });
}

/** "→ status/message only" */
export function succeedSilently(message = SUCCESS): Reply {
  return json(200, { status: true, message });
}

/** Write rule 1. */
export function dataField(call: Call): DataObject {
  if (!call.fields.has('data')) throw new Refusal('data-field', 'Field data is required');
  const raw = call.fields.raw('data');
  if (typeof raw !== 'string') throw new Refusal('data-field', 'Field data must be a JSON-encoded string');
  return DataObject.parse(raw);
}

export function guidField(call: Call): string {
  return call.fields.required('guid');
}

/** Lists whose default is "all records". */
export function openPage(call: Call): Page {
  return readPage(call.exchange, null, call.account.service.choices.pageSizeMax);
}

export function succeedWithList<T>(
  call: Call,
  rows: readonly T[],
  page: Page,
  toWire: (row: T) => unknown,
): Reply {
  const paging =
    call.account.service.choices.listPaging === 'fields' ? { page: page.page, limit: page.limit } : {};
  const listed = asFaultsHaveIt(call.exchange, { rows, beside: paging });
  return list({ status: true, message: SUCCESS }, listed.rows, toWire, listed.beside);
}
