import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { DirectoryLock } from '../../../src/erp/file/directory-lock.js';
import { temporaryDirectory } from '../../support/erp/erp-services.js';
import { runChild, type RunningScript } from '../../support/erp/run-child.js';

const directories: string[] = [];
const running: RunningScript[] = [];

afterEach(async () => {
  for (const script of running.splice(0)) {
    script.child.kill('SIGKILL');
    await script.ended;
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

async function holder(directory: string): Promise<RunningScript> {
  const script = runChild('lock-holder', [directory]);
  running.push(script);
  await script.line((line) => line === 'held');
  return script;
}

function newDirectory(): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory;
}

describe('lock of the books', () => {
  test('a killed holder is recognised at once', async () => {
    const directory = newDirectory();
    const script = await holder(directory);
    script.child.kill('SIGKILL');
    await script.ended;
    const started = performance.now();
    expect(await new DirectoryLock(directory).hold(() => Promise.resolve('mine'))).toBe('mine');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('a paused holder keeps its lock', async () => {
    const directory = newDirectory();
    const script = await holder(directory);
    script.child.kill('SIGSTOP');
    await expect(
      new DirectoryLock(directory, { waitMsMax: 700 }).hold(() => Promise.resolve()),
    ).rejects.toMatchObject({ code: 'ERP_FILE_LOCKED' });
  });

  test('of many who find the same dead holder, one at a time gets in', async () => {
    const directory = newDirectory();
    const script = await holder(directory);
    script.child.kill('SIGKILL');
    await script.ended;
    let inside = 0;
    let most = 0;
    let turns = 0;
    await Promise.all(
      Array.from({ length: 12 }, () =>
        new DirectoryLock(directory).hold(async () => {
          inside++;
          most = Math.max(most, inside);
          await new Promise((resolve) => setTimeout(resolve, 5));
          inside--;
          turns++;
        }),
      ),
    );
    expect({ most, turns }).toEqual({ most: 1, turns: 12 });
  });

  test('work that throws releases the lock', async () => {
    const lock = new DirectoryLock(newDirectory());
    await expect(lock.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock.hold(() => Promise.resolve('again'))).toBe('again');
  });
});
