import { describe, expect, it } from 'vitest';
import { type BridgeEvent, createTeller } from '../../../src/domain/bridge-event.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import type { OriginStore, SubmissionRecord, SubmissionStore } from '../../../src/outbound/stage.js';
import type { ClaimedPosting, PostingStore } from '../../../src/sync/posting-records.js';
import {
  observeErp,
  observeSource,
  tellOrigins,
  tellPostings,
  tellSubmissions,
  type Observer,
} from '../../../src/telemetry/metrics/counters.js';

function watcher() {
  const seen: string[] = [];
  const observer: Observer = {
    called: ({ side, system, call, outcome, seconds }) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      seen.push(`${side} ${system} ${call} ${outcome}`);
    },
  };
  return { seen, observer };
}

describe('an observed port', () => {
  it('hands answers and errors through unchanged and tells what they were', async () => {
    const { seen, observer } = watcher();
    const refusal = new Error('no');
    const source = observeSource(
      {
        get: () => Promise.resolve({ outcome: 'gone' }),
        count: () => Promise.reject(refusal),
      } as unknown as InvoicingSource,
      'agent',
      observer,
    );
    expect(await source.get('cost', 'g')).toEqual({ outcome: 'gone' });
    await expect(source.count({ kind: 'cost', accountingStatus: 'Created' })).rejects.toBe(refusal);
    const erp = observeErp(
      { post: () => Promise.resolve({ outcome: 'unknown', message: 'late' }) } as unknown as ErpAdapter,
      'odoo',
      observer,
    );
    expect(await erp.post({ key: 'k', request: '{}' })).toMatchObject({ outcome: 'unknown' });
    expect(seen).toEqual(['source agent get gone', 'source agent count threw', 'erp odoo post unknown']);
  });

  it('tells of a move only when it was committed, with what it is about', async () => {
    const told: BridgeEvent[] = [];
    const posting = {
      ...{ id: 'p', tenantName: 'hraun', kind: 'cost', guid: 'g', documentNumber: 'K1', state: 'mapped' },
      ...{ reason: null, reference: null },
    };
    const before = { posting, writeBack: null } as unknown as ClaimedPosting;
    const reason = { code: 'COST_CODE_UNKNOWN', subject: '4711', params: {} };
    const committed = {
      posting: { ...posting, state: 'parked', reason },
      writeBack: { wanted: 'Posted' },
    } as unknown as ClaimedPosting;
    const answers = [Promise.reject(new Error('LEASE_LOST')), Promise.resolve(committed)];
    const store = tellPostings({ commit: () => answers.shift() } as unknown as PostingStore, (event) =>
      told.push(event),
    );
    const change = {
      action: 'parked',
      to: 'parked',
      reason,
      dueInMs: null,
      attempt: { act: 'finish', outcome: 'unknown', message: '' },
      writeBack: { act: 'sent' },
    } as const;
    await expect(store.commit(before, change)).rejects.toThrow('LEASE_LOST');
    expect(told).toEqual([]);
    await store.commit(before, change);
    expect(told).toEqual([
      {
        ...{
          event: 'document.parked',
          tenant: 'hraun',
          kind: 'cost',
          guid: 'g',
          number: 'K1',
          postingId: 'p',
        },
        ...{ from: 'mapped', reason: { code: 'COST_CODE_UNKNOWN', subject: '4711' }, entry: null },
      },
      { event: 'attempt.finished', outcome: 'unknown' },
      { event: 'write-back', status: 'Posted', result: 'sent' },
    ]);
  });

  it('tells that a document is posted, and that it is acknowledged, when both are one commit', async () => {
    const told: string[] = [];
    const posting = { state: 'posting', reason: null, reference: { id: '7' } };
    const before = { posting, writeBack: null } as unknown as ClaimedPosting;
    const committed = {
      posting: { ...posting, state: 'acknowledged' },
      writeBack: { wanted: 'Posted' },
    } as unknown as ClaimedPosting;
    const store = tellPostings(
      { commit: () => Promise.resolve(committed) } as unknown as PostingStore,
      (event) => told.push(Object.values(event).flat().join(' ').trim()),
    );
    await store.commit(before, {
      ...{ action: 'acknowledged', to: 'acknowledged', reason: null, dueInMs: null, bookedMsAgo: 12 },
      attempt: { act: 'finish', outcome: 'posted', message: '' },
      writeBack: { act: 'told', wanted: 'Posted', message: '7' },
    });
    expect(told.map((text) => text.replace(/ +/g, ' '))).toEqual([
      'document.posted posting 7',
      'document.acknowledged posted 7',
      'attempt.finished posted',
      'write-back Posted acknowledged',
    ]);
  });

  it('goes on when somebody who listens throws', () => {
    const heard: string[] = [];
    const failures: unknown[] = [];
    const tell = createTeller(
      [
        () => {
          throw new Error('full disk');
        },
        ({ event }) => heard.push(event),
      ],
      (error) => failures.push(error),
    );
    tell({ event: 'attempt.finished', outcome: 'posted' });
    expect(heard).toEqual(['attempt.finished']);
    expect(failures).toMatchObject([{ message: 'full disk' }]);
  });

  it('tells of the other direction when it was committed: moves, requests that ended, records that came', async () => {
    const told: BridgeEvent[] = [];
    const tell = (event: BridgeEvent) => void told.push(event);
    const claimed = {
      ...{ id: 's', tenantName: 'hraun', kind: 'invoice', reference: 'SO-1', key: 'OA', state: 'sending' },
      ...{ reason: null, number: null },
    } as unknown as SubmissionRecord;
    const answers = [false, true, true];
    const store = tellSubmissions(
      { commit: () => Promise.resolve(answers.shift()) } as unknown as SubmissionStore,
      tell,
    );
    const created = { guid: 'g', number: '7', paymentLink: null };
    const finish = { outcome: 'accepted', message: '' } as const;
    const change = { action: 'created', to: 'created', dueInMs: 0, created, finish } as const;
    expect(await store.commit(claimed, change)).toBe(false);
    expect(told).toEqual([]);
    expect(await store.commit(claimed, change)).toBe(true);
    await store.commit(claimed, { action: 'service-away', dueInMs: 1_000 });
    expect(told).toEqual([
      { event: 'submission-attempt.finished', outcome: 'accepted' },
      {
        ...{ event: 'submission.created', tenant: 'hraun', kind: 'invoice', reference: 'SO-1', mark: 'OA' },
        ...{ submissionId: 's', from: 'sending', reason: null, number: '7' },
      },
    ]);
    const taken = [
      { added: 0, changed: 0, late: 0, taken: 0 },
      { added: 2, changed: 1, late: 0, taken: 1 },
    ];
    const origins = tellOrigins(
      { takeIn: () => Promise.resolve(taken.shift()) } as unknown as OriginStore,
      tell,
    );
    const nothing = { records: [], problems: [], looked: [], cursor: '' };
    for (let look = 0; look < 2; look++) await origins.takeIn('hraun', 'shop', nothing);
    expect(told.slice(2)).toEqual([
      {
        event: 'records.received',
        tenant: 'hraun',
        origin: 'shop',
        added: 2,
        changed: 1,
        late: 0,
        shared: 1,
      },
    ]);
  });
});
