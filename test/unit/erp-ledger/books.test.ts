import { describe, expect, it } from 'vitest';
import { Books } from '../../../lab/sandbox/erp-ledger/books.js';
import type { JournalRequest } from '../../../lab/sandbox/erp-ledger/journal-request.js';

const KEYS = { idempotency: 'key', keyLifeMs: null } as const;

function entry(index: number): JournalRequest {
  const day = String((index % 28) + 1).padStart(2, '0');
  return {
    key: `I${index}`,
    documentNo: `SR${index}`,
    externalReference: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    postingDate: `2025-${String((index % 12) + 1).padStart(2, '0')}-${day}`,
    documentDate: '2025-01-01',
    description: 'Sala',
    currency: 'ISK',
    exchangeRate: '1',
    lines: [
      { account: '1500', debit: '124', credit: '0', text: 'Dæmi ehf.' },
      { account: '3000', debit: '0', credit: '100', text: 'Sala' },
      { account: '2500', debit: '0', credit: '24', text: 'VSK' },
    ],
  };
}

describe('large books', () => {
  it('find by key, by id and by page without walking through all of them', () => {
    const books = new Books();
    const total = 10_000;
    for (let index = 0; index < total; index++) books.post(entry(index), KEYS, 0);
    expect(books.size).toBe(total);
    const wrong: number[] = [];
    const before = process.cpuUsage();
    for (let index = 0; index < 2000; index++) {
      const wanted = (index * 97) % total;
      if (books.byKey(`I${wanted}`)[0] !== books.byId(`je-${wanted + 1}`)) wrong.push(wanted);
    }
    expect(wrong).toEqual([]);
    const year = { from: '2025-01-01', to: '2025-12-31' };
    expect(books.inPeriod(year, total - 50, 100)).toHaveLength(50);
    expect(books.inPeriod(year, 0, 100)).toHaveLength(100);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(200);
  });

  it('find nothing under ids that were never given', () => {
    const books = new Books();
    books.post(entry(1), KEYS, 0);
    for (const id of ['je-0', 'je-2', 'je-01', 'je-1e0', 'constructor', ''])
      expect(books.byId(id)).toBeUndefined();
  });
});
