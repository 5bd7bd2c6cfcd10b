// `ledgerbridge demo | head`: whoever reads no more has the demo ended, and nothing of it goes on running.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SHIPPED } from '../../support/program.js';

const ENDS_WITHIN_MS = 60_000;

test('the demo ends its services when its output is closed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-piped-'));
  const child = spawn(process.execPath, [SHIPPED, 'demo', '--documents', '10'], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LEDGERBRIDGE_DATA: directory, LEDGERBRIDGE_PORT: '0', DATABASE_URL: '' },
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const postmaster = join(directory, 'demo/data/postgres/cluster/postmaster.pid');
  let serverPid = 0;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (serverPid > 0 && isAlive(serverPid)) process.kill(serverPid, 'SIGQUIT');
    await rm(directory, { recursive: true, force: true });
  });
  // As head does: reads until everything runs, then closes its end.
  let read = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (read += text));
  for (let look = 0; look < 1_200 && !read.includes('under way'); look++) await sleep(50);
  expect(read, complaints).toContain('under way');
  serverPid = Number(readFileSync(postmaster, 'utf8').split('\n')[0]);
  expect(isAlive(serverPid)).toBe(true);
  child.stdout.destroy();

  const late = sleep(ENDS_WITHIN_MS).then(() => 'still running');
  const outcome = await Promise.race([ended.then(() => 'ended'), late]);
  expect(outcome, complaints).toBe('ended');
  expect(complaints).not.toContain('Unexpected');
  expect(isAlive(serverPid)).toBe(false);
  expect(existsSync(postmaster)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
