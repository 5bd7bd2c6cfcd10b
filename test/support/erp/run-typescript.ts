import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface RunningScript {
  readonly child: ChildProcess;
  /** Lines of its output so far. */
  readonly lines: string[];
  readonly ended: Promise<number | null>;
  line(matches: (line: string) => boolean): Promise<string>;
}

/** Runs a TypeScript file of test/support/erp in a process of its own. */
export function runTypescript(
  file: string,
  args: readonly string[],
  wrap: readonly string[] = [],
): RunningScript {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const [command = '', ...rest] = [...wrap, process.execPath, '--import', 'tsx', path, ...args];
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
