// Runs the command as the command line does, with real files, and keeps what it says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CliIo } from '../../../src/cli/command.js';
import { runCommand } from '../../../src/cli/main.js';
import { afterAll } from 'vitest';

/** A directory for one file of tests; called at its top, it goes when they are done. */
export function workRoom() {
  const workDirectory = mkdtempSync(join(tmpdir(), 'ledgerbridge-map-'));
  afterAll(() => rmSync(workDirectory, { recursive: true, force: true }));
  const writeWork = (name: string, content: string): string => {
    const file = join(workDirectory, name);
    writeFileSync(file, content);
    return file;
  };
  return { workDirectory, writeWork };
}

export interface Said {
  out: string;
  code: number;
}

export async function runMap(args: string[], stdin = '', onOut?: (text: string) => void): Promise<Said> {
  const said: Said = { out: '', code: 0 };
  const io: CliIo = {
    stdin: Readable.from([stdin]),
    out: onOut ?? ((text) => (said.out += text)),
    err: (text) => (said.out += text),
    env: {},
    cwd: tmpdir(),
    isTty: false,
    signal: new AbortController().signal,
    setExitCode: (code) => (said.code = code),
  };
  await runCommand(['map', ...args], io);
  return said;
}

export const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
