// What traces cost. Alone, in processor time of what a document's trace takes (its spans, their JSON, the requests to a receiver),
// which varies little:
//   npx tsx scripts/bench-traces.mjs alone 20000
// Or the same benchmark without and with them, in turn, by the median of the bridge's processor time a document. On a quiet machine:
//   node scripts/bench-traces.mjs 4000 5        # documents of a run, runs of each
// The receiver takes everything; it is a process of its own and not in the figures.
import { fork, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const given = process.argv.slice(2);

function receive() {
  let spans = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    request.on('end', () => {
      spans += body.split('"spanId"').length - 1;
      response.end('{}');
    });
  });
  process.on('message', () => process.send(spans));
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

const next = (child) => new Promise((resolve) => child.once('message', resolve));

async function withReceiver(measure) {
  const receiver = fork(fileURLToPath(import.meta.url), ['--receive'], { execArgv: [] });
  try {
    await measure(`http://127.0.0.1:${String(await next(receiver))}`, receiver);
  } finally {
    receiver.kill();
  }
}

/** As the bridge calls for one document: each name is a call of a port. */
const CALLS = ['source get', 'erp prepare', 'erp find-by-key', 'erp post', 'erp find-by-key', 'source get'];
const LAST = ['source update-status', 'source get'];

async function alone(documents) {
  const { openTraces } = await import('../src/telemetry/traces/open-traces.ts');
  await withReceiver(async (endpoint, receiver) => {
    const settings = {
      url: `${endpoint}/v1/traces`,
      serviceName: 'bench',
      sampler: { name: 'always_on', ratio: 1 },
    };
    const open = openTraces({ version: '0', role: 'all', publicUrl: 'https://bridge.example', settings });
    const one = async (index) => {
      const posting = {
        ...{ id: `posting-${index}`, tenantName: 'hraun', kind: 'invoice', guid: `guid-${index}` },
        ...{ key: `lb-hraun-${index}`, generation: 0, state: 'discovered' },
      };
      const claim = { posting, attempt: null };
      open.traces.begun([claim]);
      for (const name of [...CALLS, ...LAST]) {
        const [system] = name.split(' ');
        const key = system === 'source' ? posting.guid : posting.key;
        await open.traces.call({ tenant: 'hraun', name, system, key }, () =>
          Promise.resolve({ outcome: 'ok' }),
        );
      }
      for (const to of ['posting', 'posted', 'acknowledged'])
        open.traces.committed(claim, { to, action: to, release: to === 'acknowledged' }, Date.now());
    };
    const run = async (count) => {
      const before = process.cpuUsage();
      for (let index = 0; index < count; index++) {
        await one(index);
        // Spans are sent beside the work, as in the bridge; faster than that they would be dropped.
        if (index % 40 === 0) await sleep(10);
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / count;
    };
    await run(Math.ceil(documents / 4));
    const microseconds = await run(documents);
    await open.close();
    receiver.send('count');
    const spans = await next(receiver);
    const expected = (Math.ceil(documents / 4) + documents) * (1 + CALLS.length + LAST.length);
    if (spans < expected * 0.99) throw new Error(`only ${spans} of ${expected} spans arrived`);
    console.log(`${microseconds.toFixed(0)} µs of processor time a document, ${spans} spans received`);
  });
}

function bench(endpoint) {
  const ran = spawnSync(
    process.execPath,
    ['bin/ledgerbridge.js', 'bench', '--documents', given[0] ?? '3000', '--json'],
    {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(endpoint === null ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) },
    },
  );
  if (ran.status !== 0) throw new Error(`bench ended with ${String(ran.status)}`);
  return JSON.parse(ran.stdout).cpuMsPerDocument.bridge;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

async function compare(rounds) {
  await withReceiver(async (endpoint) => {
    const [without, traced] = [[], []];
    for (let round = 0; round < rounds; round++) {
      without.push(bench(null));
      traced.push(bench(endpoint));
      const figures = [without, traced].map((all) => all.at(-1).toFixed(3)).join(' and ');
      console.log(`round ${String(round + 1)}: ${figures} ms a document`);
    }
    const [before, after] = [median(without), median(traced)];
    const percent = ((after - before) / before) * 100;
    console.log(
      `medians: ${before.toFixed(3)} without, ${after.toFixed(3)} with all traces kept: ${percent.toFixed(1)} %`,
    );
  });
}

if (given.includes('--receive')) receive();
else if (given[0] === 'alone') await alone(Number(given[1] ?? 20_000));
else await compare(Number(given[1] ?? 3));
