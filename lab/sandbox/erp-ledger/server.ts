// An HTTP ERP for tests and the demo: stores balanced journals, keeps periods and a chart, counts entries per key.
// It promises about keys exactly what its behaviour says, and it can be told to be slow, to lose replies and to lie.
// The contract is openapi.yaml; docs/reference/sandbox-erp.md shows it to people. Memory grows with entries and nothing else.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { refusal, type Answer, Delays, deliver, send, done } from './delivery.js';
import {
  BEHAVIOUR_DEFAULT,
  behaviourSchema,
  chartSchema,
  type BehaviourChange,
  type ChartInput,
  type FaultKind,
  type LedgerBehaviour,
  Fates,
  type Period,
  type ScriptedFault,
  behaviourChangeSchema,
  periodSchema,
  scriptedFaultSchema,
} from './behaviour.js';
import { Books, isLive, shown, type StoreOutcome, type LedgerEntry } from './books.js';
import {
  planOperation,
  type LedgerRequest,
  type LedgerState,
  type PlannedOperation,
  invalid,
} from './routes.js';
import { parsedJson } from './journal-request.js';

export interface ErpLedgerOptions {
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly company?: string;
  /** Kennitala of the company; not told unless given. */
  readonly registrationNo?: string;
  readonly ledger?: string;
  /** Shared secret of the signatures; without one, unsigned requests are taken. */
  readonly secret?: string;
  readonly behaviour?: BehaviourChange;
  readonly chart?: ChartInput;
  /** Hears of every request in the moment of its effect, answered or not. */
  readonly onEffect?: (seen: Omit<PlannedOperation, 'effect'> & { readonly answer: Answer }) => void;
  /** Milliseconds since 1970, for signatures, key life and look-up lag; the system's clock by default. */
  readonly nowMs?: () => number;
}

export interface ErpLedger {
  readonly url: string;
  readonly control: ErpLedgerControl;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const DUPLICATED_KEYS_SHOWN = 1000;

export async function startErpLedger(options: ErpLedgerOptions = {}): Promise<ErpLedger> {
  const ledger = new RunningLedger(options);
  const server = createServer((incoming, response) => {
    ledger.serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  await listening(server, options.port ?? 0, options.host ?? '127.0.0.1');
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    control: ledger,
    close: () =>
      new Promise((resolve) => {
        ledger.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class RunningLedger implements ErpLedgerControl {
  readonly #options: ErpLedgerOptions;
  readonly #books = new Books();
  readonly #fates = new Fates();
  readonly #delays = new Delays();
  readonly #state: LedgerState;
  #behaviour: LedgerBehaviour;
  #outcomes = noOutcomes();
  #faults: Partial<Record<FaultKind, number>> = {};
  #requests = 0;
  #unauthorized = 0;

  constructor(options: ErpLedgerOptions) {
    this.#options = options;
    this.#behaviour = behaviourSchema.parse({ ...BEHAVIOUR_DEFAULT, ...options.behaviour });
    this.setChart(options.chart ?? null);
    this.#state = {
      books: this.#books,
      company: options.company ?? 'Dæmi ehf.',
      registrationNo: options.registrationNo ?? null,
      ledger: options.ledger ?? 'sandbox',
      behaviour: () => this.#behaviour,
      nowMs: options.nowMs ?? Date.now,
      count: (outcome) => this.#outcomes[outcome]++,
    };
  }

  async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    if (body === null) {
      send(response, refusal('too_large', `A body has at most ${BODY_BYTES_MAX} bytes.`));
      return;
    }
    const request = requestOf(incoming, body);
    if (request.path.startsWith('/_control/')) {
      send(response, control(request, this));
      return;
    }
    this.#requests++;
    const unsigned = this.#signatureFault(request);
    if (unsigned !== null) {
      this.#unauthorized++;
      send(response, refusal('unauthorized', unsigned));
      return;
    }
    const planned = planOperation(request, this.#state);
    const behaviour = this.#behaviour;
    const { fault, latencyMs } = this.#fates.next(planned.operation, planned.subject, behaviour);
    if (fault !== null) this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
    if (!(await this.#delays.wait(latencyMs))) {
      incoming.socket.destroy();
      return;
    }
    const effect = (): ReturnType<typeof planned.effect> => {
      const answer = planned.effect();
      this.#options.onEffect?.({ ...planned, answer });
      return answer;
    };
    await deliver({ incoming, response, delays: this.#delays, behaviour, effect }, fault);
  }

  stop(): void {
    this.#delays.callOff();
  }

  behaviour(): LedgerBehaviour {
    return this.#behaviour;
  }

  set(change: BehaviourChange): void {
    this.#behaviour = behaviourSchema.parse({ ...this.#behaviour, ...change });
  }

  failNext(...[fault]: Parameters<ErpLedgerControl['failNext']>): void {
    this.#fates.script(fault);
  }

  closePeriod(...[period]: Parameters<ErpLedgerControl['closePeriod']>): void {
    this.#books.chart.closePeriod(period);
  }

  openAllPeriods(): void {
    this.#books.chart.openAllPeriods();
  }

  setChart(chart: ChartInput | null): void {
    this.#books.chart.chart = chart === null ? null : chartSchema.parse(chart);
  }

  entries({ offset = 0, limit = Infinity } = {}): ReturnType<ErpLedgerControl['entries']> {
    return this.#books.slice(offset, limit).map(shown);
  }

  entriesByKey(key: string): ReturnType<ErpLedgerControl['entries']> {
    return this.#books.byKey(key).map(shown);
  }

  entryById(id: string): ReturnType<ErpLedgerControl['entryById']> {
    const entry = this.#books.byId(id);
    return entry && shown(entry);
  }

  liveCount(key: string): number {
    return this.#books.byKey(key).filter(isLive).length;
  }

  duplicatedKeys(limit = DUPLICATED_KEYS_SHOWN): string[] {
    return this.keys()
      .filter((key) => this.liveCount(key) > 1)
      .slice(0, limit);
  }

  keys(): string[] {
    return [...this.#books.keys()];
  }

  counts(): LedgerCounts {
    const { stored, replayed, duplicate, collision, refused } = this.#outcomes;
    return {
      entries: this.#books.size,
      keys: this.keys().length,
      duplicatedKeys: this.duplicatedKeys(Infinity).length,
      requests: this.#requests,
      stored,
      replayed,
      duplicatesRefused: duplicate,
      collisionsRefused: collision,
      refused,
      unauthorized: this.#unauthorized,
      faults: { ...this.#faults },
    };
  }

  restore(...[entries]: Parameters<ErpLedgerControl['restore']>): void {
    for (const entry of entries) this.#books.restore(entry, this.#state.nowMs());
  }

  reset(): void {
    this.#delays.callOff();
    this.#books.clear();
    this.#books.chart.openAllPeriods();
    this.#fates.clear();
    this.#outcomes = noOutcomes();
    this.#faults = {};
    this.#requests = 0;
    this.#unauthorized = 0;
  }

  #signatureFault({ headers, ...parts }: LedgerRequest): string | null {
    if (this.#options.secret === undefined) return null;
    const given = {
      timestamp: String(headers['x-ledgerbridge-timestamp'] ?? ''),
      signature: String(headers['x-ledgerbridge-signature'] ?? ''),
    };
    return signatureFault(this.#options.secret, given, parts, this.#state.nowMs());
  }
}

function noOutcomes(): Record<StoreOutcome['outcome'], number> {
  return { stored: 0, replayed: 0, duplicate: 0, collision: 0, refused: 0 };
}

function requestOf(incoming: IncomingMessage, body: Buffer): LedgerRequest {
  const target = incoming.url ?? '/';
  const question = target.indexOf('?');
  return {
    method: incoming.method ?? 'GET',
    target,
    path: question === -1 ? target : target.slice(0, question),
    query: new URLSearchParams(question === -1 ? '' : target.slice(question + 1)),
    headers: incoming.headers,
    body,
  };
}

/** Null when it is too long; the rest is read and dropped so that the client can hear the refusal. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks) : null;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

// What a test or a demo can say to the ledger behind the client's back, in-process; control-routes.ts offers the same by HTTP.

export interface LedgerCounts {
  readonly entries: number;
  /** Distinct keys. */
  readonly keys: number;
  /** Keys with more than one live entry: what must never be above zero. */
  readonly duplicatedKeys: number;
  readonly requests: number;
  readonly stored: number;
  readonly replayed: number;
  readonly duplicatesRefused: number;
  readonly collisionsRefused: number;
  readonly refused: number;
  readonly unauthorized: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
}

export interface ErpLedgerControl {
  behaviour(): LedgerBehaviour;
  /** Changes what is named and leaves the rest. */
  set(change: BehaviourChange): void;
  /** The next requests of this kind (default: one post) meet this fault, before any that chance would choose. */
  failNext(fault: ScriptedFault): void;
  closePeriod(period: Period): void;
  openAllPeriods(): void;
  /** Null: any account, VAT code and dimension is taken. */
  setChart(chart: ChartInput | null): void;
  /** In the order of posting. The whole of a large ledger is a large answer: name a limit, or walk `keys`. */
  entries(range?: { readonly offset?: number; readonly limit?: number }): LedgerEntry[];
  entriesByKey(key: string): LedgerEntry[];
  entryById(id: string): LedgerEntry | undefined;
  /** Live entries per key: neither reversed nor reversals. */
  liveCount(key: string): number;
  /** Keys with more than one live entry, at most `limit` of them. */
  duplicatedKeys(limit?: number): string[];
  keys(): string[];
  counts(): LedgerCounts;
  /** Puts back what `entries` gave earlier, reversals and attachments included, into books that are empty. */
  restore(entries: readonly LedgerEntry[]): void;
  /** Forgets entries, counts, faults under way and closed periods; behaviour and chart stay. */
  reset(): void;
}

// The control over HTTP, under /_control, unsigned: whoever can reach the ledger can make it lie. It listens on loopback.
const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

export function control(request: LedgerRequest, ledger: ErpLedgerControl): Answer {
  const body = parsedJson(request.body);
  switch (`${request.method} ${request.path.slice('/_control'.length)}`) {
    case 'GET /behaviour':
      return done(ledger.behaviour());
    case 'PUT /behaviour': {
      const change = behaviourChangeSchema.safeParse(body);
      if (!change.success) return invalid(change.error);
      // Absent fields are absent in the parsed object too, so none is overwritten with undefined.
      ledger.set(change.data as Parameters<ErpLedgerControl['set']>[0]);
      return done(ledger.behaviour());
    }
    case 'POST /fail-next': {
      const fault = scriptedFaultSchema.safeParse(body);
      if (!fault.success) return invalid(fault.error);
      ledger.failNext(fault.data);
      return done({}, 201);
    }
    case 'POST /closed-periods': {
      const period = periodSchema.safeParse(body);
      if (!period.success) return invalid(period.error);
      ledger.closePeriod(period.data);
      return done({}, 201);
    }
    case 'DELETE /closed-periods':
      ledger.openAllPeriods();
      return done({});
    case 'PUT /chart': {
      const chart = chartSchema.nullable().safeParse(body);
      if (!chart.success) return invalid(chart.error);
      ledger.setChart(chart.data);
      return done({});
    }
    case 'GET /entries':
      return entries(request.query, ledger);
    case 'GET /counts':
      return done(ledger.counts());
    case 'GET /duplicated-keys':
      return done({ keys: ledger.duplicatedKeys(LIMIT_MAX) });
    case 'POST /reset':
      ledger.reset();
      return done({});
    default:
      return refusal(
        'not_found',
        `There is no ${request.method} ${request.path}; see docs/reference/sandbox-erp.md.`,
      );
  }
}

function entries(query: URLSearchParams, ledger: ErpLedgerControl): Answer {
  const key = query.get('key');
  if (key !== null) return done({ entries: ledger.entriesByKey(key), live: ledger.liveCount(key) });
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? LIMIT_DEFAULT);
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    return refusal('invalid', `offset is a number from 0 and limit one from 1 to ${LIMIT_MAX}.`);
  return done({ entries: ledger.entries({ offset, limit }) });
}

// Who may speak to the ledger: whoever holds the shared secret and a clock that is right within five minutes.

export const SKEW_SECONDS_MAX = 300;

export interface SignedParts {
  readonly method: string;
  /** Path with query, as it stands in the request line. */
  readonly target: string;
  readonly body: Uint8Array;
}

export function signature(secret: string, timestamp: string, parts: SignedParts): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  const signed = `${timestamp}.${parts.method}.${parts.target}.${bodyHash}`;
  return `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`;
}

/** Null when the request is signed as it must be; else a sentence. */
export function signatureFault(
  secret: string,
  headers: { readonly timestamp: string; readonly signature: string },
  parts: SignedParts,
  nowMs: number,
): string | null {
  if (!/^\d{1,12}$/.test(headers.timestamp)) return 'X-Ledgerbridge-Timestamp must be unix seconds.';
  if (Math.abs(nowMs / 1000 - Number(headers.timestamp)) > SKEW_SECONDS_MAX)
    return `X-Ledgerbridge-Timestamp is more than ${SKEW_SECONDS_MAX} seconds off; set the clock.`;
  const expected = Buffer.from(signature(secret, headers.timestamp, parts));
  const given = Buffer.from(headers.signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    return 'X-Ledgerbridge-Signature does not fit the request; check the shared secret.';
  return null;
}
