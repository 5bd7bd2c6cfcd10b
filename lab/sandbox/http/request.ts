// A request, read whole and bounded, with its body in whichever of the three forms it came.
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseMultipart, type FormBody } from './multipart.js';

/** 5 MB of attachment, its form around it, and some room so that the 5 MB rule itself can answer. */
export const BODY_BYTES_MAX = 8 * 1024 * 1024;

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'form'; readonly form: FormBody; readonly multipart: boolean }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'unreadable'; readonly problem: string }
  | { readonly kind: 'too-large' };

export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly ip: string;
  readonly body: RequestBody;
  /** As sent, with its query. */
  readonly url: string;
}

export async function readRequest(message: IncomingMessage): Promise<SandboxRequest> {
  const url = message.url ?? '/';
  const mark = url.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark === -1 ? url : url.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers: message.headers,
    ip: message.socket.remoteAddress ?? '',
    body: hasBody(message) ? await readBody(message) : { kind: 'none' },
    url,
  };
}

function hasBody(message: IncomingMessage): boolean {
  const length = message.headers['content-length'];
  return (length !== undefined && length !== '0') || message.headers['transfer-encoding'] !== undefined;
}

async function readBody(message: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // The rest is read and dropped, so that the client can hear the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  if (bytes > BODY_BYTES_MAX) return { kind: 'too-large' };
  return parseBody(Buffer.concat(chunks), message.headers['content-type'] ?? '');
}

export function parseBody(body: Buffer, contentType: string): RequestBody {
  const type = contentType.toLowerCase();
  if (type.startsWith('application/json')) return parseJson(body.toString('utf8'));
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const fields = new Map(new URLSearchParams(body.toString('utf8')));
    return { kind: 'form', form: { fields, files: new Map() }, multipart: false };
  }
  if (type.startsWith('multipart/form-data')) {
    const form = parseMultipart(body, contentType);
    if (form === null)
      return { kind: 'unreadable', problem: 'The multipart body does not match its boundary' };
    return { kind: 'form', form, multipart: true };
  }
  return { kind: 'unreadable', problem: `Content-Type ${contentType || '(none)'} is not read here` };
}

function parseJson(text: string): RequestBody {
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'unreadable', problem: 'The body is not valid JSON' };
  }
}
