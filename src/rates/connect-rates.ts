// The rates of a tenant by its rules: its own table alone, a file, or the Central Bank of Iceland. What the bank publishes is
// the same for everybody, so all tenants of a process share one cache.
import { isAbsolute, resolve } from 'node:path';
import { readFile, stat } from 'node:fs/promises';
import type { RateSource, RateAnswer } from '../domain/rate-source.js';
import type { Clock } from '../domain/runtime.js';
import { createHttpClient, type HttpClient } from '../http/http-client.js';
import { isCalendarDay } from '../domain/local-time.js';
import { Decimal } from '../domain/money.js';
import type { IsoDate } from '../domain/source-document.js';
import { readXml, type XmlElement } from '../domain/read-xml.js';

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

// Daily rates by month, fetched once and kept: a month that is over does not change, the present one is looked at again after
// an hour, and a source that is down is asked again after five minutes. Many who ask at once share one request.

/** Currency → day → ISK for one unit. */
type DailyRates = ReadonlyMap<string, ReadonlyMap<IsoDate, Decimal>>;

interface MonthReading {
  readonly rates: DailyRates;
  /** Why it may lack something; null when it is all there is. */
  readonly problem: string | null;
}

interface KeptMonth extends MonthReading {
  readonly readAt: number;
}

const PRESENT_LIFE_MS = 3_600_000;
const FAILED_LIFE_MS = 300_000;
/** A rate may be corrected some days later; after these a month is over for good. */
const SETTLING_DAYS = 7;
const MONTHS_MAX = 60;
const ONE_DAY_MS = 86_400_000;

class MonthlyRates implements RateSource {
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #read: (month: string) => Promise<MonthReading>;
  readonly #kept = new Map<string, KeptMonth>();
  readonly #underWay = new Map<string, Promise<KeptMonth>>();

  /** `read` never throws: what goes wrong is the reading's `problem`. */
  constructor(origin: string, clock: Clock, read: (month: string) => Promise<MonthReading>) {
    this.#origin = origin;
    this.#clock = clock;
    this.#read = read;
  }

  async rateOn(currency: string, wanted: IsoDate, maxAgeDays: number): Promise<RateAnswer> {
    const today = this.#clock.now().toISOString().slice(0, 10);
    const day = wanted > today ? today : wanted;
    const oldest = dayBefore(wanted, maxAgeDays);
    if (oldest > day) return { outcome: 'none' };
    const months = [...new Set([day.slice(0, 7), oldest.slice(0, 7)])];
    for (const month of months) {
      const reading = await this.#month(month);
      const found = latest(reading.rates.get(currency), oldest, day);
      // What a source that fails has shown so far may not be its latest word; only the very day is certain.
      if (reading.problem !== null && found?.day !== day)
        return { outcome: 'unavailable', problem: reading.problem };
      if (found) return { outcome: 'found', ...found, origin: this.#origin };
    }
    return { outcome: 'none' };
  }

  #month(month: string): Promise<KeptMonth> {
    const kept = this.#kept.get(month);
    if (kept && this.#isFresh(month, kept)) return Promise.resolve(kept);
    const underWay = this.#underWay.get(month) ?? this.#fetch(month, kept);
    this.#underWay.set(month, underWay);
    return underWay;
  }

  async #fetch(month: string, before: KeptMonth | undefined): Promise<KeptMonth> {
    try {
      const reading = await this.#read(month);
      const rates = reading.problem !== null && before ? before.rates : reading.rates;
      const kept = { rates, problem: reading.problem, readAt: this.#clock.now().getTime() };
      this.#kept.delete(month);
      this.#kept.set(month, kept);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size > MONTHS_MAX && !oldest.done) this.#kept.delete(oldest.value);
      return kept;
    } finally {
      this.#underWay.delete(month);
    }
  }

  #isFresh(month: string, { problem, readAt }: KeptMonth): boolean {
    const ageMs = this.#clock.now().getTime() - readAt;
    if (problem !== null) return ageMs < FAILED_LIFE_MS;
    const settled = Date.parse(`${month}-01T00:00:00Z`) + (31 + SETTLING_DAYS) * ONE_DAY_MS;
    return readAt > settled || ageMs < PRESENT_LIFE_MS;
  }
}

function latest(
  days: ReadonlyMap<IsoDate, Decimal> | undefined,
  from: IsoDate,
  to: IsoDate,
): { day: IsoDate; rate: Decimal } | null {
  let best: { day: IsoDate; rate: Decimal } | null = null;
  for (const [day, rate] of days ?? [])
    if (day >= from && day <= to && (best === null || day > best.day)) best = { day, rate };
  return best;
}

function dayBefore(day: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * ONE_DAY_MS).toISOString().slice(0, 10);
}

// The Central Bank of Iceland's daily rates, from its public XML: one answer a group of time series and month. Group 9 is the
// official reference rate of the main currencies, group 7 the registered mid rate of others. A series is known by its number.

const SEDLABANKI_URL = 'https://www.sedlabanki.is/xmltimeseries/Default.aspx';

const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '9': {
    '4055': 'USD',
    '4061': 'DKK',
    '4064': 'EUR',
    '4085': 'JPY',
    '4088': 'CAD',
    '4091': 'NOK',
    '4103': 'GBP',
    '4106': 'CHF',
    '4109': 'SEK',
  },
  '7': {
    '29': 'CNY',
    '31': 'PLN',
    '37': 'KRW',
    '39': 'AUD',
    '40': 'NZD',
    '41': 'HKD',
    '44': 'ZAR',
    '45': 'SGD',
    '46': 'MXN',
    '48': 'TRY',
    '50': 'INR',
    '52': 'CZK',
    '53': 'BRL',
  },
};

const DEADLINE_MS = 8_000;
const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Never throws. */
async function readSedlabanki(http: HttpClient, url: string, month: string): Promise<MonthReading> {
  const rates = new Map<string, Map<string, Decimal>>();
  const problems: string[] = [];
  for (const group of Object.keys(GROUPS)) {
    const answer = await http.send({
      method: 'GET',
      url: groupUrl(url, group, month),
      headers: { accept: 'application/xml, text/xml' },
      deadlineMs: DEADLINE_MS,
      bodyBytesMax: BODY_BYTES_MAX,
    });
    if (answer.outcome === 'failure') problems.push(answer.message);
    else if (answer.status !== 200) problems.push(`HTTP ${String(answer.status)}`);
    else {
      const read = parseGroup(answer.body.toString('utf8'), group);
      if (read === null) problems.push('the answer is not the XML that it publishes');
      else for (const [currency, days] of read) rates.set(currency, days);
    }
  }
  return { rates, problem: problems[0] === undefined ? null : `sedlabanki: ${problems[0]}` };
}

function groupUrl(url: string, group: string, month: string): URL {
  const asked = new URL(url);
  asked.searchParams.set('DagsFra', `${month}-01`);
  asked.searchParams.set('DagsTil', `${lastDayOf(month)}T23:59:59`);
  asked.searchParams.set('GroupID', group);
  asked.searchParams.set('Type', 'xml');
  return asked;
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

/** Null when it is not the file that the bank publishes; series that nobody books in are passed over. */
export function parseGroup(text: string, group: string): Map<string, Map<string, Decimal>> | null {
  const xml = readXml(text);
  if (xml.outcome === 'unreadable' || xml.root.name !== 'Group') return null;
  const series = GROUPS[group] ?? {};
  const rates = new Map<string, Map<string, Decimal>>();
  for (const element of xml.root.children.filter(({ name }) => name === 'TimeSeries')) {
    const currency = series[element.attributes.get('ID') ?? ''];
    if (currency !== undefined) rates.set(currency, readEntries(element));
  }
  return rates;
}

function readEntries(series: XmlElement): Map<string, Decimal> {
  const days = new Map<string, Decimal>();
  const data = series.children.find(({ name }) => name === 'TimeSeriesData');
  for (const entry of data?.children.filter(({ name }) => name === 'Entry') ?? []) {
    const day = dayOf(textOf(entry, 'Date'));
    const value = textOf(entry, 'Value').replace(',', '.');
    if (day !== null && VALUE.test(value) && Number(value) > 0) days.set(day, new Decimal(value));
  }
  return days;
}

const VALUE = /^\d{1,9}(\.\d{1,10})?$/;
const AMERICAN_DAY = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/;

/** "3/24/2026 12:00:00 AM", and ISO should the bank ever change its mind. */
function dayOf(written: string): string | null {
  const american = AMERICAN_DAY.exec(written);
  const [, month = '', day = '', year = ''] = american ?? [];
  const iso = american ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : written.slice(0, 10);
  return isCalendarDay(iso) ? iso : null;
}

function textOf(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? '';
}

export type { DailyRates };
