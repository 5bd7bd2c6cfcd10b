// What processes cost, as Linux counts it: processor time and the most memory they held. Elsewhere nothing is known.
import { readdirSync, readFileSync, openSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartSpec } from './parts.js';
import { CodedError } from '../../src/domain/errors/coded-error.js';

export interface Cost {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Of Linux: clock ticks a second, which no architecture of ours has otherwise. */
const TICKS_PER_SECOND = 100;

export function costOf(pids: readonly (number | undefined)[]): Cost {
  const costs = pids.map((pid) => (pid === undefined ? null : readCost(pid)));
  return {
    cpuMs: costs.reduce((sum, cost) => sum + (cost?.cpuMs ?? 0), 0),
    peakMb: Math.max(0, ...costs.map((cost) => cost?.peakMb ?? 0)),
  };
}

/** A server and everything it has started; of what has ended since, the time is in the server's own books. */
export function costOfFamily(pid: number): Cost {
  const family = [pid, ...childrenOf(pid)];
  const own = costOf(family);
  return { cpuMs: own.cpuMs + endedChildrenMs(pid), peakMb: own.peakMb };
}

function readCost(pid: number): Cost | null {
  const fields = statFields(pid);
  if (!fields) return null;
  return { cpuMs: ticks(fields, [11, 12]), peakMb: peakMb(pid) };
}

function endedChildrenMs(pid: number): number {
  const fields = statFields(pid);
  return fields ? ticks(fields, [13, 14]) : 0;
}

function ticks(fields: readonly string[], places: readonly number[]): number {
  const sum = places.reduce((total, place) => total + Number(fields[place] ?? 0), 0);
  return (sum * 1000) / TICKS_PER_SECOND;
}

/** Field 3 of proc(5) comes first: the name before it may hold anything. */
function statFields(pid: number): string[] | null {
  const text = readProc(`${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function peakMb(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(readProc(`${pid}/status`) ?? '')?.[1];
  return Math.round(Number(kb ?? 0) / 1024);
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((child) => statFields(child)?.[1] === String(pid));
}

function readProc(name: string): string | null {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return null;
  }
}

// Starts the processes of a benchmark: this program again, in other roles.

const program = () => process.argv[1] ?? '';
const STOP_MS = 10_000;

export interface Part<Answer> {
  readonly child: ChildProcess;
  /** What the part said: where it is, or what it found. */
  readonly answer: Answer;
}

export async function startPart<Answer>(spec: PartSpec): Promise<Part<Answer>> {
  const child = spawn(process.execPath, [program(), 'bench', '--part', JSON.stringify(spec)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The ${spec.part} of the benchmark ended with ${String(code)}.`);
  });
  ended.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
  return { child, answer };
}

export function startBridgeProcess(
  role: 'all' | 'worker',
  env: Readonly<Record<string, string>>,
  logFile: string,
): ChildProcess {
  const log = openSync(logFile, 'a');
  // Flags of Node go to the bridge too: `node --cpu-prof bin/ledgerbridge.js bench` profiles it.
  return spawn(process.execPath, [...process.execArgv, program(), 'serve', '--role', role], {
    stdio: ['ignore', 'ignore', log],
    env: { ...process.env, ...env },
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(late);
}

// A Redis for one benchmark: in memory, on loopback, gone afterwards.

const START_MS = 5_000;

export async function startBenchRedis(directory: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  const child = spawn('redis-server', [...settings, '--save', '', '--appendonly', 'yes'], {
    stdio: 'ignore',
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () =>
      reject(new CodedError('BENCH_FAILED', 'redis-server is not installed on this machine.')),
    );
    child.once('exit', (code) =>
      reject(new CodedError('BENCH_FAILED', `redis-server ended with ${String(code)}.`)),
    );
  });
  failed.catch(() => undefined);
  await Promise.race([answering(port), failed]);
  return { child, url: `redis://127.0.0.1:${port}` };
}

async function answering(port: number): Promise<void> {
  const { connect } = await import('node:net');
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await sleep(50);
  }
  throw new CodedError('BENCH_FAILED', 'redis-server did not answer in time.');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
