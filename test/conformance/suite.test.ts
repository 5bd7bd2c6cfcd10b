// The suite is a judge, and a judge that cannot say no is worth nothing: adapters that each break one promise, quietly, in
// the way that an author might.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Journal } from '../../src/domain/journal.js';
import { resultLine, summaryLine } from '../../lab/kit/conformance/report.js';
import type { ConformanceBed, ConformanceCaseId } from '../../lab/kit/conformance/target.js';
import type { ErpEntry } from '../../src/erp/erp-adapter.js';
import { judge, type Mutation, NOTHING } from '../support/erp/mutants.js';
import { xeroTarget } from './targets/xero.js';

const withSidesChanged = (entry: ErpEntry): ErpEntry => ({
  ...entry,
  lines: entry.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit })),
});

const inAscii = (journal: Journal): Journal => ({
  ...journal,
  lines: journal.lines.map((line) => ({ ...line, text: line.text.replace(/[^\x20-\x7e]/g, '?') })),
});

const numberedTwice = (journal: Journal): Journal => ({
  ...journal,
  lines: journal.lines.map((line) => ({ ...line, text: `${journal.documentNo} ${line.text}` })),
});

const inIskOnly = (journal: Journal): Journal => ({
  ...journal,
  currency: 'ISK',
  lines: journal.lines.map(({ currency: _currency, currencyAmount: _amount, ...line }) => line),
});

const asIfNet = (journal: Journal): Journal => ({
  ...journal,
  lines: journal.lines.map(({ vatBase: _base, ...line }) => line),
});

async function* onlyDocuments(entries: AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  for await (const entry of entries) if (/^[IC]/.test(entry.key)) yield entry;
}

async function* allAlive(entries: AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  for await (const { reversed: _reversed, ...entry } of entries) yield entry;
}

/** Somebody wrote a number into the field where our key would be. */
async function* andOthers(entries: AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  for await (const entry of entries) yield* [entry, { ...entry, key: 'Laun 1' }];
}

const MUTANTS: readonly [string, ConformanceCaseId, Mutation, RegExp][] = [
  [
    'reverses by booking the same sides again',
    'reverse',
    (erp) => ({
      reverse: (request) => erp.reverse({ ...request, original: withSidesChanged(request.original) }),
    }),
    /not ours: 1500 debit 12400/,
  ],
  [
    'says "attached" and attaches nothing',
    'attachment',
    () => ({ attach: () => Promise.resolve({ outcome: 'attached' }) }),
    /not in the ERP as it was sent/,
  ],
  [
    'attaches a file without its bytes',
    'attachment',
    (erp) => ({
      attach: (reference, file) => erp.attach(reference, { ...file, content: new Uint8Array(0) }),
    }),
    /not in the ERP as it was sent/,
  ],
  [
    'sends every letter that is not ASCII as a question mark',
    'icelandic-letters',
    (erp) => ({ prepare: ({ key, journal }) => erp.prepare({ key, journal: inAscii(journal) }) }),
    /"áéíóúýþæöðÁÉÍÓÚÝÞÆÖÐ" is kept as .*\?{20}/,
  ],
  [
    'writes the number before a text that has it already',
    'number-once',
    (erp) => ({ prepare: ({ key, journal }) => erp.prepare({ key, journal: numberedTwice(journal) }) }),
    /the number of the document stands once in each text/,
  ],
  [
    'takes a document in euros and books it in ISK without a word about euros',
    'foreign-currency',
    (erp) => ({ prepare: ({ key, journal }) => erp.prepare({ key, journal: inIskOnly(journal) }) }),
    /"EUR 99.99" is kept as/,
  ],
  [
    'books a gross amount as if there were no VAT in it',
    'vat-split',
    (erp) => ({ prepare: ({ key, journal }) => erp.prepare({ key, journal: asIfNet(journal) }) }),
    /said .*"posted"/,
  ],
  [
    'undoes what the ERP split by what the ERP shows',
    'vat-split',
    (erp) => ({ reverse: ({ journal: _journal, ...request }) => erp.reverse(request) }),
    /Xero has no account VAT/,
  ],
  [
    'sends what was refused again under the key that has the refusal',
    'refused-then-mended',
    (erp) => ({ prepare: ({ key, journal }) => erp.prepare({ key, journal }) }),
    /post said .*"rejected"/,
  ],
  [
    'lists invoices and costs, and no settlements and reversals',
    'list-entries',
    (erp) => ({ entries: (period) => onlyDocuments(erp.entries(period)) }),
    /S[A-Z2-7]{19} in the list/,
  ],
  [
    'does not say in its list what was reversed',
    'list-entries',
    (erp) => ({ entries: (period) => allAlive(erp.entries(period)) }),
    /what was reversed/,
  ],
  [
    'lists entries that are not ours',
    'list-entries',
    (erp) => ({ entries: (period) => andOthers(erp.entries(period)) }),
    /Laun 1, which is no key of ours/,
  ],
];

describe('the suite catches an adapter that', () => {
  let bed: ConformanceBed;
  beforeAll(async () => {
    bed = await xeroTarget.open();
  });
  afterAll(() => bed.close());

  test.each(MUTANTS)('%s', async (_title, id, mutation, complaint) => {
    expect(await judge(bed, id, NOTHING)).toMatchObject({ result: 'passed' });
    const judged = await judge(bed, id, mutation);
    expect(judged).toMatchObject({ result: 'failed', detail: expect.stringMatching(complaint) as string });
  });

  test('sends although the ERP has asked another process for silence', async () => {
    const noisy: ConformanceBed = { ...bed, connect: (variant) => bed.connect(variant) };
    expect(await judge(bed, 'rate-limit-shared', NOTHING)).toMatchObject({ result: 'passed' });
    expect((await judge(noisy, 'rate-limit-shared', NOTHING)).detail).toMatch(/"outcome":"posted"/);
  });
});

describe('a bed from before there were readers of texts, files and pages', () => {
  test('is told what it does not show, and is not called broken', async () => {
    const bed = await xeroTarget.open();
    try {
      const isOld = ([name]: [string, unknown]) => !['texts', 'attachments', 'crowd'].includes(name);
      const old = Object.fromEntries(Object.entries(bed).filter(isOld)) as unknown as ConformanceBed;
      const ids = ['icelandic-letters', 'number-once', 'attachment', 'list-entries'] as const;
      const cases = [];
      for (const id of ids) cases.push(await judge(old, id, NOTHING));
      expect(cases.map(({ result }) => result)).toEqual(ids.map(() => 'not-shown'));
      expect(cases.map(resultLine).join('')).toMatch(
        /\? keeps every Icelandic letter\n +not shown: which texts the ERP keeps: the bed has no texts\(key\)/,
      );
      const { capabilities } = await bed.connect();
      const report = { adapter: 'xero', judge: 'a fake', capabilities, cases };
      expect(summaryLine(report)).toContain('0 failed, 0 not applicable, 4 not shown in full');
    } finally {
      await bed.close();
    }
  });
});
