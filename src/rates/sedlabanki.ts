// The Central Bank of Iceland's daily rates, from its public XML: one answer a group of time series and month. Group 9 is the
// official reference rate of the main currencies, group 7 the registered mid rate of others. A series is known by its number.
import { isCalendarDay } from '../domain/local-time.js';
import { Decimal } from '../domain/decimal.js';
import type { HttpClient } from '../http/http-client.js';
import { readXml, type XmlElement } from '../pipeline/mapping/ubl/read-xml.js';
import type { DailyRates, MonthReading } from './monthly-rates.js';

export const SEDLABANKI_URL = 'https://www.sedlabanki.is/xmltimeseries/Default.aspx';

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
export async function readSedlabanki(http: HttpClient, url: string, month: string): Promise<MonthReading> {
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
