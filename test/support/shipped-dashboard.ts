// The dashboard of the program as it is shipped, in a process of its own beside the bridge of a test. A bundle is not its sources: what
// a library hands over there is not always what it hands over in a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bed } from './bridge-bed.js';
import { type DashboardBed, servedDashboard } from './dashboard-bed.js';
import { SHIPPED } from './program.js';

export interface ShippedDashboard extends DashboardBed {
  /** Tells it to stop: how it ended, and what it logged as an error until then. */
  stop(): Promise<{ readonly code: number | null; readonly errors: readonly string[] }>;
}

const STARTS_WITHIN_MS = 60_000;

/** On the same records and tenant files; `app` and `users` are those of the test's own bridge. */
export async function shippedDashboard(bed: Bed): Promise<ShippedDashboard> {
  const child = spawn(process.execPath, [SHIPPED, 'serve', '--role', 'dashboard'], {
    cwd: bed.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...bed.env, ...settingsOf(bed) },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL');
      reject(new Error(`the dashboard ${why}: ${lines.join('\n')}`));
    };
    const late = setTimeout(() => fail('did not start'), STARTS_WITHIN_MS);
    void ended.then(() => fail('ended'));
    let rest = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        const complete = (rest + text).split('\n');
        rest = complete.pop() ?? '';
        lines.push(...complete);
        const address = /"address":"([^"]+)"/.exec(complete.join('\n'))?.[1];
        if (address === undefined) return;
        clearTimeout(late);
        resolve(address);
      });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    return { code, errors: lines.filter((line) => /"level":"(error|fatal)"|^Unexpected/.test(line)) };
  };
  return { ...servedDashboard(bed.bridge), url, stop, close: () => stop().then(() => undefined) };
}

function settingsOf({ settings }: Bed): Record<string, string> {
  return {
    DATABASE_URL: settings.databaseUrl?.reveal() ?? '',
    REDIS_URL: settings.redisUrl?.reveal() ?? '',
    LEDGERBRIDGE_KEY: settings.key?.reveal() ?? '',
    LEDGERBRIDGE_CONFIG: settings.configDirectory,
    LEDGERBRIDGE_DATA: settings.dataDirectory,
    LEDGERBRIDGE_TENANT_FILES: settings.tenantFiles,
    LEDGERBRIDGE_PORT: '0',
    LEDGERBRIDGE_LOG_LEVEL: 'info',
    LEDGERBRIDGE_LOG_FORMAT: 'json',
  };
}
