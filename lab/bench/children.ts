// Starts the processes of a benchmark: this program again, in other roles.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { PartSpec } from './parts.js';

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
