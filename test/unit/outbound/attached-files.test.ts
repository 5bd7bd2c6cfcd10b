// Files that go with an invoice: uploaded before the intent, each under one id that a retry, a crash and a replay use again.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SendOutcome, TargetRequest, UploadOutcome } from '../../../src/service/invoicing-target.js';
import { surfaceBreach } from '../../../src/service/surface-breach.js';
import { say } from '../../../src/language/say.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import type { SubmissionChange } from '../../../src/outbound/stage.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { outgoingSide, outgoingTenant } from '../../../lab/proof/outgoing/outgoing-side.js';
import { namedFile } from '../../../lab/proof/outgoing/shelf.js';
import { SimulatedService } from '../../../lab/proof/simulated-source.js';

const LIFE = { step: () => Promise.resolve() };
const LONG_MS = 3_600_000;
const nobody = () => Promise.resolve();
const bytes = (text: string) => new TextEncoder().encode(text);

/** One invoice with two files, and a service that answers as it is told to. */
function newBench() {
  const kernel = new Kernel(new RecordedChance({}));
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const side = outgoingSide(kernel, service, {});
  const [shelf] = side.shelves;
  if (!shelf) throw new Error('there is a shelf');
  for (const name of ['a.pdf', 'b.pdf']) shelf.files.set(name, bytes(name));
  const content = {
    ...{ issue_date: '2026-03-01', currency: 'ISK', ref_invoice_guid: 'made-1' },
    lines: [{ item_number: '1', description: 'Vara', qty: '1', uom: 'C62', unit_price: '1000', tax: 'S' }],
    files: ['a.pdf', 'b.pdf'].map((name) => namedFile(name, bytes(name))),
  };
  const row = side.records.add({
    ...{ id: 'SO-1', origin: 'shop', kind: 'invoice', reference: 'SO-1', key: 'OABCDEFGHIJKLMNOPQR2' },
    content: JSON.stringify(content),
  });
  const clock = { now: () => new Date(kernel.nowMs) };
  const log: string[] = [];
  const answers: { upload: UploadOutcome[]; send: SendOutcome[] } = { upload: [], send: [] };
  const store = side.records.store(LIFE);
  const stage = {
    runtime: { clock, timers: { sleep: nobody }, random: { next: () => 0.5, uuid: () => 'u' } },
    store: {
      ...store,
      commit: (claimed: Parameters<typeof store.commit>[0], change: SubmissionChange) => {
        log.push(change.action);
        return store.commit(claimed, change);
      },
    },
    breakers: { succeeded: nobody, failed: nobody, refused: nobody },
    ...{ failPoints: NO_FAIL_POINTS, timing: side.timing },
  };
  const sent: TargetRequest[] = [];
  const advance = async () => {
    row.dueAt = kernel.nowMs;
    const claimed = side.records.claim(row, side.timing.leaseMs);
    if (!claimed) throw new Error('it is claimed');
    const tenant = outgoingTenant(side, LIFE, clock, claimed.key);
    const { upload, send } = tenant.target;
    const target = {
      ...tenant.target,
      upload: (...given: Parameters<typeof upload>) => {
        log.push(`upload ${given[0].fileName}`);
        const answer = answers.upload.shift();
        return answer ? Promise.resolve(answer) : upload(...given);
      },
      send: (...given: Parameters<typeof send>) => {
        sent.push(given[0]);
        const answer = answers.send.shift();
        return answer ? Promise.resolve(answer) : send(...given);
      },
    };
    const work = advanceSubmission(stage, { ...tenant, target }, claimed, kernel.nowMs);
    await kernel.runUntil(kernel.nowMs + 5_000, 1_000);
    await work;
  };
  const pass = () => {
    row.sentAt = row.sentAt === null ? null : row.sentAt - LONG_MS;
  };
  const uploads = () => log.filter((one) => one.startsWith('upload '));
  return { ...{ row, side, shelf, log, sent, answers, advance, pass, uploads } };
}

let bench: ReturnType<typeof newBench>;
beforeEach(() => {
  bench = newBench();
});

const REFUSED = { outcome: 'rejected', message: 'no such file' } as const;
const LOST = { outcome: 'unknown', message: 'no answer' } as const;
const AWAY = { outcome: 'not-sent', why: 'away', message: 'away' } as const;
const namedIn = (request: TargetRequest | undefined) => request?.body['files'];

test('every id is on record before the intent, and the request on record names them', async () => {
  await bench.advance();
  const { log, row, side } = bench;
  expect(log.slice(0, 5)).toEqual([
    ...['upload a.pdf', 'file-uploaded', 'upload b.pdf', 'file-uploaded'],
    'intent',
  ]);
  expect(row.record.state).toBe('created');
  expect(namedIn(row.record.request ?? undefined)).toBe('file-1,file-2');
  const hashes = ['a.pdf', 'b.pdf'].map((name) => createHash('sha256').update(name).digest('hex'));
  expect(side.books.filesOf(row.record.request?.body ?? {})).toEqual(hashes);
});

test('a lost answer, an outage and a request in doubt use the ids that are on record', async () => {
  const { answers, advance, pass, uploads, row, sent } = bench;
  answers.send.push(AWAY, LOST);
  await advance();
  expect(row.record.state).toBe('received');
  await advance();
  expect(row.record.state).toBe('unknown');
  pass();
  // The bytes are wanted no more.
  bench.shelf.files.clear();
  await advance();
  expect(row.record.state).toBe('created');
  expect(uploads()).toHaveLength(2);
  expect(new Set(sent.map(namedIn))).toEqual(new Set(['file-1,file-2']));
});

test('an upload whose answer was lost happens again, and one id stands in the request', async () => {
  const { answers, advance, uploads, row } = bench;
  answers.upload.push(LOST);
  await advance();
  expect([row.record.state, row.record.tries]).toEqual(['received', 1]);
  await advance();
  expect(uploads()).toEqual(['upload a.pdf', 'upload a.pdf', 'upload b.pdf']);
  expect(namedIn(row.record.request ?? undefined)).toBe('file-1,file-2');
});

describe('files that the service has forgotten', () => {
  test('are uploaded anew once, after it surely refused the request', async () => {
    const { answers, advance, uploads, row } = bench;
    answers.send.push(AWAY, REFUSED, REFUSED);
    await advance();
    await advance();
    expect([row.record.state, row.record.uploads]).toEqual(['received', { ids: {}, areRenewed: true }]);
    await advance();
    expect(uploads()).toHaveLength(4);
    // What was uploaded a moment ago is not forgotten: now a refusal is a refusal, and a replay begins anew.
    expect([row.record.state, row.record.uploads]).toEqual(['refused', null]);
  });

  test('are not, while something that names them may be on its way or stand there', async () => {
    const { answers, advance, pass, uploads, row, side } = bench;
    answers.send.push(LOST, REFUSED);
    await advance();
    pass();
    await advance();
    expect([row.record.state, row.record.outcome]).toEqual(['unknown', 'rejected']);
    await advance();
    expect(uploads(), 'nothing is known of the one before').toHaveLength(2);
    pass();
    await advance();
    expect(uploads()).toHaveLength(4);
    expect(row.record.state).toBe('created');
    expect(side.books.live('invoice')).toHaveLength(1);
  });

  test('of a request that arrived after all are left alone', async () => {
    const { answers, advance, pass, uploads, row, side } = bench;
    answers.send.push(LOST, REFUSED);
    await advance();
    pass();
    await advance();
    side.books.make('invoice', row.record.request?.body ?? {}, 'us');
    pass();
    await advance();
    expect([row.record.state, uploads().length]).toEqual(['created', 2]);
  });
});

describe('a file that is not what its record says', () => {
  test.each([
    ['is gone', () => bench.shelf.files.delete('b.pdf')],
    ['has changed', () => bench.shelf.files.set('b.pdf', bytes('another'))],
  ])('refuses it with its name when it %s, before anything is sent', async (_how, spoil) => {
    spoil();
    await bench.advance();
    const { state, reason } = bench.row.record;
    expect([state, reason?.code, reason?.params]).toEqual(['refused', 'FILE_GONE', { file: 'b.pdf' }]);
    expect(bench.sent).toEqual([]);
  });

  test('and one that the service does not take', async () => {
    bench.answers.upload.push(REFUSED);
    await bench.advance();
    const { state, reason } = bench.row.record;
    expect(state).toBe('refused');
    expect(reason && say('is', reason)).toMatch(/a\.pdf.*no such file/);
  });
});

describe('what the documents allow of files', () => {
  const request = (kind: 'invoice' | 'draft', name: string, size: number, count = 1): TargetRequest => ({
    ...{ act: 'create', kind },
    body: {
      ...{ amount: '1240', currency: 'ISK', type: 'invoice', customer: { guid: 'a-b' } },
      ...{ issue_date: '2026-03-01', due_date: '2026-03-01', settlement_date: '2026-03-01' },
      items: [
        {
          ...{ item_number: '1', description: 'Vara', qty: '1', uom: 'C62', unit_price: '1000', tax: 'S' },
          add_new: 1,
        },
      ],
    },
    files: Array.from({ length: count }, () => ({ name, sha256: 'a'.repeat(64), bytes: String(size) })),
  });
  const prepared = (): TargetRequest => {
    const { body, ...rest } = request('draft', 'a.pdf', 10);
    const { amount, currency, items } = body;
    return { ...rest, body: { amount, currency, items, settlement_date: 7, kennitala: '5402696029' } };
  };
  const breach = (surface: 'agent' | 'credential', asked: TargetRequest) =>
    surfaceBreach(surface, asked, '2026-03-01')?.said?.code ?? null;

  test('one PDF with an invoice', () => {
    expect(breach('credential', request('invoice', 'a.pdf', 10))).toBeNull();
  });
  test.each([
    ['another kind', 'credential', prepared(), 'FILES_NOT_WITH'],
    ['the agent surface', 'agent', request('invoice', 'a.pdf', 10), 'FILES_NOT_BY_AGENT'],
    ['too many', 'credential', request('invoice', 'a.pdf', 10, 11), 'FILES_TOO_MANY'],
    ['too large', 'credential', request('invoice', 'a.pdf', 5 * 1024 * 1024 + 1), 'FILE_BREACH'],
    ['a forbidden type', 'credential', request('invoice', 'a.exe', 10), 'FILE_BREACH'],
    ['an empty file', 'credential', request('invoice', 'a.pdf', 0), 'FILE_BREACH'],
  ] as const)('not %s', (_what, surface, asked, code) => {
    expect(breach(surface, asked)).toBe(code);
  });
});
