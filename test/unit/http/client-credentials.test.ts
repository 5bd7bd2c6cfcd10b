import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { createClientCredentials } from '../../../src/http/client-credentials.js';
import type { HttpClient, HttpRequest, HttpResult } from '../../../src/http/http-client.js';

function login(
  replies: (HttpResult | string)[],
  style: 'form' | 'basic' = 'form',
  scope: string | string[] = 'all',
) {
  const time = { now: 0 };
  const sent: HttpRequest[] = [];
  const http: HttpClient = {
    send: (request) => {
      sent.push(request);
      const reply = replies.shift() ?? '{"access_token":"later","expires_in":3600}';
      return Promise.resolve(typeof reply === 'string' ? response(200, reply) : reply);
    },
    close: () => Promise.resolve(),
  };
  const tokens = createClientCredentials({
    http,
    clock: { now: () => new Date(time.now) },
    tokenUrl: new URL('https://login.example/token'),
    clientId: 'app',
    clientSecret: new Secret('s3cret'),
    scope,
    style,
  });
  return { tokens, time, sent };
}

function response(status: number, body: string): HttpResult {
  return { outcome: 'response', status, headers: {}, body: Buffer.from(body), durationMs: 1 };
}

async function revealed(answer: ReturnType<ReturnType<typeof login>['tokens']['current']>): Promise<string> {
  const got = await answer;
  return got.outcome === 'ok' ? got.token.reveal() : got.outcome;
}

describe('client credentials', () => {
  it('fetches one token for many who wait, and a new one a minute before it expires', async () => {
    const { tokens, time, sent } = login(['{"access_token":"first","expires_in":3600}']);
    const many = await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
    expect(new Set(many.map((answer) => (answer.outcome === 'ok' ? answer.token : answer))).size).toBe(1);
    expect(sent).toHaveLength(1);
    time.now = 3_539_999;
    expect(await revealed(tokens.current())).toBe('first');
    time.now = 3_540_000;
    expect(await revealed(tokens.current())).toBe('later');
  });

  it('tries the next scopes when the first are not granted, and begins with those from then on', async () => {
    const refused = response(400, '{"error":"invalid_scope"}');
    const { tokens, time, sent } = login([refused, '{"access_token":"first","expires_in":3600}'], 'form', [
      'new',
      'old',
    ]);
    expect(await revealed(tokens.current())).toBe('first');
    time.now = 3_600_000;
    expect(await revealed(tokens.current())).toBe('later');
    const scopes = sent.map(({ body }) => new URLSearchParams(body as string).get('scope'));
    expect(scopes).toEqual(['new', 'old', 'old']);
  });

  it('forgets the token that was refused, and no newer one', async () => {
    const { tokens, sent } = login(['{"access_token":"first","expires_in":3600}']);
    const first = await tokens.current();
    if (first.outcome !== 'ok') throw new Error(first.message);
    tokens.forget(first.token);
    expect(await revealed(tokens.current())).toBe('later');
    tokens.forget(first.token);
    expect(await revealed(tokens.current())).toBe('later');
    expect(sent).toHaveLength(2);
  });

  it('uses a short-lived token by half rather than fetch one for every request', async () => {
    const { tokens, time, sent } = login(['{"access_token":"brief","expires_in":30}']);
    await tokens.current();
    time.now = 14_999;
    expect(await revealed(tokens.current())).toBe('brief');
    expect(sent).toHaveLength(1);
  });

  it.each([
    [response(400, '{"error":"invalid_client"}'), 'auth'],
    [response(401, ''), 'auth'],
    [response(429, ''), 'transient'],
    [response(503, ''), 'transient'],
    [response(200, '<html>'), 'transient'],
    [
      { outcome: 'failure', reached: 'maybe-sent', reason: 'timeout', message: 'x', durationMs: 1 } as const,
      'transient',
    ],
  ])('says what a failed log-in means (%#)', async (reply, outcome) => {
    const { tokens } = login([reply]);
    const answer = await tokens.current();
    expect(answer.outcome).toBe(outcome);
    expect(JSON.stringify(answer)).not.toContain('s3cret');
    expect(await revealed(tokens.current())).toBe('later');
  });

  it('puts the secret where the service wants it, and nowhere else', async () => {
    const form = login([], 'form');
    await form.tokens.current();
    expect(form.sent[0]?.body).toContain('client_secret=s3cret');
    expect(form.sent[0]?.headers).not.toHaveProperty('authorization');
    const basic = login([], 'basic');
    await basic.tokens.current();
    expect(basic.sent[0]?.body).not.toContain('s3cret');
    expect(basic.sent[0]?.headers?.['authorization']).toBe(`Basic ${btoa('app:s3cret')}`);
  });
});
