// Puts an answer on the wire, or does to it what a fault asks for. By now the effect has happened.
import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Exchange } from './exchange.js';
import { byteLength, headersOf, isList, wholeBody, writeReply, type Reply } from './reply.js';

/** The connection is to be reset without a word. */
export const DROPPED = Symbol('dropped');
export type Outcome = Reply | typeof DROPPED;

const HTML_PAGE =
  '<!doctype html><html><head><title>Please stand by</title></head><body><h1>Please stand by</h1></body></html>';
const DRIP_BYTES_MAX = 4_096;

/** The HTTP status the client can see; null when it sees none. */
export async function deliver(
  response: ServerResponse,
  outcome: Outcome,
  exchange: Exchange,
  date: string,
): Promise<number | null> {
  if (outcome === DROPPED || exchange.fault('reset-after') !== undefined) {
    response.socket?.resetAndDestroy();
    return null;
  }
  // Left open on purpose: the client's own deadline, or the closing server, ends it.
  if (exchange.fault('lost-reply') !== undefined) return null;
  if (exchange.fault('html') !== undefined) {
    await writeReply(
      response,
      { status: 200, body: HTML_PAGE, contentType: 'text/html; charset=utf-8' },
      date,
    );
    return 200;
  }
  if (exchange.fault('garbage') !== undefined) {
    await writeReply(response, { ...outcome, body: garble(startOf(outcome)) }, date);
    return outcome.status;
  }
  if (exchange.fault('truncated') !== undefined) return truncate(response, outcome, date);
  const drip = exchange.fault('slow-drip');
  if (drip !== undefined) return dripOut(response, outcome, date, drip.delayMs ?? 50);
  await writeReply(response, outcome, date);
  return outcome.status;
}

function startOf(reply: Reply): Buffer {
  const whole = wholeBody(reply.body) ?? (isList(reply.body) ? reply.body.before : '');
  return typeof whole === 'string' ? Buffer.from(whole) : whole;
}

/** Braces and quotes turned round: of the right length and surely no JSON. */
function garble(body: Buffer): string {
  return `\u0000${body.toString('latin1').replaceAll('{', '}').replaceAll('"', "'")}`;
}

function truncate(response: ServerResponse, reply: Reply, date: string): number {
  const start = startOf(reply);
  response.writeHead(reply.status, { ...headersOf(reply, date), 'content-length': byteLength(start) + 1 });
  response.write(start.subarray(0, Math.floor(start.length / 2)), () => response.socket?.destroySoon());
  return reply.status;
}

async function dripOut(
  response: ServerResponse,
  reply: Reply,
  date: string,
  delayMs: number,
): Promise<number> {
  const body = startOf(reply);
  response.writeHead(reply.status, { ...headersOf(reply, date), 'content-length': byteLength(body) });
  const slow = Math.min(body.length, DRIP_BYTES_MAX);
  for (let position = 0; position < slow && !response.destroyed; position += 1) {
    response.write(body.subarray(position, position + 1));
    await delay(delayMs, undefined, { ref: false });
  }
  response.end(body.subarray(slow));
  return reply.status;
}
