// An HTTP server that stands in for an ERP and can be made to fail on purpose. The vendor's behaviour is a plain function
// from request to reply; this file owns the socket, the faults between the two, and the bounds on both.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gatewayPage } from '../../../lab/kit/conformance/fault-proxy.js';
import type { Fault, FaultStep } from '../../../lab/kit/conformance/target.js';

export interface FakeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface FakeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/**
 * `create`: an entry that is not booked yet. `book`: the final step, an entry gets into the books. `partner`: a customer or
 * supplier is made. `clean-up`: a draft or a leftover is taken away. Tokens and the rest are `other`.
 */
export type Effect = 'none' | 'create' | 'book' | 'attach' | 'partner' | 'clean-up' | 'other';

export interface FakeVendor {
  effectOf(request: FakeRequest): Effect;
  answer(request: FakeRequest): FakeReply | Promise<FakeReply>;
  /** The vendor's way of saying no in a 200, or its usual way when it has none. */
  errorBody(request: FakeRequest): FakeReply;
  refuseAttachment(): FakeReply;
  /** The vendor's own refusal to book; its way of saying no when left out. */
  refuseBooking?(): FakeReply;
  /** The vendor's own form of 429; without one it has none that it documents. */
  rateLimited?(seconds: number): FakeReply;
  expireTokens(): void;
  /** For vendors without a log-in: the operator gives the token back. */
  renewTokens?(): void;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const LATE = { 'late-partner': 'partner', 'late-attachment': 'attach' } as const;
const HTML = '<!doctype html><html><body><h1>Viðhald</h1></body></html>';

export class FakeServer {
  readonly #vendor: FakeVendor;
  readonly #server: Server;
  #port = 0;
  #fault: Fault | undefined;
  #dead = false;
  readonly #late: FakeRequest[] = [];
  /** Every request that reached the vendor, for tests that count. */
  readonly seen: FakeRequest[] = [];
  latencyMs = 0;
  #heard = 0;

  constructor(vendor: FakeVendor) {
    this.#vendor = vendor;
    this.#server = createServer((incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  async start(): Promise<this> {
    await this.#listen(0);
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Requests that came here, whatever became of them. */
  heard(): number {
    return this.#heard;
  }

  async provoke(fault: Fault): Promise<void> {
    if (fault.kind === 'expired-token') this.#vendor.expireTokens();
    else if (fault.kind === 'unreachable') await this.#goAway();
    else this.#fault = fault;
  }

  async heal(): Promise<void> {
    this.#fault = undefined;
    this.#dead = false;
    this.#vendor.renewTokens?.();
    if (!this.#server.listening) await this.#listen(this.#port);
    for (const request of this.#late.splice(0)) await this.#vendor.answer(request);
  }

  async stop(): Promise<void> {
    await this.#hangUp();
  }

  /** Long enough for clients to notice that their idle connections are gone: nobody listens, nobody is half-way through. */
  async #goAway(): Promise<void> {
    await this.#hangUp();
    await pause(50);
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.removeListener('error', reject);
        resolve();
      });
    });
  }

  #hangUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#heard++;
    const request = await readRequest(incoming);
    if (this.latencyMs > 0) await pause(this.latencyMs);
    const reply = this.#dead ? undefined : await this.#replyTo(request);
    if (reply === undefined) {
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(reply.status, reply.headers ?? {});
    outgoing.end(reply.body);
  }

  /** Undefined: the connection breaks without an answer. */
  async #replyTo(request: FakeRequest): Promise<FakeReply | undefined> {
    const fault = this.#fault;
    const effect = this.#vendor.effectOf(request);
    const touchesBooks = effect === 'create' || effect === 'book';
    switch (fault?.kind) {
      case 'html':
        return { status: 200, headers: { 'content-type': 'text/html' }, body: HTML };
      case 'server-error':
        if (!strikes(fault.on, effect)) break;
        return { status: fault.status, headers: { 'content-type': 'text/plain' }, body: 'upstream failed' };
      case 'rate-limit':
        if (!strikes(fault.on, effect)) break;
        return this.#vendor.rateLimited?.(fault.retryAfterSeconds) ?? plainRateLimit(fault.retryAfterSeconds);
      case 'gateway-answers': {
        if (!strikes(fault.on, effect)) break;
        this.#fault = undefined;
        this.#late.push(request);
        const { status, headers, body } = gatewayPage(fault.reply);
        return { status, headers: headers as Record<string, string>, body: body.toString() };
      }
      case 'error-body':
        if (!strikes(fault.on, effect)) break;
        this.#fault = undefined;
        return this.#vendor.errorBody(request);
      case 'fail-clean-up':
        if (effect === 'clean-up') return { status: 503, body: 'upstream failed' };
        if (!fault.afterRefusal || effect !== 'book') break;
        return this.#vendor.refuseBooking?.() ?? this.#vendor.errorBody(request);
      case 'refuse-attachments':
        if (effect !== 'attach') break;
        return this.#vendor.refuseAttachment();
      case 'late-attachment':
      case 'late-arrival':
      case 'late-partner':
        if (fault.kind === 'late-arrival' ? !touchesBooks : effect !== LATE[fault.kind]) break;
        this.#fault = undefined;
        this.#late.push(request);
        return undefined;
      case 'lose-attachment-reply':
      case 'lose-reply':
        if (effect !== (fault.kind === 'lose-reply' ? 'book' : 'attach')) break;
        this.#fault = undefined;
        await this.#pass(request);
        return undefined;
      case 'die-after-create':
        if (!touchesBooks) break;
        this.#dead = true;
        await this.#pass(request);
        return undefined;
      case 'expired-token':
      case 'unreachable':
      case undefined:
    }
    return this.#pass(request);
  }

  async #pass(request: FakeRequest): Promise<FakeReply> {
    this.seen.push(request);
    return this.#vendor.answer(request);
  }
}

function plainRateLimit(seconds: number): FakeReply {
  return { status: 429, headers: { 'retry-after': String(seconds) } };
}

function strikes(on: FaultStep | 'everything', effect: Effect): boolean {
  if (on === 'everything') return true;
  return effect === 'book' || (on === 'effects' && effect === 'create');
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > BODY_BYTES_MAX) throw new RangeError('the request is too large');
    chunks.push(chunk as Buffer);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const url = new URL(incoming.url ?? '/', 'http://fake');
  return { method: incoming.method ?? 'GET', url, headers, body: Buffer.concat(chunks) };
}
