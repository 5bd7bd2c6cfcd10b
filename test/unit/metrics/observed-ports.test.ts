import { describe, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import type { InvoicingSource } from '../../../src/invoicing/invoicing-source.js';
import type { ClaimedPosting, PostingStore } from '../../../src/pipeline/records.js';
import { observeErp, observePostings, observeSource } from '../../../src/telemetry/metrics/observed-ports.js';
import type { Observer } from '../../../src/telemetry/metrics/observer.js';

function watcher() {
  const seen: string[] = [];
  const observer: Observer = {
    called: ({ side, system, call, outcome, seconds }) => {
      expect(seconds).toBeGreaterThanOrEqual(0);
      seen.push(`${side} ${system} ${call} ${outcome}`);
    },
    moved: (to) => seen.push(`moved ${to}`),
    attemptFinished: (outcome) => seen.push(`attempt ${outcome}`),
    wroteBack: (status, result) => seen.push(`wrote ${status} ${result}`),
    swept: ({ outcome }) => seen.push(`swept ${outcome}`),
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

  it('tells of a move only when it was committed', async () => {
    const { seen, observer } = watcher();
    const committed = { writeBack: { wanted: 'Posted' } } as unknown as ClaimedPosting;
    const answers = [Promise.reject(new Error('LEASE_LOST')), Promise.resolve(committed)];
    const store = observePostings({ commit: () => answers.shift() } as unknown as PostingStore, observer);
    const change = {
      action: 'acknowledged',
      to: 'acknowledged',
      attempt: { act: 'finish', outcome: 'posted', message: '' },
      writeBack: { act: 'acknowledged' },
    } as const;
    await expect(store.commit(committed, change)).rejects.toThrow('LEASE_LOST');
    expect(seen).toEqual([]);
    await store.commit(committed, change);
    expect(seen).toEqual(['moved acknowledged', 'attempt posted', 'wrote Posted acknowledged']);
  });
});
