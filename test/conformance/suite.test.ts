// The suite is a judge, and a judge that cannot say no is worth nothing: adapters that each break one promise, quietly, in
// the way that an author might.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Journal } from '../../src/domain/journal.js';
import { resultLine, summaryLine } from '../../src/erp/conformance/report.js';
import { type CaseResult, CONFORMANCE_CASES, runCase } from '../../src/erp/conformance/run-conformance.js';
import type { ConformanceBed, ConformanceCaseId } from '../../src/erp/conformance/target.js';
import type { ErpAdapter, ErpEntry } from '../../src/erp/erp-adapter.js';
import { odooTarget } from './targets/odoo.js';
import { xeroTarget } from './targets/xero.js';

/** An adapter that is honest but for what a mutant puts in its place. */
type Mutation = (honest: ErpAdapter) => Partial<ErpAdapter>;

const NOTHING: Mutation = () => ({});

function mutated(bed: ConformanceBed, mutation: Mutation): ConformanceBed {
  return {
    ...bed,
    async connect(variant) {
      const honest = await bed.connect(variant);
      const lies = mutation(honest);
      return new Proxy(honest, {
        get(adapter, name) {
          const value: unknown = Reflect.get(name in lies ? lies : adapter, name);
          // Private fields want the real adapter for `this`.
          return typeof value === 'function' ? (value.bind(adapter) as unknown) : value;
        },
      });
    },
  };
}

const withSidesChanged = (entry: ErpEntry): ErpEntry => ({
  ...entry,
  lines: entry.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit })),
});

const inAscii = (journal: Journal): Journal => ({
  ...journal,
  lines: journal.lines.map((line) => ({ ...line, text: line.text.replace(/[^\x20-\x7e]/g, '?') })),
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

const renumbered = (journal: Journal): Journal => ({
  ...journal,
  ...(journal.party ? { party: { ...journal.party, kennitala: `${journal.party.kennitala}9` } } : {}),
  lines: journal.lines.map((line) =>
    line.counterparty === undefined ? line : { ...line, counterparty: `${line.counterparty}9` },
  ),
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

const BELIEVED = { 'rate-limited': /answered 429/, unavailable: /answered 503/ };

async function judge(bed: ConformanceBed, id: ConformanceCaseId, mutation: Mutation): Promise<CaseResult> {
  const each = CONFORMANCE_CASES.find((one) => one.id === id);
  if (!each) throw new RangeError(`there is no case ${id}`);
  const erp = await bed.connect();
  await erp.close();
  return runCase(xeroTarget, mutated(bed, mutation), erp.capabilities, each);
}

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

  test.each(['rate-limited', 'unavailable'] as const)('believes a proxy that says %s', async (said) => {
    const twoSteps = await odooTarget.open();
    const credulous: Mutation = (erp) => ({
      async post(prepared) {
        const outcome = await erp.post(prepared);
        const isBelieved = outcome.outcome === 'unknown' && BELIEVED[said].test(outcome.message);
        return isBelieved ? { ...outcome, outcome: 'transient' } : outcome;
      },
    });
    try {
      const judged = await judge(twoSteps, 'gateway-answers', credulous);
      expect(judged.detail).toMatch(/(429|503) of a proxy → /);
    } finally {
      await twoSteps.close();
    }
  });

  test('posts without a look at the draft that is there', async () => {
    const twoSteps = await odooTarget.open();
    // It searches under a key that nothing has, and creates what was prepared.
    const hasty: Mutation = (erp) => ({
      post: ({ request }) => erp.post({ key: `I${'A'.repeat(19)}`, request }),
    });
    try {
      const id = 'killed-after-create-post';
      expect(await judge(twoSteps, id, NOTHING)).toMatchObject({ result: 'passed' });
      expect((await judge(twoSteps, id, hasty)).detail).toMatch(/1 entries and 1 drafts|2 drafts/);
    } finally {
      await twoSteps.close();
    }
  });

  test('makes a customer under a number that is not its kennitala', async () => {
    const withPartners = await odooTarget.open();
    const renumbering: Mutation = (erp) => ({
      prepare: ({ key, journal }) => erp.prepare({ key, journal: renumbered(journal) }),
    });
    try {
      expect(await judge(withPartners, 'new-party-once', NOTHING)).toMatchObject({ result: 'passed' });
      const judged = await judge(withPartners, 'new-party-once', renumbering);
      expect(judged.detail).toMatch(/the ERP has 0 customers with kennitala/);
    } finally {
      await withPartners.close();
    }
  });

  test('says "transient" although its draft is in the ERP', async () => {
    const twoSteps = await odooTarget.open();
    const forgetful: Mutation = (erp) => ({
      async post(prepared) {
        const outcome = await erp.post(prepared);
        return outcome.outcome === 'unknown'
          ? { ...outcome, outcome: 'transient', retryAfterMs: 7_000 }
          : outcome;
      },
    });
    try {
      for (const id of ['rate-limit', 'server-error'] as const) {
        const judged = await judge(twoSteps, id, forgetful);
        expect(judged.detail).toMatch(id === 'rate-limit' ? /drafts: 1/ : /500 → /);
      }
    } finally {
      await twoSteps.close();
    }
  });
});

describe('a bed from before there were readers of texts, files and pages', () => {
  test('is told what it does not show, and is not called broken', async () => {
    const bed = await xeroTarget.open();
    try {
      const isOld = ([name]: [string, unknown]) => !['texts', 'attachments', 'crowd'].includes(name);
      const old = Object.fromEntries(Object.entries(bed).filter(isOld)) as unknown as ConformanceBed;
      const ids = ['icelandic-letters', 'attachment', 'list-entries'] as const;
      const cases = [];
      for (const id of ids) cases.push(await judge(old, id, NOTHING));
      expect(cases.map(({ result }) => result)).toEqual(['not-shown', 'not-shown', 'not-shown']);
      expect(cases.map(resultLine).join('')).toMatch(
        /\? keeps every Icelandic letter\n +not shown: which texts the ERP keeps: the bed has no texts\(key\)/,
      );
      const { capabilities } = await bed.connect();
      const report = { adapter: 'xero', judge: 'a fake', capabilities, cases };
      expect(summaryLine(report)).toContain('0 failed, 0 not applicable, 3 not shown in full');
    } finally {
      await bed.close();
    }
  });
});
