import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { ListedDocument, ListPage } from '../../../src/service/invoicing-source.js';
import { createPageReader, pageFromEnd } from '../../../src/sync/intake.js';

const QUERY = { kind: 'invoice', accountingStatus: 'Created', fromDate: '2026-01-01' } as const;
const runtime = {
  timers: { sleep: () => Promise.resolve() },
  random: { next: () => 0.5, uuid: () => '' },
};

interface Hall {
  readonly documents: number;
  readonly pageSize: number;
  readonly batch: number;
  readonly expected?: number;
  /** Of what was handed on, the share that has left the list before the next page is read. */
  readonly done?: number;
  readonly hasMore?: boolean;
  readonly fails?: (request: number) => boolean;
  readonly page?: (page: number) => number;
}

/** A list from which work takes documents away while it is read. */
async function readHall({ documents, pageSize, batch, done = 0, ...hall }: Hall) {
  let list = Array.from({ length: documents }, (_, index) => `guid-${index}`);
  const taken: string[][] = [];
  const requests: number[] = [];
  /** How much was taken before each turn. */
  const turns: number[] = [];
  const source = {
    list: (_query: unknown, page: number): Promise<ListPage> => {
      requests.push(page);
      if (hall.fails?.(requests.length))
        return Promise.reject(new CodedError('SOURCE_CREDENTIALS_REFUSED', 'No.'));
      const at = ((hall.page?.(page) ?? page) - 1) * pageSize;
      const some = list.slice(at, at + pageSize);
      return Promise.resolve({
        documents: some.map((guid) => ({ guid }) as ListedDocument),
        problems: [],
        fingerprint: some.join(),
        hasMore: hall.hasMore ? at + pageSize < list.length : null,
      });
    },
  };
  const take = (pages: readonly ListPage[]) => {
    const guids = pages.flatMap((page) => page.documents.map(({ guid }) => guid));
    taken.push(guids);
    const gone = new Set(taken.flat().filter((_, index) => index % 100 < done * 100));
    list = list.filter((guid) => !gone.has(guid));
    return Promise.resolve();
  };
  const listing = await pageFromEnd(createPageReader(source, QUERY, runtime), {
    expected: hall.expected ?? documents,
    batch,
    onPage: () => Promise.resolve(),
    inTurn: (work) => {
      turns.push(taken.length);
      return work();
    },
    headStart: take,
    take,
  });
  return { listing, taken, guids: new Set(taken.flat()), requests, turns };
}

describe('a list that our own work makes shorter while it is read', () => {
  const sizes = [0, 1, 7, 10, 11, 50, 99, 100, 101, 237, 1_000];
  const cases = sizes.flatMap((documents) =>
    [0, 0.5, 1].flatMap((done) => [1, 10, 30].map((batch) => ({ documents, done, batch }))),
  );

  it.each(cases)(
    'of $documents is read whole, $done of it finished meanwhile, $batch at once',
    async (hall) => {
      for (const hasMore of [true, false]) {
        const { guids, listing, taken } = await readHall({ ...hall, pageSize: 10, hasMore });
        expect(listing.stopped).toBe('end');
        expect(guids.size).toBe(hall.documents);
        expect(Math.max(0, ...taken.map((some) => some.length))).toBeLessThan(hall.batch + 10);
      }
    },
  );

  it('is read whole although the source miscounts it', async () => {
    for (const expected of [0, 1, 50, 236, 238, 300, 5_000, 1_000_000_000]) {
      const { guids, listing, requests } = await readHall({
        ...{ documents: 237, pageSize: 10, batch: 10, done: 1, expected },
      });
      expect([expected, listing.stopped, guids.size]).toEqual([expected, 'end', 237]);
      expect(requests.length).toBeLessThan(100);
    }
  });

  it('is handed on in its own order as long as it is short', async () => {
    const { taken, requests } = await readHall({ documents: 30, pageSize: 10, batch: 500 });
    expect(taken.map((some) => some.length)).toEqual([30]);
    expect(taken[0]?.[0]).toBe('guid-0');
    expect(requests).toEqual([1, 2, 3, 4]);
  });

  it('is begun at once where it is long, and the rest of it is read by turns', async () => {
    const { taken, turns, guids } = await readHall({ documents: 100, pageSize: 10, batch: 20, done: 1 });
    expect(taken[0]).toEqual(Array.from({ length: 20 }, (_, index) => `guid-${index}`));
    expect(turns).toEqual([1, 2, 3, 4]);
    expect(guids.size).toBe(100);
  });

  it('is read whole where exactly a page of it was finished between two looks', async () => {
    for (const done of [0.1, 0.2, 0.25]) {
      const { guids, listing } = await readHall({ documents: 500, pageSize: 10, batch: 100, done });
      expect([listing.stopped, guids.size]).toEqual(['end', 500]);
    }
  });

  it('keeps what was read when it fails', async () => {
    const { guids, listing } = await readHall({
      ...{ documents: 100, pageSize: 10, batch: 20, fails: (request: number) => request > 6 },
    });
    expect(listing).toMatchObject({ stopped: 'failed', failure: { code: 'SOURCE_CREDENTIALS_REFUSED' } });
    expect(guids.size).toBe(40);
  });

  it('ends although every page is the same', async () => {
    const { guids, listing } = await readHall({ documents: 100, pageSize: 10, batch: 20, page: () => 1 });
    expect(listing.stopped).toBe('repeated-page');
    expect(guids.size).toBe(10);
  });
});
