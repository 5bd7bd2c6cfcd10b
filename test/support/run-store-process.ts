import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Secret } from '../../src/domain/secret.js';
import { childProgram } from './children.js';

/** Runs store-process.ts to its end and returns what it said. */
export async function runStoreProcess(url: Secret, ...args: string[]): Promise<unknown> {
  const child = spawn(process.execPath, [childProgram('store-process'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(url.reveal());
  return JSON.parse(await text(child.stdout)) as unknown;
}
