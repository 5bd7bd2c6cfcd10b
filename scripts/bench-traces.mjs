// What traces cost: the same benchmark without and with them, in turn, against a receiver that takes everything. On a quiet machine:
//   node scripts/bench-traces.mjs 4000 5        # documents of a run, runs of each
// The bridge's processor time a document is compared, by the median; the receiver is a process of its own and not in it.
import { fork, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [documents = '3000', rounds = '3'] = process.argv.slice(2);

function receive() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('{}'));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
}

function bench(endpoint) {
  const ran = spawnSync(
    process.execPath,
    ['bin/ledgerbridge.js', 'bench', '--documents', documents, '--json'],
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

async function compare() {
  const receiver = fork(fileURLToPath(import.meta.url), ['--receive']);
  const port = await new Promise((resolve) => receiver.once('message', resolve));
  const [without, traced] = [[], []];
  for (let round = 0; round < Number(rounds); round++) {
    without.push(bench(null));
    traced.push(bench(`http://127.0.0.1:${String(port)}`));
    console.log(
      `round ${String(round + 1)}: ${without.at(-1).toFixed(3)} and ${traced.at(-1).toFixed(3)} ms a document`,
    );
  }
  receiver.kill();
  const [before, after] = [median(without), median(traced)];
  const percent = ((after - before) / before) * 100;
  console.log(
    `medians: ${before.toFixed(3)} without, ${after.toFixed(3)} with all traces kept: ${percent.toFixed(1)} %`,
  );
}

if (process.argv.includes('--receive')) receive();
else await compare();
