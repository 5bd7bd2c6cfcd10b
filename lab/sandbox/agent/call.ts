// What a route of the agent surface is given, and how it answers: the envelope of Document 1 with `action_id` added.
import type { Exchange } from '../http/exchange.js';
import { asFaultsHaveIt, readPage, type Page } from '../http/paging.js';
import { json, list, type Reply } from '../http/reply.js';
import type { Account } from '../service/account.js';
import { DataObject, isObject } from '../service/data-object.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';

export interface AgentCall {
  readonly state: SandboxState;
  readonly exchange: Exchange;
  readonly account: Account;
  readonly fields: DataObject;
  /** What stands in place of {id} or {guid} in the path. */
  readonly id: string;
  readonly actionId: number;
}

export type AgentAnswer = (call: AgentCall) => Reply | Promise<Reply>;

export interface AgentRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to /api/v1/agent. */
  readonly path: string;
  /** null: any authenticated caller. */
  readonly scope: string | null;
  /** As the audit log calls it. */
  readonly action: string;
  readonly fields: readonly string[];
  readonly answer: AgentAnswer;
}

const AGENT_PAGE_SIZE = 10;
const SUCCESS = 'Success';

export function succeed(call: AgentCall, result: unknown, more: object = {}): Reply {
  return json(200, { status: true, message: SUCCESS, result, ...more, action_id: call.actionId });
}

/** Counts other than costs are not shown; the choice decides their shape. */
export function succeedWithCount(call: AgentCall, count: number): Reply {
  return succeed(call, call.state.choices.agentCounts === 'object' ? { count } : count);
}

/** "Create-invoice response as shown: {success, invoice_id, action_id}", beside the envelope of resource endpoints. */
export function succeedWithCreated(call: AgentCall, result: unknown, shown: object): Reply {
  const { agentCreates } = call.state.choices;
  const asShown = { success: true, ...shown };
  if (agentCreates === 'as-shown') return json(200, { ...asShown, action_id: call.actionId });
  return succeed(call, result, agentCreates === 'both' ? asShown : {});
}

export function agentPage(call: AgentCall): Page {
  return readPage(call.exchange, AGENT_PAGE_SIZE, call.state.choices.pageSizeMax);
}

export function succeedWithList<T>(
  call: AgentCall,
  rows: readonly T[],
  toWire: (row: T) => unknown,
  more: object = {},
): Reply {
  const listed = asFaultsHaveIt(call.exchange, { rows, beside: more });
  const beside = { ...listed.beside, action_id: call.actionId };
  return list({ status: true, message: SUCCESS }, listed.rows, toWire, beside);
}

/** `data` as a JSON string, or nested as an object. */
export function dataOf(call: AgentCall): DataObject {
  const raw = call.fields.raw('data');
  if (typeof raw === 'string' && raw !== '') return DataObject.parse(raw);
  if (isObject(raw)) return new DataObject(raw);
  throw new Refusal('data-field', 'Field data is required');
}

/** "Flat JSON object, or nested under `data`, or `data` as a JSON-encoded string." */
export function dataOrFlat(call: AgentCall): DataObject {
  return call.fields.has('data') ? dataOf(call) : call.fields;
}
