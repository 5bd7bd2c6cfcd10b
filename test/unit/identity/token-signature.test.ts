// An ID token is believed because of its signature, not because of the connection that it came over.
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentityProvider } from '../../../src/identity/identity-provider.js';

const BACK = 'http://localhost/login/openid/back';
const published = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
let signingKey: KeyObject;
let nonce = '';
let issuer = '';
let server: Server;

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'bridge', sub: '7', iat: now, exp: now + 60, nonce, groups: ['admins'] };
  const signed = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded({ ...claims, preferred_username: 'gudrun' })}`;
  return `${signed}.${createSign('sha256').update(signed).sign(signingKey).toString('base64url')}`;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        ...{ authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/keys`, id_token_signing_alg_values_supported: ['RS256'] },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      }),
      '/keys': () => ({
        keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
      }),
      '/token': () => ({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken() }),
    };
    const answer = answers[path];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});

afterAll(() => server.close());

async function signInWith(key: KeyObject) {
  signingKey = key;
  const provider = createIdentityProvider({
    ...{ issuer, clientId: 'bridge', clientSecret: null, scopes: ['openid'] },
    ...{ login: 'preferred_username', groups: 'groups' },
  });
  const { pending } = await provider.begin(BACK);
  nonce = pending.nonce;
  return provider.finish(`${BACK}?code=c&state=${pending.state}`, pending);
}

test('somebody with a token that the provider signed is let in', async () => {
  expect(await signInWith(published.privateKey)).toMatchObject({ login: 'gudrun', groups: ['admins'] });
});

test('nobody is let in with a token that another key signed', async () => {
  await expect(signInWith(foreign.privateKey)).rejects.toMatchObject({ code: 'IDENTITY_UNREACHABLE' });
});
