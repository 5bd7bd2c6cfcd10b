// Originals in a bucket of an S3-compatible service, under the same names as in a directory. Every request is signed (AWS
// Signature Version 4) together with the hash of its bytes, so the service itself refuses what arrives otherwise than it left;
// what is read is hashed again.
import { createHash } from 'node:crypto';
import aws4 from 'aws4';
import { Agent, type Dispatcher, request } from 'undici';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';
import type { VaultReading } from '../sync/originals.js';
import { pathParts, type Vault, type VaultVerdict } from './vault.js';

export interface S3Place {
  /** https://s3.eu-north-1.amazonaws.com, or where one's own server is; the bucket is the first part of the path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Before every name, without slashes at its ends; may be empty. */
  readonly prefix: string;
  readonly keyId: string;
  readonly secret: Secret;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;
const REQUEST_MS = 120_000;
/** The largest file that a tenant's settings allow. */
const BYTES_MAX = 100 * 1024 * 1024;
const SAID_CHARACTERS_MAX = 300;
const EMPTY = createHash('sha256').digest('hex');

type Method = 'GET' | 'PUT' | 'DELETE';

export function s3Vault(place: S3Place): Vault {
  const agent = new Agent({
    ...{ connections: 8, pipelining: 1, headersTimeout: REQUEST_MS, bodyTimeout: IDLE_MS },
    connect: { timeout: CONNECT_MS },
  });
  const ask = (method: Method, sha256: string, body: Uint8Array | null = null) =>
    send(agent, place, { method, path: pathOf(place, sha256), body });
  return {
    place: `s3://${[place.bucket, place.prefix].filter((part) => part !== '').join('/')}`,
    put: async (content) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const answer = await ask('PUT', sha256, content);
      if (answer.statusCode !== 200) throw await refused(answer, 'PUT');
      await answer.body.dump();
      return { sha256, size: content.byteLength };
    },
    read: async (sha256): Promise<VaultReading> => {
      const answer = await ask('GET', sha256);
      if (await isMissing(answer)) return { outcome: 'missing' };
      const pieces: Buffer[] = [];
      const found = await hashed(answer, (piece) => pieces.push(piece));
      return found === sha256 ? { outcome: 'whole', content: Buffer.concat(pieces) } : { outcome: 'changed' };
    },
    check: async (sha256): Promise<VaultVerdict> => {
      const answer = await ask('GET', sha256);
      if (await isMissing(answer)) return 'missing';
      return (await hashed(answer, () => undefined)) === sha256 ? 'whole' : 'changed';
    },
    remove: async (sha256) => {
      const answer = await ask('DELETE', sha256);
      if (![200, 204, 404].includes(answer.statusCode)) throw await refused(answer, 'DELETE');
      await answer.body.dump();
    },
    close: () => agent.close(),
  };
}

function pathOf({ endpoint, bucket, prefix }: S3Place, sha256: string): string {
  const base = new URL(endpoint).pathname.split('/');
  const parts = [...base, bucket, ...prefix.split('/'), ...pathParts(sha256)];
  return `/${parts
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/')}`;
}

interface Asked {
  readonly method: Method;
  readonly path: string;
  readonly body: Uint8Array | null;
}

/** Headers with the signature. Of what is signed, the hash of the body is part. */
export function signedHeaders(
  { endpoint, region, keyId, secret }: Pick<S3Place, 'endpoint' | 'region' | 'keyId' | 'secret'>,
  { method, path, body }: Asked,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const bodyHash = body === null ? EMPTY : createHash('sha256').update(body).digest('hex');
  const { headers } = aws4.sign(
    {
      ...{ service: 's3', region, host: new URL(endpoint).host, method, path },
      headers: { ...more, 'X-Amz-Content-Sha256': bodyHash },
    },
    { accessKeyId: keyId, secretAccessKey: secret.reveal() },
  );
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]));
}

async function send(agent: Agent, place: S3Place, asked: Asked): Promise<Dispatcher.ResponseData> {
  const { Host: _host, ...headers } = signedHeaders(place, asked);
  try {
    return await request(new URL(asked.path, place.endpoint), {
      ...{ dispatcher: agent, method: asked.method, headers, body: asked.body },
      signal: AbortSignal.timeout(REQUEST_MS),
    });
  } catch (error) {
    throw away(error instanceof Error ? error.message : String(error), error);
  }
}

async function isMissing(answer: Dispatcher.ResponseData): Promise<boolean> {
  if (answer.statusCode === 200) return false;
  if (answer.statusCode !== 404) throw await refused(answer, 'GET');
  // A bucket that is not there is no file that is missing: nothing may be taken for lost because of a setting.
  const said = await saidBy(answer);
  if (said.includes('NoSuchBucket')) throw away(`404 to GET: ${said}`);
  return true;
}

async function hashed(answer: Dispatcher.ResponseData, keep: (piece: Buffer) => void): Promise<string> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of answer.body) {
      const bytes = piece as Buffer;
      size += bytes.byteLength;
      if (size > BYTES_MAX) return '';
      hash.update(bytes);
      keep(bytes);
    }
  } catch (error) {
    throw away('the answer broke off', error);
  }
  return hash.digest('hex');
}

async function refused(answer: Dispatcher.ResponseData, method: Method): Promise<CodedError> {
  return away(`${String(answer.statusCode)} to ${method}: ${await saidBy(answer)}`);
}

async function saidBy(answer: Dispatcher.ResponseData): Promise<string> {
  const text = await answer.body.text().catch(() => '');
  return text
    .replaceAll(/<\?.*?\?>|\s+/g, ' ')
    .trim()
    .slice(0, SAID_CHARACTERS_MAX);
}

function away(said: string, cause?: unknown): CodedError {
  return new CodedError(
    'ORIGINALS_STORE_UNAVAILABLE',
    `The store of originals does not answer as it should: ${said}`,
    {
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
