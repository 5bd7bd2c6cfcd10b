// systemd hears of a start, of life and of a stop: by the real systemd-notify, on a real socket.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemdOf } from '../../../src/cli/systemd.js';
import { has } from '../../support/services.js';

const RECEIVER = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    print(s.recv(4096).decode().replace("\\n", ";"), flush=True)
`;

test.skipIf(!has('systemd-notify'))(
  'tells when the bridge runs, that it lives, and when it stops',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'ledgerbridge-notify-'));
    const socket = join(place, 'notify');
    const receiver = spawn('python3', ['-c', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      receiver.kill();
      rmSync(place, { recursive: true, force: true });
    });
    let heard = '';
    receiver.stdout.on('data', (piece: Buffer) => (heard += piece.toString()));
    await vi.waitUntil(() => existsSync(socket), { timeout: 10_000 });
    const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' };
    const systemd = systemdOf(env, (error) => expect.unreachable(error.message));
    systemd.ready('all, 3 companies');
    await vi.waitUntil(() => heard.split('WATCHDOG=1').length > 2, { timeout: 20_000 });
    expect(heard).toMatch(/READY=1;STATUS=all, 3 companies/);
    systemd.stopping();
    await vi.waitUntil(() => heard.includes('STOPPING=1'), { timeout: 10_000 });
    const beats = heard.split('WATCHDOG=1').length;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(heard.split('WATCHDOG=1').length).toBeLessThanOrEqual(beats + 1);
  },
);

test('is silent where nobody asked', () => {
  const silent = systemdOf({}, (error) => expect.unreachable(error.message));
  silent.ready('');
  silent.stopping();
});
