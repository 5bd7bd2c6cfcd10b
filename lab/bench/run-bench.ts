// One benchmark from beginning to end: the bare loop, the bridge, the bare loop again, all on the same kind of work and in the
// same minutes, so that what the machine does besides troubles them alike.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Opened } from '../../src/bridge/opened.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';
import { type BenchRecords, openBenchRecords, type RecordFigures } from './bench-records.js';
import type { BareLoopOptions, BareLoopResult } from './bare-loop.js';
import { BENCH_LEDGER, writeBenchConfig } from './bench-config.js';
import { checkFromOutside, type OutsideFindings } from './from-outside.js';
import {
  type Part,
  startBridgeProcess,
  startPart,
  stop,
  type Cost,
  costOf,
  costOfFamily,
  startBenchRedis,
} from './processes.js';
import { type ServiceStarted, type OwnCost, secondHalf } from './parts.js';

export interface BenchOptions {
  readonly documents: number;
  readonly tenants: number;
  readonly inFlight: number;
  readonly backend: 'postgres' | 'redis';
  readonly workers: number;
  /** Documents a second, over all tenants, that appear while it runs; left out: all wait from the beginning. */
  readonly pace?: number | undefined;
  /** Documents of earlier years that are in the tables already. */
  readonly filled: number;
  /** The bridge is stopped after so long, done or not; left out: all are carried. */
  readonly seconds?: number | undefined;
  /** How long service and ERP take for every answer, beside their work. */
  readonly latency: number;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

export interface Progress {
  readonly stage: 'preparing' | 'bare-before' | 'bridge' | 'peer' | 'checking' | 'bare-after';
  readonly done: number;
  readonly total: number;
}

export interface BenchReport extends RecordFigures {
  /** By both sides' own lists. */
  readonly outside: OutsideFindings;
  readonly options: Pick<
    BenchOptions,
    'documents' | 'tenants' | 'inFlight' | 'backend' | 'workers' | 'pace' | 'filled' | 'seconds' | 'latency'
  >;
  readonly documentsPerSecond: number;
  readonly bare: readonly { readonly documentsPerSecond: number }[];
  /** Of the bridge to the mean of the two bare loops. */
  readonly ratio: number;
  readonly cpuMsPerDocument: Readonly<Record<'bridge' | 'postgres' | 'redis' | 'service' | 'erp', number>>;
  /** Null where too few were carried to tell. */
  readonly cpuMsOfSecondHalf: OwnCost | null;
  readonly peakMb: Readonly<Record<'bridge' | 'postgres' | 'service' | 'erp', number>>;
}

const POLL_MS = 500;
/** However many there are: a run goes on as long as documents do. */
const STANDSTILL_MS = 10 * 60 * 1000;
const LAST_WORDS_MAX = 2_000;
const tenantName = (index: number) => `t${index + 1}`;

export function runBench(options: BenchOptions): Promise<BenchReport> {
  return inOwnDirectory((directory, opened) => measure(options, directory, opened));
}

/** Which is removed afterwards, with all that was opened. */
export async function inOwnDirectory<Report>(
  work: (directory: string, opened: Opened) => Promise<Report>,
): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-bench-'));
  const opened = new Opened();
  opened.add(directory, () => rm(directory, { recursive: true, force: true }));
  try {
    return await work(directory, opened);
  } finally {
    await opened.close();
  }
}

async function measure(options: BenchOptions, directory: string, opened: Opened): Promise<BenchReport> {
  options.onProgress({ stage: 'preparing', done: 0, total: options.documents });
  const names = Array.from({ length: options.tenants }, (_, index) => tenantName(index));
  const service = await startService(options, names);
  opened.add(service.child, stop);
  const erp = await startErp(options.latency);
  opened.add(erp.child, stop);
  const redis = options.backend === 'redis' ? await startBenchRedis(directory) : null;
  if (redis) opened.add(redis.child, stop);
  const config = await writeBenchConfig(directory, names, service.answer, {
    erpUrl: erp.answer.url,
    workers: options.workers,
  });
  const companies = { names, rulesVersion: config.rulesVersion, filled: options.filled };
  const records = await openBenchRecords(join(directory, 'data'), companies);
  opened.add(records, () => records.close());
  const before = await bareLoop(options, service.answer, erp.answer.url, 'bare-before');
  const costs = () => ({
    postgres: costOfFamily(records.serverPid),
    redis: costOf([redis?.child.pid]),
    service: costOf([service.child.pid]),
    erp: costOf([erp.child.pid]),
  });
  const costsBefore = costs();
  await records.reset();
  const env = {
    ...config.env,
    DATABASE_URL: records.url,
    ...(redis ? { REDIS_URL: redis.url } : { REDIS_URL: '' }),
    LEDGERBRIDGE_CONCURRENCY: String(options.inFlight),
    LEDGERBRIDGE_PORT: '0',
    LEDGERBRIDGE_LOG_FORMAT: 'json',
  };
  const logFile = join(directory, 'bridge.log');
  const bridges = Array.from({ length: options.workers }, (_, index) =>
    startBridgeProcess(index === 0 ? 'all' : 'worker', env, logFile),
  );
  opened.add(bridges, (all) => Promise.all(all.map(stop)));
  const asking = options.pace === undefined ? null : beginToAppear(service.child, records, names);
  const bridgeCost = () => costOf(bridges.map(({ pid }) => pid));
  const warm = secondHalf(options.documents, () => ({
    bridge: bridgeCost().cpuMs,
    postgres: costOfFamily(records.serverPid).cpuMs,
  }));
  const done = await untilDone(options, records, { bridges, logFile }, warm.look).finally(() =>
    clearInterval(asking ?? undefined),
  );
  // Before the records are asked: with full tables that is work of its own.
  const bridge = bridgeCost();
  const costsAfter = costs();
  const cpuMsOfSecondHalf = warm.perDocument(done);
  const figures = await records.figures();
  await Promise.all(bridges.map(stop));
  const outside = await checkFromOutside(names, service.answer, erp.answer.url, (checked) =>
    options.onProgress({ stage: 'checking', done: checked, total: options.documents }),
  );
  const after = await bareLoop(options, service.answer, erp.answer.url, 'bare-after');
  return reportOf(options, figures, {
    outside,
    cpuMsOfSecondHalf,
    bare: [before, after],
    from: { bridge: NO_COST, ...costsBefore },
    to: { bridge, ...costsAfter },
  });
}

type Costs = Readonly<Record<'bridge' | 'postgres' | 'redis' | 'service' | 'erp', Cost>>;
const NO_COST: Cost = { cpuMs: 0, peakMb: 0 };

interface Measured extends Pick<BenchReport, 'outside' | 'cpuMsOfSecondHalf'> {
  readonly bare: readonly BareLoopResult[];
  readonly from: Costs;
  readonly to: Costs;
}

function reportOf(options: BenchOptions, figures: RecordFigures, measured: Measured): BenchReport {
  const { outside, cpuMsOfSecondHalf, from, to } = measured;
  const perDocument = (of: keyof Costs) => (to[of].cpuMs - from[of].cpuMs) / figures.acknowledged;
  const bare = measured.bare.map(({ documents, ms }) => ({ documentsPerSecond: (documents * 1000) / ms }));
  const mean = bare.reduce((sum, { documentsPerSecond }) => sum + documentsPerSecond, 0) / bare.length;
  const documentsPerSecond = (figures.acknowledged * 1000) / figures.elapsedMs;
  const { documents, tenants, inFlight, backend, workers, pace, filled, seconds, latency } = options;
  return {
    ...figures,
    outside,
    options: { documents, tenants, inFlight, backend, workers, pace, filled, seconds, latency },
    documentsPerSecond,
    bare,
    ratio: documentsPerSecond / mean,
    cpuMsPerDocument: {
      bridge: perDocument('bridge'),
      postgres: perDocument('postgres'),
      redis: perDocument('redis'),
      service: perDocument('service'),
      erp: perDocument('erp'),
    },
    cpuMsOfSecondHalf,
    peakMb: {
      bridge: to.bridge.peakMb,
      postgres: to.postgres.peakMb,
      service: to.service.peakMb,
      erp: to.erp.peakMb,
    },
  };
}

const SWEEP_MS = 1_000;

/** Documents come, and a sweep is asked for every second, as somebody does who waits for them. */
function beginToAppear(service: ChildProcess, records: BenchRecords, names: readonly string[]) {
  service.send('begin');
  return setInterval(() => void records.askForSweeps(names).catch(() => undefined), SWEEP_MS);
}

/** Each bare loop has a company of its own, with as many documents as it takes to be sure of its pace. */
const BARE_DOCUMENTS_MAX = 3_000;

export function startService(
  options: Pick<BenchOptions, 'documents' | 'tenants' | 'pace' | 'latency'>,
  names: readonly string[],
): Promise<Part<ServiceStarted>> {
  const each = Math.ceil(options.documents / options.tenants);
  const pace = options.pace === undefined ? {} : { pace: options.pace / options.tenants };
  const bare = Math.min(options.documents, BARE_DOCUMENTS_MAX);
  return startPart<ServiceStarted>({
    part: 'service',
    latencyMs: options.latency,
    accounts: [
      ...names.map((username) => ({ username, documents: each, ...pace })),
      { username: 'bare-before', documents: bare },
      { username: 'bare-after', documents: bare },
    ],
  });
}

export const startErp = (latencyMs: number): Promise<Part<{ readonly url: string }>> =>
  startPart({ part: 'erp', ...BENCH_LEDGER, latencyMs });

export async function bareLoop(
  { inFlight, onProgress }: Pick<BenchOptions, 'inFlight' | 'onProgress'>,
  service: ServiceStarted,
  erpUrl: string,
  username: 'bare-before' | 'bare-after',
): Promise<BareLoopResult> {
  onProgress({ stage: username, done: 0, total: 0 });
  const loop = loopOptions(service, erpUrl, username, inFlight);
  const { child, answer } = await startPart<BareLoopResult>({ part: 'bare', ...loop });
  await stop(child);
  return answer;
}

export function loopOptions(
  service: ServiceStarted,
  erpUrl: string,
  username: string,
  inFlight: number,
): BareLoopOptions {
  return {
    sourceUrl: service.url,
    maintCode: service.maintCode,
    username,
    apiKey: service.accounts.find((account) => account.username === username)?.apiKey ?? '',
    erpUrl,
    erpSecret: BENCH_LEDGER.secret,
    inFlight,
  };
}

async function untilDone(
  { documents, tenants, seconds, onProgress, signal }: BenchOptions,
  records: BenchRecords,
  { bridges, logFile }: { readonly bridges: readonly ChildProcess[]; readonly logFile: string },
  look: (acknowledged: number) => void,
): Promise<number> {
  const total = Math.ceil(documents / tenants) * tenants;
  const began = Date.now();
  let last = { acknowledged: 0, at: began };
  for (;;) {
    const { acknowledged, open } = await records.progress();
    onProgress({ stage: 'bridge', done: acknowledged, total });
    look(acknowledged);
    if (acknowledged !== last.acknowledged) last = { acknowledged, at: Date.now() };
    if (acknowledged > 0 && open === 0 && (await records.allListed(total))) return acknowledged;
    const ms = Date.now() - began;
    if (seconds !== undefined && acknowledged > 0 && ms >= seconds * 1_000) return acknowledged;
    const died = bridges.find(({ exitCode }) => exitCode !== null);
    if (died) {
      const said = (await readFile(logFile, 'utf8')).slice(-LAST_WORDS_MAX).trim();
      throw new CodedError(
        'BENCH_FAILED',
        `A bridge process ended with ${String(died.exitCode)}. Its last words:\n${said}`,
      );
    }
    const stands = Date.now() - last.at > STANDSTILL_MS;
    if (signal.aborted || stands)
      throw new CodedError(
        'BENCH_FAILED',
        `Stopped with ${acknowledged} of ${total} documents done${stands ? ', and no more in ten minutes' : ''}.`,
      );
    await sleep(POLL_MS);
  }
}
