import { describe, expect, it } from 'vitest';
import { type HashedEntry, type HashedLink, linkHash, singleEntryHash } from '../../../src/store/audit.js';

const ENTRY: HashedEntry = {
  at: '2026-01-31T23:59:59.000Z',
  actor: 'anna',
  action: 'posting.skipped',
  subject: 'p1',
  reason: null,
  details: '{}',
};
const OTHER: HashedEntry = { ...ENTRY, subject: 'p2' };
const LINK: HashedLink = { chain: 'nordur', number: 1n, previous: '', entries: [ENTRY, OTHER] };

describe('the hash of a link of the audit', () => {
  it('never changes: audits written years ago must still verify', () => {
    expect(singleEntryHash({ ...LINK, entries: [ENTRY] })).toBe(
      '47a3e8e959b3632f8ed994f2050cad0101ebce9be13c0c067342ca5009aecc7a',
    );
    expect(linkHash(LINK)).toBe('3b57546fc79252d20dbbf9a154a76e3916146d08be1e2131d93de603790b6aa9');
  });

  it.each(Object.keys(ENTRY) as (keyof HashedEntry)[])('covers %s of every entry', (field) => {
    const changed = (entry: HashedEntry) => ({ ...entry, [field]: 'other' });
    expect(linkHash({ ...LINK, entries: [changed(ENTRY), OTHER] })).not.toBe(linkHash(LINK));
    expect(linkHash({ ...LINK, entries: [ENTRY, changed(OTHER)] })).not.toBe(linkHash(LINK));
  });

  it('covers the chain, the place in it, what came before, and the order of the entries', () => {
    for (const other of [{ chain: 'sudur' }, { number: 2n }, { previous: 'x' }, { entries: [OTHER, ENTRY] }])
      expect(linkHash({ ...LINK, ...other })).not.toBe(linkHash(LINK));
  });

  it('tells no reason from an empty one, and text from its neighbour', () => {
    const one = (entry: HashedEntry) => linkHash({ ...LINK, entries: [entry] });
    expect(one({ ...ENTRY, reason: '' })).not.toBe(one(ENTRY));
    expect(one({ ...ENTRY, reason: '-' })).not.toBe(one(ENTRY));
    expect(one({ ...ENTRY, actor: 'anna|5:b', action: 'c' })).not.toBe(
      one({ ...ENTRY, actor: 'anna', action: '5:b|c' }),
    );
  });

  it('counts bytes, as the database does', () => {
    const one = (actor: string) => linkHash({ ...LINK, entries: [{ ...ENTRY, actor }] });
    expect(one('þ')).not.toBe(one('th'));
  });
});
