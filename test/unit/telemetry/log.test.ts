import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { maskSecrets, Secret } from '../../../src/domain/secret.js';
import { correlationId, createLog, type Log } from '../../../src/telemetry/log.js';

function capture(options: { format?: 'json' | 'pretty' | 'auto'; isTty?: boolean } = {}) {
  const written: string[] = [];
  const log = createLog({
    level: 'trace',
    format: options.format ?? 'json',
    isTty: options.isTty ?? false,
    destination: { write: (line) => void written.push(line) },
  });
  return {
    log,
    text: () => written.join(''),
    last: () => JSON.parse(written.at(-1) ?? '') as Record<string, unknown>,
  };
}

// A canary is something that must not come out, by whatever way it went in.
const CANARY = 'c4n4ry-9f"\\x';
const KENNITALA = '1203754569';
const WAYS: readonly (readonly [way: string, say: (log: Log) => void])[] = [
  ['a Secret as a fact', (log) => log.info({ apiKey: new Secret(CANARY), other: new Secret(CANARY) }, 'x')],
  ['a Secret deep down', (log) => log.info({ a: { b: [{ c: new Secret(CANARY) }] } }, 'x')],
  ['a Secret in a message', (log) => log.info(`key ${String(new Secret(CANARY))}`)],
  [
    'a Secret as an argument',
    (log) => log.info('key %s %o %j', new Secret(CANARY), new Secret(CANARY), new Secret(CANARY)),
  ],
  ['a revealed secret in a message', (log) => log.info(`sent ${new Secret(CANARY).reveal()}`)],
  [
    'a revealed secret under an innocent name',
    (log) => log.info({ body: { x: new Secret(CANARY).reveal() } }, 'x'),
  ],
  ['a revealed secret in a child', (log) => log.child({ x: new Secret(CANARY).reveal() }).info('x')],
  ['an error message', (log) => log.error({ err: new Error(`refused ${new Secret(CANARY).reveal()}`) }, 'x')],
  ['an error as the only argument', (log) => log.error(new Error(`refused ${new Secret(CANARY).reveal()}`))],
  [
    'the cause of an error',
    (log) => log.error({ err: new Error('x', { cause: new Error(new Secret(CANARY).reveal()) }) }, 'x'),
  ],
  [
    'the details of a coded error',
    (log) =>
      log.error({ err: new CodedError('CLI_USAGE', 'x', { details: { password: 'c4n4ry-9f' } }) }, 'x'),
  ],
  [
    'a key that names a secret',
    (log) => log.info({ headers: { Authorization: 'c4n4ry-9f', 'set-cookie': ['c4n4ry-9f'] } }, 'x'),
  ],
  [
    'names of secrets in several habits',
    (log) =>
      log.info(
        {
          client_secret: 'c4n4ry-9f',
          refreshToken: 'c4n4ry-9f',
          en4_maint_code: 'c4n4ry-9f',
          dbPassword: 'c4n4ry-9f',
        },
        'x',
      ),
  ],
  [
    'a bearer header in text',
    (log) => log.info({ text: 'Authorization: Bearer c4n4ry-9f.abc' }, 'Basic c4n4ry-9fabc='),
  ],
  ['a password in an address', (log) => log.info('connecting to postgres://bridge:c4n4ry-9f@db/x')],
  [
    'a credential in a query',
    (log) => log.info('GET /hello?username=a&api_key=c4n4ry-9f&en4_maint_code=c4n4ry-9f'),
  ],
  ['a kennitala in text', (log) => log.info(`customer ${KENNITALA} and 120375-4569`)],
  [
    'a kennitala as a fact',
    (log) => log.info({ customer: { registrationNo: KENNITALA }, list: [KENNITALA] }, 'x'),
  ],
  [
    'a kennitala as a number',
    (log) => log.info({ supplier: Number(KENNITALA), list: [Number(KENNITALA)] }, 'x'),
  ],
  ['a kennitala of a company', (log) => log.info({ supplier: '520375-4569' }, 'x')],
];

describe('a log line', () => {
  it.each(WAYS)('holds no secret and no kennitala that came by %s', (_way, say) => {
    for (const format of ['json', 'pretty'] as const) {
      const { log, text } = capture({ format });
      say(log);
      expect(text()).not.toBe('');
      expect(text()).not.toMatch(/c4n4ry-9f|\d{6}-?4569/);
    }
  });

  it('stays JSON after it was cleaned', () => {
    const { log, last } = capture();
    log.info({ supplier: Number(KENNITALA), list: [Number(KENNITALA), 'a'], note: `"${KENNITALA}"` }, 'ok');
    expect(last()).toMatchObject({ supplier: 'kt:***', list: ['kt:***', 'a'], note: '"kt:***"', msg: 'ok' });
  });

  it('leaves amounts, dates, guids, keys and counts alone', () => {
    const { log, last } = capture();
    const facts = {
      amount: '1234567.89',
      count: 1763171000,
      at: '2026-11-15T13:05:00.000Z',
      guid: '1c9d2fd8-0123-4567-8901-234567890120',
      key: 'IABCDEFGHIJKLMNOPQRS',
      tokens: 3,
      nothing: null,
    };
    log.info(facts, 'posted 12 of 1203754565 kr.');
    expect(last()).toMatchObject({ ...facts, level: 'info', msg: 'posted 12 of 1203754565 kr.' });
  });

  it('is bounded: long texts, deep and circular facts, bytes', () => {
    const { log, last, text } = capture();
    const circle: Record<string, unknown> = {
      bytes: Buffer.alloc(5000),
      wide: Array.from({ length: 5000 }, () => 'x'),
    };
    circle['self'] = circle;
    log.info({ circle, long: 'y'.repeat(100_000), big: 12345678901234567890n }, 'x');
    expect(last()).toMatchObject({
      circle: { self: '(circular)', bytes: '5000 bytes' },
      big: '12345678901234567890',
    });
    expect(text().length).toBeLessThan(5000);
  });

  it('carries code, disposition, details and causes of an error', () => {
    const { log, last } = capture();
    const cause = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    log.error(
      { err: new CodedError('SECRET_MISSING', 'no key', { cause, details: { reference: 'env:X' } }) },
      'x',
    );
    expect(last()['err']).toMatchObject({
      type: 'CodedError',
      code: 'SECRET_MISSING',
      disposition: 'pause-tenant',
      message: 'no key',
      details: { reference: 'env:X' },
      cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect refused' },
    });
  });

  it('is readable on a terminal and JSON elsewhere', () => {
    const terminal = capture({ format: 'auto', isTty: true });
    terminal.log.info({ tenant: 'hraun' }, 'swept');
    expect(terminal.text()).toMatch(/INFO.*swept.*"tenant":"hraun"/s);
    const file = capture({ format: 'auto', isTty: false });
    file.log.info('swept');
    expect(file.last()).toMatchObject({ level: 'info', msg: 'swept' });
  });
});

describe('a document in the log', () => {
  it('has one correlation id, the same in every process', () => {
    const document = { tenant: 'hraun', kind: 'invoice', guid: 'AAAA-1' } as const;
    expect(correlationId(document)).toBe('09772dfe6fde');
    expect(correlationId({ ...document, guid: 'aaaa-1' })).toBe(correlationId(document));
    expect(correlationId({ ...document, kind: 'cost' })).not.toBe(correlationId(document));
  });
});

describe('known secrets', () => {
  it('are masked in any text, escaped or not, and short ones are not known', () => {
    const secret = new Secret('q"uoted-secret');
    expect(maskSecrets(`a ${secret.reveal()} b ${JSON.stringify(secret.reveal())}`)).toBe('a *** b "***"');
    expect(new Secret('abc').reveal()).toBe('abc');
    expect(maskSecrets('abc')).toBe('abc');
  });
});
