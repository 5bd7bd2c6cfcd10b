// The whole command in a process of its own, from its start to its end: what it used of a processor and at most of memory is
// what the operating system says of it.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costCase, invoiceCase } from '../../property/mapping/arbitrary-documents.js';
import { SHIPPED } from '../../support/program.js';
import { workRoom } from './run-map.js';

const { workDirectory, writeWork } = workRoom();

const SAMPLE = 1000;
const CPU_SECONDS_MAX = 10;
/** What the loop below takes of a processor of the machine that the promise was measured on. */
const LOOP_SECONDS = 1.05;
const LOOP = 'let x = 0; for (let i = 0; i < 4e8; i++) x += i % 7;';
const RUNS_MAX = 3;

function sample(): string {
  const invoices = fc
    .sample(invoiceCase, { numRuns: SAMPLE / 2, seed: 1 })
    .map((made) => ({ kind: 'invoice', ...made }));
  const costs = fc
    .sample(costCase, { numRuns: SAMPLE / 2, seed: 2 })
    .map((document) => ({ kind: 'cost', document }));
  return [...invoices, ...costs]
    .map((record) => `${JSON.stringify({ id: record.document['guid'], ...record })}\n`)
    .join('');
}

interface Used {
  readonly answers: number;
  readonly posted: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

/** Says on its way out what it used, on a channel beside its output. */
const TELLING = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs';
   process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));`,
)}`;

function mapInChild(name: string, batch: string): Used {
  const answers = join(workDirectory, `${name}.out`);
  const output = openSync(answers, 'w');
  const child = spawnSync(
    process.execPath,
    ['--import', TELLING, SHIPPED, 'map', '--batch', writeWork(name, batch)],
    { stdio: ['ignore', output, 'pipe', 'pipe'], encoding: 'utf8' },
  );
  closeSync(output);
  expect([child.status, child.stderr]).toEqual([0, '']);
  const used = JSON.parse(child.output[3] ?? '') as NodeJS.ResourceUsage;
  const written = readFileSync(answers, 'utf8');
  return {
    answers: written.split('\n').length - 1,
    posted: written.split('"outcome":"post"').length - 1,
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    peakMegabytes: used.maxRSS / 1024,
  };
}

/** How much slower than that machine this one is at the moment; a shared one may be several times slower within minutes. */
function slowness(): number {
  const child = spawnSync(process.execPath, ['--import', TELLING, '--eval', LOOP], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const { userCPUTime } = JSON.parse(child.output[3] ?? '') as NodeJS.ResourceUsage;
  return Math.max(1, userCPUTime / 1e6 / LOOP_SECONDS);
}

/** Others who share the processor and its caches can only make a run dearer: the cheapest whole run is what it takes. */
function cheapest(slower: number, run: () => Used): Used {
  let best = run();
  for (let runs = 1; runs < RUNS_MAX && best.cpuSeconds / slower >= CPU_SECONDS_MAX; runs += 1) {
    const again = run();
    if (again.cpuSeconds < best.cpuSeconds) best = again;
  }
  return best;
}

describe('map --batch', () => {
  test('maps 20,000 documents in under ten seconds of a processor, in the memory that 5,000 take', () => {
    const documents = sample();
    const some = mapInChild('5000.ndjson', documents.repeat(5));
    const before = slowness();
    const many = cheapest(before, () => mapInChild('20000.ndjson', documents.repeat(20)));
    const slower = Math.max(before, slowness());
    expect([some.answers, many.answers]).toEqual([5 * SAMPLE, 20 * SAMPLE]);
    expect(many.posted).toBeGreaterThan(15 * SAMPLE);
    expect(many.cpuSeconds / slower).toBeLessThan(CPU_SECONDS_MAX);
    expect(many.peakMegabytes).toBeLessThan(some.peakMegabytes * 1.3 + 30);
  });
});
