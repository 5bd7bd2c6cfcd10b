// /api/v1/agents: which applications may act on this account. Basic credentials only.
import { beforeEffect } from '../faults/before-effect.js';
import { readBasic } from '../http/request.js';
import type { Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import type { SandboxState } from '../state.js';
import type { AgentAnswer } from './call.js';

export const MANAGEMENT_PATH = '/api/v1/agents';

export async function answerManagement(state: SandboxState, exchange: Exchange): Promise<Outcome> {
  const { method, path } = exchange.request;
  const agentId = path.slice(MANAGEMENT_PATH.length + 1);
  exchange.endpoint = `${method} /agents${agentId === '' ? '' : '/{agent_id}'}`;
  const unavailable = state.checkMaintenance(exchange);
  if (unavailable !== null) return unavailable;
  const account = ownerOf(state, exchange);
  exchange.account = account;
  exchange.faults = state.faults.strike(exchange.endpoint, account?.profile.username ?? null);
  const struck = await beforeEffect(exchange);
  if (struck !== null) return struck;
  if (account === null)
    return fail(exchange, 401, 'management-basic', 'Agent management needs Basic credentials');
  if (agentId !== '') {
    if (method !== 'DELETE') return fail(exchange, 405, 'method', 'Method not allowed — expected DELETE');
    return revoke(state, exchange, account, agentId);
  }
  if (method === 'GET') return listGrants(state, account);
  if (method === 'POST') return grant(state, exchange, account);
  return fail(exchange, 405, 'method', 'Method not allowed — expected GET or POST');
}

function ownerOf(state: SandboxState, exchange: Exchange): Account | null {
  const basic = readBasic(exchange.header('authorization'));
  const account = basic === null ? undefined : state.accounts.get(basic.username);
  return account !== undefined && account.profile.api_key === basic?.apiKey ? account : null;
}

function listGrants(state: SandboxState, account: Account): Reply {
  const data = state.tokens.grantsOf(account.profile.username).map((entry) => ({
    agent_id: entry.client_id,
    name: state.clients.get(entry.client_id)?.name ?? '',
    scopes: entry.scopes,
    granted_at: entry.granted_at,
  }));
  return json(200, { data, total: data.length });
}

function grant(state: SandboxState, exchange: Exchange, account: Account): Reply {
  const { fields } = exchange;
  const client = state.clients.get(fields.text('client_id'));
  if (client === undefined)
    return fail(exchange, 422, 'client-or-redirect', 'Field client_id names no client');
  exchange.agent = client.client_id;
  const scopes = readScopes(fields.raw('scopes'));
  const foreign = scopes.find((scope) => !account.profile.scopes.includes(scope));
  if (scopes.length === 0) return fail(exchange, 422, 'required-field', 'Field scopes is required');
  if (foreign !== undefined)
    return fail(exchange, 422, 'scope', `The plan of this account does not include the scope ${foreign}`);
  const entry = state.tokens.grant(account.profile.username, client.client_id, scopes);
  return json(200, {
    message: 'Access granted',
    agent_id: client.client_id,
    scopes: entry.scopes,
    granted_at: entry.granted_at,
  });
}

/** "array or comma-separated" */
function readScopes(value: unknown): string[] {
  const parts: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return parts.flatMap((part) => (typeof part === 'string' && part.trim() !== '' ? [part.trim()] : []));
}

function revoke(state: SandboxState, exchange: Exchange, account: Account, agentId: string): Reply {
  exchange.agent = agentId;
  if (!state.tokens.revoke(account.profile.username, agentId))
    return fail(exchange, 404, 'unknown-record', 'Agent not found');
  return json(200, { message: 'Access revoked', agent_id: agentId });
}

function fail(exchange: Exchange, status: number, rule: RuleId, message: string): Reply {
  exchange.broke(rule, message);
  exchange.message = message;
  return json(status, { error: true, message, code: status });
}

// GET /audit: which agent did what, newest first.

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

export const audit: AgentAnswer = ({ account, fields, actionId }) => {
  const agent = fields.text('agent_id');
  const limit = Math.min(LIMIT_MAX, Math.max(1, fields.integer('limit', LIMIT_DEFAULT)));
  const page = Math.max(1, fields.integer('page', 1));
  const records = account.audit.filter((record) => agent === '' || record.agent_id === agent).reverse();
  const data = records.slice((page - 1) * limit, page * limit);
  return json(200, { data, total: records.length, page, limit, action_id: actionId });
};
