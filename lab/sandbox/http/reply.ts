// Answers, and how they are written. Long lists are written in pieces, so that "limit defaults to all records" costs
// neither memory nor the longest string JavaScript allows.
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export interface ListBody {
  readonly before: string;
  readonly rows: number;
  row(position: number): unknown;
  readonly after: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer | ListBody;
  readonly contentType?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** Lists up to this many rows are one write with a Content-Length. */
const ROWS_AT_ONCE = 200;

export function json(status: number, body: object): Reply {
  return { status, body: JSON.stringify(body) };
}

/** {…head, result: [rows], …tail} */
export function list<T>(
  head: object,
  rows: readonly T[],
  toWire: (row: T) => unknown,
  tail: object = {},
): Reply {
  const after = JSON.stringify(tail);
  return {
    status: 200,
    body: {
      before: `${JSON.stringify(head).slice(0, -1)},"result":[`,
      rows: rows.length,
      row: (position) => toWire(rows[position] as T),
      after: after === '{}' ? ']}' : `],${after.slice(1)}`,
    },
  };
}

export function isList(body: Reply['body']): body is ListBody {
  return typeof body === 'object' && 'before' in body;
}

/** The whole body as text or bytes, when it is short enough to be held; null for a list that must be streamed. */
export function wholeBody(body: Reply['body']): string | Buffer | null {
  if (!isList(body)) return body;
  if (body.rows > ROWS_AT_ONCE) return null;
  return body.before + rowsText(body, 0, body.rows) + body.after;
}

function rowsText(body: ListBody, from: number, to: number): string {
  let text = '';
  for (let position = from; position < to; position += 1)
    text += (position === 0 ? '' : ',') + JSON.stringify(body.row(position));
  return text;
}

export function headersOf(reply: Reply, date: string): Record<string, string> {
  return { 'content-type': reply.contentType ?? JSON_TYPE, date, ...reply.headers };
}

export async function writeReply(response: ServerResponse, reply: Reply, date: string): Promise<void> {
  const whole = wholeBody(reply.body);
  if (whole !== null) {
    response.writeHead(reply.status, { ...headersOf(reply, date), 'content-length': byteLength(whole) });
    response.end(whole);
    return;
  }
  if (!isList(reply.body)) return;
  response.writeHead(reply.status, headersOf(reply, date));
  response.write(reply.body.before);
  for (let from = 0; from < reply.body.rows && !response.destroyed; from += ROWS_AT_ONCE) {
    const to = Math.min(reply.body.rows, from + ROWS_AT_ONCE);
    if (!response.write(rowsText(reply.body, from, to)))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end(reply.body.after);
}

export function byteLength(body: string | Buffer): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
