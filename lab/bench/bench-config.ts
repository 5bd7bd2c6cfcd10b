// The tenants of a benchmark as an operator would write them: one file each, with limits that do not limit.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { CONCURRENCY_MAX } from '../../src/service/traffic.js';
import { loadTenants } from '../../src/tenants/load-tenants.js';
import type { ServiceStarted } from './parts.js';

export const BENCH_LEDGER = {
  company: 'Bekkur ehf.',
  ledger: 'bekkur',
  secret: 'bench-ledger-secret-bench-ledger-secret',
} as const;

export interface BenchConfig {
  /** The same for all of them. */
  readonly rulesVersion: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function writeBenchConfig(
  directory: string,
  names: readonly string[],
  service: ServiceStarted,
  { erpUrl, workers }: { readonly erpUrl: string; readonly workers: number },
): Promise<BenchConfig> {
  const tenants = join(directory, 'config', 'tenants');
  await mkdir(tenants, { recursive: true });
  const env: Record<string, string> = {
    BENCH_CODE: service.maintCode,
    BENCH_LEDGER_SECRET: BENCH_LEDGER.secret,
    LEDGERBRIDGE_CONFIG: join(directory, 'config'),
    LEDGERBRIDGE_DATA: join(directory, 'data'),
  };
  const keys = new Map(service.accounts.map(({ username, apiKey }) => [username, apiKey]));
  for (const name of names) {
    env[`BENCH_KEY_${name.toUpperCase()}`] = keys.get(name) ?? '';
    await writeFile(
      join(tenants, `${name}.yaml`),
      stringify(tenantFile(name, service.url, { erpUrl, workers })),
    );
  }
  const { tenants: loaded } = await loadTenants(tenants, undefined, { only: names[0] ?? '' });
  return { rulesVersion: loaded[0]?.rulesVersion ?? '', env };
}

function tenantFile(
  name: string,
  sourceUrl: string,
  { erpUrl, workers }: { readonly erpUrl: string; readonly workers: number },
) {
  return {
    name,
    title: `Bekkur ${name} ehf.`,
    source: {
      environment: 'development',
      baseUrl: sourceUrl,
      maintenanceCode: 'env:BENCH_CODE',
      auth: { type: 'credentials', username: name, apiKey: `env:BENCH_KEY_${name.toUpperCase()}` },
    },
    cutOver: '2020-01-01',
    schedule: { cron: '0 * * * *', timeZone: 'Atlantic/Reykjavik' },
    limits: {
      source: { requestsPerSecond: 100_000, concurrency: Math.min(8 * workers, CONCURRENCY_MAX) },
      erp: { postingsPerSecond: 10_000 },
    },
    erp: {
      adapter: 'http',
      settings: {
        baseUrl: erpUrl,
        secret: 'env:BENCH_LEDGER_SECRET',
        company: BENCH_LEDGER.company,
        ledger: BENCH_LEDGER.ledger,
        concurrency: 64,
        requestsPerSecond: 10_000,
      },
    },
    rules: { extends: ['default'] },
    // The bare loop fetches none either; they come after the posting and at a pace of their own.
    originals: { keep: false },
  };
}
