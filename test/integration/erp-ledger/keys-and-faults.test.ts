import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { FaultKind } from '../../../lab/sandbox/erp-ledger/behaviour.js';
import { failure, ledgerClient, type LedgerClient } from './ledger-client.js';

let ledger: LedgerClient;
afterEach(() => ledger.close());

describe('what the ledger promises about keys', () => {
  it('idempotent by key: five at once make one entry, and a resend hears the first answer again', async () => {
    ledger = await ledgerClient();
    const replies = await Promise.all(Array.from({ length: 5 }, () => ledger.post('K1')));
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    expect((await ledger.post('K1')).headers['idempotent-replayed']).toBe('true');
    expect(ledger.control.liveCount('K1')).toBe(1);
    expect(ledger.control.counts()).toMatchObject({ entries: 1, stored: 1, replayed: 5 });
  });

  it('idempotent by key: other content under a used key is a collision that names the entry', async () => {
    ledger = await ledgerClient();
    await ledger.post('K1');
    expect(await ledger.post('K1', { description: 'annað' })).toMatchObject({
      status: 409,
      body: { error: { code: 'collision', existingId: 'je-1' } },
    });
    expect(await ledger.post('K2', {}, { headers: { 'idempotency-key': 'other' } })).toMatchObject({
      status: 422,
    });
  });

  it('idempotent by key: a resend after the life of the key is a second entry', async () => {
    let nowMs = 1_000_000;
    ledger = await ledgerClient({ nowMs: () => nowMs, behaviour: { keyLifeMs: 360_000 } });
    await ledger.post('K1');
    nowMs += 360_000;
    await ledger.post('K1');
    expect(ledger.control.liveCount('K1')).toBe(1);
    nowMs += 1;
    await ledger.post('K1');
    expect(ledger.control.liveCount('K1')).toBe(2);
    expect(ledger.control.duplicatedKeys()).toEqual(['K1']);
  });

  it('unique reference: a second entry is refused and the first one is named', async () => {
    ledger = await ledgerClient({ behaviour: { idempotency: 'unique-reference' } });
    const replies = await Promise.all(Array.from({ length: 5 }, () => ledger.post('K1')));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(replies.find((reply) => reply.status === 409)).toMatchObject({
      body: { error: { code: 'duplicate', existingId: 'je-1' } },
    });
    expect(ledger.control.liveCount('K1')).toBe(1);
  });

  it('look-up only: five at once make five entries, and all five are found', async () => {
    ledger = await ledgerClient({ behaviour: { idempotency: 'look-up' } });
    await Promise.all(Array.from({ length: 5 }, () => ledger.post('K1')));
    expect((await ledger.send('GET', '/v1/journals?key=K1')).body).toMatchObject({ entries: { length: 5 } });
    expect(ledger.control.counts()).toMatchObject({ entries: 5, keys: 1, duplicatedKeys: 1 });
  });

  it('no promise: duplicates are stored and cannot even be found', async () => {
    ledger = await ledgerClient({ behaviour: { idempotency: 'none' } });
    await ledger.post('K1');
    await ledger.post('K1');
    expect(ledger.control.liveCount('K1')).toBe(2);
    expect(await ledger.send('GET', '/v1/journals?key=K1')).toMatchObject({ status: 404 });
  });

  it('look-up lag: an entry exists before look-ups and lists admit it', async () => {
    let nowMs = 0;
    ledger = await ledgerClient({
      nowMs: () => nowMs,
      behaviour: { idempotency: 'look-up', lookUpLagMs: 5000 },
    });
    await ledger.post('K1');
    nowMs = 4999;
    expect((await ledger.send('GET', '/v1/journals?key=K1')).body).toEqual({ entries: [] });
    expect((await ledger.send('GET', '/v1/journals')).body).toMatchObject({ entries: [] });
    nowMs = 5000;
    expect((await ledger.send('GET', '/v1/journals?key=K1')).body).toMatchObject({
      entries: [{ key: 'K1' }],
    });
  });
});

describe('faults on demand', () => {
  it.each<[FaultKind, string | number, 0 | 1]>([
    ['reset-before-effect', 'ECONNRESET', 0],
    ['reset-after-effect', 'ECONNRESET', 1],
    ['lose-reply', 'TimeoutError', 1],
    ['late-reply', 'TimeoutError', 1],
    ['slow', 'TimeoutError', 0],
    ['truncated', 'UND_ERR_SOCKET', 1],
    ['rate-limit', 429, 0],
    ['error-before-effect', 503, 0],
    ['error-after-effect', 503, 1],
    ['error-body', 200, 0],
    ['unauthorized', 401, 0],
    ['lie', 204, 0],
    ['html', 200, 0],
  ])('%s: the client sees %s and the books hold %i entries', async (fault, seen, entries) => {
    // Both wait by the same clock: between the client's patience and this there is room for a machine that stands still.
    const delayMs = fault === 'slow' ? 1_000 : 300;
    ledger = await ledgerClient({ behaviour: { delayMs, retryAfterSeconds: 7 } });
    ledger.control.failNext({ fault });
    const timeoutMs = seen === 'TimeoutError' ? 100 : 5000;
    if (typeof seen === 'number') {
      const reply = await ledger.post('K1', {}, { timeoutMs });
      expect(reply.status).toBe(seen);
      if (seen === 429) expect(reply.headers['retry-after']).toBe('7');
      if (fault === 'error-body') expect(reply.body).toHaveProperty('error.code');
    } else {
      expect(await failure(ledger.post('K1', {}, { timeoutMs }))).toBe(seen);
    }
    if (fault === 'slow') await sleep(delayMs + 50);
    expect(ledger.control.liveCount('K1')).toBe(entries);
    expect(ledger.control.counts().faults).toEqual({ [fault]: 1 });
    expect(await ledger.post('K1')).toMatchObject({ status: 201 });
    expect(ledger.control.liveCount('K1')).toBe(1);
  });

  it('late-effect: the entry appears after the client has given up', async () => {
    ledger = await ledgerClient({ behaviour: { delayMs: 250, idempotency: 'look-up' } });
    ledger.control.failNext({ fault: 'late-effect' });
    expect(await failure(ledger.post('K1', {}, { timeoutMs: 100 }))).toBe('TimeoutError');
    expect(ledger.control.liveCount('K1')).toBe(0);
    await expect.poll(() => ledger.control.liveCount('K1'), { timeout: 5000 }).toBe(1);
  });

  it('late-effect: neither closing nor a reset lets an effect arrive afterwards', async () => {
    ledger = await ledgerClient({ behaviour: { delayMs: 150 } });
    ledger.control.failNext({ fault: 'late-effect' });
    const cut = failure(ledger.post('K1'));
    await expect.poll(() => ledger.control.counts().requests).toBe(1);
    ledger.control.reset();
    expect(await cut).toBe('ECONNRESET');
    await sleep(200);
    expect(ledger.control.counts().entries).toBe(0);
  });

  it('strikes only the operation and the key that it was told to, as often as it was told to', async () => {
    ledger = await ledgerClient();
    ledger.control.failNext({ fault: 'rate-limit', key: 'K2', times: 2 });
    ledger.control.failNext({ fault: 'unauthorized', on: 'look-up' });
    expect(await ledger.post('K1')).toMatchObject({ status: 201 });
    expect(await ledger.post('K2')).toMatchObject({ status: 429 });
    expect(await ledger.post('K2')).toMatchObject({ status: 429 });
    expect(await ledger.post('K2')).toMatchObject({ status: 201 });
    expect(await ledger.send('GET', '/v1/journals?key=K1')).toMatchObject({ status: 401 });
    expect(await ledger.send('GET', '/v1/journals?key=K1')).toMatchObject({ status: 200 });
  });

  it('is as slow as it is told to be', async () => {
    ledger = await ledgerClient({ behaviour: { latencyMs: 60 } });
    const startedAt = performance.now();
    await ledger.post('K1');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
  });

  it('by chance: the same seed gives every key the same fates, in whatever order they come', async () => {
    ledger = await ledgerClient({
      behaviour: {
        idempotency: 'look-up',
        seed: 7,
        faults: { 'rate-limit': 0.3, 'error-after-effect': 0.2 },
      },
    });
    const keys = Array.from({ length: 60 }, (_, index) => `K${index}`);
    const run = async (order: string[]) => {
      ledger.control.reset();
      const seen = new Map<string, number[]>();
      await Promise.all(
        order.map(async (key) => {
          const statuses: number[] = [];
          for (let attempt = 0; attempt < 3; attempt++) statuses.push((await ledger.post(key)).status);
          seen.set(key, statuses);
        }),
      );
      return [...seen].sort(([left], [right]) => left.localeCompare(right));
    };
    const first = await run(keys);
    expect(await run([...keys].reverse())).toEqual(first);
    const { faults } = ledger.control.counts();
    expect(faults['rate-limit']).toBeGreaterThan(30);
    expect(faults['error-after-effect']).toBeGreaterThan(15);
    ledger.control.set({ seed: 8 });
    expect(await run(keys)).not.toEqual(first);
  });
});

describe('control over HTTP', () => {
  it('offers what the in-process control offers, and refuses nonsense with a sentence', async () => {
    ledger = await ledgerClient({ secret: 'the control needs no signature' });
    const put = (name: string, body: unknown) => ledger.send('PUT', `/_control/${name}`, body);
    expect(await put('behaviour', { idempotency: 'none', lookUpLagMs: 5 })).toMatchObject({
      status: 200,
      body: { idempotency: 'none', lookUpLagMs: 5, delayMs: 1000 },
    });
    expect(await put('behaviour', { faults: { lie: 0.6, html: 0.6 } })).toMatchObject({ status: 422 });
    expect(await put('behaviour', { sometimes: true })).toMatchObject({ status: 422 });
    expect(await put('chart', { accounts: [{ account: '1500' }] })).toMatchObject({ status: 200 });
    expect(await put('chart', null)).toMatchObject({ status: 200 });
    const post = (name: string, body?: unknown) => ledger.send('POST', `/_control/${name}`, body);
    expect(await post('fail-next', { fault: 'lie' })).toMatchObject({ status: 201 });
    expect(await post('fail-next', { fault: 'explode' })).toMatchObject({ status: 422 });
    expect(await post('closed-periods', { from: '2025-01-01', to: '2025-01-31' })).toMatchObject({
      status: 201,
    });
    expect(await ledger.send('DELETE', '/_control/closed-periods')).toMatchObject({ status: 200 });
    expect(await ledger.send('GET', '/_control/counts')).toMatchObject({ body: { entries: 0, requests: 0 } });
    expect(await ledger.send('GET', '/_control/entries?key=K1')).toMatchObject({
      body: { entries: [], live: 0 },
    });
    expect(await ledger.send('GET', '/_control/entries?limit=0')).toMatchObject({ status: 422 });
    expect(await ledger.send('GET', '/_control/duplicated-keys')).toMatchObject({ body: { keys: [] } });
    expect(await post('reset')).toMatchObject({ status: 200 });
    expect(await post('nothing')).toMatchObject({ status: 404 });
  });
});
