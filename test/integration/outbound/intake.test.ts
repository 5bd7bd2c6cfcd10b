// The door for records over HTTP: who may come, what is taken once, what is refused and how that is said.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { promisify } from 'node:util';
import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { intake } from '../../../src/api/intake/register-intake.js';
import { Secret } from '../../../src/domain/secret.js';
import { InboxOrigin } from '../../../src/origins/inbox-origin.js';
import { createDeliveries, createInbox } from '../../../src/store/inbox-store.js';
import { testDatabase } from '../../support/database.js';
import { send, type Sent, signatureOf } from '../../support/intake.js';
import { invoice } from '../../support/outbound-bed.js';

const NEW = 'a secret that is new and long enough';
const OLD = 'a secret that was there before it, as long';
const THEIRS = 'a secret of another company altogether';
const database = await testDatabase();
const { prisma, db } = database;
const app = fastify();
let url = '';
let nowMs = Date.now();
let secrets = [NEW, OLD];
let waitingMax = 1_000;
const errors: unknown[] = [];

beforeAll(async () => {
  await app.register(
    intake({
      deliveries: createDeliveries(db),
      place: (tenant, origin) => {
        if (origin !== 'shop' || !['hraun', 'vik'].includes(tenant)) return null;
        const given = tenant === 'hraun' ? secrets : [THEIRS];
        return { requestsPerSecond: 5, waitingMax, secrets: given.map((text) => new Secret(text)) };
      },
      nowMs: () => nowMs,
      onError: (error) => void errors.push(error),
      bodyMsMax: 1_000,
    }),
  );
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/intake/v1/hraun/shop`;
});
// A minute passes, so that no limit is reached that is not asked for.
beforeEach(() => {
  nowMs += 600_000;
  secrets = [NEW, OLD];
  waitingMax = 1_000;
});
afterAll(async () => {
  await app.close();
  await database.close();
  expect(errors).toEqual([]);
});

let keys = 0;
const fresh = (more: Partial<Sent> = {}): Sent => ({
  ...{ url, secret: NEW, key: `k-${String(++keys)}`, atSeconds: nowMs / 1_000 },
  body: JSON.stringify(invoice(`SO-${String(keys)}`)),
  ...more,
});
const large = () => fresh({ body: JSON.stringify({ ...invoice('SO-L'), more: 'x'.repeat(600_000) }) });

/** Requests of six megabytes that send one byte and no more, with headers as somebody has them who signs. */
function beginLarge(count: number, localAddress: string, headers: Readonly<Record<string, string>> = {}) {
  const begun = Array.from({ length: count }, () => {
    const { key = '' } = fresh();
    const timestamp = String(Math.floor(nowMs / 1_000));
    const signed = {
      ...{ 'content-type': 'application/json', 'content-length': 6 * 1024 * 1024, 'webhook-id': key },
      ...{ 'webhook-timestamp': timestamp, 'webhook-signature': signatureOf('guessed', key, timestamp, '{') },
    };
    const sending = request(url, { method: 'POST', localAddress, headers: { ...signed, ...headers } });
    sending.on('error', () => undefined);
    sending.write('{');
    return sending;
  });
  onTestFinished(() => {
    for (const sending of begun) sending.destroy();
  });
  return begun;
}

async function statusOf(sending: ClientRequest): Promise<number | undefined> {
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const rows = (key: string) => prisma.originInbox.count({ where: { key } });

describe('who may come', () => {
  const body = JSON.stringify(invoice('SO-X'));
  const at = () => String(Math.floor(nowMs / 1_000));
  const REFUSED: readonly [who: string, () => Partial<Sent>, code: string][] = [
    ['nobody with a wrong secret', () => ({ secret: 'guessed' }), 'INTAKE_UNAUTHORIZED'],
    ['nobody with the secret of another company', () => ({ secret: THEIRS }), 'INTAKE_UNAUTHORIZED'],
    ['nobody without a signature', () => ({ headers: { 'webhook-signature': '' } }), 'INTAKE_UNAUTHORIZED'],
    [
      'nobody with a token of the operator API',
      () => ({ headers: { 'webhook-signature': '', authorization: 'Bearer lb_1' } }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody with a body that was not signed',
      () => ({ headers: { 'webhook-signature': signatureOf(NEW, 'k', at(), '{}') }, key: 'k', body }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody with an id that was not signed',
      () => ({ headers: { 'webhook-signature': signatureOf(NEW, 'other', at(), body) }, body }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody with a time that was not signed',
      () => ({ headers: { 'webhook-signature': signatureOf(NEW, 'k', '1', body) }, key: 'k', body }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody with a signature of another version',
      () => ({
        headers: { 'webhook-signature': signatureOf(NEW, 'k', at(), body).replace('v1', 'v2') },
        key: 'k',
        body,
      }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody at a tenant that is not there',
      () => ({ url: url.replace('hraun', 'nobody') }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody at an origin that is not there',
      () => ({ url: url.replace('shop', 'orders') }),
      'INTAKE_UNAUTHORIZED',
    ],
    [
      'nobody at the door of another company',
      () => ({ url: url.replace('hraun', 'vik') }),
      'INTAKE_UNAUTHORIZED',
    ],
    ['nobody whose request is six minutes old', () => ({ atSeconds: nowMs / 1_000 - 360 }), 'INTAKE_STALE'],
    ['nobody whose request is of tomorrow', () => ({ atSeconds: nowMs / 1_000 + 86_400 }), 'INTAKE_STALE'],
    ['nobody without a key', () => ({ key: '' }), 'INTAKE_KEY_INVALID'],
    ['nobody with signs in the key', () => ({ key: 'a/../b' }), 'INTAKE_KEY_INVALID'],
  ];
  test.each(REFUSED)('%s', async (_who, more, code) => {
    const sent = fresh(more());
    const { status, answer } = await send(sent);
    expect(answer).toMatchObject({ code, remedy: expect.any(String) as string });
    expect(status).toBe(code === 'INTAKE_KEY_INVALID' ? 400 : 401);
    expect(await rows(sent.key)).toBe(0);
  });

  test('whoever signs with the new secret, or the one before it while it is named', async () => {
    expect((await send(fresh({ secret: NEW }))).status).toBe(202);
    expect((await send(fresh({ secret: OLD }))).status).toBe(202);
    secrets = [NEW];
    expect((await send(fresh({ secret: OLD }))).status).toBe(401);
  });

  test('whoever signs twice, with an old and a new one of their own', async () => {
    const sent = fresh();
    const good = signatureOf(NEW, sent.key, at(), sent.body ?? '');
    const headers = { 'webhook-signature': `v1,AAAA ${good}` };
    expect((await send({ ...sent, headers })).status).toBe(202);
  });

  test('a stranger who goes on guessing is told to wait, and learns nothing', async () => {
    const seen = new Set<unknown>();
    for (let guess = 0; guess < 25; guess++)
      seen.add(
        (await send(fresh({ secret: 'guessed', url: url.replace('hraun', 'nobody') }))).answer['code'],
      );
    expect([...seen]).toEqual(['INTAKE_UNAUTHORIZED', 'INTAKE_RATE_LIMITED']);
    // Whoever has the secret is not held up by it.
    expect((await send(fresh())).status).toBe(202);
  });
});

describe('what is taken', () => {
  test('a record is on record before it is acknowledged, and says where to ask for it', async () => {
    const sent = fresh();
    const { status, answer, headers } = await send(sent);
    expect(status).toBe(202);
    expect(answer).toMatchObject({ key: sent.key, kind: 'invoice', reference: `SO-${String(keys)}` });
    expect(await rows(sent.key)).toBe(1);
    const asked = await send({
      ...fresh({ key: sent.key }),
      method: 'GET',
      body: '',
      url: new URL(headers.get('location')!, url).href,
    });
    expect(asked.answer).toMatchObject({ key: sent.key, state: 'waiting', number: null, guid: null });
  });

  test('files that come with a record are kept beside it, each by its hash, and the record names them', async () => {
    const content = Buffer.from('%PDF-1.4').toString('base64');
    const files = [
      { name: 'a.pdf', content },
      { name: 'b.pdf', content },
    ];
    const sent = fresh({ body: JSON.stringify(invoice('SO-F', { files })) });
    expect((await send(sent)).status).toBe(202);
    const inbox = createInbox(db, 'hraun', 'shop');
    const record = await inbox.newest('invoice', 'SO-F');
    const named = (JSON.parse(record!.content) as { files: { name: string; sha256: string }[] }).files;
    expect(named.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf']);
    const origin = new InboxOrigin('shop', inbox);
    const bytes = await origin.file(record!.place, named[0]!);
    expect(Buffer.from(bytes!).toString()).toBe('%PDF-1.4');
    expect(await prisma.inboxFile.count()).toBe(1);
    expect(await origin.file(record!.place, { name: 'a.pdf', sha256: '0' })).toBeNull();
  });

  test('the same again is the same answer, once', async () => {
    const sent = fresh();
    const first = await send(sent);
    const again = await send({ ...sent, atSeconds: nowMs / 1_000 + 5 });
    expect(again).toMatchObject({ status: 202, answer: first.answer });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await rows(sent.key)).toBe(1);
  });

  test('another body under the same key is refused, and the first one stands', async () => {
    const sent = fresh();
    await send(sent);
    const other = await send({ ...sent, body: JSON.stringify(invoice('SO-OTHER')) });
    expect(other).toMatchObject({ status: 409, answer: { code: 'INTAKE_KEY_REUSED' } });
    expect(await prisma.originInbox.findFirst({ where: { key: sent.key } })).not.toMatchObject({
      reference: 'SO-OTHER',
    });
  });

  test('ten at once under one key are one, and ten at once under ten keys are ten in order', async () => {
    const sent = fresh();
    const same = await Promise.all(Array.from({ length: 10 }, () => send(sent)));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await rows(sent.key)).toBe(1);
    nowMs += 60_000;
    const ten = await Promise.all(Array.from({ length: 10 }, () => send(fresh())));
    expect(new Set(ten.map(({ status }) => status))).toEqual(new Set([202]));
  });

  test('records of one place are put there one after the other, so that no look overtakes one; other places do not wait', async () => {
    const deliveries = createDeliveries(db);
    const content = JSON.stringify(invoice('SO-1'));
    const put = (tenantName: string) =>
      deliveries.accept({
        ...{ tenantName, origin: 'shop', key: 'k', bodyHash: 'h', waitingMax: 1_000 },
        record: { kind: 'invoice', reference: 'SO-1', place: 'k:1', content },
      });
    const held = await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('origin_inbox busy shop', 0))`;
      const waits = put('busy');
      expect(await Promise.race([waits.then(() => 'put'), put('idle').then(() => 'idle')])).toBe('idle');
      expect(await prisma.originInbox.count({ where: { tenantName: 'busy' } })).toBe(0);
      return { waits };
    });
    expect(await held.waits).toMatchObject({ outcome: 'accepted' });
  });

  test('the example of the docs is one', async () => {
    const page = readFileSync(new URL('../../../docs/how-to/outbound.md', import.meta.url), 'utf8');
    const example = /```sh\n(send\(\)[^]*?)```/.exec(page)?.[1] ?? '';
    const before = nowMs;
    nowMs = Date.now();
    onTestFinished(() => void (nowMs = before));
    const env = { ...process.env, BRIDGE: new URL(url).origin, SHOP_SECRET: NEW };
    const { stdout } = await promisify(execFile)('bash', ['-ec', example], { env });
    expect(stdout).toMatch(/"reference":"SO-1001".*"state":"waiting"/s);
  });
});

describe('what is refused', () => {
  const REFUSED: readonly [what: string, Partial<Sent>, status: number, code: string, detail: RegExp][] = [
    ['no JSON', { body: '{' }, 422, 'INTAKE_UNREADABLE', /is not JSON/],
    ['a list', { body: '[]' }, 422, 'INTAKE_UNREADABLE', /not an object/],
    ['an unknown kind', { body: '{"kind":"wish","reference":"A"}' }, 422, 'INTAKE_UNREADABLE', /kind "wish"/],
    [
      'a field that nobody knows',
      { body: JSON.stringify(invoice('A-1', { pris: 1 })) },
      422,
      'INTAKE_UNREADABLE',
      /pris/,
    ],
    [
      'a day that is none',
      { body: JSON.stringify(invoice('A-1', { issue_date: '2026-02-30' })) },
      422,
      'INTAKE_UNREADABLE',
      /issue_date/,
    ],
    ['no reference', { body: JSON.stringify(invoice('')) }, 422, 'INTAKE_UNREADABLE', /reference/],
    [
      'a file that is no base64',
      { body: JSON.stringify(invoice('A-1', { files: [{ name: 'a.pdf', content: '!' }] })) },
      ...([422, 'INTAKE_UNREADABLE', /a\.pdf is not base64/] as const),
    ],
    ['another type', { headers: { 'content-type': 'text/csv' } }, 415, 'INTAKE_TYPE_UNKNOWN', /JSON/],
    ['too much', { body: `{"a":"${'x'.repeat(7 * 1024 * 1024)}"}` }, 413, 'INTAKE_TOO_LARGE', /bytes/],
  ];
  test.each(REFUSED)(
    '%s, with its reason, and nothing is kept',
    async (_what, more, status, code, detail) => {
      const sent = fresh(more);
      const { answer, status: given } = await send(sent);
      expect([given, answer['code']]).toEqual([status, code]);
      expect(answer['detail']).toMatch(detail);
      expect(await rows(sent.key)).toBe(0);
      // The key is still good.
      expect((await send(fresh({ key: sent.key }))).status).toBe(202);
    },
  );

  test('more than is taken in a second, with how long to wait', async () => {
    const sent = fresh();
    const codes = new Set<number>();
    let wait: string | null = null;
    for (let call = 0; call < 60; call++) {
      const { status, headers } = await send(sent);
      codes.add(status);
      wait = headers.get('retry-after') ?? wait;
    }
    expect([...codes]).toEqual([202, 429]);
    expect(Number(wait)).toBeGreaterThan(0);
    // The limit is that of one place.
    expect((await send(fresh({ url: url.replace('hraun', 'vik'), secret: THEIRS }))).status).toBe(202);
  });

  test('more than may wait, until some were taken up; what is known is known all the same', async () => {
    const known = fresh();
    await send(known);
    waitingMax = await prisma.originInbox.count({ where: { tenantName: 'hraun' } });
    const full = await send(fresh());
    expect(full).toMatchObject({ status: 503, answer: { code: 'INTAKE_FULL' } });
    expect(full.headers.get('retry-after')).toBe('60');
    expect((await send(known)).status).toBe(202);
    const last = await prisma.originInbox.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const at = { tenantName: 'hraun', origin: 'shop', cursor: String(last.id), lookedAt: new Date() };
    await prisma.originCursor.create({ data: at });
    expect((await send(fresh())).status).toBe(202);
  });

  test('more large ones at once than memory is meant for, whoever sends them; small ones are taken meanwhile', async () => {
    const begun = [...beginLarge(2, '127.0.0.2'), ...beginLarge(2, '127.0.0.3')];
    await Promise.all(begun.map((sending) => once(sending, 'socket')));
    const answers = async () => (await send(large())).answer;
    await expect.poll(answers).toMatchObject({ code: 'INTAKE_FULL' });
    expect((await send(large())).headers.get('retry-after')).toBe('2');
    expect((await send(fresh())).status).toBe(202);
    for (const sending of begun) sending.destroy();
    await expect.poll(answers).toMatchObject({ code: 'INTAKE_UNREADABLE' });
  });

  test('large ones without the headers of a signature take no place of others, and two of one address are enough', async () => {
    const anonymous = beginLarge(4, '127.0.0.2', { 'webhook-signature': 'v1,guess' });
    const statuses = await Promise.all(anonymous.map(statusOf));
    expect(statuses).toEqual([401, 401, 401, 401]);
    const greedy = beginLarge(4, '127.0.0.2');
    await expect.poll(async () => await Promise.race(greedy.map(statusOf))).toBe(503);
    expect((await send(large())).answer).toMatchObject({ code: 'INTAKE_UNREADABLE' });
  });

  test('a body that comes drop by drop is refused after its time, and leaves its place to others', async () => {
    const slow = [...beginLarge(2, '127.0.0.2'), ...beginLarge(2, '127.0.0.3')];
    const dripping = setInterval(() => {
      for (const sending of slow) if (!sending.destroyed) sending.write(' ');
    }, 50);
    onTestFinished(() => clearInterval(dripping));
    expect(await Promise.all(slow.map(statusOf))).toEqual([408, 408, 408, 408]);
    expect((await send(large())).answer).toMatchObject({ code: 'INTAKE_UNREADABLE' });
  });

  test('asking for what was never taken, or under another key than was signed', async () => {
    const sent = fresh();
    await send(sent);
    const ask = (key: string, path: string) =>
      send({ ...fresh({ key }), method: 'GET', body: '', url: `${url}/${path}` });
    expect(await ask('never', 'never')).toMatchObject({ status: 404, answer: { code: 'INTAKE_NOTHING' } });
    expect(await ask('never', sent.key)).toMatchObject({ status: 404 });
    expect(await ask(sent.key, sent.key)).toMatchObject({ status: 200 });
  });
});
