import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type ChildName, childProgram } from '../children.js';

export interface RunningScript {
  readonly child: ChildProcess;
  /** Lines of its output so far. */
  readonly lines: string[];
  readonly ended: Promise<number | null>;
  line(matches: (line: string) => boolean): Promise<string>;
}

/** Runs one of our programs in a process of its own. */
export function runChild(
  name: ChildName,
  args: readonly string[],
  wrap: readonly string[] = [],
): RunningScript {
  const [command = '', ...rest] = [...wrap, process.execPath, childProgram(name), ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { matches: (line: string) => boolean; resolve: (line: string) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const each of waiting) if (each.matches(line)) each.resolve(line);
  });
  return {
    child,
    lines,
    ended: new Promise((resolve) => child.once('close', resolve)),
    line: (matches) => new Promise((resolve) => waiting.push({ matches, resolve })),
  };
}
