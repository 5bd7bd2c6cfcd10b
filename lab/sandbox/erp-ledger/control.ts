// What a test or a demo can say to the ledger behind the client's back, in-process; control-routes.ts offers the same by HTTP.
import {
  type BehaviourChange,
  type ChartInput,
  type FaultKind,
  type LedgerBehaviour,
  type Period,
  type ScriptedFault,
  behaviourChangeSchema,
  chartSchema,
  periodSchema,
  scriptedFaultSchema,
} from './behaviour.js';
import type { LedgerEntry } from './books.js';
import { done, refusal, type Answer } from './delivery.js';
import { parsedJson } from './journal-request.js';
import { invalid, type LedgerRequest } from './routes.js';

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
