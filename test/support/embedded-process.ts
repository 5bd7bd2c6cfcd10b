// Starts embedded-holder.ts as a real process, as this user or another, and speaks with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { DatabaseRole } from '../../src/store/embedded/presence.js';
import { childProgram } from './children.js';

export interface HolderSays {
  readonly serverPid?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface Holder {
  readonly pid: number;
  /** What it said first. */
  readonly said: Promise<HolderSays>;
  leave(): Promise<void>;
  kill(): Promise<void>;
}

export function hold(
  dataDirectory: string,
  role: DatabaseRole,
  user: { uid?: number; gid?: number } = {},
): Holder {
  const child = spawn(process.execPath, [childProgram('embedded-holder'), dataDirectory, role], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...user,
  });
  const ended = once(child, 'exit');
  const said = Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => JSON.parse(String(line)) as HolderSays),
    ended.then(() => ({ code: 'ENDED', message: 'the process ended without a word' })),
  ]);
  return {
    pid: child.pid ?? 0,
    said,
    leave: async () => {
      child.stdin.end();
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
