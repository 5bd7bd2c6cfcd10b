import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { trytonAdapter } from '../../../src/erp/tryton/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { has } from '../../support/services.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/erp-tryton.mjs', import.meta.url));
/** The database is made by whoever needs it first. */
const SLOW_MS = 200_000;

let script: ChildProcess | undefined;
afterEach(() => script?.kill('SIGTERM'));

/** What it prints until it is ready. */
async function started(): Promise<string> {
  script = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of script.stdout ?? []) {
    text += String(chunk);
    if (text.includes('Ctrl-C')) break;
  }
  return text;
}

describe.skipIf(!has('trytond'))('npm run erp:tryton', () => {
  test(
    'starts a Tryton that the settings it prints fit, and ends with Ctrl-C',
    { timeout: SLOW_MS },
    async () => {
      const printed = await started();
      const password = / password (\S+)\.$/m.exec(printed)?.[1] ?? '';
      const { erp } = parse(printed.slice(printed.indexOf('  erp:'), printed.indexOf('Press'))) as {
        erp: { settings: unknown };
      };
      const services = erpServices({ 'env:TRYTON_PASSWORD': password });
      const adapter = trytonAdapter.create(trytonAdapter.configuration.parse(erp.settings), services);
      expect(await adapter.health()).toMatchObject({ outcome: 'healthy' });
      await adapter.close();
      script?.kill('SIGINT');
      expect(await once(script!, 'exit')).toEqual([0, null]);
    },
  );
});
