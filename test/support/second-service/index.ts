/**
 * A second invoicing service, written from the two API documents alone, by somebody who had not seen the sandbox,
 * the client, or anything that was recorded from either. Where the documents leave freedom it takes the awkward one
 * (`freedoms.ts`); whatever they require or forbid it checks. Creating is never idempotent. It keeps a log of the calls,
 * counts what it has, and does wrong what a test plans (`faults.ts`).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNT, type Account } from './account.js';
import type { Answer, Recognised } from './answer.js';
import { Audit } from './audit.js';
import { withoutCredentials, type Call } from './call-log.js';
import { Desk } from './desk.js';
import { Faults, type Fault } from './faults.js';
import type { Freedoms } from './freedoms.js';
import { toJsonText } from './json-text.js';
import { OAuth } from './oauth.js';
import { recogniseAgent, type AgentSide } from './recognise-agent.js';
import { recogniseCredential } from './recognise-credential.js';
import { recogniseOAuth } from './recognise-oauth.js';
import { Refusal } from './refusal.js';
import { readRequest, type Arrived } from './wire.js';
import { World } from './world.js';

export type { Call } from './call-log.js';
export type { Fault } from './faults.js';
export type { Freedoms } from './freedoms.js';

export interface SecondServiceOptions {
  readonly freedoms?: Partial<Freedoms>;
  /** Whose it is; a test with several services gives each its own. */
  readonly account?: Partial<Account>;
  readonly now?: () => Date;
}

export class SecondService {
  readonly account: Account;
  readonly world: World;
  readonly desk: Desk;
  readonly oauth: OAuth;
  readonly faults = new Faults();
  readonly calls: Call[] = [];
  /** What no client may do and the service can only notice. */
  readonly violations: string[] = [];
  readonly #side: AgentSide;
  readonly #server: Server;
  readonly #late = new Set<NodeJS.Timeout>();

  private constructor({ freedoms = {}, account = {}, now = () => new Date() }: SecondServiceOptions) {
    this.account = { ...ACCOUNT, ...account };
    this.world = new World(freedoms, now);
    this.desk = new Desk(this.world);
    this.oauth = new OAuth(this.world);
    this.#side = { world: this.world, account: this.account, oauth: this.oauth, audit: new Audit(now) };
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: SecondServiceOptions = {}): Promise<SecondService> {
    const service = new SecondService(options);
    await new Promise<void>((listening) => service.#server.listen(0, '127.0.0.1', listening));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Calls of one operation, `create-invoice` or `POST /invoices`. */
  callsOf(operation: string): Call[] {
    return this.calls.filter((call) => call.operation === operation);
  }

  async close(): Promise<void> {
    for (const timer of this.#late) clearTimeout(timer);
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const arrived = await readRequest(request);
      const recognised =
        recogniseOAuth(this.#side, arrived) ??
        recogniseAgent(this.#side, arrived) ??
        recogniseCredential(this.world, this.account, arrived);
      if (recognised === null) {
        this.violations.push(`no such endpoint: ${arrived.method} ${arrived.path}`);
        return send(response, {
          status: 404,
          body: { code: 404, message: 'Not found', error: true, status: false },
        });
      }
      this.#handle(recognised, arrived, response);
    } catch (error) {
      // Whoever sent it died half-way, and nothing comes of it.
      if (!request.complete) return void response.destroy();
      // A fault of this service itself must turn a test red, never look like one of the planned ones.
      this.violations.push(`the service failed: ${String(error)}`);
      response.destroy();
    }
  }

  #handle(recognised: Recognised, arrived: Arrived, response: ServerResponse): void {
    const call = this.#record(recognised, arrived);
    const closed = this.#maintenance(recognised, arrived);
    const fault = closed === null ? this.faults.take(recognised.operation) : null;
    call.fault = fault?.kind ?? null;
    if (closed !== null) return send(response, closed);
    if (fault === null) return send(response, this.#perform(recognised, call));
    this.#fail(fault, recognised, call, response);
  }

  #fail(fault: Fault, recognised: Recognised, call: Call, response: ServerResponse): void {
    switch (fault.kind) {
      case 'hang':
        return;
      case 'lose-reply':
        this.#perform(recognised, call);
        response.destroy();
        return;
      case 'late':
        response.destroy();
        return this.#after(fault.ms, () => void this.#perform(recognised, call));
      case 'slow':
        return this.#after(fault.ms, () => send(response, this.#perform(recognised, call)));
      case 'break-after':
        this.#perform(recognised, call);
        return send(response, { status: fault.status, body: { message: 'Internal error', status: false } });
      case 'refuse':
        call.status = fault.status;
        if (fault.retryAfter !== undefined) response.setHeader('retry-after', String(fault.retryAfter));
        return send(response, { status: fault.status, body: { message: 'Try again later', status: false } });
    }
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#late.delete(timer);
      act();
    }, ms);
    this.#late.add(timer);
  }

  #perform(recognised: Recognised, call: Call): Answer {
    let answer: Answer;
    try {
      answer = recognised.perform((keys) => call.ignored.push(...keys));
      call.done = true;
    } catch (error) {
      if (!(error instanceof Refusal)) this.violations.push(`the service failed: ${String(error)}`);
      const refusal = error instanceof Refusal ? error : new Refusal('Internal error', 500);
      call.message = refusal.message;
      answer = recognised.refuse(refusal.message, refusal.status, refusal.extra);
    }
    call.status = answer.status;
    return answer;
  }

  #record({ surface, operation, credentials, scope }: Recognised, arrived: Arrived): Call {
    const uploads = Object.fromEntries(
      Object.entries(arrived.uploads).map(([key, file]) => [key, file.name]),
    );
    const sent = withoutCredentials({ ...arrived.query, ...arrived.form, ...uploads, ...arrived.json });
    const open = { ignored: [], fault: null, status: 0, done: false, message: '' };
    const call: Call = { at: this.world.now(), surface, operation, credentials, scope, sent, ...open };
    this.calls.push(call);
    if (arrived.method === 'POST' && operation !== 'upload-file' && 'api_key' in arrived.query) {
      this.violations.push(`credentials in the query string of ${operation}`);
    }
    return call;
  }

  /** "Always in maintenance mode: … otherwise HTTP 503"; "never send that code to production". */
  #maintenance({ operation }: Recognised, arrived: Arrived): Answer | null {
    const { maintenanceCode } = this.world.freedoms;
    const sent = arrived.query['en4_maint_code'];
    if (maintenanceCode === null) {
      if (sent !== undefined) this.violations.push(`maintenance code sent to production with ${operation}`);
      return null;
    }
    const open = sent === maintenanceCode || operation === 'authorize';
    return open ? null : { status: 503, body: { message: 'Maintenance', status: false } };
  }
}

function send(response: ServerResponse, { status, body, location }: Answer): void {
  if (location !== undefined) response.setHeader('location', location);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(toJsonText(body));
}
