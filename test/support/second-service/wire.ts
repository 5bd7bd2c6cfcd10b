import type { IncomingMessage } from 'node:http';
import type { Json } from './fields.js';
import { isObject } from './fields.js';

export interface Upload {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A request as it stands on the wire, read to its end. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, string>;
  readonly headers: IncomingMessage['headers'];
  readonly contentType: string;
  /** Fields of an urlencoded or multipart body. */
  readonly form: Record<string, string>;
  readonly uploads: Record<string, Upload>;
  /** The object of a JSON body; null when the body is none. */
  readonly json: Json | null;
}

const MOST_BYTES = 16 * 1024 * 1024;

export async function readRequest(request: IncomingMessage): Promise<Arrived> {
  const url = new URL(request.url ?? '/', 'http://service.example');
  const body = await readBody(request);
  const contentType = request.headers['content-type'] ?? '';
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  const parts = boundary === undefined ? { form: {}, uploads: {} } : readMultipart(body, boundary);
  const form = contentType.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(body.toString('utf8')))
    : parts.form;
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    contentType,
    form,
    uploads: parts.uploads,
    json: contentType.startsWith('application/json') ? readJson(body) : null,
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readJson(body: Buffer): Json | null {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** RFC 7578, as much of it as forms with small files need. */
function readMultipart(body: Buffer, boundary: string): Pick<Arrived, 'form' | 'uploads'> {
  const form: Record<string, string> = {};
  const uploads: Record<string, Upload> = {};
  const mark = Buffer.from(`--${boundary}`);
  let at = body.indexOf(mark);
  while (at >= 0) {
    const start = at + mark.length + 2;
    const end = body.indexOf(mark, start);
    if (end < 0) break;
    const split = body.indexOf('\r\n\r\n', start);
    const head = body.subarray(start, split).toString('utf8');
    const bytes = body.subarray(split + 4, end - 2);
    const name = /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? '';
    const file = /filename="([^"]*)"/i.exec(head)?.[1] ?? extendedName(head);
    if (file === undefined) form[name] = bytes.toString('utf8');
    else uploads[name] = { name: file, bytes: Buffer.from(bytes) };
    at = end;
  }
  return { form, uploads };
}

function extendedName(head: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;\r\n]+)/i.exec(head)?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}
