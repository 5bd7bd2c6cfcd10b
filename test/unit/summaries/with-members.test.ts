// Whatever becomes of the journal of a day becomes of its documents in the same commit.
import { describe, expect, test } from 'vitest';
import { journalToJson } from '../../../src/domain/journal-json.js';
import { reason } from '../../../src/language/messages.js';
import { refused } from '../../../src/sync/outcomes.js';
import type { PostingWork } from '../../../src/sync/work.js';
import type { ClaimedPosting, PostingChange, PostingStore } from '../../../src/sync/posting-records.js';
import type { ReadyDocument } from '../../../src/sync/follow-up-records.js';
import { withMembers } from '../../../src/sync/summaries.js';
import { invoice, map, posted, rulesWith, type Raw } from '../mapping/build.js';

const ready = (postingId: string, rules: Raw = {}): ReadyDocument => ({
  ...{ postingId, fence: 1, kind: 'invoice', guid: postingId, number: postingId, key: `I${postingId}` },
  journal: journalToJson(posted(map('invoice', invoice(), rulesWith(rules))).journal),
});
const plain = ready('a');
const special = ready('b', { invoice: { revenueByTreatment: { S: '3999' } } });
const store = { summaryMembers: () => Promise.resolve([plain, special]) } as unknown as PostingStore;
const claim = (outcome: string | null = null): ClaimedPosting =>
  ({
    posting: {
      id: 's',
      kind: 'summary',
      guid: 'invoice.2025-03-10.1',
      key: 'D',
      documentNumber: 'DAG',
      reference: null,
    },
    attempt: { key: 'D', outcome },
  }) as unknown as ClaimedPosting;
const work = { deps: { runtime: { random: { next: () => 0.5 } } } } as unknown as PostingWork;
const refusal = (more: { account?: string; code?: 'invalid' | 'unknown-account' }) =>
  refused(work, { outcome: 'rejected', code: 'unknown-account', message: 'no', ...more });
const finished = (change: PostingChange, outcome: 'rejected' | 'unknown' | 'draft'): PostingChange => ({
  ...change,
  attempt: { act: 'finish', outcome, message: '' },
});
const released = async (change: PostingChange) => {
  const { members, to, dueInMs } = await withMembers(store, claim(), change);
  const rest = members?.act === 'release' ? members.documents : [];
  return [to, dueInMs, ...rest.map((one) => `${one.postingId} ${one.to} ${one.reason.code}`)];
};

describe('a definite refusal', () => {
  test('that names an account rests on the documents that have it, and the others are put together anew', async () => {
    expect(await released(finished(refusal({ account: '3999' }), 'rejected'))).toEqual([
      ...['held', 0],
      'a mapped AWAITS_SUMMARY',
      'b held ERP_CONFIGURATION',
    ]);
  });

  test('that names nothing, or what none of them has, rests on all of them', async () => {
    const all = ['held', 0, 'a held ERP_CONFIGURATION', 'b held ERP_CONFIGURATION'];
    expect(await released(finished(refusal({}), 'rejected'))).toEqual(all);
    expect(await released(finished(refusal({ account: '9999' }), 'rejected'))).toEqual(all);
    expect((await released(finished(refusal({ code: 'invalid' }), 'rejected')))[2]).toBe(
      'a parked ERP_REFUSED',
    );
  });

  test('before anything was sent lets go what was about to be taken, and keeps no journal', async () => {
    const taking = {
      act: 'take',
      documents: [special],
      reason: reason('IN_SUMMARY', { summary: 'DAG' }),
    } as const;
    const change = { ...refusal({ account: '3999' }), members: taking, mapped: {} as never };
    const told = await withMembers(store, { ...claim(), attempt: null }, change);
    expect(told.members).toMatchObject({ act: 'release', documents: [{ postingId: 'b', to: 'held' }] });
    expect(told.mapped).toBeUndefined();
  });
});

describe('a doubt', () => {
  const parked: PostingChange = {
    ...{ action: 'parked', to: 'parked', dueInMs: null },
    reason: reason('OUTCOME_UNKNOWN', { what: { code: 'ERP_CANNOT_TELL', params: {} } }),
  };

  test.each([
    ['the outcome is unknown', finished(parked, 'unknown')],
    ['the ERP has a draft that it does not post', finished(refusal({ code: 'invalid' }), 'draft')],
    ['the bridge gave up', parked],
  ])('keeps the documents with it, and they say so: %s', async (_name, change) => {
    const { members, to } = await withMembers(store, claim('unknown'), change);
    expect([to, members]).toMatchObject(['parked', { act: 'tell', reason: { code: 'SUMMARY_WAITS' } }]);
  });

  test('that a restored database has, takes the documents and says so at once', async () => {
    const taking = {
      act: 'take',
      documents: [plain],
      reason: reason('IN_SUMMARY', { summary: 'DAG' }),
    } as const;
    const begin = { act: 'begin', part: 'main', key: 'D', request: '', sendByMs: 1 } as const;
    const { members } = await withMembers(store, claim(), { ...parked, attempt: begin, members: taking });
    expect(members).toMatchObject({ act: 'take', reason: { code: 'SUMMARY_WAITS' } });
  });
});

test('posted, its entry is theirs; a step that ends nothing changes nothing of them', async () => {
  const reference = { id: '7', number: 'J-7' };
  const done = { action: 'posted', to: 'posted', reference: { part: 'main', reference } } as const;
  const booked = { ...claim(), posting: { ...claim().posting, journal: plain.journal } };
  expect((await withMembers(store, booked, done)).members).toMatchObject({
    ...{ act: 'posted', reference },
    message: 'Posted to the ledger as entry J-7, dated 2025-03-10.',
  });
  expect((await withMembers(store, claim(), { action: 'resend' })).members).toBeUndefined();
});
