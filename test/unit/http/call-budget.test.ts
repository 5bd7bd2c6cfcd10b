import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withinBudget } from '../../../src/http/pacer.js';
import { createHttpClient } from '../../../src/http/http-client.js';

const server = createServer((request, response) => {
  seen.push(request.url ?? '');
  void sleep(Number(request.url?.slice(1))).then(() => response.end('{}'));
});
const seen: string[] = [];
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a budget for a call of several requests', () => {
  const client = () => createHttpClient({ origins: [origin], userAgent: 'test', deadlineMs: 20_000 });
  const get = (http: ReturnType<typeof client>, ms: number) =>
    http.send({ method: 'GET', url: new URL(`${origin}/${String(ms)}`) });

  it('cuts the request that would outlast it, and lets none begin afterwards', async () => {
    const http = client();
    const started = performance.now();
    const results = await withinBudget(2_000, async () => [
      await get(http, 200),
      await get(http, 9_000),
      await get(http, 1),
    ]);
    expect(performance.now() - started).toBeLessThan(8_000);
    expect(results).toMatchObject([
      { outcome: 'response' },
      { outcome: 'failure', reached: 'maybe-sent', reason: 'timeout' },
      { outcome: 'failure', reached: 'not-sent', reason: 'timeout' },
    ]);
    expect(seen).toEqual(['/200', '/9000']);
    await http.close();
  });

  it('is that of one call: others beside it and after it have their own', async () => {
    const http = client();
    const [, outside] = await Promise.all([withinBudget(1, () => get(http, 300)), get(http, 300)]);
    expect(outside.outcome).toBe('response');
    expect((await get(http, 1)).outcome).toBe('response');
    await http.close();
  });
});
