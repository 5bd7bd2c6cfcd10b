// `ledgerbridge bench`: how fast this bridge is on this machine, beside a loop that makes the same calls and keeps no promise.
import { InvalidArgumentError, Option } from 'commander';
import { PEERS, type PeerName } from './peer.js';
import type { BenchReport, Progress } from './run-bench.js';
import type { PeerReport } from './run-peer.js';
import { examples, type CliIo, type RegisterCommand } from '../../src/cli/command.js';

interface Flags {
  readonly documents: number;
  readonly tenants: number;
  readonly inFlight: number;
  readonly backend: 'postgres' | 'redis';
  readonly workers: number;
  readonly pace?: number;
  readonly filled: number;
  readonly seconds?: number;
  readonly latency: number;
  readonly peer?: PeerName;
  readonly json?: true;
  readonly part?: string;
}

export const registerBench: RegisterCommand = (program, io) => {
  program
    .command('bench')
    .description(
      'Carries generated documents from a simulated service into a counting ERP, each in a process of its own, and says what a document cost. A bare loop makes the same calls before and after: the ratio to it is what holds on any machine.',
    )
    .option('-d, --documents <count>', 'documents in all', wholeNumber(1, 5_000_000), 10_000)
    .option('-t, --tenants <count>', 'companies that they belong to', wholeNumber(1, 1_000), 1)
    .option('-c, --in-flight <count>', 'documents that one process works on at once', wholeNumber(1, 256), 16)
    .option('--backend <kind>', 'where the queues are: postgres or redis', backend, 'postgres')
    .option('-w, --workers <count>', 'processes of the bridge', wholeNumber(1, 16), 1)
    .option(
      '--pace <count>',
      'documents a second that appear while it runs, with a sweep asked for every second; left out: all wait from the beginning',
      wholeNumber(1, 100_000),
    )
    .option(
      '--filled <count>',
      'documents of earlier years that are in the tables already',
      wholeNumber(0, 5_000_000),
      0,
    )
    .option(
      '--seconds <count>',
      'stop the bridge after so long, for more documents than anybody wants to wait for; left out: all are carried',
      wholeNumber(1, 3_600),
    )
    .option(
      '--latency <ms>',
      'how long service and ERP take for every answer, as over a network',
      wholeNumber(0, 10_000),
      0,
    )
    .addOption(
      new Option(
        '--peer <queue>',
        'the same calls as jobs of another queue instead of the bridge, with no records',
      )
        .choices(PEERS)
        .conflicts(['backend', 'tenants', 'workers', 'pace', 'filled', 'seconds', 'latency']),
    )
    .option('--json', 'the report as JSON')
    .addOption(new Option('--part <spec>', 'one of its processes').hideHelp())
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge bench', 'embedded PostgreSQL, 16 in flight'],
        ['ledgerbridge bench --in-flight 64 --backend redis', 'needs redis-server'],
        ['ledgerbridge bench --documents 100000 --tenants 20 --workers 2', 'a long one'],
        [
          'ledgerbridge bench --documents 1000000 --seconds 120',
          'a backlog that takes hours, looked at for two minutes',
        ],
        ['ledgerbridge bench --filled 1000000', 'with years of documents in the tables'],
        [
          'ledgerbridge bench --latency 100 --workers 2',
          'what another process adds while there are cores to spare',
        ],
        ['ledgerbridge bench --pace 100', 'how long a document takes when there is room'],
        ['ledgerbridge bench --peer bullmq', 'what a queue alone costs here'],
      ),
    )
    .action((flags: Flags) => (flags.part === undefined ? run(io, flags) : part(io, flags.part)));
};

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw new InvalidArgumentError(`A whole number from ${min} to ${max} is needed.`);
    return number;
  };
}

function backend(text: string): string {
  if (text === 'postgres' || text === 'redis') return text;
  throw new InvalidArgumentError('postgres or redis is needed.');
}

/** Works until it is told to stop, or until the benchmark that started it is gone. */
async function part(io: CliIo, spec: string): Promise<void> {
  const { runPart } = await import('./parts.js');
  // Who listens for the end of the channel is kept alive by it; nothing else keeps a part that has said what it found.
  const alone = new AbortController();
  process.once('disconnect', () => alone.abort());
  const stop = AbortSignal.any([io.signal, alone.signal]);
  const stopped = new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  const answer = await runPart(JSON.parse(spec) as Parameters<typeof runPart>[0], stop);
  process.send?.(answer);
  await stopped;
  if (process.connected) process.disconnect();
}

async function run(io: CliIo, flags: Flags): Promise<void> {
  let shown = '';
  const onProgress = (progress: Progress) => {
    const line = progressLine(progress);
    if (line !== shown) io.err(`${line}\n`);
    shown = line;
  };
  if (flags.peer !== undefined) {
    const { benchPeer } = await import('./run-peer.js');
    const report = await benchPeer({ ...flags, peer: flags.peer, onProgress });
    io.out(flags.json ? `${JSON.stringify(report)}\n` : peerText(report));
    return;
  }
  const { runBench } = await import('./run-bench.js');
  const report = await runBench({ ...flags, signal: io.signal, onProgress });
  io.out(flags.json ? `${JSON.stringify(report)}\n` : asText(report));
}

const STAGES = {
  preparing: 'preparing service, ERP and database',
  'bare-before': 'bare loop, before',
  bridge: 'the bridge',
  peer: 'the other queue',
  checking: 'both sides laid beside each other',
  'bare-after': 'bare loop, after',
} as const;

function progressLine({ stage, done, total }: Progress): string {
  return stage === 'bridge' || stage === 'checking' ? `${STAGES[stage]}: ${done} of ${total}` : STAGES[stage];
}

function outsideLine({ documents, entries, waiting, findings }: BenchReport['outside']): string {
  const [first] = findings;
  const found = first ? `; ${first.kind} of ${first.about}: ${first.details}` : '';
  return `${documents} documents, ${entries} entries, ${waiting} waiting, ${findings.length} findings${found}`;
}

function asText(report: BenchReport): string {
  const { cpuMsPerDocument: cpu, peakMb, options } = report;
  const rows: [string, string][] = [
    [
      'documents',
      `${report.acknowledged} acknowledged, ${report.rested} at rest otherwise, ${report.underWay} under way, ${options.tenants} tenants`,
    ],
    ...report.restedAs.map(({ state, reason, count }): [string, string] => [
      '',
      `${count} ${state} ${reason}`.trimEnd(),
    ]),
    [
      'in flight',
      `${options.inFlight} a process, ${options.workers} processes, queues in ${options.backend}`,
    ],
    ['from outside', outsideLine(report.outside)],
    ['documents/s', report.documentsPerSecond.toFixed(0)],
    [
      'bare loop/s',
      report.bare.map(({ documentsPerSecond }) => documentsPerSecond.toFixed(0)).join(' before, ') + ' after',
    ],
    ['ratio', report.ratio.toFixed(3)],
    [
      'listed to acknowledged',
      `p50 ${report.p50Ms.toFixed(0)} ms, p99 ${report.p99Ms.toFixed(0)} ms; first posted after ${report.firstPostedMs.toFixed(0)} ms`,
    ],
    ['steps of a document', stepsLine(report.stepsMs)],
    ['commits a document', report.commitsPerDocument.toFixed(2)],
    ['WAL a document', `${(report.walBytesPerDocument / 1024).toFixed(1)} kB`],
    [
      'CPU ms a document',
      `bridge ${cpu.bridge.toFixed(2)}, PostgreSQL ${cpu.postgres.toFixed(2)}, Redis ${cpu.redis.toFixed(2)}, service ${cpu.service.toFixed(2)}, ERP ${cpu.erp.toFixed(2)}`,
    ],
    ...secondHalfRow(report),
    ['most memory', `bridge ${peakMb.bridge} MB a process, PostgreSQL ${peakMb.postgres} MB a process`],
  ];
  return inColumns(rows);
}

function secondHalfRow({ cpuMsOfSecondHalf: cpu }: BenchReport): [string, string][] {
  if (cpu === null) return [];
  const figures = `bridge ${cpu.bridge.toFixed(2)}, PostgreSQL ${cpu.postgres.toFixed(2)}`;
  return [['of the second half', `${figures}: without start, compiling and listing`]];
}

/** Most of a full queue is waiting; the rest is what one document takes. */
function stepsLine({ begun, posted, acknowledged }: BenchReport['stepsMs']): string {
  const all = begun + posted + acknowledged;
  const share = (ms: number) => `${ms.toFixed(0)} ms (${((100 * ms) / all).toFixed(0)} %)`;
  return `waits, read and mapped ${share(begun)}; booked ${share(posted)}; told ${share(acknowledged)}`;
}

function peerText(report: PeerReport): string {
  const { cpuMsPerDocument: cpu, bare } = report;
  return inColumns([
    ['queue', `${report.peer}, ${report.documents} documents, ${report.inFlight} in flight, no records`],
    ['documents/s', report.documentsPerSecond.toFixed(0)],
    [
      'bare loop/s',
      `${bare.map(({ documentsPerSecond }) => documentsPerSecond.toFixed(0)).join(' before, ')} after`,
    ],
    ['ratio', report.ratio.toFixed(3)],
    [
      'CPU ms a document',
      `own ${cpu.peer.toFixed(2)}, PostgreSQL ${cpu.postgres.toFixed(2)}, Redis ${cpu.redis.toFixed(2)}`,
    ],
    ['most memory', `${report.peakMb} MB`],
  ]);
}

function inColumns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return `${rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}\n`;
}
