import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/api/routes.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type Documented, openApiCheck, routeOf } from './documented.js';

const ACT = { actor: 'test', reason: 'a token for the test' };

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown> & { items?: Record<string, string>[] };
}

describe('the operator API', () => {
  let bed: Bed;
  const tokens: Record<string, string> = {};
  let documented: Documented;
  /** Every route that was answered with its documented status. */
  const answered = new Set<string>();

  const call = async (
    method: string,
    path: string,
    {
      role = 'admin',
      body,
      headers = {},
    }: { role?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const response = await fetch(`${bed.bridge.http!.url}/api/v1${path}`, {
      method,
      headers: {
        ...(tokens[role] === undefined ? {} : { authorization: `Bearer ${tokens[role]}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
    hold(method, path, answer);
    return answer;
  };

  /** The answer is what the document says, whatever it is. */
  const hold = (method: string, path: string, answer: Answer) => {
    const one = routeOf(method, path);
    if (!one) return;
    if (answer.status === one.status) answered.add(`${one.method} ${one.path}`);
    expect(documented(one, answer), `${method} ${path}`).toBe('');
  };

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 6, costs: 4, seed: 'api', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    for (const role of ['viewer', 'operator', 'admin'] as const)
      tokens[role] = (
        await bed.bridge.operations.createToken({ name: `${role} of the test`, role }, ACT)
      ).value;
    documented = await openApiCheck(bed.bridge.http!.url);
    await bed.settled();
  });
  afterAll(() => bed.close());

  test('answers nobody without a token, and nobody beyond the role', async () => {
    expect(await call('GET', '/overview', { role: 'stranger' })).toMatchObject({
      status: 401,
      body: { code: 'API_UNAUTHORIZED' },
    });
    tokens['wrong'] = `${tokens['admin']!.slice(0, -2)}xx`;
    expect((await call('GET', '/overview', { role: 'wrong' })).status).toBe(401);
    const act = { body: { reason: 'not allowed' } };
    expect(await call('POST', '/tenants/hraun/pause', { role: 'viewer', ...act })).toMatchObject({
      status: 403,
      body: { code: 'API_FORBIDDEN' },
    });
    expect((await call('GET', '/tokens', { role: 'operator' })).status).toBe(403);
  });

  test('tells two weeks before that a token ends, until it is revoked', async () => {
    const { operations } = bed.bridge;
    const told = async () => {
      const { conditions } = await operations.overview();
      return conditions.filter(({ code }) => code === 'TOKEN_ENDING').map(({ title }) => title);
    };
    const make = (name: string, days: number) => operations.createToken({ name, role: 'viewer', days }, ACT);
    await make('in three weeks', 21);
    const { token } = await make('in ten days', 10);
    expect(await told()).toEqual([expect.stringMatching(/^The API token “in ten days” ends on /)]);
    await operations.revokeToken(token.id, ACT);
    expect(await told()).toEqual([]);
  });

  test('keeps only hashes of tokens, and a revoked one is refused at once', async () => {
    const made = await call('POST', '/tokens', {
      body: { name: 'short-lived', role: 'viewer', reason: 'try it' },
    });
    expect(made.status).toBe(201);
    const { token, value } = made.body as { token: { id: string }; value: string } & Answer['body'];
    const dump = JSON.stringify(await bed.database.prisma.apiToken.findMany());
    for (const secret of [value, tokens['admin']!]) expect(dump).not.toContain(secret);
    tokens['short'] = value;
    expect((await call('GET', '/schedules', { role: 'short' })).status).toBe(200);
    await call('POST', `/tokens/${token.id}/revoke`, { body: { reason: 'enough' } });
    expect((await call('GET', '/schedules', { role: 'short' })).status).toBe(401);
    expect((await call('GET', '/tokens')).status).toBe(200);
  });

  test('shows everything there is to see, as the document says', async () => {
    for (const path of [
      '/overview',
      '/throughput?hours=2',
      '/documents?limit=3',
      '/documents?states=acknowledged,held&issuedFrom=2020-01-01',
      '/problems',
      '/inbox?tenant=hraun',
      '/incidents?all=true',
      '/audit?limit=5',
      '/audit/check',
      '/runs',
      '/tenants/hraun/cursors',
      '/tenants/hraun/plan',
    ])
      expect((await call('GET', path)).status, path).toBe(200);
    const page = await call('GET', '/documents?limit=3');
    expect(page.body.items).toHaveLength(3);
    const next = await call('GET', `/documents?limit=3&after=${String(page.body['next'])}`);
    expect(next.body.items![0]!['postingId']! < page.body.items![2]!['postingId']!).toBe(true);
    const story = await call('GET', `/documents/${page.body.items![0]!['guid']!}?askSource=true`);
    expect(story.body['sentence']).toEqual(expect.any(String));
  });

  test('says what is wrong with a request, with our codes', async () => {
    expect(await call('GET', '/documents/nothing')).toMatchObject({
      status: 404,
      body: { code: 'DOCUMENT_NOT_FOUND' },
    });
    expect(await call('GET', '/documents?limit=0')).toMatchObject({
      status: 400,
      body: { code: 'API_REQUEST_INVALID' },
    });
    expect(await call('GET', '/documents?states=lost')).toMatchObject({ status: 400 });
    expect(await call('GET', '/documents?colour=red')).toMatchObject({ status: 400 });
    expect(await call('POST', '/tenants/nobody/pause', { body: { reason: 'no such tenant' } })).toMatchObject(
      { status: 404 },
    );
    expect(await call('POST', '/tenants/hraun/pause', { body: { reason: ' ' } })).toMatchObject({
      status: 400,
      body: { code: 'ACT_WITHOUT_REASON' },
    });
    const broken = await fetch(`${bed.bridge.http!.url}/api/v1/replays`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens['admin']!}`, 'content-type': 'application/json' },
      body: '{"reason":',
    });
    expect(broken.status).toBe(400);
    expect(broken.headers.get('content-type')).toContain('application/problem+json');
  });

  test('does what operators do, by a person and with a reason', async () => {
    const reason = 'through the API';
    await call('POST', '/tenants/hraun/resume', { body: { reason } });
    expect((await call('POST', '/tenants/hraun/pause', { body: { reason, by: 'Guðrún' } })).body).toEqual({
      changed: true,
    });
    expect(await call('POST', '/notifications/test', { body: { tenant: 'hraun' } })).toMatchObject({
      ...{ status: 200, body: [] },
    });
    const guid = bed.sandbox.control.issueInvoice('hraun', { unitPrice: '4400' });
    await call('POST', '/tenants/hraun/sweep', { body: { reason, full: true } });
    for (
      let look = 0;
      look < 100 && (await bed.bridge.operations.documents({ text: guid })).items.length === 0;
      look++
    )
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await call('POST', `/documents/${guid}/hold`, { body: { reason } })).toMatchObject({
      status: 200,
    });
    expect(
      await call('POST', '/replays/preview', { role: 'viewer', body: { documents: [guid] } }),
    ).toMatchObject({
      body: { eligible: 0, ineligible: 1 },
    });
    await call('POST', `/documents/${guid}/release`, { body: { reason } });
    expect(
      await call('POST', `/documents/${guid}/mark-posted`, { body: { reason, entry: 'none' } }),
    ).toMatchObject({
      status: 409,
      body: { code: 'ERP_REFERENCE_UNKNOWN' },
    });
    await call('POST', `/documents/${guid}/skip`, { body: { reason, writeBack: false } });
    await call('POST', '/tenants/hraun/resume', { body: { reason } });
    const run = await call('POST', '/replays', { body: { reason, documents: [guid] } });
    expect(run.status).toBe(202);
    const progress = async () => (await call('GET', `/runs/${String(run.body['id'])}`)).body;
    for (let look = 0; look < 100 && (await progress())['state'] === 'running'; look++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await progress()).toMatchObject({ state: 'done', moved: 1 });
    await bed.settled();
    expect(bed.sandbox.control.invoice('hraun', guid).accounting_status).toBe('Posted');
    expect(await call('POST', `/documents/${guid}/reverse`, { body: { reason } })).toMatchObject({
      status: 200,
    });
    expect(await call('POST', `/documents/${guid}/repost`, { body: { reason } })).toMatchObject({
      status: 200,
    });
    await bed.settled();
    expect(await call('POST', `/documents/${guid}/move-to-new`, { body: { reason } })).toMatchObject({
      status: 409,
    });
    await call('POST', '/tenants/hraun/cursors', { body: { reason, kind: 'cost', fromDate: '2026-01-01' } });
    await call('POST', '/tenants/hraun/plan/confirm', { body: { reason } });
    const report = await call('POST', '/tenants/hraun/reconcile', {
      body: { from: '2020-01-01', to: '2030-01-01' },
    });
    expect(report.body).toMatchObject({ clean: true, differences: [] });
    const sums = await call('GET', '/tenants/hraun/reports/summary?from=2026-01-01&to=2026-12-31');
    expect(sums).toMatchObject({
      status: 200,
      body: { tenantName: 'hraun', report: 'summary', isWhole: true },
    });
    const audit = await call('GET', '/audit?tenant=hraun&limit=500');
    expect(audit.body.items).toContainEqual(
      expect.objectContaining({ action: 'tenant.paused', actor: 'Guðrún (admin of the test)', reason }),
    );
  });

  test('does the same write once under one Idempotency-Key', async () => {
    const name = `once ${String(Date.now())}`;
    const body = { name, role: 'viewer', reason: 'twice the same' };
    const headers = { 'idempotency-key': name };
    const first = await call('POST', '/tokens', { body, headers });
    const second = await call('POST', '/tokens', { body, headers });
    expect(first.body).toMatchObject({ value: expect.stringMatching(/^lbt_/) as unknown });
    expect(second.body).toEqual({ ...first.body, value: null });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await bed.database.prisma.apiToken.count({ where: { name } })).toBe(1);
    const kept = await bed.database.prisma.idempotencyKey.findMany();
    expect(kept.map(({ key }) => key)).toContain(name);
    expect(JSON.stringify(kept)).not.toMatch(/lbt_/);
    expect(await call('POST', '/tokens', { body: { ...body, name: 'other' }, headers })).toMatchObject({
      status: 422,
      body: { code: 'API_KEY_REUSED' },
    });
  });

  test('slows down who asks too much, and says for how long', async () => {
    const ask = () => call('GET', '/schedules', { role: 'viewer' });
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    // What is allowed comes back with time: a slow machine has to ask for longer.
    for (let round = 0; round < 40 && refused.length <= 5; round++) {
      const answers = await Promise.all(Array.from({ length: 250 }, ask));
      refused.push(...answers.filter(({ status }) => status === 429));
    }
    expect(refused.length).toBeGreaterThan(5);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('health and readiness mean something', async () => {
    const url = bed.bridge.http!.url;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const page = await fetch(`${url}/api/v1/docs`);
    expect(await page.text()).toContain('/api/v1/documents/{id}/reverse');
  });

  test('every documented route was called here and answered as documented', () => {
    // These need an incident, an entry made by hand, a cost in Error or a file: operations/every-operation.test.ts tells such
    // stories over the API, each answer held against the document as here.
    const elsewhere = [
      'post /incidents/{id}/acknowledge',
      'post /incidents/{id}/resolve',
      'post /documents/{id}/mark-posted',
      'post /documents/{id}/move-to-new',
      'get /tenants/{tenant}/export',
      'get /tenants/{tenant}/vat',
      'get /tenants/{tenant}/vat/{format}',
      'post /tenants/{tenant}/close',
      'get /certificates',
      'get /certificates/{id}',
      'get /certificates/{id}/pdf',
      'post /tenants/{tenant}/rehearse',
      ...ROUTES.filter(({ tag }) => tag === 'Outbound').map(({ method, path }) => `${method} ${path}`),
      'get /approvals',
      'post /approvals/{id}/agree',
      'post /approvals/{id}/withdraw',
    ];
    const all = ROUTES.map(({ method, path }) => `${method} ${path}`).filter(
      (name) => !elsewhere.includes(name),
    );
    expect(all.filter((name) => !answered.has(name))).toEqual([]);
  });
});
