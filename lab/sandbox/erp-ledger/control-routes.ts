// The control over HTTP, under /_control, unsigned: whoever can reach the ledger can make it lie. It listens on loopback.
import { done, refusal, type Answer } from './answer.js';
import { behaviourChangeSchema, chartSchema, periodSchema, scriptedFaultSchema } from './behaviour.js';
import type { ErpLedgerControl } from './control.js';
import { parsedJson } from './parsed-json.js';
import { invalid, type LedgerRequest } from './routes.js';

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
      return refusal('not_found', `There is no ${request.method} ${request.path}; see docs/sandbox-erp.md.`);
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
