// Runs a command as a function, with a world of its own.
import { Readable } from 'node:stream';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CliIo } from '../../../src/cli/command.js';
import { report, runCommand } from '../../../src/cli/main.js';

export interface World {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly isTty?: boolean;
  readonly columns?: number;
  /** What a person types; absent: nobody is there. */
  readonly typed?: string;
  readonly signal?: AbortSignal;
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export function fakeIo(world: World = {}): { io: CliIo; said: () => Said } {
  const out: string[] = [];
  const err: string[] = [];
  let code = 0;
  const stdin: CliIo['stdin'] = Object.assign(Readable.from(world.typed === undefined ? [] : [world.typed]), {
    isTTY: world.typed !== undefined,
  });
  const io: CliIo = {
    stdin,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    env: world.env ?? {},
    cwd: world.cwd ?? '/',
    isTty: world.isTty ?? false,
    ...(world.columns !== undefined && { columns: world.columns }),
    signal: world.signal ?? new AbortController().signal,
    setExitCode: (set) => (code = set),
  };
  return { io, said: () => ({ code, out: out.join(''), err: err.join('') }) };
}

export async function run(argv: readonly string[], world: World = {}): Promise<Said> {
  const { io, said } = fakeIo(world);
  try {
    await runCommand(argv, io);
  } catch (error) {
    io.setExitCode(report(error, io));
  }
  return said();
}

export async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
