// Documents that the lists leave open are read singly; a service that goes away meanwhile is not asked for ever, and what was not read
// is said.
import { describe, expect, test } from 'vitest';
import type { FetchOutcome } from '../../../src/service/invoicing-source.js';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { parseLossless } from '../../../src/domain/canonical-json.js';
import { ContentCheck } from '../../../src/operations/closing/content-check.js';
import type { ClosingDocument } from '../../../src/operations/closing/records.js';
import { contentHash } from '../../../src/sync/content-hash.js';

const snapshotOf = (number: number, description = 'Leiga') =>
  JSON.stringify({ guid: `g-${String(number)}`, amount: 1240, description, accounting_status: 'Posted' });
const booked = (number: number) =>
  ({
    ...{ postingId: `p-${String(number)}`, kind: 'cost', guid: `g-${String(number)}`, number: '' },
    ...{ amount: '1240', currency: 'ISK', contentHash: contentHash('cost', snapshotOf(number)) },
  }) as unknown as ClosingDocument;
const DOCUMENTS = Array.from({ length: 100 }, (_, number) => booked(number));

/** `listed`: the hash that the list showed. */
function checkOf(get: (guid: string) => FetchOutcome, listed: (number: number) => string | undefined) {
  const asked: string[] = [];
  const shown = DOCUMENTS.map(({ guid }, number) => {
    const hash = listed(number);
    const one = {
      kind: 'cost' as const,
      number: '',
      amount: '1240.00',
      currency: 'ISK',
      accountingStatus: 'Posted',
    };
    return [guid, hash === undefined ? one : { ...one, contentHash: hash }] as const;
  });
  const check = new ContentCheck({
    source: {
      get: (_kind, guid) => {
        asked.push(guid);
        return Promise.resolve().then(() => get(guid));
      },
    },
    listed: { documents: new Map(shown), problems: [] },
    records: { snapshot: (id) => Promise.resolve(snapshotOf(Number(id.slice(2)))) },
    runtime: { timers: { sleep: () => Promise.resolve() } as never, random: { next: () => 0.5 } as never },
  });
  return { check, asked };
}

const found = (snapshot: string): FetchOutcome =>
  ({ outcome: 'found', document: {}, snapshot, record: parseLossless(snapshot) }) as never;

describe('what was booked, held against the service', () => {
  test('is not read where the list shows it as it was', async () => {
    const { check, asked } = checkOf(
      () => expect.unreachable(),
      (number) => DOCUMENTS[number]!.contentHash!,
    );
    expect(await check.differences(DOCUMENTS, () => undefined)).toEqual([]);
    expect([asked, check.unread()]).toEqual([[], []]);
  });

  test('is read where the list is shorter, and only what was edited is told, with its fields', async () => {
    const progress: number[] = [];
    const { check, asked } = checkOf(
      (guid) => found(snapshotOf(Number(guid.slice(2)), guid === 'g-17' ? 'Annað' : 'Leiga')),
      (number) => (number % 2 === 0 ? undefined : 'another'),
    );
    expect(await check.differences(DOCUMENTS, (read) => progress.push(read))).toEqual([
      { code: 'CLOSE_CONTENT_CHANGED', params: { kind: 'cost', number: 'g-17', fields: 'description' } },
    ]);
    expect(asked).toHaveLength(100);
    expect(progress.at(-1)).toBe(100);
  });

  test('is told as gone or unreadable where it is', async () => {
    const { check } = checkOf(
      (guid) =>
        guid === 'g-1'
          ? { outcome: 'gone' }
          : { outcome: 'unreadable', problem: 'amount is missing', snapshot: '{}' },
      (number) => (number > 2 ? DOCUMENTS[number]!.contentHash! : undefined),
    );
    const told = await check.differences(DOCUMENTS, () => undefined);
    expect(told.map(({ code }) => code)).toEqual([
      'CLOSE_SOURCE_UNREADABLE',
      'CLOSE_NOT_AT_SOURCE',
      'CLOSE_SOURCE_UNREADABLE',
    ]);
  });

  test('of a service that went away is counted as unread, and not asked for on and on', async () => {
    const { check, asked } = checkOf(
      () => {
        throw new CodedError('SOURCE_UNAVAILABLE', 'The service does not answer.');
      },
      () => undefined,
    );
    expect(await check.differences(DOCUMENTS, () => undefined)).toEqual([]);
    expect(check.unread()).toEqual([
      { code: 'CLOSE_CONTENT_UNREAD', params: { count: 100, problem: 'The service does not answer.' } },
    ]);
    expect(asked.length).toBeLessThanOrEqual(24);
  });
});
