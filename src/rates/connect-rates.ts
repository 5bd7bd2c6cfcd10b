// The rates of a tenant by its rules: its own table alone, a file, or the Central Bank of Iceland. What the bank publishes is
// the same for everybody, so all tenants of a process share one cache.
import { isAbsolute, resolve } from 'node:path';
import type { RateSource } from '../domain/rate-source.js';
import type { Clock } from '../domain/runtime.js';
import { createHttpClient } from '../http/http-client.js';
import { MonthlyRates } from './monthly-rates.js';
import { RateFile } from './rate-file.js';
import { readSedlabanki, SEDLABANKI_URL } from './sedlabanki.js';

export interface RateRules {
  readonly source?: 'table' | 'file' | 'sedlabanki' | undefined;
  readonly file?: string | undefined;
  readonly url?: string | undefined;
}

export type ConnectRates = (rules: RateRules, configDirectory: string) => RateSource | null;

export function rateConnector(options: { readonly clock: Clock; readonly userAgent: string }): ConnectRates {
  const banks = new Map<string, RateSource>();
  const bankAt = (url: string): RateSource => {
    const known = banks.get(url);
    if (known) return known;
    const http = createHttpClient({
      origins: [new URL(url).origin],
      userAgent: options.userAgent,
      connections: 1,
    });
    const bank = new MonthlyRates('fx.source sedlabanki', options.clock, (month) =>
      readSedlabanki(http, url, month),
    );
    banks.set(url, bank);
    return bank;
  };
  return ({ source = 'table', file, url }, configDirectory) => {
    switch (source) {
      case 'table':
        return null;
      case 'sedlabanki':
        return bankAt(url ?? SEDLABANKI_URL);
      case 'file': {
        const path = file ?? 'rates.csv';
        return new RateFile(isAbsolute(path) ? path : resolve(configDirectory, path));
      }
    }
  };
}
