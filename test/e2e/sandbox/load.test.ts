// Modest forms of what scripts/bench-sandbox.mjs measures: fast with 100,000 documents, flat under many requests.
// Rates are by processor time of client and server together, so that a busy machine does not decide the result.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../lab/sandbox/start-sandbox.js';

const DOCUMENTS = 100_000;
let sandbox: Sandbox;
let pool: Pool;
let authorization: string;

beforeAll(async () => {
  sandbox = await startSandbox({
    accounts: [{ invoices: DOCUMENTS / 2, costs: DOCUMENTS / 2 }],
    journalSize: 1_000,
  });
  const { username, apiKey } = sandbox.accounts[0]!;
  authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  pool = new Pool(sandbox.url, { connections: 8, pipelining: 1 });
});
afterAll(async () => {
  await pool.close();
  await sandbox.close();
});

async function call(path: string): Promise<void> {
  const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { authorization } });
  await body.dump();
  expect(statusCode).toBe(200);
}

async function times(count: number, path: (turn: number) => string): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await call(path(next++));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Requests by second of processor time. */
async function rate(count: number, path: (turn: number) => string): Promise<number> {
  await times(count / 4, path);
  const before = process.cpuUsage();
  await times(count, path);
  const { user, system } = process.cpuUsage(before);
  return count / ((user + system) / 1e6);
}

test('answers simple requests fast', async () => {
  expect(await rate(1_200, () => '/api/v1/hello')).toBeGreaterThan(700);
});

test('counts by status and date without walking the documents', async () => {
  const path = () => '/api/v1/get-count-invoices?accounting_status=Created&from_date=2026-01-01';
  expect(await rate(1_200, path)).toBeGreaterThan(700);
});

test('lists any page, deep ones too, without sorting everything', async () => {
  const pages = DOCUMENTS / 2 / 5;
  const path = (turn: number) =>
    `/api/v1/agent/costs?accounting_status=Created&limit=5&page=${(turn * 7919) % pages}`;
  expect(await rate(1_000, path)).toBeGreaterThan(400);
});

test('its heap stays flat', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const path = (turn: number) => `/api/v1/get-invoices?limit=1&page=${turn % 100}`;
  // The journal is a ring of 1,000 here; it fills up first.
  await times(2_000, path);
  const before = heap();
  await times(6_000, path);
  expect(heap() - before).toBeLessThan(2_000_000);
});
