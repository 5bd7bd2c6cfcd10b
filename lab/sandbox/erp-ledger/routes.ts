// The ledger's HTTP interface as a function from request to operation; openapi.yaml beside this file is its contract.
import type { z } from 'zod';
import { attachmentFacts } from './attachment.js';
import { done, refusal, type Answer } from './delivery.js';
import { periodSchema, type LedgerBehaviour, type Operation } from './behaviour.js';
import { shown, type Books, type StoredEntry, type StoreOutcome } from './books.js';
import { journalSchema, reversalSchema, parsedJson } from './journal-request.js';

export interface LedgerRequest {
  readonly method: string;
  /** Path with query, as it came. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** An operation that has been understood but has not happened yet: a fault may come between the two. */
export interface PlannedOperation {
  readonly operation: Operation;
  /** What the request is about: its key, else its path. Fates are drawn and scripted by it. */
  readonly subject: string;
  effect(): Answer;
}

export interface LedgerState {
  readonly books: Books;
  readonly company: string;
  readonly registrationNo: string | null;
  readonly ledger: string;
  behaviour(): LedgerBehaviour;
  nowMs(): number;
  count(outcome: StoreOutcome['outcome']): void;
}

const PAGE_DEFAULT = 100;
const PAGE_MAX = 500;
const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';
const NOT_FOUND = refusal('not_found', 'No such entry.');

export function planOperation(request: LedgerRequest, state: LedgerState): PlannedOperation {
  const { method, path, query } = request;
  if (method === 'POST' && path === '/v1/journals') return planPost(request, state);
  if (method === 'GET' && path === '/v1/journals') {
    const [key, number] = [query.get('key'), query.get('number')];
    if (key !== null) return planLookUp(key, state);
    return number === null ? planList(request, state) : planLookUpByNumber(number, state);
  }
  const [, id = '', action] = /^\/v1\/journals\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  if (method === 'POST' && action === 'reversal') return planReversal(id, request, state);
  if (method === 'POST' && action === 'attachments') return planAttachment(id, request, state);
  return { operation: 'read', subject: path, effect: () => read(method, path, id, action, state) };
}

function planPost(request: LedgerRequest, state: LedgerState): PlannedOperation {
  const body = parsedJson(request.body);
  return {
    operation: 'post',
    subject: keyIn(body) ?? request.path,
    effect: () => {
      const journal = journalSchema.safeParse(body);
      if (!journal.success) return invalid(journal.error);
      return (
        keyHeaderFault(request, journal.data.key, state) ??
        answerTo(state.books.post(journal.data, state.behaviour(), state.nowMs()), state)
      );
    },
  };
}

function planReversal(id: string, request: LedgerRequest, state: LedgerState): PlannedOperation {
  const body = parsedJson(request.body);
  return {
    operation: 'reverse',
    subject: keyIn(body) ?? request.path,
    effect: () => {
      const original = state.books.byId(id);
      if (original === undefined) return NOT_FOUND;
      const reversal = reversalSchema.safeParse(body);
      if (!reversal.success) return invalid(reversal.error);
      return (
        keyHeaderFault(request, reversal.data.key, state) ??
        answerTo(state.books.reverse(original, reversal.data, state.behaviour(), state.nowMs()), state)
      );
    },
  };
}

function planAttachment(id: string, request: LedgerRequest, state: LedgerState): PlannedOperation {
  return {
    operation: 'attach',
    subject: state.books.byId(id)?.key ?? request.path,
    effect: () => {
      const entry = state.books.byId(id);
      if (entry === undefined) return NOT_FOUND;
      const facts = attachmentFacts(request.headers['content-type'], request.body);
      if (facts === null)
        return refusal(
          'invalid',
          'Send {fileName, contentType, content in base64}, or multipart with a file.',
        );
      const kept = state.books.attach(entry, facts);
      if (kept === 'too-many')
        return refusal('invalid', 'This entry has as many attachments as it can hold.');
      return done(facts, kept === 'kept' ? 201 : 200);
    },
  };
}

function planLookUp(key: string, state: LedgerState): PlannedOperation {
  return {
    operation: 'look-up',
    subject: key,
    effect: () =>
      state.behaviour().idempotency === 'none'
        ? refusal('not_found', 'This ledger cannot look entries up by key.')
        : done({ entries: state.books.byKey(key).filter(visible(state)).map(shown) }),
  };
}

/** What people see; every ledger can be searched by it, whatever it promises about keys. */
function planLookUpByNumber(number: string, state: LedgerState): PlannedOperation {
  return {
    operation: 'look-up',
    subject: number,
    effect: () => done({ entries: state.books.byNumber(number).filter(visible(state)).map(shown) }),
  };
}

function planList({ query, target }: LedgerRequest, state: LedgerState): PlannedOperation {
  return {
    operation: 'list',
    subject: target,
    effect: () => {
      const period = periodSchema.safeParse({
        from: query.get('from') ?? FIRST_DAY,
        to: query.get('to') ?? LAST_DAY,
      });
      if (!period.success) return invalid(period.error);
      const page = countingNumber(query.get('page') ?? '1');
      const limit = countingNumber(query.get('limit') ?? String(PAGE_DEFAULT));
      if (page === null || limit === null || limit > PAGE_MAX)
        return refusal('invalid', `page is a number from 1 and limit one from 1 to ${PAGE_MAX}.`);
      const found = state.books.inPeriod(period.data, (page - 1) * limit, limit + 1);
      const entries = found.slice(0, limit).filter(visible(state)).map(shown);
      return done({ entries, page, limit, hasMore: found.length > limit });
    },
  };
}

function read(
  method: string,
  path: string,
  id: string,
  action: string | undefined,
  state: LedgerState,
): Answer {
  if (method !== 'GET' || action !== undefined) return noSuchRoute(method, path);
  if (path === '/v1/company') {
    const { company, ledger, registrationNo } = state;
    return done({ company, ledger, ...(registrationNo === null ? {} : { registrationNo }) });
  }
  if (path === '/v1/accounts') {
    const { accounts, vatCodes, dimensions } = state.books.chart.chart ?? {
      accounts: [],
      vatCodes: null,
      dimensions: null,
    };
    return done({ restricted: state.books.chart.chart !== null, accounts, vatCodes, dimensions });
  }
  if (id === '') return noSuchRoute(method, path);
  const entry = state.books.byId(id);
  return entry === undefined ? NOT_FOUND : done(shown(entry));
}

function noSuchRoute(method: string, path: string): Answer {
  return refusal(
    'not_found',
    `There is no ${method} ${path}; docs/reference/sandbox-erp.md lists what there is.`,
  );
}

function answerTo(outcome: StoreOutcome, state: LedgerState): Answer {
  state.count(outcome.outcome);
  if (outcome.outcome === 'refused') return refusal(outcome.code, outcome.message);
  const { entry } = outcome;
  switch (outcome.outcome) {
    case 'duplicate':
      return refusal('duplicate', `Key ${entry.key} is taken by entry ${entry.number}.`, entry);
    case 'collision':
      return refusal('collision', `Key ${entry.key} was used with other content.`, entry);
    case 'stored':
      return done(receipt(entry), 201);
    case 'replayed':
      return done(receipt(entry), 201, { 'idempotent-replayed': 'true' });
  }
}

function receipt({ id, number, key, postingDate }: StoredEntry): unknown {
  return { id, number, key, state: 'posted', postingDate };
}

function keyHeaderFault({ headers }: LedgerRequest, key: string, state: LedgerState): Answer | null {
  const given = headers['idempotency-key'];
  if (given === undefined && state.behaviour().idempotency !== 'key') return null;
  return given === key ? null : refusal('invalid', 'The header Idempotency-Key must equal key in the body.');
}

function visible(state: LedgerState): (entry: StoredEntry) => boolean {
  const newestMs = state.nowMs() - state.behaviour().lookUpLagMs;
  return (entry) => entry.storedAtMs <= newestMs;
}

export function invalid(error: z.ZodError): Answer {
  const issue = error.issues[0];
  const where = issue?.path.join('.') ?? '';
  return refusal('invalid', `${where === '' ? 'The body' : where}: ${issue?.message ?? 'is not valid'}`);
}

function keyIn(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'key' in body && typeof body.key === 'string'
    ? body.key
    : undefined;
}

function countingNumber(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
