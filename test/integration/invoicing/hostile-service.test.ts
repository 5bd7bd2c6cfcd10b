// What the client makes of answers that are none: for a question, a typed error that may be retried; for a change, an
// effect that is unknown unless the service explicitly said no.
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { ApiClient } from '../../../src/service/api-client.js';
import { connectApi } from '../../../src/service/connect-source.js';
import { CREDENTIAL_ENDPOINTS as api } from '../../../src/service/credential-endpoints.js';
import { credentials, development, testServices } from '../../support/invoicing/connections.js';
import {
  json,
  type Reply,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/invoicing/scripted-server.js';

let server: ScriptedServer;
let client: ApiClient;
let log: { lines: string[] };

beforeEach(async () => {
  server = await startScriptedServer(json({}));
  log = { lines: [] };
  client = connectApi(credentials(server.url), testServices(log, { deadlineMs: 500 }));
});

afterEach(async () => {
  await client.close();
  await server.close();
});

const raw =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Reply =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(body);
  };

async function codeOf(act: Promise<unknown>): Promise<string> {
  try {
    const outcome = (await act) as { outcome: string };
    return outcome.outcome;
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
}

const ask = () => client.call(api['get-invoices'], { accounting_status: 'Created' });
const change = () => client.call(api['update-cost'], { guid: 'abc', data: { accounting_status: 'Posted' } });
const refuse: Reply = (_request, response) => void response.destroy();

const giant: Reply = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '99999999999' });
  response.write('{');
};

const TABLE: readonly [string, Reply, string, string][] = [
  [
    'an HTML page with 200',
    raw(200, 'text/html', '<h1>Velkomin</h1>'),
    'SOURCE_UNREADABLE',
    'SOURCE_EFFECT_UNKNOWN',
  ],
  [
    'truncated JSON',
    raw(200, 'application/json', '{"status":true,"result":['),
    'SOURCE_UNREADABLE',
    'SOURCE_EFFECT_UNKNOWN',
  ],
  ['an empty body', raw(200, 'application/json', ''), 'SOURCE_UNREADABLE', 'SOURCE_EFFECT_UNKNOWN'],
  ['a bare list', json([]), 'SOURCE_UNREADABLE', 'SOURCE_EFFECT_UNKNOWN'],
  ['an object that does not say success', json({ result: [] }), 'SOURCE_UNREADABLE', 'SOURCE_EFFECT_UNKNOWN'],
  [
    'status as the text "true"',
    json({ status: 'true', result: [] }),
    'SOURCE_UNREADABLE',
    'SOURCE_EFFECT_UNKNOWN',
  ],
  ['success without the result', json({ status: true }), 'SOURCE_UNREADABLE', 'SOURCE_EFFECT_UNKNOWN'],
  [
    'deeply nested brackets',
    raw(200, 'application/json', '['.repeat(300_000)),
    'SOURCE_UNREADABLE',
    'SOURCE_EFFECT_UNKNOWN',
  ],
  ['status:false with 200', json({ status: false, message: 'Nei' }), 'refused', 'refused'],
  ['success:false', json({ success: false, message: 'Nei' }), 'refused', 'refused'],
  ['error:true with 200', json({ error: true, message: 'Nei' }), 'refused', 'refused'],
  [
    'error:true and code 403 with 200',
    json({ error: true, message: 'scope', code: 403 }),
    'SOURCE_FORBIDDEN',
    'SOURCE_FORBIDDEN',
  ],
  [
    '400 with an error_code',
    json({ status: false, error_code: 'invalid_accounting_status' }, 400),
    'refused',
    'refused',
  ],
  [
    '401',
    json({ status: false, message: 'Invalid api_key' }, 401),
    'SOURCE_CREDENTIALS_REFUSED',
    'SOURCE_CREDENTIALS_REFUSED',
  ],
  ['403', json({ status: false }, 403), 'SOURCE_FORBIDDEN', 'SOURCE_FORBIDDEN'],
  [
    '404 as a page',
    raw(404, 'text/html', '<h1>Not found</h1>'),
    'SOURCE_ENDPOINT_MISSING',
    'SOURCE_ENDPOINT_MISSING',
  ],
  ['404 as an envelope', json({ status: false, message: 'No cost found' }, 404), 'refused', 'refused'],
  ['405', json({ error: true, message: 'Method not allowed', code: 405 }, 405), 'refused', 'refused'],
  ['408', json({}, 408), 'SOURCE_NO_ANSWER', 'SOURCE_EFFECT_UNKNOWN'],
  ['429', json({}, 429), 'SOURCE_RATE_LIMITED', 'SOURCE_RATE_LIMITED'],
  ['500', json({ status: false }, 500), 'SOURCE_UNAVAILABLE', 'SOURCE_EFFECT_UNKNOWN'],
  ['502 as a page', raw(502, 'text/html', 'Bad gateway'), 'SOURCE_UNAVAILABLE', 'SOURCE_EFFECT_UNKNOWN'],
  ['503', json({}, 503), 'SOURCE_UNAVAILABLE', 'SOURCE_EFFECT_UNKNOWN'],
  ['504', json({}, 504), 'SOURCE_UNAVAILABLE', 'SOURCE_EFFECT_UNKNOWN'],
  [
    'a redirect to a login page',
    raw(302, 'text/html', '', { location: '/login' }),
    'SOURCE_REDIRECTED',
    'SOURCE_EFFECT_UNKNOWN',
  ],
  ['larger than the cap', giant, 'SOURCE_TOO_LARGE', 'SOURCE_EFFECT_UNKNOWN'],
  ['a dropped connection', refuse, 'SOURCE_NO_ANSWER', 'SOURCE_EFFECT_UNKNOWN'],
  ['no answer at all', () => undefined, 'SOURCE_NO_ANSWER', 'SOURCE_EFFECT_UNKNOWN'],
];

describe('an answer that is', () => {
  it.each(TABLE)('%s has its row in the table of dispositions', async (...row) => {
    const [, reply, forQuestion, forChange] = row;
    server.reply = reply;
    expect(await codeOf(ask())).toBe(forQuestion);
    const other = connectApi(credentials(server.url), testServices(log, { deadlineMs: 500 }));
    const code = await codeOf(
      other.call(api['update-cost'], { guid: 'abc', data: { accounting_status: 'Posted' } }),
    );
    await other.close();
    expect(code).toBe(forChange);
  });
});

describe('a call that is cancelled', () => {
  const askUntil = (signal: AbortSignal) => codeOf(client.call(api['get-invoices'], {}, signal));
  const changeUntil = (signal: AbortSignal) =>
    codeOf(client.call(api['move-cost-to-new'], { guid: 'abc' }, signal));

  it('under way is forgotten when it asks, and looked up when it changes something', async () => {
    let cancel = new AbortController();
    server.reply = () => cancel.abort();
    expect(await askUntil(cancel.signal)).toBe('SOURCE_CANCELLED');
    cancel = new AbortController();
    expect(await changeUntil(cancel.signal)).toBe('SOURCE_EFFECT_UNKNOWN');
    expect(server.seen).toHaveLength(2);
  });

  it('before it left is forgotten either way', async () => {
    expect(await askUntil(AbortSignal.abort())).toBe('SOURCE_CANCELLED');
    expect(await changeUntil(AbortSignal.abort())).toBe('SOURCE_CANCELLED');
    expect(server.seen).toEqual([]);
  });
});

describe('the client', () => {
  it('says that nothing happened when nobody could be reached', async () => {
    await server.close();
    expect(await codeOf(ask())).toBe('SOURCE_UNREACHABLE');
    expect(await codeOf(change())).toBe('SOURCE_UNREACHABLE');
  });

  it('keeps the good records of a page and names the bad ones', async () => {
    const good = { guid: 'a', amount: 10.5, currency: 'ISK', type: 'invoice', status: 'Sent' };
    server.reply = json({
      status: true,
      result: [good, { guid: 'b', amount: 'tíu' }, 'rusl', { amount: 1 }, null],
    });
    const outcome = await ask();
    if (outcome.outcome !== 'ok') throw new Error('refused');
    expect(outcome.value.records.map(({ document }) => document.guid)).toEqual(['a']);
    expect(outcome.value.problems.map(({ index, guid }) => [index, guid])).toEqual([
      [1, 'b'],
      [2, null],
      [3, null],
      [4, null],
    ]);
  });

  it('finds the list bare in result, or beside paging fields', async () => {
    const record = { guid: 'a', amount: 1 };
    for (const result of [[record], { data: [record], page: 1, hasMore: true }, { invoices: [record] }]) {
      server.reply = json({ status: true, result });
      const outcome = await ask();
      expect(outcome.outcome === 'ok' && outcome.value.records).toHaveLength(1);
    }
  });

  it('counts what the documents do not name, and says it once', async () => {
    const grown = { guid: 'a', amount: 1, status: 'Archived', carbon_footprint: 3 };
    server.reply = json({ status: true, result: [grown, { ...grown, guid: 'b' }] });
    await ask();
    await ask();
    expect(client.newcomers()).toEqual([
      { name: 'field invoice.carbon_footprint', count: 4 },
      { name: 'value invoice.status=Archived', count: 4 },
    ]);
    expect(log.lines.filter((line) => line.includes('do not name'))).toHaveLength(2);
  });

  it('keeps every digit of an amount', async () => {
    server.reply = raw(
      200,
      'application/json',
      '{"status":true,"result":[{"guid":"a","amount":90071992547409.93}]}',
    );
    const outcome = await ask();
    expect(outcome.outcome === 'ok' && outcome.value.records[0]?.document.amount.toFixed()).toBe(
      '90071992547409.93',
    );
  });

  it('never follows next_url', async () => {
    server.reply = json({
      status: true,
      result: [],
      next_url: `${server.url}/api/v1/get-costs?api_key=x&page=2`,
      hasMore: true,
    });
    await client.call(api['get-costs'], { limit: 1 });
    expect(server.seen).toHaveLength(1);
  });

  it('repeats a question once when the connection broke, and never a change', async () => {
    server.reply = refuse;
    await codeOf(ask());
    expect(server.seen).toHaveLength(2);
    await codeOf(change());
    expect(server.seen).toHaveLength(3);
  });

  it('stays away as long as Retry-After says, without another request', async () => {
    server.reply = json({}, 429, { 'retry-after': '30' });
    await expect(ask()).rejects.toMatchObject({
      code: 'SOURCE_RATE_LIMITED',
      details: { retryAfterMs: expect.closeTo(30_000, -3) as number },
    });
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_RATE_LIMITED' });
    expect(server.seen).toHaveLength(1);
  });

  it('stops knocking after five failures in a row', async () => {
    server.reply = json({}, 500);
    for (let n = 0; n < 5; n++) expect(await codeOf(ask())).toBe('SOURCE_UNAVAILABLE');
    expect(await codeOf(ask())).toBe('SOURCE_CIRCUIT_OPEN');
    expect(server.seen).toHaveLength(5);
  });

  it('sends few calls at once to a service it does not know', async () => {
    let [inside, most] = [0, 0];
    server.reply = async (request, response) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside -= 1;
      return json({ status: true, result: 1 })(request, response);
    };
    await Promise.all(Array.from({ length: 60 }, () => client.call(api['get-count-items'], {})));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  it('sends its version, a request id that the log has too, Basic, and nothing secret in the URL', async () => {
    server.reply = json({ status: true, result: 3 });
    await client.call(api['get-count-costs'], { accounting_status: 'Created' });
    const [request] = server.seen;
    expect(request?.headers['user-agent']).toBe('ledgerbridge/0.0.0-test');
    expect(log.lines.join()).toContain(request?.headers['x-request-id']);
    expect(request?.headers.authorization).toBe(
      `Basic ${Buffer.from('acme:key-of-acme').toString('base64')}`,
    );
    expect([...(request?.query ?? [])]).toEqual([['accounting_status', 'Created']]);
  });

  it('sends form fields, with data as a JSON string', async () => {
    server.reply = json({ status: true, result: 'abc' });
    await change();
    const [request] = server.seen;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      guid: 'abc',
      data: '{"accounting_status":"Posted"}',
    });
  });

  it('refuses plain http beyond this machine, and credentials inside the base URL', () => {
    for (const baseUrl of [
      'http://service.example.is',
      'https://user:pw@service.example.is',
      'ftp://x',
      'nonsense',
    ]) {
      expect(() => connectApi(credentials(baseUrl), testServices())).toThrow(/https/);
    }
  });
});

describe('the maintenance code', () => {
  it('goes with every development call and with none of production', async () => {
    server.reply = json({ status: true, result: 3 });
    const dev = connectApi(development(server.url), testServices());
    await dev.call(api['get-count-items'], {});
    await dev.call(api['move-cost-to-new'], { guid: 'abc' });
    await client.call(api['get-count-items'], {});
    expect(server.seen.map(({ query }) => query.get('en4_maint_code'))).toEqual([
      'open-sesame',
      'open-sesame',
      null,
    ]);
    await dev.close();
  });

  it('is suspected when a development service never worked, and not when it did', async () => {
    const dev = connectApi(development(server.url), testServices());
    server.reply = json({}, 503);
    await expect(dev.call(api['get-count-items'], {})).rejects.toThrow(/maintenance code is wrong/);
    server.reply = json({ status: true, result: 3 });
    await dev.call(api['get-count-items'], {});
    server.reply = json({}, 503);
    await expect(dev.call(api['get-count-items'], {})).rejects.toThrow(/probably an outage/);
    await dev.close();
  });
});

describe('a service that repeats what it was told', () => {
  const echo: Reply = (request, response) => {
    const heard = `${request.headers.authorization ?? ''} ${request.query.toString()} ${request.body}`;
    return json({ status: false, message: `Invalid api_key key-of-acme: ${heard}` }, 401)(request, response);
  };
  const secrets = ['key-of-acme', 'open-sesame', Buffer.from('acme:key-of-acme').toString('base64')];

  it('puts no secret into an error, its details or the log', async () => {
    server.reply = echo;
    const dev = connectApi(development(server.url), testServices(log));
    const failures: unknown[] = [];
    const file = { fileName: 'a.pdf', content: Buffer.from('%PDF-1.4') };
    for (const act of [() => dev.call(api.hello, {}), () => dev.call(api['upload-file'], { file })]) {
      await act().catch((error: unknown) => failures.push(error));
    }
    await dev.close();
    expect(server.seen.map(({ query }) => query.get('api_key'))).toEqual([null, 'key-of-acme']);
    const said = [...failures.map((error) => inspect(error, { depth: 10 })), ...log.lines].join('\n');
    expect(said).toContain('Invalid api_key ***');
    for (const secret of secrets) expect(said).not.toContain(secret);
  });

  it('puts no part of one into a message that is too long to be kept whole', async () => {
    for (let before = 290; before <= 300; before++) {
      server.reply = json({
        status: false,
        message: `${'x'.repeat(before)}key-of-acme`,
        error_code: 'key-of-acme',
      });
      const outcome = await ask();
      if (outcome.outcome !== 'refused') throw new Error(outcome.outcome);
      expect(outcome.message).toMatch(/^x+\**$/);
      expect(outcome.message.length).toBeLessThanOrEqual(300);
      expect(outcome.errorCode).toBe('***');
    }
  });

  it('puts none into a refusal that is handed on', async () => {
    server.reply = (request, response) =>
      json({ status: false, message: `no: ${request.headers.authorization ?? ''}` })(request, response);
    const outcome = await ask();
    expect(outcome).toMatchObject({ outcome: 'refused', message: 'no: Basic ***' });
  });
});
