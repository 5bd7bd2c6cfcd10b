import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Secret } from '../../src/domain/secret.js';

const SCRIPT = fileURLToPath(new URL('store-process.ts', import.meta.url));

/** Runs store-process.ts to its end and returns what it said. */
export async function runStoreProcess(url: Secret, ...args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(url.reveal());
  return JSON.parse(await text(child.stdout)) as unknown;
}
