import { describe, expect, it } from 'vitest';
import { auditHash, type HashedEntry } from '../../../src/store/audit-hash.js';

const ENTRY: HashedEntry = {
  chain: 'nordur',
  number: 1n,
  previous: '',
  at: '2026-01-31T23:59:59.000Z',
  actor: 'anna',
  action: 'posting.skipped',
  subject: 'p1',
  reason: null,
  details: '{}',
};

describe('the hash of an audit entry', () => {
  it('never changes: audits written years ago must still verify', () => {
    expect(auditHash(ENTRY)).toBe('47a3e8e959b3632f8ed994f2050cad0101ebce9be13c0c067342ca5009aecc7a');
  });

  it.each(Object.keys(ENTRY) as (keyof HashedEntry)[])('covers %s', (field) => {
    const other = field === 'number' ? 2n : 'other';
    expect(auditHash({ ...ENTRY, [field]: other })).not.toBe(auditHash(ENTRY));
  });

  it('tells no reason from an empty one, and text from its neighbour', () => {
    expect(auditHash({ ...ENTRY, reason: '' })).not.toBe(auditHash(ENTRY));
    expect(auditHash({ ...ENTRY, reason: '-' })).not.toBe(auditHash(ENTRY));
    expect(auditHash({ ...ENTRY, actor: 'anna|5:b', action: 'c' })).not.toBe(
      auditHash({ ...ENTRY, actor: 'anna', action: '5:b|c' }),
    );
  });

  it('counts bytes, as the database does', () => {
    expect(auditHash({ ...ENTRY, actor: 'þ' })).not.toBe(auditHash({ ...ENTRY, actor: 'th' }));
  });
});
