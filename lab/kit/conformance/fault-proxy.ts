// A reverse proxy that does to HTTP what networks and servers do: loses answers, delivers late, refuses, talks HTML. It stands
// between an adapter and a real ERP (or a fake), so that neither needs to know about faults.
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Fault, type FaultStep, GATEWAY_RETRY_AFTER_SECONDS, type GatewayReply } from './target.js';

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * `create` makes an entry (perhaps a draft), `post` makes a draft final, `attach` adds a file, `partner` makes a customer or
 * supplier, `clean-up` takes a draft or a leftover away; all else is `other`.
 */
export type RequestClass = 'create' | 'post' | 'attach' | 'partner' | 'clean-up' | 'other';

export interface FaultProxyOptions {
  /** Where the ERP is; plain http. */
  readonly upstream: string;
  classify(request: ProxiedRequest): RequestClass;
  /** Whether booking is one request or two: decides whose answer is lost. */
  readonly finalStep: 'create' | 'post';
  /** The ERP's own form of an error inside a successful answer. */
  errorBody(request: ProxiedRequest): string;
  /** What the ERP's own 429 looks like beside Retry-After; an empty object when left out. */
  readonly rateLimit?: { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  /** The ERP's own refusal to book; when left out, 200 with its form of an error. */
  readonly refusal?: { readonly status: number; readonly body: string };
  /** The ERP's own refusal of an attachment. */
  readonly attachmentRefusal: { readonly status: number; readonly body: string };
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const LATE = { 'late-arrival': 'create', 'late-partner': 'partner', 'late-attachment': 'attach' } as const;
const HTML = '<!doctype html><html><body><h1>Innskráning</h1></body></html>';

export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held: ProxiedRequest[] = [];
  #authorizations = new Set<string>();
  #expired: ReadonlySet<string> = new Set();
  #fault: Fault | null = null;
  #isDead = false;
  #port = 0;
  #heard = 0;

  constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#server = createServer((incoming, outgoing) => {
      this.#handle(incoming, outgoing).catch(() => incoming.socket.destroy());
    });
    this.#server.keepAliveTimeout = 1_000;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests that came here, whatever became of them. */
  heard(): number {
    return this.#heard;
  }

  async provoke(fault: Fault): Promise<void> {
    this.#fault = fault;
    if (fault.kind === 'expired-token') this.#expired = new Set(this.#authorizations);
    if (fault.kind === 'unreachable') await this.stop();
  }

  async heal(): Promise<void> {
    this.#fault = null;
    this.#isDead = false;
    this.#expired = new Set();
    if (!this.#server.listening) await this.start();
    for (const request of this.#held.splice(0)) await this.#forward(request);
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#heard++;
    const request = await readRequest(incoming);
    const reply = await this.#reply(request);
    if (reply === 'cut') incoming.socket.destroy();
    else outgoing.writeHead(reply.status, withoutFraming(reply.headers)).end(reply.body);
  }

  async #reply(request: ProxiedRequest): Promise<Reply | 'cut'> {
    if (this.#isDead) return 'cut';
    const kind = this.#options.classify(request);
    const fault = this.#fault;
    switch (fault?.kind) {
      case 'lose-reply':
      case 'lose-attachment-reply':
        if (kind !== (fault.kind === 'lose-reply' ? this.#options.finalStep : 'attach'))
          return this.#forward(request);
        this.#fault = null;
        await this.#forward(request);
        return 'cut';
      case 'die-after-create':
        if (kind !== 'create') return this.#forward(request);
        this.#isDead = true;
        await this.#forward(request);
        return 'cut';
      case 'late-arrival':
      case 'late-attachment':
      case 'late-partner':
        if (kind !== LATE[fault.kind]) return this.#forward(request);
        this.#fault = null;
        this.#held.push(request);
        return 'cut';
      case 'error-body':
        if (!this.#strikes(fault.on, kind)) return this.#forward(request);
        this.#fault = null;
        return reply(200, this.#options.errorBody(request));
      case 'gateway-answers':
        if (!this.#strikes(fault.on, kind)) return this.#forward(request);
        this.#fault = null;
        this.#held.push(request);
        return gatewayPage(fault.reply);
      default:
        return this.#standing(fault, kind, request) ?? this.#forward(request);
    }
  }

  /** Faults that stay until the bed is healed and forward nothing that they strike. */
  #standing(fault: Fault | null, kind: RequestClass, request: ProxiedRequest): Reply | null {
    switch (fault?.kind) {
      case 'rate-limit':
        if (!this.#strikes(fault.on, kind)) return null;
        return this.#rateLimited(fault.retryAfterSeconds);
      case 'server-error':
        return this.#strikes(fault.on, kind) ? reply(fault.status, 'upstream trouble') : null;
      case 'fail-clean-up':
        if (kind === 'clean-up') return reply(503, 'upstream trouble');
        if (!fault.afterRefusal || kind !== this.#options.finalStep) return null;
        return this.#refused(request);
      case 'html':
        return reply(200, HTML, { 'content-type': 'text/html' });
      case 'refuse-attachments': {
        const { status, body } = this.#options.attachmentRefusal;
        return kind === 'attach' ? reply(status, body) : null;
      }
      default:
        return null;
    }
  }

  #refused(request: ProxiedRequest): Reply {
    const { refusal } = this.#options;
    return refusal ? reply(refusal.status, refusal.body) : reply(200, this.#options.errorBody(request));
  }

  #rateLimited(seconds: number): Reply {
    const own = this.#options.rateLimit ?? { body: '{}', headers: {} };
    return reply(429, own.body, { ...own.headers, 'retry-after': String(seconds) });
  }

  #strikes(on: FaultStep | 'everything', kind: RequestClass): boolean {
    if (on === 'everything') return true;
    return on === 'final-step'
      ? kind === this.#options.finalStep
      : ['create', 'post', 'attach'].includes(kind);
  }

  #forward(request: ProxiedRequest): Promise<Reply> {
    const { authorization } = request.headers;
    const isExpired = authorization !== undefined && this.#expired.has(authorization);
    if (authorization !== undefined) this.#authorizations.add(authorization);
    const headers = { ...request.headers, ...(isExpired ? { authorization: 'Bearer expired' } : {}) };
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        new URL(request.path, this.#options.upstream),
        { method: request.method, headers: { ...headers, connection: 'close' } },
        (answer) => {
          collect(answer).then(
            (body) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body }),
            reject,
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(request.body);
    });
  }
}

/** What a proxy says in its own name. */
export function gatewayPage(status: GatewayReply): Reply {
  const wait = status === 429 ? { 'retry-after': String(GATEWAY_RETRY_AFTER_SECONDS) } : {};
  return reply(status, HTML, { 'content-type': 'text/html', ...wait });
}

function reply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) };
}

async function readRequest(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name === 'connection' || name === 'transfer-encoding' || name === 'content-length') continue;
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const body = await collect(incoming);
  if (body.length > 0) headers['content-length'] = String(body.length);
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body };
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const piece = chunk as Buffer;
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('body too large for the proxy');
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

/** The body was read whole, so its length is set anew and nothing is chunked. */
function withoutFraming(headers: Reply['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    const isFraming = ['transfer-encoding', 'connection', 'content-length'].includes(name.toLowerCase());
    if (value !== undefined && !isFraming) kept[name] = value;
  }
  return kept;
}
