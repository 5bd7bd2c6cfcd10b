import { describe, expect, it } from 'vitest';
import { type BridgeEvent, createTeller } from '../../../src/domain/bridge-event.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/invoicing/invoicing-source.js';
import type { ClaimedPosting, PostingStore } from '../../../src/pipeline/records.js';
import { observeErp, observeSource, tellPostings } from '../../../src/telemetry/metrics/observed-ports.js';
import type { Observer } from '../../../src/telemetry/metrics/observer.js';

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
});
