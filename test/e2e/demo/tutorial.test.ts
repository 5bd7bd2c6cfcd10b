// docs/tutorial.md, typed line by line. A block is a window of its own where it says so; `…` in what it shows is anything. What
// takes a moment is looked at again until it is as the page says. Only the two ports are others than on the page.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHIPPED } from '../../support/program.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { has } from '../../support/services.js';

interface Step {
  readonly command: string;
  readonly shows: readonly string[];
  readonly window: boolean;
}

const PAGE = new URL('../../../docs/tutorial.md', import.meta.url);
const PATIENCE_MS = 60_000;
const SANDBOX_PORT = '4010';

function stepsOf(page: string): Step[] {
  return [...page.matchAll(/^```console( window)?\n([^]*?)^```$/gm)].flatMap(([, window, block = '']) => {
    const steps: { command: string; shows: string[]; window: boolean }[] = [];
    for (const line of block.split('\n').filter((one) => one !== ''))
      if (line.startsWith('$ '))
        steps.push({ command: line.slice(2), shows: [], window: window !== undefined });
      else steps.at(-1)?.shows.push(line);
    return steps;
  });
}

/** Spaces between columns count as one. */
function pattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('[^\\n]*').replaceAll(/ +/g, ' +'));
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe.skipIf(!has('curl'))('the tutorial', () => {
  let directory: string;
  let database: TestDatabase;
  let env: NodeJS.ProcessEnv;
  let sandboxPort: string;
  const windows: ChildProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-tutorial-'));
    database = await testDatabase({ poolSize: 2 });
    const bin = join(directory, '.bin');
    await mkdir(bin);
    await writeFile(join(bin, 'ledgerbridge'), `#!/bin/sh\nexec "${process.execPath}" "${SHIPPED}" "$@"\n`);
    await chmod(join(bin, 'ledgerbridge'), 0o755);
    sandboxPort = await freePort();
    env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: directory,
      USER: 'sigga',
      LEDGERBRIDGE_PORT: '0',
      DATABASE_URL: database.url.reveal(),
    };
  });

  afterAll(async () => {
    const ended = windows.map((window) => new Promise((resolve) => window.once('exit', resolve)));
    for (const window of windows) window.kill('SIGTERM');
    await Promise.all(ended);
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** The page's ports may be in use here. */
  const here = (command: string) =>
    command
      .replace('tenant init prufa', `$& --base-url http://127.0.0.1:${sandboxPort}`)
      .replace('ledgerbridge sandbox', `$& -p ${sandboxPort}`)
      .replaceAll(`127.0.0.1:${SANDBOX_PORT}`, `127.0.0.1:${sandboxPort}`);

  function openWindow(command: string): () => string {
    const window = spawn('bash', ['-c', `exec ${here(command)}`], { cwd: directory, env });
    windows.push(window);
    let text = '';
    for (const stream of [window.stdout, window.stderr])
      stream.on('data', (chunk) => (text += String(chunk)));
    return () => text;
  }

  function type(command: string): string {
    const { stdout, stderr } = spawnSync('bash', ['-c', here(command)], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
    return stdout + stderr;
  }

  it('does what it says, line by line', async () => {
    const steps = stepsOf(await readFile(PAGE, 'utf8'));
    expect(steps.length).toBeGreaterThan(15);
    for (const { command, shows, window } of steps) {
      const look = window ? openWindow(command) : () => type(command);
      const deadline = Date.now() + PATIENCE_MS;
      let said = look();
      const lacks = () => shows.filter((line) => !pattern(line).test(said));
      // Asking again changes nothing; whatever does change something is typed once.
      const mayRepeat =
        window || /ledgerbridge (status|problems|inbox|documents|logs|reconcile)/.test(command);
      while (lacks().length > 0 && mayRepeat && Date.now() < deadline) {
        await sleep(300);
        said = look();
      }
      expect(lacks(), `${command}\n${said}`).toEqual([]);
    }
  });
});
