import { isBasicValid, readBasic, type Account } from './account.js';
import { AGENT } from './agent-surface.js';
import type { Answer, Recognised } from './answer.js';
import type { Audit } from './audit.js';
import { get, type Endpoint, type Endpoints } from './endpoint.js';
import { Fields } from './fields.js';
import type { OAuth } from './oauth.js';
import { Refusal } from './refusal.js';
import type { Arrived } from './wire.js';
import type { World } from './world.js';

export interface AgentSide {
  readonly world: World;
  readonly account: Account;
  readonly oauth: OAuth;
  readonly audit: Audit;
}

interface Matched {
  readonly endpoint: Endpoint;
  readonly pattern: string;
  readonly id: string;
}

/** `/api/v1/agent/…`; null when the documents have no such path with any method. */
export function recogniseAgent(side: AgentSide, arrived: Arrived): Recognised | null {
  const path = /^\/api\/v1\/agent(\/.*)$/.exec(arrived.path)?.[1];
  if (path === undefined) return null;
  const matches = matchesOf({ ...AGENT, ...accountEndpoints(side) }, path);
  const matched = matches.find(({ endpoint }) => endpoint.method === arrived.method) ?? matches[0];
  if (matched === undefined) return null;
  const bearer = /^Bearer (.+)$/i.exec(arrived.headers.authorization ?? '')?.[1];
  return {
    surface: 'agent',
    operation: `${matched.endpoint.method} ${matched.pattern}`,
    scope: matched.endpoint.scope ?? null,
    credentials: bearer !== undefined ? 'bearer' : readBasic(arrived) === null ? 'none' : 'basic',
    perform: (ignore) => perform(side, arrived, matched, bearer, ignore),
    refuse: (message, status, extra) => {
      const failed = matched.pattern.endsWith('/move-to-new') ? { result: '' } : {};
      const body =
        status === 200 || status === 400
          ? { ...failed, ...extra, message, status: false }
          : { code: status, message, error: true };
      return { status, body: { ...body, action_id: side.audit.last } };
    },
  };
}

/** Fixed paths before those with an id in them: `/costs/count` is no cost. */
function matchesOf(endpoints: Endpoints, path: string): Matched[] {
  const all = Object.entries(endpoints).map(([key, endpoint]) => ({
    pattern: key.replace(/^[A-Z]+ /, ''),
    endpoint,
  }));
  const exact = all.filter(({ pattern }) => pattern === path);
  if (exact.length > 0) return exact.map((match) => ({ ...match, id: '' }));
  return all.flatMap(({ pattern, endpoint }) => {
    const id = new RegExp(`^${pattern.replace('{id}', '([^/]+)')}$`).exec(path)?.[1];
    return id === undefined ? [] : [{ pattern, endpoint, id: decodeURIComponent(id) }];
  });
}

function perform(
  side: AgentSide,
  arrived: Arrived,
  { endpoint, pattern, id }: Matched,
  bearer: string | undefined,
  ignore: (keys: readonly string[]) => void,
): Answer {
  const agent = authenticate(side, arrived, endpoint, bearer);
  if (arrived.method !== endpoint.method)
    throw new Refusal(`Method not allowed — expected ${endpoint.method}`, 405);
  const isForm = arrived.contentType.startsWith('multipart/') && pattern.startsWith('/costs');
  const hasBody = endpoint.method === 'PUT' || (endpoint.method === 'POST' && arrived.contentType !== '');
  if (hasBody && !isForm && arrived.json === null)
    throw new Refusal('The body must be application/json', 415);
  const actionId = side.audit.record(agent, `${endpoint.method} ${pattern}`);
  const body = isForm ? new Fields(arrived.form, 'form') : new Fields(arrived.json ?? {}, 'json');
  const query = new Fields(arrived.query, 'form');
  query.maybeText('en4_maint_code');
  const ask = { world: side.world, query, body, id, uploads: arrived.uploads, isForm, ignore };
  const answer = { ...endpoint.run(ask), action_id: actionId };
  ignore(query.unread());
  return { status: endpoint.status ?? 200, body: answer };
}

/** Which client it is; Basic is for trusted servers and knows no scopes. */
function authenticate(
  side: AgentSide,
  arrived: Arrived,
  endpoint: Endpoint,
  bearer: string | undefined,
): string {
  if (bearer === undefined) {
    if (!isBasicValid(side.account, arrived)) throw new Refusal('Missing account record', 401);
    const named = arrived.headers['x-agent-id'];
    return typeof named === 'string' ? named : '';
  }
  const checked = side.oauth.check(bearer);
  if (checked === 'expired') throw new Refusal('The access token has expired', 401);
  if (checked === 'unknown') throw new Refusal('Missing account record', 401);
  if (endpoint.scope !== undefined && !checked.scopes.includes(endpoint.scope)) {
    throw new Refusal(`Agent token does not include the required scope: ${endpoint.scope}`, 403);
  }
  return checked.agent;
}

/** "returned bare, or inside `result`": bare here. */
function accountEndpoints({ account, audit }: AgentSide): Endpoints {
  const { name, registrationNo, username } = account;
  return {
    '/status': get(
      () => ({ username, registration_no: registrationNo, company_name: name }),
      'dashboard_data',
    ),
    '/audit': get(({ query }) => audit.list(query)),
  };
}
