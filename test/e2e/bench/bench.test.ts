// The benchmark as a program: small, so that it says nothing about speed, and all of it runs.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { BareLoopOptions } from '../../../lab/bench/bare-loop.js';
import { startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { SHIPPED } from '../../support/program.js';
import { httpErp, LEDGER_SECRET } from '../../support/http-erp.js';
import { has } from '../../support/services.js';

const DOCUMENTS = 40;

async function bench(...flags: string[]): Promise<Record<string, unknown>> {
  const args = [SHIPPED, 'bench', '--documents', String(DOCUMENTS), '--json', ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 120_000 });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a benchmark', () => {
  test('carries every document, looks at both sides from outside, and says what each step and each process took', async () => {
    // What is in the tables from before is nobody's work now.
    const report = await bench('--tenants', '2', '--pace', '40', '--filled', '300');
    expect(report).toMatchObject({
      acknowledged: DOCUMENTS,
      rested: 0,
      outside: { findings: [], waiting: 0 },
    });
    const { ratio, stepsMs, cpuMsPerDocument, cpuMsOfSecondHalf } = report as {
      ratio: number;
      stepsMs: Record<string, number>;
      cpuMsPerDocument: Record<string, number>;
      cpuMsOfSecondHalf: Record<string, number> | null;
    };
    expect(ratio).toBeGreaterThan(0);
    for (const ms of Object.values(stepsMs)) expect(ms).toBeGreaterThan(0);
    for (const of of ['bridge', 'postgres', 'service', 'erp'])
      expect(cpuMsPerDocument[of]).toBeGreaterThan(0);
    // Start and the listing are in the first half.
    expect(cpuMsOfSecondHalf?.['bridge']).toBeLessThan(cpuMsPerDocument['bridge'] ?? 0);
  }, 120_000);

  test('has parts that stay until the benchmark lets them go, and then end well', async () => {
    const sandbox = await startSandbox({
      accounts: [{ username: 'bare', invoices: 2, costs: 1, seed: 'bare' }],
    });
    const { ledger } = await httpErp();
    const [account] = sandbox.accounts;
    const loop: BareLoopOptions = {
      ...{ sourceUrl: sandbox.url, maintCode: sandbox.maintCode, username: 'bare', apiKey: account!.apiKey },
      ...{ erpUrl: ledger.url, erpSecret: LEDGER_SECRET, inFlight: 2 },
    };
    const part = spawn(
      process.execPath,
      [SHIPPED, 'bench', '--part', JSON.stringify({ part: 'bare', ...loop })],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    );
    const ended = once(part, 'exit');
    const [answer] = (await Promise.race([once(part, 'message'), ended])) as [unknown];
    expect(answer).toMatchObject({ documents: 3 });
    // It has nothing left to do; what ends here ends before its answer is read.
    expect(await Promise.race([ended, sleep(1_500, 'still there')])).toBe('still there');
    part.disconnect();
    expect(await ended).toEqual([0, null]);
    await Promise.all([sandbox.close(), ledger.close()]);
  });

  test('does not take what another queue would not heed', async () => {
    await expect(bench('--peer', 'pg-boss', '--tenants', '2')).rejects.toThrow(/cannot be used with/);
  });

  test.each(['pg-boss', 'graphile-worker', ...(has('redis-server') ? ['bullmq'] : [])])(
    'runs the same calls as jobs of %s',
    async (peer) => {
      const report = await bench('--peer', peer);
      expect(report).toMatchObject({ peer, documents: DOCUMENTS });
      expect(report['ratio']).toBeGreaterThan(0);
    },
    120_000,
  );
});
