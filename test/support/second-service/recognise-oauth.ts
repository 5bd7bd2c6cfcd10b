import { isBasicValid, isCredentialValid } from './account.js';
import type { Answer, Recognised } from './answer.js';
import { Fields } from './fields.js';
import type { AgentSide } from './recognise-agent.js';
import { Refusal } from './refusal.js';
import type { Arrived } from './wire.js';

/** authorize, token and register (with and without `/strax`), and the management of agents. */
export function recogniseOAuth(side: AgentSide, arrived: Arrived): Recognised | null {
  const name = /^(?:\/strax)?\/agent\/(authorize|token|register)$/.exec(arrived.path)?.[1];
  const agents = /^\/api\/v1\/agents(?:\/([^/]+))?$/.exec(arrived.path);
  if (name === undefined && agents === null) return null;
  return {
    surface: 'oauth',
    operation: name ?? `${arrived.method} /agents`,
    scope: null,
    credentials: arrived.headers.authorization === undefined ? 'none' : 'basic',
    perform: () => (name === undefined ? manage(side, arrived, agents?.[1]) : speak(side, arrived, name)),
    refuse: (message, status, extra) => ({
      status: status === 200 ? 400 : status,
      body: { ...extra, message, status: false },
    }),
  };
}

function speak(side: AgentSide, arrived: Arrived, name: string): Answer {
  const body = new Fields(arrived.json ?? {}, 'json');
  if (name === 'authorize') {
    return { status: 302, body: {}, location: side.oauth.authorize(new Fields(arrived.query, 'form')) };
  }
  if (arrived.method !== 'POST' || arrived.json === null) throw new Refusal('A JSON body is expected', 400);
  if (name === 'token') return { status: 200, body: side.oauth.token(body) };
  if (!isCredentialValid(side.account, body, arrived)) {
    throw new Refusal('Invalid credentials', 401, { code: 'invalid_credentials' });
  }
  return { status: 200, body: side.oauth.register(body) };
}

function manage(side: AgentSide, arrived: Arrived, agent: string | undefined): Answer {
  if (!isBasicValid(side.account, arrived)) throw new Refusal('Invalid credentials', 401);
  if (arrived.method === 'GET') return { status: 200, body: side.oauth.list() };
  if (arrived.method === 'DELETE' && agent !== undefined)
    return { status: 200, body: side.oauth.revoke(agent) };
  throw new Refusal('Method not allowed — expected GET', 405);
}
