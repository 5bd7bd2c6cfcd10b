import { describe, expect, it } from 'vitest';
import { postingKey, reversalKey, settlementKey } from '../../../src/domain/posting-key.js';
import {
  checkDocuments,
  checkOutside,
  indexEntries,
  type Outside,
  type OutsideDocument,
  type OutsideEntry,
} from '../../../src/outside/check-outside.js';
import { readDocuments, readEntries } from '../../../src/outside/read-export.js';

const WHERE = { environment: 'production', sourceAccount: '4504013150', ledger: 'main' } as const;
const keyOf = (guid: string, generation = 0) => postingKey({ ...WHERE, kind: 'invoice', guid, generation });

function document(guid: string, more: Partial<OutsideDocument> = {}): OutsideDocument {
  const facts = { kind: 'invoice', number: guid, accountingStatus: 'Posted', amount: '1240.00' } as const;
  return { ...facts, guid, handedOverAt: '2026-03-01', ...more };
}

function entry(guid: string, more: Partial<OutsideEntry> = {}): OutsideEntry {
  return { id: `e-${guid}`, key: keyOf(guid), amount: '1240', isReversed: false, ...more };
}

const found = (more: Partial<Outside>) =>
  checkOutside({ ...WHERE, documents: [], entries: [], settledBefore: null, ...more }).findings.map(
    ({ kind, about }) => `${kind} ${about}`,
  );

describe('both sides laid beside each other', () => {
  it('agree when every Posted document has its one entry', () => {
    const documents = [document('a'), document('b', { accountingStatus: 'Created' })];
    expect(found({ documents, entries: [entry('a')] })).toEqual([]);
  });

  it('show what is booked twice, also over generations', () => {
    const twice = [entry('a'), entry('a', { id: 'e2' })];
    expect(found({ documents: [document('a')], entries: twice })).toEqual(['duplicate a']);
    const anew = [entry('a'), entry('a', { id: 'e2', key: keyOf('a', 1) })];
    expect(found({ documents: [document('a')], entries: anew })).toEqual(['duplicate a']);
  });

  it('show a payment that is booked twice', () => {
    const paid = entry('a', { id: 'p1', key: settlementKey(keyOf('a')) });
    const documents = [document('a')];
    expect(found({ documents, entries: [entry('a'), paid] })).toEqual([]);
    expect(found({ documents, entries: [entry('a'), paid, { ...paid, id: 'p2' }] })).toEqual(['duplicate a']);
    const undone = { ...paid, id: 'p2', isReversed: true };
    expect(found({ documents, entries: [entry('a'), paid, undone] })).toEqual([]);
  });

  it('are laid beside each other company by company where many share one ERP', () => {
    const another = { ...WHERE, sourceAccount: '5501012420', settledBefore: null };
    const theirs = entry('a', {
      id: 'theirs',
      key: postingKey({ ...another, kind: 'invoice', guid: 'a', generation: 0 }),
    });
    const index = indexEntries([entry('a'), entry('a', { id: 'e2' }), theirs]);
    const documents = [document('a')];
    expect(checkDocuments({ ...another, documents }, index).findings).toEqual([]);
    expect(checkDocuments({ ...WHERE, settledBefore: null, documents }, index).findings).toHaveLength(1);
  });

  it('do not count an entry that was reversed', () => {
    const entries = [
      entry('a', { isReversed: true }),
      entry('a', { id: 'r', key: reversalKey(keyOf('a')) }),
      entry('a', { id: 'e2', key: keyOf('a', 1) }),
    ];
    expect(found({ documents: [document('a')], entries })).toEqual([]);
  });

  it('answer for each document of a journal of a day by the key in its line', () => {
    const line = (guid: string, amount = '1240') => ({ text: `SR1 ${keyOf(guid)} Dæmi ehf.`, amount });
    const day = (...lines: { text: string; amount: string }[]) => ({
      ...{
        id: 'e-day',
        key: postingKey({ ...WHERE, kind: 'summary', guid: 'd', generation: 0 }),
        isReversed: false,
      },
      amount: '2480',
      lines: [...lines, { text: 'Samantekt 2026-03-01: SR1 – SR2 (2)', amount: '2480' }],
    });
    const documents = [document('a'), document('b')];
    expect(found({ documents, entries: [day(line('a'), line('b'))] })).toEqual([]);
    expect(found({ documents, entries: [day(line('a'))] })).toEqual(['posted-without-entry b']);
    expect(found({ documents, entries: [day(line('a'), line('b', '1'))] })).toEqual(['unlike b']);
    expect(found({ documents, entries: [day(line('a'), line('b')), entry('b')] })).toEqual(['duplicate b']);
    expect(found({ documents: [document('a')], entries: [day(line('a'), line('b'))] })).toEqual([
      `unknown-entry ${keyOf('b')}`,
    ]);
    const undone = entry('b', { id: 'r', key: reversalKey(keyOf('b')) });
    const anew = entry('b', { id: 'e2', key: keyOf('b', 1) });
    expect(found({ documents, entries: [day(line('a'), line('b')), undone, anew] })).toEqual([]);
    const exported = JSON.stringify([{ ...day(line('a')), reversed: false }]);
    expect(readEntries(exported)[0]?.lines?.[0]).toEqual(line('a'));
  });

  it('show what is Posted without an entry', () => {
    expect(found({ documents: [document('a')] })).toEqual(['posted-without-entry a']);
  });

  it('show what is lost, once it should have been settled', () => {
    const documents = [document('a', { accountingStatus: 'Created' })];
    expect(found({ documents })).toEqual([]);
    expect(found({ documents, settledBefore: '2026-03-02' })).toEqual(['lost a']);
    expect(found({ documents, settledBefore: '2026-03-01' })).toEqual([]);
  });

  it('show an entry that is unlike its document', () => {
    const entries = [entry('a', { amount: '1240.01' })];
    expect(found({ documents: [document('a')], entries })).toEqual(['unlike a']);
  });

  it('show what is in the books though the source was told otherwise', () => {
    const documents = [document('a', { accountingStatus: 'Skipped' })];
    expect(found({ documents, entries: [entry('a')] })).toEqual(['booked-but-not-told a']);
  });

  it('show an entry under a key of ours that belongs to no document', () => {
    expect(found({ entries: [entry('gone')] })).toEqual([`unknown-entry ${keyOf('gone')}`]);
    expect(found({ entries: [entry('x', { key: 'OPENING-BALANCE' })] })).toEqual([]);
  });
});

describe('exports', () => {
  it('are read as a list or as lines, with every digit', () => {
    const record =
      '{"guid":"a","kind":"cost","number":"","accounting_status":"Posted","amount":1240.10,"currency":"ISK"}';
    const read = [expect.objectContaining({ guid: 'a', kind: 'cost', amount: '1240.10' })];
    expect(readDocuments(`[${record}]`)).toEqual(read);
    expect(readDocuments(`${record}\n`)).toEqual(read);
    expect(readDocuments(record.replace('ISK', 'EUR'))[0]?.amount).toBeNull();
  });

  it('say what they lack', () => {
    expect(() => readEntries('{"id":"e1"}')).toThrow('has no key');
  });
});
