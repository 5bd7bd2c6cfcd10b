import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { ListedDocument, ListPage } from '../../../src/service/invoicing-source.js';
import { ASK_AGAIN_MS, pageThrough } from '../../../src/sync/intake.js';

const QUERY = { kind: 'invoice', accountingStatus: 'Created', fromDate: '2026-01-01' } as const;
const unavailable = () => new CodedError('SOURCE_UNAVAILABLE', 'Internal server error.');

/** Pages of one document each; `fails` says what happens to a request by its number, or nothing. */
function list(pages: number, fails: (request: number) => Error | null) {
  const waits: number[] = [];
  let requests = 0;
  const source = {
    list: (_query: unknown, page: number): Promise<ListPage> => {
      const error = fails(++requests);
      if (error) return Promise.reject(error);
      const documents = page > pages ? [] : [{ guid: `guid-${page}` } as ListedDocument];
      return Promise.resolve({ documents, problems: [], fingerprint: String(page), hasMore: null });
    },
  };
  const sleep = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  const runtime = { timers: { sleep }, random: { next: () => 0.5, uuid: () => '' } };
  const read = async () => {
    const guids: string[] = [];
    const listing = await pageThrough(source, QUERY, runtime, ({ documents }) => {
      guids.push(...documents.map(({ guid }) => guid));
      return Promise.resolve();
    });
    return { ...listing, guids };
  };
  return { read, waits, requests: () => requests };
}

describe('reading a list', () => {
  it('goes on at the page that failed, not at the first', async () => {
    const { read, waits, requests } = list(50, (request) => (request % 10 === 0 ? unavailable() : null));
    const { guids, stopped } = await read();
    expect(stopped).toBe('end');
    expect(guids).toHaveLength(50);
    expect(requests()).toBe(51 + 5);
    expect(waits).toEqual(Array(5).fill(ASK_AGAIN_MS[0]));
  });

  it('gives up after a few tries, and keeps the pages before', async () => {
    const { read, waits, requests } = list(50, (request) => (request > 7 ? unavailable() : null));
    const { guids, stopped, failure } = await read();
    expect({ stopped, failure }).toMatchObject({
      stopped: 'failed',
      failure: { code: 'SOURCE_UNAVAILABLE' },
    });
    expect(guids).toEqual(Array.from({ length: 7 }, (_, index) => `guid-${index + 1}`));
    expect(requests()).toBe(7 + 1 + ASK_AGAIN_MS.length);
    expect(waits).toEqual([...ASK_AGAIN_MS]);
  });

  it.each([
    ['refused credentials', new CodedError('SOURCE_CREDENTIALS_REFUSED', 'No.')],
    [
      'a service that says when to come back',
      new CodedError('SOURCE_UNAVAILABLE', 'Later.', { details: { retryAfterMs: 60_000 } }),
    ],
    ['our own mistakes', new TypeError('undefined is not a function')],
  ])('does not ask again after %s', async (_title, error) => {
    const { read, waits, requests } = list(3, (request) => (request === 2 ? error : null));
    expect((await read()).failure).toBe(error);
    expect([requests(), waits]).toEqual([2, []]);
  });
});
