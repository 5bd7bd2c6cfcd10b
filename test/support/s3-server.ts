// A bucket over HTTP, as the S3 documents describe it: it reckons every signature by itself (AWS Signature Version 4, header form),
// checks the hash of each body, and answers errors as XML. A test can make it fail.
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Server {
  readonly url: string;
  /** Path → bytes. */
  readonly objects: Map<string, Buffer>;
  /** Answers the next requests with this; null: it works. */
  failure: { readonly status: number; readonly code: string } | 'cut-off' | null;
  readonly requests: string[];
  close(): Promise<void>;
}

export const S3_KEYS = { keyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
export const S3_BUCKET = 'frumrit';
export const S3_REGION = 'eu-north-1';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export async function startS3Server(): Promise<S3Server> {
  const server = createServer((request, response) => void answer(bucket, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bucket: S3Server = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    objects: new Map(),
    failure: null,
    requests: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return bucket;
}

async function answer(bucket: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const path = request.url ?? '';
  bucket.requests.push(`${request.method ?? ''} ${path}`);
  const refuse = (status: number, code: string) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<Error><Code>${code}</Code></Error>`);
  if (bucket.failure === 'cut-off') {
    response.writeHead(200, { 'content-length': '1000' }).write('half');
    request.socket.destroySoon();
    return;
  }
  if (bucket.failure) return void refuse(bucket.failure.status, bucket.failure.code);
  if (!isSigned(request, body)) return void refuse(403, 'SignatureDoesNotMatch');
  if (request.headers['x-amz-content-sha256'] !== sha256(body))
    return void refuse(400, 'XAmzContentSHA256Mismatch');
  if (!path.startsWith(`/${S3_BUCKET}/`)) return void refuse(404, 'NoSuchBucket');
  if (request.method === 'PUT') {
    bucket.objects.set(path, body);
    return void response.writeHead(200).end();
  }
  const object = bucket.objects.get(path);
  if (request.method === 'DELETE') {
    bucket.objects.delete(path);
    return void response.writeHead(204).end();
  }
  if (!object) return void refuse(404, 'NoSuchKey');
  response.writeHead(200, { 'content-length': object.length }).end(object);
}

/** Task 1 to 3 of “Create a signed AWS API request”. */
function isSigned({ method = '', url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const [, day = '', region = '', names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (region !== S3_REGION || !names.split(';').includes('host')) return false;
  const canonical = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const [path = '', query = ''] = url.split('?');
  const asked = [method, path, query, canonical.join(''), names, sha256(body)].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(asked)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${S3_KEYS.secret}`, day), region), 's3'), 'aws4_request');
  return hmac(key, toSign).toString('hex') === given;
}
