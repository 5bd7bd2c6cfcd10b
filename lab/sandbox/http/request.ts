// A request, read whole and bounded, with its body in whichever of the three forms it came.
import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Attachment } from '../model.js';
import { Refusal } from '../service/refusal.js';

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

// multipart/form-data, read from a body that is already whole and bounded. Enough for the forms of both documents:
// fields and files, quoted names, UTF-8 file names.

export interface UploadedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

interface FormBody {
  readonly fields: Map<string, string>;
  readonly files: Map<string, UploadedFile>;
}

const PARTS_MAX = 200;
const PART_HEADER_BYTES_MAX = 8_192;

/** null: the body is not what its boundary promises. */
export function parseMultipart(body: Buffer, contentType: string): FormBody | null {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const marker = boundary?.[1] ?? boundary?.[2];
  if (marker === undefined) return null;
  const form: FormBody = { fields: new Map(), files: new Map() };
  const delimiter = `\r\n--${marker}`;
  let position = body.indexOf(`--${marker}`) === 0 ? marker.length + 2 : -1;
  for (let count = 0; position !== -1 && count < PARTS_MAX; count += 1) {
    if (body.toString('latin1', position, position + 2) === '--') return form;
    const headerEnd = body.indexOf('\r\n\r\n', position);
    if (headerEnd === -1 || headerEnd - position > PART_HEADER_BYTES_MAX) return null;
    const end = body.indexOf(delimiter, headerEnd + 2);
    if (end === -1) return null;
    addPart(
      form,
      body.toString('utf8', position + 2, headerEnd),
      body.subarray(headerEnd + 4, Math.max(end, headerEnd + 4)),
    );
    position = end + delimiter.length;
  }
  return null;
}

function addPart(form: FormBody, headers: string, content: Buffer): void {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = /[\s;]name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) return;
  const fileName = /filename="([^"]*)"/i.exec(disposition)?.[1];
  if (fileName === undefined) {
    form.fields.set(name, content.toString('utf8'));
    return;
  }
  const contentType = /^content-type:\s*(\S+)/im.exec(headers)?.[1] ?? 'application/octet-stream';
  form.files.set(name, { fileName, contentType, content });
}

// HTTP Basic, as both surfaces take it: base64(username:api_key).

interface BasicCredentials {
  readonly username: string;
  readonly apiKey: string;
}

export function readBasic(header: string): BasicCredentials | null {
  if (!/^basic /i.test(header)) return null;
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? null : { username: text.slice(0, colon), apiKey: text.slice(colon + 1) };
}

// Uploaded files under the limits of Document 1: jpg, jpeg, png, gif or pdf, at most 5 MB, and what the name says they are.

const ATTACHMENT_BYTES_MAX = 5 * 1024 * 1024;

const SIGNATURES: Readonly<Record<string, string>> = {
  pdf: '25504446',
  png: '89504e47',
  gif: '47494638',
  jpg: 'ffd8ff',
  jpeg: 'ffd8ff',
};

export function costAttachment(file: UploadedFile | null): Attachment | null {
  if (file === null) return null;
  const extension = extensionOf(file.fileName);
  const signature = SIGNATURES[extension];
  if (signature === undefined)
    throw new Refusal('attachment', 'The file must be one of: jpg, jpeg, png, gif, pdf');
  if (file.content.length > ATTACHMENT_BYTES_MAX)
    throw new Refusal('attachment', 'The file must not be larger than 5 MB');
  if (!file.content.toString('hex', 0, 4).startsWith(signature))
    throw new Refusal('attachment', `The file is no ${extension}`);
  return anyAttachment(file);
}

export function anyAttachment(file: UploadedFile): Attachment {
  return {
    file_name: file.fileName.slice(0, 200),
    file_extension: extensionOf(file.fileName),
    content: file.content,
  };
}

function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase();
}
