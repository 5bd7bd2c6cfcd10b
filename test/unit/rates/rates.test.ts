// Rates from the Central Bank's public XML, in the shape that it publishes, and from a file: what they answer, how often they
// ask, and what happens when nobody answers.
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RateAnswer } from '../../../src/domain/rate-source.js';
import { rateConnector, parseRateFile, parseGroup } from '../../../src/rates/connect-rates.js';

const GROUP_9 = readFileSync(new URL('../../fixtures/rates/sedlabanki-9.xml', import.meta.url), 'utf8');
const said = (answer: RateAnswer) =>
  answer.outcome === 'found' ? `${answer.day} ${answer.rate.toFixed()}` : answer.outcome;

describe('the Central Bank’s XML', () => {
  test('gives a rate a day for the currencies that are booked, and passes over the rest', () => {
    const rates = parseGroup(GROUP_9, '9');
    expect([...(rates?.keys() ?? [])]).toEqual(['EUR', 'USD']);
    expect([...(rates?.get('EUR') ?? [])].map(([day, rate]) => `${day} ${rate.toFixed()}`)).toEqual([
      '2026-03-02 143.1',
      '2026-03-05 143.5',
      '2026-03-06 143.9',
      '2026-03-10 144.3',
    ]);
  });

  test.each(['', '<html>busy</html>', '<Group ID="9"', '{"a":1}'])('%j is not it', (text) => {
    expect(parseGroup(text, '9')).toBeNull();
  });
});

describe('rates from the bank', () => {
  let server: Server;
  let url = '';
  let asked: string[] = [];
  let status = 200;
  let now = new Date('2026-03-12T12:00:00Z');
  const clock = { now: () => now };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const { searchParams } = new URL(request.url ?? '', 'http://bank');
      const isMarch = searchParams.get('DagsFra') === '2026-03-01';
      response.statusCode = status;
      response.end(searchParams.get('GroupID') === '9' && isMarch ? GROUP_9 : '<Group ID="7"></Group>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/xmltimeseries/Default.aspx`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    asked = [];
    status = 200;
    now = new Date('2026-03-12T12:00:00Z');
  });
  const connect = () => {
    const rates = rateConnector({ clock, userAgent: 'test' })({ source: 'sedlabanki', url }, '/');
    if (!rates) throw new Error('no rates');
    return rates;
  };

  test('are the latest not after the day, at most so many days old', async () => {
    const rates = connect();
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('2026-03-10 144.3');
    expect(said(await rates.rateOn('EUR', '2026-03-08', 7))).toBe('2026-03-06 143.9');
    expect(said(await rates.rateOn('EUR', '2026-03-09', 2))).toBe('none');
    expect(said(await rates.rateOn('EUR', '2026-03-01', 7))).toBe('none');
    expect(said(await rates.rateOn('VND', '2026-03-10', 7))).toBe('none');
    expect(said(await rates.rateOn('EUR', '2026-03-14', 7))).toBe('2026-03-10 144.3');
    expect(said(await rates.rateOn('EUR', '2026-05-14', 7))).toBe('none');
  });

  test('are fetched once a month of days, however many ask, and again after an hour', async () => {
    const rates = connect();
    await Promise.all(Array.from({ length: 20 }, () => rates.rateOn('EUR', '2026-03-10', 7)));
    expect(asked).toHaveLength(2);
    expect(asked.join(' ')).toContain(
      'DagsFra=2026-03-01&DagsTil=2026-03-31T23%3A59%3A59&GroupID=9&Type=xml',
    );
    now = new Date('2026-03-12T12:59:00Z');
    await rates.rateOn('USD', '2026-03-10', 7);
    expect(asked).toHaveLength(2);
    now = new Date('2026-03-12T13:01:00Z');
    await rates.rateOn('USD', '2026-03-10', 7);
    expect(asked).toHaveLength(4);
  });

  test('of a month that is over are never fetched again', async () => {
    now = new Date('2026-06-01T12:00:00Z');
    const rates = connect();
    await rates.rateOn('EUR', '2026-03-10', 7);
    now = new Date('2027-06-01T12:00:00Z');
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('2026-03-10 144.3');
    expect(asked).toHaveLength(2);
  });

  test('wait while the bank does not answer, and come when it does', async () => {
    const rates = connect();
    status = 503;
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('unavailable');
    const before = asked.length;
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('unavailable');
    expect(asked).toHaveLength(before);
    status = 200;
    now = new Date('2026-03-12T12:06:00Z');
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('2026-03-10 144.3');
  });

  test('that are on record outlive an outage for their own day, and no other', async () => {
    const rates = connect();
    await rates.rateOn('EUR', '2026-03-10', 7);
    status = 500;
    now = new Date('2026-03-13T12:00:00Z');
    expect(said(await rates.rateOn('EUR', '2026-03-10', 7))).toBe('2026-03-10 144.3');
    expect(said(await rates.rateOn('EUR', '2026-03-12', 7))).toBe('unavailable');
  });

  test('are unavailable, not an error, where nobody listens', async () => {
    const dead = rateConnector({ clock, userAgent: 'test' })(
      { source: 'sedlabanki', url: 'http://127.0.0.1:9' },
      '/',
    );
    expect(await dead?.rateOn('EUR', '2026-03-10', 7)).toMatchObject({ outcome: 'unavailable' });
  });
});

describe('rates from a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'rates-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('are read again when it changes, and a wrong line is named', async () => {
    const path = join(directory, 'rates.csv');
    writeFileSync(
      path,
      'day,currency,rate\n2026-03-09,EUR,144.0\n# bank holiday\n2026-03-10;"EUR";144,3\n\n',
    );
    const rates = rateConnector({ clock: { now: () => new Date() }, userAgent: 't' })(
      { source: 'file' },
      directory,
    );
    if (!rates) throw new Error('no rates');
    expect(said(await rates.rateOn('EUR', '2026-03-11', 7))).toBe('2026-03-10 144.3');
    expect(said(await rates.rateOn('EUR', '2026-03-30', 7))).toBe('none');
    writeFileSync(path, '2026-03-11,EUR,145\n');
    utimesSync(path, new Date(1), new Date(1));
    expect(said(await rates.rateOn('EUR', '2026-03-11', 7))).toBe('2026-03-11 145');
    writeFileSync(path, '2026-03-11,EUR,145\nevra 145\n');
    expect(await rates.rateOn('EUR', '2026-03-11', 7)).toMatchObject({ outcome: 'unavailable' });
    expect(() => parseRateFile('x\n2026-03-11,EUR,0', 'rates.csv')).toThrow('line 2');
    rmSync(path);
    expect(await rates.rateOn('EUR', '2026-03-11', 7)).toMatchObject({ outcome: 'unavailable' });
  });

  test('a table alone asks nobody', () => {
    expect(rateConnector({ clock: { now: () => new Date() }, userAgent: 't' })({}, directory)).toBeNull();
  });
});
