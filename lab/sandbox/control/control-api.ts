// The control API: what SandboxControl does, over HTTP, for the start page and for tests in other processes. Loopback
// only, and no other site's page may use it through somebody's browser.
import { AGENT_ROUTES } from '../agent/routes.js';
import { CREDENTIAL_ROUTES } from '../credential/routes.js';
import { FAULT_KINDS, type FaultOptions } from '../faults/fault-plan.js';
import { json, type Reply } from '../http/reply.js';
import type { SandboxRequest } from '../http/request.js';
import { OAUTH_ROUTES } from '../oauth/surface.js';
import { isObject } from '../service/data-object.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';
import { type ClientOptions, type SandboxControl, accountOf } from './sandbox-control.js';

export const CONTROL_PREFIX = '/_control/';

interface Act {
  readonly control: SandboxControl;
  readonly state: SandboxState;
  /** What stands in place of {…} in the path, in order. */
  readonly names: readonly string[];
  readonly body: Record<string, unknown>;
  readonly query: URLSearchParams;
}

interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly does: string;
  act(act: Act): unknown;
}

const name = ({ names }: Act, position: number): string => names[position] ?? '';
const number = (query: URLSearchParams, key: string): number | undefined =>
  query.has(key) ? Number(query.get(key)) : undefined;

/** All of it in one table. */
export const CONTROL_ROUTES: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: 'state',
    does: 'Address, environment, clock, accounts with credentials, faults, choices, broken rules',
    act: ({ state, control }) => overview(state, control),
  },
  { method: 'GET', path: 'endpoints', does: 'Every endpoint of both documents', act: () => endpoints() },
  {
    method: 'POST',
    path: 'accounts',
    does: 'Opens another account: name, username, apiKey, invoices, costs, seed, from, to, …',
    act: ({ control, body }) => control.addAccount(body),
  },
  {
    method: 'GET',
    path: 'accounts/{username}/customers',
    does: 'Customers to choose from',
    act: (act) => customers(act.state, name(act, 0)),
  },
  {
    method: 'GET',
    path: 'accounts/{username}/documents',
    does: 'Documents with their accounting status: ?kind=invoice|cost&accounting_status=&limit=',
    act: (act) => documents(act),
  },
  {
    method: 'POST',
    path: 'accounts/{username}/invoices',
    does: 'Issues an invoice of one line: customerGuid, description, qty, unitPrice, tax',
    act: (act) => ({ guid: act.control.issueInvoice(name(act, 0), act.body) }),
  },
  {
    method: 'POST',
    path: 'accounts/{username}/costs',
    does: 'Enters a cost, New: amount, supplier_name, supplier_id, type, date, vat_24, vat_11, …',
    act: (act) => ({ guid: act.control.createCost(name(act, 0), act.body) }),
  },
  {
    method: 'POST',
    path: 'accounts/{username}/costs/{guid}/approve',
    does: 'New → Created',
    act: (act) => act.control.approveCost(name(act, 0), name(act, 1)),
  },
  {
    method: 'POST',
    path: 'accounts/{username}/process-costs',
    does: 'Ends AI processing at once',
    act: (act) => ({ processed: act.control.processCosts(name(act, 0)) }),
  },
  {
    method: 'POST',
    path: 'accounts/{username}/prepared/{guid}/issue',
    does: 'Issues an invoice from an order or draft',
    act: (act) => ({ guid: act.control.issuePrepared(name(act, 0), name(act, 1)) }),
  },
  {
    method: 'PATCH',
    path: 'accounts/{username}/invoices/{guid}',
    does: 'Edits an invoice behind the API, in the fields of the model',
    act: (act) => act.control.editInvoice(name(act, 0), name(act, 1), act.body),
  },
  {
    method: 'PATCH',
    path: 'accounts/{username}/costs/{guid}',
    does: 'Edits a cost behind the API, in the fields of the model',
    act: (act) => act.control.editCost(name(act, 0), name(act, 1), act.body),
  },
  {
    method: 'DELETE',
    path: 'accounts/{username}/invoices/{guid}',
    does: 'Deletes an invoice, even a Posted one',
    act: (act) => ({ deleted: act.control.deleteDocument(name(act, 0), 'invoice', name(act, 1)) }),
  },
  {
    method: 'DELETE',
    path: 'accounts/{username}/costs/{guid}',
    does: 'Deletes a cost, even a Posted one',
    act: (act) => ({ deleted: act.control.deleteDocument(name(act, 0), 'cost', name(act, 1)) }),
  },
  {
    method: 'POST',
    path: 'clients',
    does: 'Provisions an OAuth client as the operator: name, redirectUri, owner, app, isPublic',
    act: ({ control, body }) => control.addClient(body as unknown as ClientOptions),
  },
  {
    method: 'POST',
    path: 'faults',
    does: 'Arms a fault: kind, endpoint, account, probability, times, skip, …',
    act: ({ control, body }) => control.addFault(body as unknown as FaultOptions),
  },
  { method: 'GET', path: 'faults', does: 'Armed faults', act: ({ control }) => control.faults() },
  { method: 'DELETE', path: 'faults', does: 'Disarms all', act: ({ control }) => control.clearFaults() },
  {
    method: 'DELETE',
    path: 'faults/{id}',
    does: 'Disarms one',
    act: (act) => ({ removed: act.control.removeFault(Number(name(act, 0))) }),
  },
  {
    method: 'POST',
    path: 'clock',
    does: 'Moves the clock: advanceSeconds, set (ISO 8601), frozen (true or false)',
    act: moveClock,
  },
  {
    method: 'GET',
    path: 'journal',
    does: 'Requests and the rules they broke: ?since=&account=&endpoint=&broken=1&limit=',
    act: ({ control, query }) => journal(control, query),
  },
  { method: 'DELETE', path: 'journal', does: 'Forgets them', act: ({ control }) => control.clearJournal() },
];

const PATTERNS = CONTROL_ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));

export function controlApi(state: SandboxState, control: SandboxControl) {
  return (request: SandboxRequest): Reply => {
    const refused = refuseOutsiders(request);
    if (refused !== null) return refused;
    const path = request.path.slice(CONTROL_PREFIX.length);
    for (const { route, pattern } of PATTERNS) {
      const match = route.method === request.method ? pattern.exec(path) : null;
      if (match === null) continue;
      const body = request.body.kind === 'json' && isObject(request.body.value) ? request.body.value : {};
      const names = match.slice(1).map((text) => decodeURIComponent(text));
      return perform(() => route.act({ control, state, names, body, query: request.query }));
    }
    return json(404, {
      error: `No such control. See ${CONTROL_PREFIX}endpoints and docs/reference/sandbox.md.`,
    });
  };
}

function perform(act: () => unknown): Reply {
  try {
    return json(200, { ok: true, result: act() ?? null });
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError) return json(400, { error: error.message });
    throw error;
  }
}

function overview(state: SandboxState, control: SandboxControl) {
  return {
    environment: state.environment,
    maintCode: state.environment === 'development' ? state.maintCode : null,
    seed: state.seed,
    now: control.now(),
    frozen: state.clock.frozen,
    accounts: [...state.accounts.values()].map((account) => ({
      ...accountOf(account.profile),
      invoices: account.invoices.size,
      costs: account.costs.size,
      processing: account.hiddenCosts.size,
    })),
    faults: control.faults(),
    faultKinds: FAULT_KINDS,
    choices: state.choices,
    requests: control.requestCount(),
    brokenRules: control.brokenRules(),
    process: usage(),
  };
}

/** For benchmarks: what the whole process has used. */
function usage() {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { cpuSeconds: (user + system) / 1e6, rssBytes: rss, heapBytes: heapUsed };
}

function endpoints() {
  return {
    credential: CREDENTIAL_ROUTES.map((route) => ({
      method: route.method,
      path: `/api/v1/${route.name}`,
      fields: route.fields,
    })),
    agent: AGENT_ROUTES.map((route) => ({
      method: route.method,
      path: `/api/v1/agent${route.path}`,
      scope: route.scope,
      fields: route.fields,
    })),
    management: ['GET /api/v1/agents', 'POST /api/v1/agents', 'DELETE /api/v1/agents/{agent_id}'],
    oauth: Object.entries(OAUTH_ROUTES).map(([path, route]) => ({
      method: route.methods[0],
      path: `/strax/agent/${path}`,
      fields: route.fields,
    })),
    control: CONTROL_ROUTES.map(({ method, path, does }) => ({ method, path: CONTROL_PREFIX + path, does })),
  };
}

const CUSTOMERS_SHOWN = 200;

function customers(state: SandboxState, username: string) {
  const found = [...(state.accounts.get(username)?.customers.values() ?? [])].slice(0, CUSTOMERS_SHOWN);
  return found.map(({ guid, name: customerName }) => ({ guid, name: customerName }));
}

function documents(act: Act) {
  const kind = act.query.get('kind') === 'cost' ? 'cost' : 'invoice';
  const status = act.query.get('accounting_status');
  return act.control.documents(name(act, 0), {
    kind,
    limit: number(act.query, 'limit') ?? 50,
    ...(status === null || status === '' ? {} : { accountingStatus: status }),
  });
}

function moveClock({ control, body }: Act) {
  if (typeof body['frozen'] === 'boolean') control.freezeClock(body['frozen']);
  if (typeof body['set'] === 'string') control.setClock(body['set']);
  if (typeof body['advanceSeconds'] === 'number') control.advanceClock(body['advanceSeconds'] * 1000);
  return { now: control.now() };
}

function journal(control: SandboxControl, query: URLSearchParams) {
  const account = query.get('account');
  const endpoint = query.get('endpoint');
  return control.journal({
    limit: number(query, 'limit') ?? 100,
    sinceId: number(query, 'since') ?? 0,
    onlyBroken: query.get('broken') === '1',
    ...(account === null ? {} : { account }),
    ...(endpoint === null ? {} : { endpoint }),
  });
}

// The control API and the start page show credentials and change everything, so they answer this machine only: the
// connection, the Host (against DNS rebinding) and, for changes, the Origin must say so.

const LOOPBACK_ADDRESS = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export function refuseOutsiders(request: SandboxRequest): Reply | null {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK_ADDRESS.test(request.ip) || !LOOPBACK_HOST.test(host))
    return json(403, {
      error: 'The controls of the sandbox answer this machine only, by its loopback address',
    });
  if (origin !== undefined && origin !== `http://${host}`)
    return json(403, { error: 'The controls of the sandbox answer their own pages only' });
  const changes = request.method !== 'GET' && request.method !== 'HEAD';
  // A form on a foreign page cannot send JSON without a preflight, which is never answered.
  if (changes && request.body.kind !== 'none' && request.body.kind !== 'json')
    return json(415, { error: 'The controls of the sandbox take JSON' });
  if (changes && request.headers['x-sandbox-control'] !== '1')
    return json(403, { error: 'Send the header X-Sandbox-Control: 1 with every change' });
  return null;
}
