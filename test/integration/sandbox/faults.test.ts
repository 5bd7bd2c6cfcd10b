// Faults on demand: each does what its name says, to the request it was meant for, with or without the effect.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FaultOptions } from '../../../lab/sandbox/faults/fault-plan.js';
import { openSandbox, rowsOf, type TestSandbox } from './sandbox-client.js';

let anna: TestSandbox;
beforeEach(async () => {
  anna = await openSandbox();
});
afterEach(() => anna.sandbox.close());

const arm = (fault: FaultOptions) => anna.sandbox.control.addFault({ times: 1, ...fault });

async function createdCost(): Promise<string> {
  return String(
    rowsOf(await anna.get('get-costs', { accounting_status: 'Created', limit: '1' }))[0]!['guid'],
  );
}

const statusOf = (guid: string) => anna.sandbox.control.cost('anna', guid).accounting_status;
const post = (guid: string) =>
  anna.post('update-cost', { guid, data: JSON.stringify({ accounting_status: 'Posted' }) });

describe('faults before the effect', () => {
  test('rate-limit: 429 with Retry-After, and coming back too early is noted', async () => {
    const guid = await createdCost();
    arm({ kind: 'rate-limit', endpoint: 'update-cost', retryAfterSeconds: 7 });
    const answer = await post(guid);
    expect(answer.http).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(statusOf(guid)).toBe('Created');
    await post(guid);
    expect(anna.sandbox.control.brokenRules().map(({ rule }) => rule)).toEqual(['retry-after']);
    anna.sandbox.control.advanceClock(7_000);
    await anna.get('hello');
    expect(anna.sandbox.control.brokenRules()).toMatchObject([{ rule: 'retry-after', count: 1 }]);
  });

  test.each([
    ['server-error', 500],
    ['maintenance', 503],
    ['refused', 200],
  ] as const)('%s: HTTP %i, status false, nothing happens', async (kind, http) => {
    const guid = await createdCost();
    arm({ kind, endpoint: 'update-cost' });
    expect(await post(guid)).toMatchObject({ http, body: { status: false } });
    expect(statusOf(guid)).toBe('Created');
    expect((await post(guid)).body['status']).toBe(true);
  });

  test('reset-before: the connection breaks and nothing happened', async () => {
    const guid = await createdCost();
    arm({ kind: 'reset-before', endpoint: 'update-cost' });
    await expect(post(guid)).rejects.toThrow();
    expect(statusOf(guid)).toBe('Created');
  });

  test('latency: the answer comes late', async () => {
    arm({ kind: 'latency', endpoint: 'hello', delayMs: 120 });
    const started = performance.now();
    expect((await anna.get('hello')).http).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(115);
  });

  test('ignored-write: success is claimed and nothing happened', async () => {
    const guid = await createdCost();
    arm({ kind: 'ignored-write', endpoint: 'update-*' });
    expect((await post(guid)).body).toMatchObject({ status: true, result: guid });
    expect(statusOf(guid)).toBe('Created');
  });

  test('expired-token: a bearer call is told that its token expired', async () => {
    arm({ kind: 'expired-token', endpoint: 'GET /items' });
    const answer = await anna.agent('GET', '/items', undefined, { authorization: 'Bearer any' });
    expect(answer).toMatchObject({ http: 401, body: { error: 'token_expired' } });
  });
});

describe('faults after the effect', () => {
  test('reset-after and truncated: the update happened, the client cannot know', async () => {
    for (const kind of ['reset-after', 'truncated'] as const) {
      const guid = await createdCost();
      arm({ kind, endpoint: 'update-cost' });
      await expect(post(guid), kind).rejects.toThrow();
      expect(statusOf(guid)).toBe('Posted');
    }
  });

  test('lost-reply: the update happened and no answer ever comes', async () => {
    const guid = await createdCost();
    arm({ kind: 'lost-reply', endpoint: 'update-cost' });
    const silence = new Promise((resolve) => setTimeout(() => resolve('silence'), 250));
    const answer = post(guid).catch(() => 'closed');
    expect(await Promise.race([answer, silence])).toBe('silence');
    expect(statusOf(guid)).toBe('Posted');
    expect(anna.sandbox.control.journal({ endpoint: 'update-cost' })).toMatchObject([
      { httpStatus: null, fault: 'lost-reply' },
    ]);
    await anna.sandbox.close();
    expect(await answer).toBe('closed');
    anna = await openSandbox();
  });

  test('html and garbage: HTTP 200 and nothing that could be parsed', async () => {
    arm({ kind: 'html', endpoint: 'hello' });
    const page = await anna.get('hello');
    expect(page.http).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    arm({ kind: 'garbage', endpoint: 'hello' });
    await expect(anna.get('hello')).rejects.toThrow(SyntaxError);
  });

  test('slow-drip: the answer is whole, a byte at a time', async () => {
    arm({ kind: 'slow-drip', endpoint: 'get-count-costs', delayMs: 1 });
    expect((await anna.get('get-count-costs')).body['status']).toBe(true);
  });
});

describe('pages', () => {
  const guids = async (page: string) =>
    rowsOf(await anna.get('get-invoices', { limit: '5', page })).map((row) => row['guid']);

  test('repeated-page: every page is the first', async () => {
    const first = await guids('1');
    arm({ kind: 'repeated-page', endpoint: 'get-invoices' });
    expect(await guids('3')).toEqual(first);
  });

  test('shifting-page: a record falls between two pages', async () => {
    const [first, second] = [await guids('1'), await guids('2')];
    arm({ kind: 'shifting-page', endpoint: 'get-invoices' });
    const shifted = await guids('2');
    expect(shifted.slice(0, 4)).toEqual(second.slice(1));
    expect([...first, ...shifted]).not.toContain(second[0]);
  });

  test('short-page: the last records of a page are on no page', async () => {
    const [first, second] = [await guids('1'), await guids('2')];
    arm({ kind: 'short-page', endpoint: 'get-invoices', shift: 2 });
    expect([await guids('1'), await guids('2')]).toEqual([first.slice(0, 3), second]);
  });

  test('early-end: a page says that no other follows', async () => {
    const page = () => anna.get('get-costs', { limit: '5' });
    const before = (await page()).body;
    arm({ kind: 'early-end', endpoint: 'get-costs' });
    expect(before['hasMore']).toBe(true);
    expect((await page()).body).toEqual({ ...before, hasMore: false });
  });
});

describe('aim', () => {
  test('a fault strikes its endpoint, account, share and number of requests only', async () => {
    anna.sandbox.control.addFault({ kind: 'server-error', endpoint: 'hello', account: 'bjorn' });
    expect((await anna.get('hello')).http).toBe(200);
    anna.sandbox.control.clearFaults();
    anna.sandbox.control.addFault({ kind: 'server-error', endpoint: 'get-count-*', skip: 1, times: 2 });
    const codes = [];
    for (let call = 0; call < 5; call += 1) codes.push((await anna.get('get-count-costs')).http);
    expect(codes).toEqual([200, 500, 500, 200, 200]);
    expect((await anna.get('hello')).http).toBe(200);
  });

  test('chance repeats with the seed', async () => {
    const run = async (seed: string) => {
      const sandbox = await openSandbox({
        seed,
        faults: [{ kind: 'server-error', endpoint: 'hello', probability: 0.5 }],
      });
      const codes = [];
      for (let call = 0; call < 20; call += 1) codes.push((await sandbox.get('hello')).http);
      await sandbox.sandbox.close();
      return codes.join(' ');
    };
    const first = await run('a');
    expect(first).toContain('500');
    expect(first).toContain('200');
    expect(await run('a')).toBe(first);
  });
});
