// The demo's tenant files and settings: what an operator would write, written into the demo's own directory.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { BridgeSettings } from '../../../src/tenants/bridge-settings.js';
import type { ErpLedger } from '../erp-ledger/server.js';
import type { Sandbox } from '../start-sandbox.js';
import { demoRecords } from './demo-place.js';
import { COMPANIES, LEDGER_SECRET } from './demo-world.js';

export interface DemoConfig {
  readonly settings: BridgeSettings;
  readonly env: Record<string, string>;
  /** Where the file ledgers keep their books. */
  readonly booksDirectory: string;
}

export async function writeDemoConfig(
  directory: string,
  base: BridgeSettings,
  sandbox: Sandbox,
  ledger: ErpLedger,
): Promise<DemoConfig> {
  const configDirectory = join(directory, 'config');
  const tenantsDirectory = join(configDirectory, 'tenants');
  const booksDirectory = join(directory, 'books');
  await mkdir(tenantsDirectory, { recursive: true });
  const files = (tenant: string, formats: string[]) => ({
    adapter: 'file',
    settings: { directory: join(booksDirectory, tenant), formats },
  });
  const erps: Record<string, Record<string, unknown>> = {
    fjordur: files('fjordur', ['journal', 'csv']),
    hraun: {
      adapter: 'http',
      settings: {
        baseUrl: ledger.url,
        secret: 'env:DEMO_LEDGER_SECRET',
        company: 'Hraun slf.',
        ledger: 'hraun-books',
      },
    },
    thorunn: files('thorunn', ['beancount']),
  };
  for (const { tenant, title, username } of COMPANIES) {
    const file = {
      name: tenant,
      title,
      source: {
        environment: 'development',
        baseUrl: sandbox.url,
        maintenanceCode: 'env:DEMO_MAINTENANCE_CODE',
        auth: { type: 'credentials', username, apiKey: `env:DEMO_KEY_${username.toUpperCase()}` },
      },
      cutOver: '2020-01-01',
      schedule: { cron: '*/10 * * * * *', timeZone: 'Atlantic/Reykjavik' },
      limits: { source: { requestsPerSecond: 800, concurrency: 8 }, erp: { postingsPerSecond: 200 } },
      erp: erps[tenant],
      rules: { extends: ['default'], dimensions: { whenUnmapped: 'park' } },
    };
    await writeFile(join(tenantsDirectory, `${tenant}.yaml`), stringify(file));
  }
  const env: Record<string, string> = {
    DEMO_MAINTENANCE_CODE: sandbox.maintCode,
    DEMO_LEDGER_SECRET: LEDGER_SECRET,
  };
  for (const account of sandbox.accounts) env[`DEMO_KEY_${account.username.toUpperCase()}`] = account.apiKey;
  const settings = {
    ...base,
    configDirectory,
    tenantsDirectory,
    dataDirectory: demoRecords(directory),
    // Everything shares one processor here; few at a time bring the first one home sooner.
    concurrency: Math.min(base.concurrency, 2),
  };
  return { settings, env, booksDirectory };
}
