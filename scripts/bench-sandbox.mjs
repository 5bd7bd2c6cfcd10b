// How fast the sandbox answers, and whether its memory stays flat. Needs a build (npm run build).
//   node scripts/bench-sandbox.mjs [--documents 200000] [--requests 20000] [--connections 16]
//   node scripts/bench-sandbox.mjs --requests 0 --soak 1000000    reads of all kinds, memory shown ten times on the way
// "per core" is requests by the server's own processor time: what one core does when nothing else runs on it.
import { performance } from 'node:perf_hooks';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200000' },
    requests: { type: 'string', default: '20000' },
    connections: { type: 'string', default: '16' },
    soak: { type: 'string', default: '0' },
  },
});
const requests = Number(values.requests);
const command = fileURLToPath(new URL('../bin/ledgerbridge.js', import.meta.url));
const server = spawn(
  process.execPath,
  [command, 'sandbox', '--port', '0', '--json', '--accounts', '1', '--documents', values.documents],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

try {
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  await bench(JSON.parse(line));
} finally {
  server.kill('SIGTERM');
}

function once(emitter, event) {
  return new Promise((resolve) => {
    emitter.once(event, (...given) => resolve(given));
  });
}

async function bench({ url, accounts }) {
  const pool = new Pool(url, { connections: Number(values.connections), pipelining: 1 });
  const [{ username, apiKey }] = accounts;
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  const call = async (path, init = {}) => {
    const { statusCode, body } = await pool.request({
      path,
      method: 'GET',
      ...init,
      headers: { authorization, ...init.headers },
    });
    const text = await body.text();
    if (statusCode >= 400) throw new Error(`${path}: HTTP ${statusCode} ${text.slice(0, 200)}`);
    return text;
  };
  const usage = async () => JSON.parse(await call('/_control/state')).result.process;
  const guids = JSON.parse(await call('/api/v1/agent/costs?limit=1000')).result.map((row) => row.guid);
  const pages = Math.floor(Number(values.documents) / 2 / 50);
  const cases = {
    hello: () => call('/api/v1/hello'),
    'get-count-invoices by status and date': () =>
      call('/api/v1/get-count-invoices?accounting_status=Created&from_date=2026-01-01'),
    'get-cost with XML': (turn) => call(`/api/v1/get-cost?guid=${guids[turn % guids.length]}`),
    'agent costs, 50 of a page anywhere': (turn) =>
      call(`/api/v1/agent/costs?limit=50&page=${(turn * 7919) % pages}&accounting_status=Created`),
    'get-invoices, 50 of a page anywhere': (turn) =>
      call(`/api/v1/get-invoices?limit=50&page=${(turn * 7919) % pages}&accounting_status=Created`),
    'create-cost-adv': () =>
      call('/api/v1/create-cost-adv', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'date=2026-03-01&amount=1240&vat_24=240&how_paid=1&supplier_name=X&supplier_id=5902697199&type=2353',
      }),
  };
  console.log(`${values.documents} documents, ${requests} requests each, ${values.connections} connections`);
  for (const [name, act] of Object.entries(requests > 0 ? cases : {})) {
    const total = name === 'hello' ? requests * 3 : requests / (name.includes('50') ? 10 : 1);
    const before = await usage();
    const started = performance.now();
    await inParallel(total, Number(values.connections), act);
    const seconds = (performance.now() - started) / 1000;
    const after = await usage();
    const cpu = after.cpuSeconds - before.cpuSeconds;
    console.log(
      `  ${name.padEnd(40)} ${Math.round(total / seconds)
        .toString()
        .padStart(7)}/s` +
        `   per core ${Math.round(total / cpu)
          .toString()
          .padStart(7)}/s   RSS ${Math.round(after.rssBytes / 1e6)} MB`,
    );
  }
  const reads = [cases.hello, cases['get-count-invoices by status and date'], cases['get-cost with XML']];
  await soak(Number(values.soak), (turn) => reads[turn % reads.length](turn), usage);
  await pool.close();
}

async function soak(total, act, usage) {
  for (let part = 1; part <= 10 && total > 0; part++) {
    await inParallel(total / 10, Number(values.connections), act);
    const { rssBytes } = await usage();
    console.log(
      `  ${((total / 10) * part).toString().padStart(9)} requests   RSS ${Math.round(rssBytes / 1e6)} MB`,
    );
  }
}

async function inParallel(total, width, act) {
  let next = 0;
  const worker = async () => {
    while (next < total) await act(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
