// Commands on the database that comes with the bridge: beside it, and after it has gone.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.js';
import { startBridge } from '../../../src/bridge/start-bridge.js';
import { createLog } from '../../../src/telemetry/log.js';
import { readBridgeSettings } from '../../../src/tenants/bridge-settings.js';
import { run } from '../../unit/cli/run-cli.js';

test('commands work beside a bridge with its own database, and say what to start when it is gone', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'ledgerbridge-embedded-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(join(cwd, 'config', 'tenants'), { recursive: true });
  const env = { USER: 'sigga', LEDGERBRIDGE_PORT: '0' };
  const settings = readBridgeSettings(env, cwd);
  const log = createLog({ level: 'fatal', format: 'json', isTty: false });
  const bridge = await startBridge({ settings, env, role: 'all', version: 'test', log });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await bridge.close();
    isRunning = false;
  };
  onTestFinished(stop);
  const made = await run(['token', 'create', 'monitoring', '--by', 'Guðrún'], { cwd, env });
  expect(made).toMatchObject({ code: EXIT.ok, out: expect.stringMatching(/^lbt_/) as unknown });
  expect((await bridge.operations.tokens()).map(({ name }) => name)).toEqual(['monitoring']);
  const beside = await run(['status'], { cwd, env });
  expect(beside).toMatchObject({ code: EXIT.ok, err: '' });
  expect(beside.out).toContain('ledgerbridge tenant init');
  await stop();
  const alone = await run(['audit', 'verify', '--json'], { cwd, env });
  expect(JSON.parse(alone.out)).toMatchObject({ whole: true });
  await expect
    .poll(async () => (await run(['status'], { cwd, env })).err, { timeout: 20_000, interval: 1_000 })
    .toContain('ledgerbridge serve');
});
