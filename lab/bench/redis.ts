// A Redis for one benchmark: in memory, on loopback, gone afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../src/domain/errors/coded-error.js';

const START_MS = 5_000;

export async function startBenchRedis(directory: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
  const child = spawn('redis-server', [...settings, '--save', '', '--appendonly', 'yes'], {
    stdio: 'ignore',
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () =>
      reject(new CodedError('BENCH_FAILED', 'redis-server is not installed on this machine.')),
    );
    child.once('exit', (code) =>
      reject(new CodedError('BENCH_FAILED', `redis-server ended with ${String(code)}.`)),
    );
  });
  failed.catch(() => undefined);
  await Promise.race([answering(port), failed]);
  return { child, url: `redis://127.0.0.1:${port}` };
}

async function answering(port: number): Promise<void> {
  const { connect } = await import('node:net');
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await sleep(50);
  }
  throw new CodedError('BENCH_FAILED', 'redis-server did not answer in time.');
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
