// The sequence of a posting, once for every ERP: what is asked in which order, and what each failure comes to.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Answer, ok, ReadFailed } from '../../../src/erp/answer.js';
import { Chart, type ChartFacts } from '../../../src/erp/chart.js';
import type { ErpCapabilities, ErpEntry, Rejected, Transient } from '../../../src/erp/erp-adapter.js';
import { type DraftRequests, type ErpBooks, KeyedBooks } from '../../../src/erp/keyed-books.js';
import { SALE } from '../../support/erp/sample-journals.js';

const KEY = 'IABCDEFGHIJKLMNOPQR4';
const FACTS: ChartFacts = {
  company: { company: 'Prufufélagið ehf.' },
  account: (number) => ({ name: `Account ${number}` }),
  dimension: (name) => ({ name, has: () => true }),
};
const CAPABILITIES = {
  ...{ idempotency: 'none', readBack: 'lines', foreignCurrency: 'in-currency', vatMode: 'explicit-lines' },
  ...{ dimensions: true, subledger: true, reverse: true },
} as ErpCapabilities;

const entry = (over: Partial<ErpEntry> = {}): ErpEntry => ({
  ...{ reference: { id: '7' }, key: KEY, state: 'posted', postingDate: SALE.postingDate, lines: SALE.lines },
  ...over,
});
const REFUSED: Rejected = { outcome: 'rejected', code: 'closed-period', message: 'closed' };
const LATER: Transient = { outcome: 'transient', message: 'busy' };

/** Books of an ERP that shows `shown` at each look-up, the last one for ever. */
function booksWith(shown: ErpEntry[][], over: Partial<ErpBooks<{ body: string }, ChartFacts>> = {}) {
  const asked: string[] = [];
  const looks = [...shown];
  const books: ErpBooks<{ body: string }, ChartFacts> = {
    ...{ system: 'Test', ledger: 'test', capabilities: CAPABILITIES },
    chart: new Chart({
      ...{ system: 'Test', dimensionSetting: '`dimensions`' },
      read: () => Promise.resolve(FACTS),
      readNow: () => Promise.resolve(FACTS),
    }),
    stored: z.object({ body: z.string() }),
    write: ({ key }) => Promise.resolve({ body: `body of ${key}` }),
    readByKey: () => {
      asked.push('look');
      return Promise.resolve((looks.length > 1 ? looks.shift() : looks[0]) ?? []);
    },
    readByReference: () => Promise.resolve([]),
    async *readPeriod() {
      yield await Promise.resolve(entry());
      yield entry({ key: 'typed by people' });
    },
    create: ({ request }): Promise<Answer<string | undefined>> => {
      asked.push(`create ${request.body}`);
      return Promise.resolve(ok(undefined));
    },
    ...over,
  };
  const erp = new KeyedBooks(books, { close: () => Promise.resolve() });
  const post = async () => {
    const prepared = await erp.prepare({ key: KEY, journal: SALE });
    if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
    return erp.post(prepared.prepared);
  };
  return { erp, asked, post };
}

describe('an ERP that posts in one request', () => {
  it('is sent nothing under a key that it knows', async () => {
    const { asked, post } = booksWith([[entry()]]);
    expect(await post()).toMatchObject({ outcome: 'posted', reference: { id: '7' } });
    expect(asked).toEqual(['look']);
  });

  it('is asked again until the entry shows, and a look-up that fails says nothing', async () => {
    const { asked, post } = booksWith([[], [], [entry()]]);
    expect(await post()).toMatchObject({ outcome: 'posted' });
    expect(asked).toEqual(['look', `create body of ${KEY}`, 'look', 'look']);
  });

  it('leaves the outcome unknown when the entry never shows, and says in its words why', async () => {
    const notShown = () => ({ message: 'look into the pile' });
    expect(await booksWith([[]], { notShown }).post()).toEqual({
      ...{ outcome: 'unknown', message: 'look into the pile' },
    });
  });

  it('is told of an entry with other lines as a collision', async () => {
    const other = entry({ lines: SALE.lines.slice(1) });
    expect(await booksWith([[other]]).post()).toMatchObject({ outcome: 'rejected', code: 'collision' });
  });
});

describe('an ERP that recognises a key that it has seen', () => {
  const capabilities = { ...CAPABILITIES, idempotency: 'unique-reference' } as ErpCapabilities;
  const TAKEN: Rejected = { outcome: 'rejected', code: 'duplicate', message: 'taken' };
  const keyTaken = (refusal: Rejected) => (refusal.code === 'duplicate' ? LATER : null);
  const refusing = (refusal: Rejected, shown: ErpEntry[]) =>
    booksWith([shown], { capabilities, keyTaken, create: () => Promise.resolve(refusal) });

  it('is asked for nothing before, and the entry in its answer is compared', async () => {
    const create = () => Promise.resolve(ok(entry()));
    const { asked, post } = booksWith([[]], { capabilities, create });
    expect(await post()).toMatchObject({ outcome: 'posted', reference: { id: '7' } });
    expect(asked).toEqual([]);
    const other = () => Promise.resolve(ok(entry({ lines: SALE.lines.slice(1) })));
    expect(await booksWith([[]], { capabilities, create: other }).post()).toMatchObject({
      code: 'collision',
    });
  });

  it('is looked up when it says that the key is taken, and only then', async () => {
    expect(await refusing(TAKEN, [entry()]).post()).toMatchObject({ outcome: 'posted' });
    expect(await refusing(TAKEN, []).post()).toEqual(LATER);
    const { asked, post } = refusing(REFUSED, [entry()]);
    expect(await post()).toEqual(REFUSED);
    expect(asked).toEqual([]);
  });
});

describe('an ERP that creates a draft and posts it', () => {
  const create = () => Promise.resolve(ok('7'));
  function draftsWith(over: Partial<DraftRequests> = {}) {
    const seen: string[] = [];
    const drafts: DraftRequests = {
      addsLines: false,
      read: () => Promise.resolve(entry()),
      post: ({ id }) => Promise.resolve(ok(void seen.push(`post ${id}`))),
      remove: (id) => Promise.resolve(ok(void seen.push(`remove ${id}`))),
      ...over,
    };
    return { seen, drafts };
  }

  it('posts the draft that it made, and one that a crash left', async () => {
    for (const shown of [[], [entry({ state: 'draft' })]]) {
      const { seen, drafts } = draftsWith();
      expect(await booksWith([shown], { create, drafts }).post()).toMatchObject({ outcome: 'posted' });
      expect(seen).toEqual(['post 7']);
    }
  });

  it('removes a draft that is refused, and reports one that cannot be removed', async () => {
    const post = () => Promise.resolve(REFUSED);
    const { seen, drafts } = draftsWith({ post });
    expect(await booksWith([[]], { create, drafts }).post()).toEqual(REFUSED);
    expect(seen).toEqual(['remove 7']);
    const stuck = draftsWith({ post, remove: () => Promise.resolve(LATER) });
    expect(await booksWith([[]], { create, drafts: stuck.drafts }).post()).toEqual({
      ...{ outcome: 'draft', reference: { id: '7' } },
    });
  });

  it('never calls a posting transient once the draft is there', async () => {
    const { drafts } = draftsWith({ post: () => Promise.resolve(LATER) });
    expect(await booksWith([[]], { create, drafts }).post()).toMatchObject({ outcome: 'unknown' });
  });

  it('leaves a draft that is refused to people where there is no request to remove it', async () => {
    const { drafts } = draftsWith({ post: () => Promise.resolve(REFUSED) });
    const { remove: _remove, ...kept } = drafts;
    expect(await booksWith([[]], { create, drafts: kept }).post()).toEqual(REFUSED);
  });

  it('matches a posted entry once it was read back and is what was meant', async () => {
    const matched: string[] = [];
    const matching = {
      withInvoice: ({ key }: Pick<ErpEntry, 'key'>) => Promise.resolve(void matched.push(key)),
      withOriginal: () => Promise.resolve(undefined),
    };
    const { drafts } = draftsWith();
    await booksWith([[]], { create, drafts, matching }).post();
    expect(matched).toEqual([KEY]);
    const other = draftsWith({ read: () => Promise.resolve(entry({ lines: SALE.lines.slice(1) })) });
    await booksWith([[]], { create, drafts: other.drafts, matching }).post();
    expect(matched).toEqual([KEY]);
  });

  it('compares a draft first where the ERP adds lines of its own', async () => {
    const read = () => Promise.resolve(entry({ lines: SALE.lines.slice(1) }));
    const { seen, drafts } = draftsWith({ addsLines: true, read });
    expect(await booksWith([[]], { create, drafts }).post()).toMatchObject({ code: 'invalid' });
    expect(seen).toEqual(['remove 7']);
  });
});

describe('a read that fails', () => {
  const REFUSED_READ: Rejected = { outcome: 'rejected', code: 'wrong-company', message: 'other books' };
  const failing = (failure: Rejected | Transient) => () => Promise.reject(new ReadFailed(failure));
  const chartOf = (failure: Rejected | Transient) =>
    new Chart<ChartFacts>({
      ...{ system: 'Test', dimensionSetting: '`dimensions`' },
      ...{ read: failing(failure), readNow: failing(failure) },
    });
  const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: new Uint8Array() };

  it('is the outcome of the call that asked for it', async () => {
    const { erp } = booksWith([], { chart: chartOf(REFUSED_READ), readByReference: failing(LATER) });
    expect(await erp.health()).toEqual(REFUSED_READ);
    expect(await erp.prepare({ key: KEY, journal: SALE })).toEqual(REFUSED_READ);
    expect(await erp.validate({ accounts: [], vatCodes: [], dimensions: {} })).toMatchObject([
      { severity: 'error', message: 'other books' },
    ]);
    expect(await erp.findByReference('7')).toEqual(LATER);
    const files = { isThere: failing(LATER), upload: () => Promise.resolve(ok(undefined)) };
    expect(await booksWith([], { files }).erp.attach({ id: '7' }, file)).toEqual(LATER);
  });

  it('of a look-up says nothing of the key, so it is transient', async () => {
    const { erp } = booksWith([], { readByKey: failing(REFUSED_READ) });
    expect(await erp.findByKey(KEY)).toMatchObject({ outcome: 'transient', message: 'other books' });
  });

  it('ends a list with the error of the port', async () => {
    const readPeriod = () => ({ [Symbol.asyncIterator]: () => ({ next: failing(LATER) }) });
    const entries = booksWith([], { readPeriod }).erp.entries({ from: '', to: '' });
    const list = entries[Symbol.asyncIterator]();
    await expect(list.next()).rejects.toMatchObject({ code: 'ERP_LIST_FAILED', message: 'busy' });
  });

  it('beside a request with an effect leaves its outcome unknown', async () => {
    const lost = failing(LATER);
    expect(await booksWith([[]], { create: lost }).post()).toMatchObject({ outcome: 'unknown' });
    const drafts = { addsLines: false, read: lost, post: () => Promise.resolve(ok(undefined)) };
    const create = () => Promise.resolve(ok('7'));
    expect(await booksWith([[]], { create, drafts }).post()).toMatchObject({ outcome: 'unknown' });
    const files = { isThere: () => Promise.resolve(false), upload: lost };
    const { erp } = booksWith([], { files });
    expect(await erp.attach({ id: '7' }, file)).toMatchObject({ outcome: 'unknown' });
  });

  it('while it is set against another entry is told, and the entry is posted', async () => {
    const matching = { withInvoice: failing(LATER), withOriginal: failing(LATER) };
    const { post } = booksWith([[]], { create: () => Promise.resolve(ok(entry())), matching });
    expect(await post()).toEqual({
      ...{ outcome: 'posted', reference: { id: '7' }, unmatched: { message: 'busy' } },
    });
  });
});

it('lists entries under keys of ours alone, and refuses what the ERP has no request for', async () => {
  const reverse = { message: 'people undo it' };
  const { erp } = booksWith([[]], { cannot: { reverse } });
  const listed: string[] = [];
  for await (const { key } of erp.entries({ from: '2026-01-01', to: '2026-12-31' })) listed.push(key);
  expect(listed).toEqual([KEY]);
  expect(erp).not.toHaveProperty('match');
  const request = { key: KEY, original: entry(), date: '2026-03-01', reason: 'x' };
  expect(await erp.reverse(request)).toMatchObject({ code: 'unsupported', ...reverse });
  const file = { fileName: 'a.pdf', contentType: 'application/pdf', content: new Uint8Array() };
  expect(await erp.attach({ id: '7' }, file)).toMatchObject({ code: 'unsupported' });
});
