// Every route of the operator API, asked by everybody: who may, what is said to who may not, and that each answer is what
// the OpenAPI document says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer, type HttpServer } from '../../../src/api/server.js';
import type { Route } from '../../../src/api/route.js';
import { ROUTES } from '../../../src/api/routes.js';
import { ROLES } from '../../../src/operations/token-records.js';
import { createAnswerRecords } from '../../../src/store/operations/api-records.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type Documented, openApiCheck } from './documented.js';

const CALLERS = ['anonymous', ...ROLES] as const;
type Caller = (typeof CALLERS)[number];
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('the doors of the operator API', () => {
  let bed: Bed;
  let api: HttpServer;
  /** Stands still but for a step before each request, so that no limit is reached that is not asked for. */
  let nowMs = Date.now();
  const tokens: Partial<Record<Caller, string>> = {};
  let documented: Documented;

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 2, costs: 1, seed: 'doors', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    const { operations } = bed.bridge;
    api = await startHttpServer({
      operations,
      answers: createAnswerRecords(bed.database),
      version: 'test',
      nowMs: () => nowMs,
      onError: () => undefined,
      askQueues: () => Promise.resolve(),
      queueStore: 'postgres',
      host: '127.0.0.1',
      port: 0,
    });
    for (const role of ROLES) {
      const act = { actor: 'test', reason: 'a token for the test' };
      tokens[role] = (await operations.createToken({ name: `${role} at the door`, role }, act)).value;
    }
    documented = await openApiCheck(api.url);
  });
  afterAll(async () => {
    await api.close();
    await bed.close();
  });

  const ask = async (one: Route, caller: Caller, body: unknown, headers: Record<string, string> = {}) => {
    nowMs += 60_000;
    const path = one.path.replace('{tenant}', 'nobody').replace('{id}', NOBODY);
    const token = tokens[caller];
    const response = await fetch(`${api.url}/api/v1${path}`, {
      method: one.method.toUpperCase(),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(one.method === 'get' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(one.method === 'get' ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    return {
      status: response.status,
      type,
      headers: response.headers,
      body: type.includes('json') ? (JSON.parse(text) as unknown) : text,
    };
  };

  test.each(ROUTES.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one] as const))(
    '%s opens to its role and to nobody below it',
    async (_name, one) => {
      for (const caller of CALLERS) {
        // Nobody of that name is there, and the reason is too short: whoever gets in changes nothing.
        const answer = await ask(one, caller, {});
        expect(documented(one, answer), caller).toBe('');
        const may = caller !== 'anonymous' && ROLES.indexOf(caller) >= ROLES.indexOf(one.role);
        if (caller === 'anonymous') {
          expect(answer).toMatchObject({ status: 401, body: { code: 'API_UNAUTHORIZED' } });
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        } else if (!may) expect(answer).toMatchObject({ status: 403, body: { code: 'API_FORBIDDEN' } });
        else expect([401, 403, 429, 500, 503]).not.toContain(answer.status);
      }
    },
  );

  test('roles are what the document of the API says: looking, acting, and what binds everybody', () => {
    const writes = ROUTES.filter(({ method, path }) => method !== 'get' && path !== '/replays/preview');
    expect(writes.filter(({ role }) => role === 'viewer')).toEqual([]);
    const admin = ROUTES.filter(({ role }) => role === 'admin').map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(admin.sort()).toEqual([
      'get /audit/check',
      'get /tokens',
      'post /tenants/{tenant}/cursors',
      'post /tenants/{tenant}/plan/confirm',
      'post /tokens',
      'post /tokens/{id}/revoke',
    ]);
  });

  test.each(ROUTES.filter(({ method }) => method === 'post').map((one) => [one.path, one] as const))(
    'POST %s refuses a body that it does not know, and says which field',
    async (_path, one) => {
      const answer = await ask(one, 'admin', { reason: 'for the test', colour: 'red' });
      expect(answer).toMatchObject({ status: 400, body: { code: 'API_REQUEST_INVALID' } });
      expect((answer.body as { detail: string }).detail).toMatch(/colour/);
    },
  );

  test('a refusal is remembered under its Idempotency-Key, and the key belongs to one request and one token', async () => {
    const one = ROUTES.find(({ path }) => path === '/tenants/{tenant}/pause')!;
    const headers = { 'idempotency-key': 'the same' };
    const first = await ask(one, 'operator', { reason: 'for the test' }, headers);
    const again = await ask(one, 'operator', { reason: 'for the test' }, headers);
    expect(first).toMatchObject({ status: 404, body: { code: 'TENANT_UNKNOWN' } });
    expect(again.body).toEqual(first.body);
    expect(again.type).toContain('application/problem+json');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await ask(one, 'operator', { reason: 'another one' }, headers)).toMatchObject({ status: 422 });
    const other = await ask(one, 'admin', { reason: 'for the test' }, headers);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
    expect(await ask(one, 'operator', { reason: 'x' }, { 'idempotency-key': 'k'.repeat(101) })).toMatchObject(
      {
        status: 400,
      },
    );
  });

  test('a list goes on where the page before ended, until there is nothing more', async () => {
    const seen: string[] = [];
    for (let after = ''; ;) {
      nowMs += 60_000;
      const url = `${api.url}/api/v1/audit?limit=7${after === '' ? '' : `&after=${after}`}`;
      const page = (await (
        await fetch(url, { headers: { authorization: `Bearer ${tokens['viewer']!}` } })
      ).json()) as {
        items: { id: string }[];
        next: string | null;
      };
      seen.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
      expect(page.items).toHaveLength(7);
      after = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(7);
  });

  test('whoever guesses is slowed down whatever they say of where they come from, unless a named proxy says it', async () => {
    const guessing = async (trustedProxies: readonly string[]) => {
      const { operations } = bed.bridge;
      const server = await startHttpServer({
        operations,
        answers: createAnswerRecords(bed.database),
        version: 'test',
        nowMs: () => nowMs,
        onError: () => undefined,
        askQueues: () => Promise.resolve(),
        queueStore: 'postgres',
        host: '127.0.0.1',
        port: 0,
        trustedProxies,
      });
      try {
        const statuses = new Set<number>();
        for (let guess = 0; guess < 25; guess++) {
          const headers = { authorization: 'Bearer lbt_guess', 'x-forwarded-for': `10.1.1.${String(guess)}` };
          statuses.add((await fetch(`${server.url}/api/v1/overview`, { headers })).status);
        }
        return [...statuses];
      } finally {
        await server.close();
      }
    };
    expect(await guessing([])).toEqual([401, 429]);
    expect(await guessing(['10.0.0.0/8'])).toEqual([401, 429]);
    expect(await guessing(['loopback'])).toEqual([401]);
  });

  describe('what is not there', () => {
    /** On the server of the bridge itself, where the dashboard lives beside the API. */
    const knock = async (method: string, path: string, token?: string) => {
      const answer = await fetch(`${bed.bridge.http!.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(method === 'POST' ? { 'content-type': 'application/xml' } : {}),
        },
        ...(method === 'POST' ? { body: '<x/>' } : {}),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    };

    test.each([
      ['GET', '/api/v1'],
      ['GET', '/api/v1/'],
      ['GET', '/api/v1/nothing'],
      ['GET', '/api/v1/documents/x/y/z'],
      ['POST', '/api/v1/nothing'],
      ['PATCH', '/api/v1/nothing?x=1'],
      ['GET', `/api/v1/documents/${'x'.repeat(300)}`],
    ])('is a 404 of ours to whoever may come: %s %s', async (method, path) => {
      const answer = await knock(method, path, tokens['viewer']);
      expect(answer).toMatchObject({ status: 404, body: { code: 'API_PATH_UNKNOWN', status: 404 } });
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(Object.keys(answer.body as object).sort()).toEqual(
        ['code', 'detail', 'remedy', 'status', 'title', 'type'].sort(),
      );
    });

    test.each([
      ['POST', '/api/v1/overview', 'GET'],
      ['DELETE', '/api/v1/documents/x', 'GET'],
      ['GET', '/api/v1/tenants/hraun/pause', 'POST'],
      ['PUT', '/api/v1/tenants/hraun/cursors', 'GET, POST'],
      ['POST', '/api/v1/openapi.json', 'GET'],
    ])('by this method is a 405 that says which there are: %s %s', async (method, path, allow) => {
      const answer = await knock(method, path, tokens['viewer']);
      expect(answer).toMatchObject({ status: 405, body: { code: 'API_METHOD_UNKNOWN', status: 405 } });
      expect(answer.headers.get('allow')).toBe(allow);
    });

    test('is told to nobody without a token', async () => {
      for (const token of [undefined, 'lbt_wrong'])
        for (const [method, path] of [
          ['GET', '/api/v1/nothing'],
          ['POST', '/api/v1/overview'],
        ] as const)
          expect(await knock(method, path, token)).toMatchObject({
            status: 401,
            body: { code: 'API_UNAUTHORIZED' },
          });
    });
  });

  test('who guesses tokens is slowed down before who asks too much', async () => {
    const guess = () =>
      fetch(`${api.url}/api/v1/schedules`, { headers: { authorization: 'Bearer lbt_wrong' } });
    nowMs += 600_000;
    const statuses: number[] = [];
    for (let tries = 0; tries < 25; tries++) statuses.push((await guess()).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401));
    expect(statuses.slice(20)).toEqual(Array.from({ length: 5 }, () => 429));
    const honest = await fetch(`${api.url}/api/v1/schedules`, {
      headers: { authorization: `Bearer ${tokens['viewer']!}` },
    });
    expect(honest.status).toBe(200);
  });
});
