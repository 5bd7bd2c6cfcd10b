// Route × role × company: whoever is confined to some companies finds nothing of another on any page, route, export or
// search, and changes nothing there. The routes come from the server's own listing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../src/operations/acts.js';
import { registeredRoutes } from '../../support/dashboard-bed.js';
import { DECIDED_ROUTES, decisionOf } from './decisions.js';
import { type CompanyIds, HIDDEN, matrixBed, type MatrixBed, OWN, REACH, SEEN } from './matrix-bed.js';

let world: MatrixBed;
const tokens: Record<string, string> = {};
let calls = 0;

beforeAll(async () => {
  world = await matrixBed();
});
afterAll(() => world.close());

const routes = () => registeredRoutes(world.dash.app).filter(({ method }) => method !== 'HEAD');
const decided = (decision: string) =>
  routes().filter(({ method, url }) => decisionOf(method, url) === decision);
const isApi = (url: string) => url.startsWith('/api/v1');

const TOKENS = {
  free: { role: 'admin' },
  bound: { role: 'admin', companies: [OWN] },
  looking: { role: 'viewer', companies: [SEEN] },
} as const;

/** A bucket of sixty calls each: a new token before it is empty. */
async function token(name: keyof typeof TOKENS): Promise<string> {
  calls += 1;
  const known = tokens[name];
  if (known !== undefined && calls % 25 !== 0) return known;
  const { value } = await world.bed.bridge.operations.createToken(
    { name, ...TOKENS[name] },
    { actor: 'test', reason: 'for the matrix' },
  );
  for (const other of Object.keys(tokens)) Reflect.deleteProperty(tokens, other);
  return (tokens[name] = value);
}

function actOf(url: string): string {
  if (url.includes('approvals')) return 'agree';
  if (url.includes('outgoing/tenants')) return 'pause';
  return url.includes('outgoing') ? 'skip' : 'resolve';
}

function address(url: string, ids: CompanyIds, action = 'skip'): string {
  const rooms = [
    ['incidents', ids.incident],
    ['approvals', ids.approval],
    ['certificates', ids.certificate],
    ['submissions', ids.submission],
    ['outgoing', ids.submission],
    ['/replay/', ids.run],
    ['/runs/', ids.run],
  ] as const;
  const id = rooms.find(([room]) => url.includes(room))?.[1] ?? ids.posting;
  return url
    .replace(':what', 'hold')
    .replace(':report', 'sales')
    .replace(':action', action)
    .replace(':act', actOf(url))
    .replace(/:(tenant|name)/, ids.tenant)
    .replace(':login', 'everybody')
    .replace(':id', id);
}

/** Everything a request may say to mean that company. */
function questions({ url }: { url: string }, ids: CompanyIds): string[] {
  const { tenant, text, posting } = ids;
  const path = address(url, ids);
  const period = 'from=2025-01-01&to=2026-12-31';
  if (url.includes('/vat'))
    return [`${path.replace(':format', 'csv')}?tenant=${tenant}&period=2026`].map((one) =>
      url.startsWith('/api') ? one.replace(`tenant=${tenant}&`, '') : one,
    );
  if (url.startsWith('/reports')) return [`${path}?tenant=${tenant}&report=sales`];
  if (url.endsWith('/export'))
    return ['journals', 'postings'].map((what) => `${path}?${period}&what=${what}`);
  if (url.includes(':id') || url.includes(':tenant') || url.includes(':name')) return [path];
  const named = `${path}?tenant=${tenant}`;
  if (url.endsWith('/documents')) return [path, named, `${path}?text=${encodeURIComponent(text)}`];
  if (url.endsWith('/audit')) return [path, named, `${path}?subject=${posting}`];
  if (url === '/plan/made' || url === '/plan/confirm') return [named];
  return url === '/replay' ? [`${path}?id=${posting}`, named] : [path, named];
}

const REASON = { reason: 'because of the matrix' };
const apiBody = (url: string, { tenant, posting }: CompanyIds): object => {
  if (url.endsWith('/mark-posted')) return { ...REASON, entry: '1' };
  if (url.endsWith('/cursors')) return { ...REASON, kind: 'invoice', fromDate: '2026-01-01' };
  if (url.endsWith('/close')) return { ...REASON, period: '2026-01' };
  if (url.endsWith('/rehearse')) return {};
  if (url.endsWith('/use')) return { ...REASON, guid: 'a-guid' };
  if (url.endsWith('/reconcile')) return { from: '2026-01-01', to: '2026-01-31' };
  if (url.endsWith('/replays')) return { ...REASON, documents: [posting] };
  if (url.endsWith('/preview') || url.endsWith('/test')) return { tenant };
  if (url.endsWith('/tokens')) return { ...REASON, name: 'made', role: 'viewer' };
  return REASON;
};
const formBody = ({ tenant, posting }: CompanyIds) => ({
  ...REASON,
  id: posting,
  tenant,
  reference: '1',
  from: '2026-01-01',
  to: '2026-01-31',
  period: '2026-01',
  login: 'made',
  name: 'made',
  role: 'admin',
  companies: '',
  password: 'another fine password',
});

async function read(who: 'confined' | 'everybody', url: string) {
  if (isApi(url) || url === '/metrics') {
    const value = await token(who === 'confined' ? 'bound' : 'free');
    return world.ask({ url, headers: { authorization: `Bearer ${value}` } });
  }
  const { cookie } = await world.session(who);
  return world.ask({ url, headers: { cookie } });
}

async function write(url: string, path: string, ids: CompanyIds, method: 'POST' | 'PUT' = 'POST') {
  if (isApi(url)) {
    const value = await token(ids.tenant === SEEN ? 'looking' : 'bound');
    const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
    return world.ask({ method: 'POST', url: path, headers, payload: JSON.stringify(apiBody(url, ids)) });
  }
  const { cookie, csrf } = await world.session('confined');
  const headers = {
    cookie,
    origin: world.dash.url,
    host: new URL(world.dash.url).host,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const query = url === '/plan/confirm' ? `?tenant=${ids.tenant}` : '';
  const payload = new URLSearchParams({ ...formBody(ids), _csrf: csrf }).toString();
  return world.ask({ method, url: path + query, headers, payload });
}

/** Of what only the hidden company has, what stands in the answer and not in the question. */
function leaked(body: string, question: string): string[] {
  const asked = decodeURIComponent(question);
  return world.marks.filter((mark) => body.includes(mark) && !asked.includes(mark));
}

describe('who is confined to some companies', () => {
  it('is thought of in every route: each is decided, and no decision is left over', () => {
    const undecided = routes().filter(({ method, url }) => decisionOf(method, url) === null);
    expect(undecided.map(({ method, url }) => `${method} ${url}`)).toEqual([]);
    const there = new Set(routes().map(({ method, url }) => `${method} ${url}`));
    expect(DECIDED_ROUTES.filter((route) => !there.has(route))).toEqual([]);
  });

  it('finds nothing of another company on any page, route, export or search', async () => {
    const found: string[] = [];
    let seenByEverybody = 0;
    // These documents have no originals: the file itself is asked for where there are some.
    const without = ['/events', '/documents/:id/originals/:original'];
    for (const route of decided('own').filter(
      ({ method, url }) => method === 'GET' && !without.includes(url),
    )) {
      for (const question of questions(route, world.ids[HIDDEN]!)) {
        const { body } = await read('confined', question);
        for (const mark of leaked(body, question)) found.push(`${question}: ${mark}`);
        const open = await read('everybody', question);
        if (leaked(open.body, question).length > 0) seenByEverybody += 1;
      }
    }
    expect(found).toEqual([]);
    // The same questions do show the company to whoever sees all of them: the marks are there to be found.
    expect(seenByEverybody).toBeGreaterThan(35);
  }, 120_000);

  it('sees their own companies on every page and route that takes one', async () => {
    const refused: string[] = [];
    for (const route of decided('own').filter(({ method, url }) => method === 'GET' && url !== '/events'))
      // Which originals there are is said on the document's page; none is asked for by name here.
      for (const question of questions(route, world.ids[OWN]!).filter((one) => !one.includes(':'))) {
        const { status } = await read('confined', question);
        if (status !== 200) refused.push(`${String(status)} ${question}`);
      }
    expect(refused).toEqual([]);
  }, 120_000);

  it('changes nothing of a company they do not see, and nothing of one they may only look at', async () => {
    const before = { hidden: await world.fingerprint(HIDDEN), seen: await world.fingerprint(SEEN) };
    const done: string[] = [];
    for (const { url } of decided('own').filter(({ method }) => method === 'POST'))
      for (const company of [HIDDEN, SEEN])
        for (const action of url.includes(':action') ? ACTIONS : ['']) {
          const ids = world.ids[company]!;
          const { status, body } = await write(url, address(url, ids, action), ids);
          // A dry question about nothing is answered with nothing.
          const harmless = url === '/replay' || url.includes('/chosen/') || url.endsWith('/preview');
          if (status < 400 && !harmless) {
            const refused = /"done":\[\],"refused":\[\{/.test(body);
            if (!refused) done.push(`${String(status)} ${url} ${action} ${company}`);
          }
          expect(leaked(body, JSON.stringify(ids))).toEqual([]);
        }
    expect(done).toEqual([]);
    expect({ hidden: await world.fingerprint(HIDDEN), seen: await world.fingerprint(SEEN) }).toEqual(before);
    const own = await write('/api/v1/tenants/:tenant/pause', `/api/v1/tenants/${OWN}/pause`, world.ids[OWN]!);
    expect([own.status, own.body]).toEqual([200, '{"changed":true}']);
  }, 120_000);

  it('has no say in what concerns all companies: people, tokens, the whole audit, queues, metrics', async () => {
    const letIn: string[] = [];
    for (const { method, url } of decided('everywhere').filter(({ url }) => !url.endsWith('*'))) {
      const path = address(url, world.ids[OWN]!).replaceAll(/:\w+/g, 'x').replace('*', 'x');
      const { status } =
        method === 'GET'
          ? await read('confined', path)
          : await write(url, path, world.ids[OWN]!, method as 'PUT');
      if (status !== 403 && !(url === '/metrics' && status === 401))
        letIn.push(`${String(status)} ${method} ${url}`);
    }
    expect(letIn).toEqual([]);
    expect((await read('everybody', '/metrics')).status).toBe(200);
    const logins = (await world.dash.users.list()).map(({ login }) => login);
    expect(logins).toEqual(['confined', 'everybody']);
  });

  it('hears nothing of another company in the live numbers', async () => {
    const { cookie } = await world.session('confined');
    const answer = await fetch(`${world.dash.url}/events`, { headers: { cookie } });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: numbers')) text += (await reader.read()).value ?? '';
    await reader.cancel();
    expect(text).toContain(`tenants.${OWN}.waiting`);
    expect(leaked(text, '')).toEqual([]);
  });

  it('is let in again by an admin who gives the company, and is out of it as soon as it is taken away', async () => {
    const seen = async () => {
      world.forgetSessions();
      return (await read('confined', `/tenants/${HIDDEN}`)).status;
    };
    expect(await seen()).toBe(404);
    await world.dash.users.setReach('confined', new Map([...REACH, [HIDDEN, 'viewer']]), 'everybody');
    expect(await seen()).toBe(200);
    await world.dash.users.setReach('confined', REACH, 'everybody');
    expect(await seen()).toBe(404);
  });
});
