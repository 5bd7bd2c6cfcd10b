// Originals in a bucket: signed as AWS publishes it, and never taken for whole, missing or lost when they are not.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { s3Vault, signedHeaders } from '../../../src/originals/s3-vault.js';
import type { Vault } from '../../../src/originals/vault.js';
import { S3_BUCKET, S3_KEYS, S3_REGION, type S3Server, startS3Server } from '../../support/s3-server.js';

const content = Buffer.from('%PDF-1.4 þetta er frumrit');
const sha256 = createHash('sha256').update(content).digest('hex');
const path = `/${S3_BUCKET}/fyrirtaeki/2026/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
let server: S3Server;
let vault: Vault;

const placeAt = (endpoint: string, more: Partial<Parameters<typeof s3Vault>[0]> = {}) => ({
  ...{ endpoint, region: S3_REGION, bucket: S3_BUCKET, prefix: 'fyrirtaeki/2026', keyId: S3_KEYS.keyId },
  secret: new Secret(S3_KEYS.secret),
  ...more,
});

beforeAll(async () => {
  server = await startS3Server();
  vault = s3Vault(placeAt(server.url));
});
beforeEach(() => {
  server.failure = null;
  server.objects.clear();
});
afterAll(async () => {
  await vault.close();
  await server.close();
});

describe('a bucket of originals', () => {
  it('keeps a file under the hash of its bytes, and gives it back whole', async () => {
    expect(await vault.put(content)).toEqual({ sha256, size: content.length });
    await vault.put(content);
    expect([...server.objects]).toEqual([[path, content]]);
    expect(await vault.read(sha256)).toEqual({ outcome: 'whole', content });
    expect(await vault.check(sha256)).toBe('whole');
    expect(vault.place).toBe('s3://frumrit/fyrirtaeki/2026');
  });

  it('says when one is gone or changed, and removes one twice without a word', async () => {
    expect([await vault.check(sha256), await vault.read(sha256)]).toEqual([
      'missing',
      { outcome: 'missing' },
    ]);
    await vault.put(content);
    server.objects.set(path, Buffer.from('rot'));
    expect([await vault.check(sha256), await vault.read(sha256)]).toEqual([
      'changed',
      { outcome: 'changed' },
    ]);
    await vault.remove(sha256);
    await vault.remove(sha256);
    expect(server.objects.size).toBe(0);
  });

  it.each([
    [{ status: 403, code: 'AccessDenied' }, /403.*AccessDenied/],
    [{ status: 503, code: 'SlowDown' }, /503.*SlowDown/],
    [{ status: 301, code: 'PermanentRedirect' }, /301/],
    ['cut-off', /broke off|terminated|other side/],
  ] as const)('takes nothing for missing or kept when it answers %j', async (failure, said) => {
    await vault.put(content);
    server.failure = failure;
    for (const ask of [() => vault.read(sha256), () => vault.check(sha256)])
      await expect(ask()).rejects.toMatchObject({ code: 'ORIGINALS_STORE_UNAVAILABLE', message: said });
    if (failure !== 'cut-off')
      await expect(vault.put(content)).rejects.toMatchObject({ code: 'ORIGINALS_STORE_UNAVAILABLE' });
  });

  it('is away, not empty, when the bucket, the key or the server is not there', async () => {
    await vault.put(content);
    for (const other of [
      placeAt(server.url, { bucket: 'annar' }),
      placeAt(server.url, { secret: new Secret('wrong') }),
      placeAt(server.url, { region: 'us-east-1' }),
      placeAt('http://127.0.0.1:9'),
    ]) {
      const elsewhere = s3Vault(other);
      await expect(elsewhere.check(sha256)).rejects.toMatchObject({ code: 'ORIGINALS_STORE_UNAVAILABLE' });
      await elsewhere.close();
    }
  });

  it('has no name from outside in its paths', async () => {
    for (const name of ['../../x.pdf', `${sha256}/..`, sha256.toUpperCase(), ''])
      await expect(vault.read(name)).rejects.toThrow('not a SHA-256');
  });
});

/** “Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk”, the examples that AWS publishes. */
describe('the signature of a request', () => {
  const examples = {
    endpoint: 'https://examplebucket.s3.amazonaws.com',
    ...{ region: 'us-east-1', keyId: 'AKIAIOSFODNN7EXAMPLE' },
    secret: new Secret('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'),
  };
  const dated = { 'X-Amz-Date': '20130524T000000Z' };

  it.each([
    {
      asked: { method: 'PUT', path: '/test%24file.text', body: Buffer.from('Welcome to Amazon S3.') },
      more: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'X-Amz-Storage-Class': 'REDUCED_REDUNDANCY' },
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
    {
      asked: { method: 'GET', path: '/?lifecycle', body: null },
      more: {},
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    },
    {
      asked: { method: 'GET', path: '/?max-keys=2&prefix=J', body: null },
      more: {},
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    },
  ] as const)('is the published one for $asked.method $asked.path', ({ asked, more, signature }) => {
    const { Authorization } = signedHeaders(examples, asked, { ...dated, ...more });
    expect(Authorization).toContain(`Signature=${signature}`);
  });
});
