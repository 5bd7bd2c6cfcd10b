// Files that an ERP keeps beside a document: those that stand there when it leaves go with it, and no others.
import { beforeEach, describe, expect, test } from 'vitest';
import type { TargetRequest } from '../../../src/service/invoicing-target.js';
import { told } from '../../../src/language/messages.js';
import { say } from '../../../src/language/say.js';
import { type Origin, problemAt } from '../../../src/origins/origin.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import { contentText, readContent } from '../../../src/origins/content.js';
import { contentFacts } from '../../../src/outbound/content-facts.js';
import { TRIES_MAX } from '../../../src/sync/back-off.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { outgoingSide, outgoingTenant } from '../../../lab/proof/outgoing/outgoing-side.js';
import { SimulatedService } from '../../../lab/proof/simulated-source.js';

const LIFE = { step: () => Promise.resolve() };
const nobody = () => Promise.resolve();
const INVOICE = {
  ...{ issue_date: '2026-03-01', currency: 'ISK', ref_invoice_guid: 'made-1' },
  lines: [{ item_number: '1', description: 'Vara', qty: '1', uom: 'C62', unit_price: '1000', tax: 'S' }],
};
const SIZE_MAX = 20;

type Version = readonly [version: string, text: string];

/** An ERP with one invoice, and what stands beside it. */
class Erp {
  readonly beside = new Map<string, Version>();
  isSilent = false;
  isDamaged = false;
  hasLink = false;
  hasInvoice = true;
  takesBack = true;

  content(): string {
    const files = [...this.beside].map(([name, [version, text]]) => ({
      ...{ name, bytes: String(text.length), at: `at ${name}`, version },
    }));
    const read = readContent('invoice', files.length === 0 ? INVOICE : { ...INVOICE, files });
    if (read.outcome === 'problem') throw new Error(read.words.message);
    return contentText(read.content);
  }

  origin(): Origin {
    return {
      ...{ name: 'shop', tell: nobody, close: nobody },
      ...(this.takesBack ? { takesBack: true } : {}),
      changes: () => Promise.reject(new Error('nobody looks')),
      read: (kind, reference, place) =>
        this.isSilent
          ? Promise.reject(new Error('silent'))
          : Promise.resolve(
              this.hasLink
                ? problemAt(place, told('FILE_IS_LINK', { file: 'b.pdf' }))
                : this.hasInvoice
                  ? { kind, reference, place, content: this.content() }
                  : null,
            ),
      file: (_place, named) => {
        if (this.isSilent || this.isDamaged) return Promise.reject(new Error('disk full of mice'));
        const [version, text = ''] = this.beside.get(named?.name ?? '') ?? [];
        return Promise.resolve(version === named?.version ? new TextEncoder().encode(text) : null);
      },
    };
  }
}

function newBench() {
  const kernel = new Kernel(new RecordedChance({}));
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const side = outgoingSide(kernel, service, {});
  const erp = new Erp();
  erp.beside.set('a.pdf', ['1', 'first']);
  const row = side.records.add({
    ...{ id: 'SO-1', origin: 'shop', kind: 'invoice', reference: 'SO-1', key: 'OABCDEFGHIJKLMNOPQR2' },
    content: erp.content(),
  });
  const clock = { now: () => new Date(kernel.nowMs) };
  const stage = {
    runtime: { clock, timers: { sleep: nobody }, random: { next: () => 0.5, uuid: () => 'u' } },
    store: side.records.store(LIFE),
    breakers: { succeeded: nobody, failed: nobody, refused: nobody },
    ...{ failPoints: NO_FAIL_POINTS, timing: side.timing },
  };
  const uploaded: string[] = [];
  const sent: TargetRequest[] = [];
  const advance = async () => {
    row.dueAt = kernel.nowMs;
    const claimed = side.records.claim(row, side.timing.leaseMs);
    if (!claimed) throw new Error('it is claimed');
    const tenant = outgoingTenant(side, LIFE, clock, claimed.key);
    const { upload, send } = tenant.target;
    const target: typeof tenant.target = {
      ...tenant.target,
      breach: ({ files = [] }) => {
        const large = files.find(({ bytes }) => Number(bytes) > SIZE_MAX);
        return large ? told('FILE_TOO_LARGE', { bytes: Number(large.bytes) }) : null;
      },
      upload: (file, leaveBy) => {
        uploaded.push(`${file.fileName} ${new TextDecoder().decode(file.content)}`);
        return upload(file, leaveBy);
      },
      send: (...given) => {
        sent.push(given[0]);
        return send(...given);
      },
    };
    const origins = new Map([['shop', erp.origin()]]);
    const work = advanceSubmission(stage, { ...tenant, target, origins }, claimed, kernel.nowMs);
    await kernel.runUntil(kernel.nowMs + 5_000, 1_000);
    await work;
  };
  const state = () => [row.record.state, row.record.reason?.code ?? null];
  /** Minutes until it is due again, when it was last left. */
  const wait = () => Math.round(((row.dueAt ?? Number.NaN) - row.changedAt) / 60_000);
  return { ...{ erp, row, advance, uploaded, sent, state, wait } };
}

let bench: ReturnType<typeof newBench>;
beforeEach(() => {
  bench = newBench();
});

test('a file goes with its invoice, known by what the ERP calls its version', async () => {
  const { advance, uploaded, sent, state, row } = bench;
  await advance();
  expect(state()).toEqual(['created', null]);
  expect(uploaded).toEqual(['a.pdf first']);
  expect(sent[0]?.files).toEqual([{ name: 'a.pdf', bytes: '5', at: 'at a.pdf', version: '1' }]);
  expect(Object.keys(row.record.uploads?.ids ?? {})).toEqual(['at a.pdf@1 a.pdf']);
});

describe('what people do between the list and the sending', () => {
  test.each<readonly [what: string, act: (beside: Map<string, Version>) => void, gone: readonly string[]]>([
    ['put a file there', (beside) => beside.set('b.pdf', ['1', 'second']), ['a.pdf first', 'b.pdf second']],
    ['put another in its place', (beside) => beside.set('a.pdf', ['2', 'other']), ['a.pdf other']],
    ['take it away', (beside) => beside.delete('a.pdf'), []],
  ])('they %s: what stands there goes', async (_what, act, gone) => {
    const { advance, erp, uploaded, sent, state } = bench;
    act(erp.beside);
    await advance();
    expect(state()).toEqual(['received', null]);
    expect(sent).toEqual([]);
    await advance();
    expect(state()).toEqual(['created', null]);
    expect(sent).toHaveLength(1);
    expect(uploaded).toEqual(expect.arrayContaining([...gone]));
    const named = sent[0]?.files?.map(({ name }) => erp.beside.get(name)?.[1]) ?? [];
    expect(named).toEqual(gone.map((one) => one.split(' ')[1]));
  });

  test('they put a link there: it waits with its reason, and goes on when that is a file', async () => {
    const { advance, erp, row, state, sent, wait } = bench;
    erp.hasLink = true;
    await advance();
    expect(state()).toEqual(['held', 'UNREADABLE_AT_ORIGIN']);
    expect(wait()).toBe(5);
    expect(row.record.reason && say('is', row.record.reason)).toMatch(/b\.pdf/);
    erp.hasLink = false;
    erp.beside.set('b.pdf', ['1', 'second']);
    for (let times = 0; times < 2; times++) await advance();
    expect(state()).toEqual(['created', null]);
    expect(sent[0]?.files).toMatchObject([{ name: 'a.pdf' }, { name: 'b.pdf' }]);
  });

  test('they cancel it: it is parked, and nothing of it is sent', async () => {
    const { advance, erp, state, sent } = bench;
    erp.hasInvoice = false;
    await advance();
    expect(state()).toEqual(['parked', 'GONE_AT_ORIGIN']);
    expect(sent).toEqual([]);
  });
});

describe('one that was refused because of a file', () => {
  const refuse = async () => {
    bench.erp.beside.set('a.pdf', ['2', 'x'.repeat(SIZE_MAX + 1)]);
    bench.row.record.content = bench.erp.content();
    await bench.advance();
    expect(bench.state()).toEqual(['refused', 'SUBMISSION_BREACH']);
  };

  test('goes on by itself when people have put that right', async () => {
    const { advance, erp, state, sent } = bench;
    await refuse();
    erp.beside.set('a.pdf', ['3', 'small']);
    await advance();
    expect(state()).toEqual(['received', null]);
    await advance();
    expect(state()).toEqual(['created', null]);
    expect(sent[0]?.files).toMatchObject([{ version: '3' }]);
  });

  test('and also when they have taken it away', async () => {
    const { advance, erp, state, sent } = bench;
    await refuse();
    erp.beside.clear();
    await advance();
    await advance();
    expect(state()).toEqual(['created', null]);
    expect(sent[0]?.files).toBeUndefined();
  });

  test('is looked at less and less often, hourly in the end, however the ERP answers', async () => {
    const { advance, erp, state, wait } = bench;
    await refuse();
    const waits: number[] = [];
    for (const answers of ['same', 'silent', 'link', 'gone', 'same', 'same']) {
      Object.assign(erp, {
        ...{ isSilent: answers === 'silent', hasLink: answers === 'link', hasInvoice: answers !== 'gone' },
      });
      await advance();
      waits.push(wait());
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
    expect(state()).toEqual(['refused', 'SUBMISSION_BREACH']);
  });

  test('is not looked at for ever', async () => {
    const { advance, row } = bench;
    await refuse();
    row.record.tries = 340;
    await advance();
    expect(row.dueAt).toBeNull();
  });

  test('is not looked at where its origin takes nothing back', async () => {
    const { advance, erp, row } = bench;
    await refuse();
    erp.takesBack = false;
    await advance();
    expect(row.dueAt).toBeNull();
  });
});

test('an ERP that does not answer is waited for, and uses up no tries', async () => {
  const { advance, erp, row, state, sent } = bench;
  erp.isSilent = true;
  for (let times = 0; times <= TRIES_MAX; times++) await advance();
  expect([...state(), row.record.tries]).toEqual(['held', 'ORIGIN_SILENT', 0]);
  erp.isSilent = false;
  await advance();
  expect(state()).toEqual(['created', null]);
  expect(sent).toHaveLength(1);
});

test('a file that alone cannot be read parks its invoice in the end, and is named; it never goes without', async () => {
  const { advance, erp, row, state, sent } = bench;
  erp.isDamaged = true;
  for (let times = 0; times <= TRIES_MAX; times++) await advance();
  expect(state()).toEqual(['parked', 'TRIES_EXHAUSTED']);
  expect(row.record.reason && say('is', row.record.reason)).toMatch(/a\.pdf.*disk full of mice/);
  expect(sent).toEqual([]);
});

test('files of an ERP are no change of what was sent, and files that are known by their hash are', () => {
  const hash = (files: object[]) => {
    const read = readContent('invoice', { ...INVOICE, ...(files.length > 0 ? { files } : {}) });
    if (read.outcome === 'problem') throw new Error(read.words.message);
    return contentFacts('invoice', contentText(read.content)).hash;
  };
  const kept = { name: 'a.pdf', bytes: '5', at: '1', version: '1' };
  const known = { name: 'b.pdf', bytes: '5', sha256: 'a'.repeat(64) };
  expect(hash([kept])).toBe(hash([]));
  expect(hash([kept, known])).toBe(hash([known]));
  expect(hash([known])).not.toBe(hash([]));
});
