// The rates of a tenant by its rules: its own table alone, a file, or the Central Bank of Iceland. What the bank publishes is
// the same for everybody, so all tenants of a process share one cache.
import { isAbsolute, resolve } from 'node:path';
import { readFile, stat } from 'node:fs/promises';
import type { RateSource, RateAnswer } from '../domain/rate-source.js';
import type { Clock } from '../domain/runtime.js';
import { createHttpClient } from '../http/http-client.js';
import { MonthlyRates } from './monthly-rates.js';
import { readSedlabanki, SEDLABANKI_URL } from './sedlabanki.js';
import { isCalendarDay } from '../domain/local-time.js';
import { Decimal } from '../domain/decimal.js';
import type { IsoDate } from '../domain/source-document.js';

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

// Rates from a file that somebody else writes: one line a rate, day, currency, ISK for one unit. Read again when it changes.

const BYTES_MAX = 8 * 1024 * 1024;
const LINE =
  /^\s*"?(\d{4}-\d{2}-\d{2})"?[^\S\t]*[,;\t][^\S\t]*"?([A-Z]{3})"?[^\S\t]*[,;\t][^\S\t]*"?(\d{1,9}(?:[.,]\d{1,10})?)"?\s*$/;
const DAY_MS = 86_400_000;

type DayRate = readonly [day: IsoDate, rate: Decimal];

class RateFile implements RateSource {
  readonly #path: string;
  #kept: { readonly stamp: string; readonly rates: ReadonlyMap<string, readonly DayRate[]> } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  async rateOn(currency: string, day: IsoDate, maxAgeDays: number): Promise<RateAnswer> {
    try {
      const rates = await this.#rates();
      const found = rates.get(currency)?.find(([from]) => from <= day);
      if (!found) return { outcome: 'none' };
      const ageDays = (Date.parse(day) - Date.parse(found[0])) / DAY_MS;
      if (ageDays > maxAgeDays) return { outcome: 'none' };
      return { outcome: 'found', day: found[0], rate: found[1], origin: 'fx.file' };
    } catch (error) {
      return { outcome: 'unavailable', problem: error instanceof Error ? error.message : String(error) };
    }
  }

  async #rates(): Promise<ReadonlyMap<string, readonly DayRate[]>> {
    const { mtimeMs, size } = await stat(this.#path);
    const stamp = `${String(mtimeMs)} ${String(size)}`;
    if (this.#kept?.stamp === stamp) return this.#kept.rates;
    if (size > BYTES_MAX) throw new Error(`${this.#path} is larger than 8 MiB.`);
    const rates = parseRateFile(await readFile(this.#path, 'utf8'), this.#path);
    this.#kept = { stamp, rates };
    return rates;
  }
}

/** Latest day first. A line that is neither a rate, a heading, a comment nor empty is named, not passed over. */
export function parseRateFile(text: string, path: string): Map<string, DayRate[]> {
  const rates = new Map<string, DayRate[]>();
  text.split(/\r?\n/).forEach((line, index) => {
    const [, day = '', currency = '', rate = ''] = LINE.exec(line) ?? [];
    const value = rate.replace(',', '.');
    if (isCalendarDay(day) && Number(value) > 0) {
      rates.set(currency, [...(rates.get(currency) ?? []), [day, new Decimal(value)]]);
    } else if (index > 0 && !/^\s*(#.*)?$/.test(line))
      throw new Error(`${path}, line ${String(index + 1)}: it should read like 2026-03-24,EUR,149.8`);
  });
  for (const days of rates.values()) days.sort(([one], [other]) => (one < other ? 1 : -1));
  return rates;
}
