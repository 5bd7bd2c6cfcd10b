// What PostgreSQL refuses, the records of a simulated run refuse as well: else a run is green where the real thing throws.
import { expect, test } from 'vitest';
import type { ListedDocument } from '../../../src/service/invoicing-source.js';
import type { PostingChange } from '../../../src/sync/posting-records.js';
import { RecordedChance } from '../../../lab/proof/chance.js';
import { Kernel } from '../../../lab/proof/kernel.js';
import { memoryIntakeStore } from '../../../lab/proof/memory-intake-store.js';
import { memoryPostingStore } from '../../../lab/proof/memory-posting-store.js';
import { MemoryRecords } from '../../../lab/proof/memory-records.js';

const LIFE = { step: () => Promise.resolve() };
const LISTED: ListedDocument = {
  guid: 'g',
  kind: 'invoice',
  accountingStatus: 'Created',
  issueDate: '2026-03-01',
  number: '1',
  amount: '1',
  currency: 'ISK',
  counterpartyName: '',
  counterpartyKennitala: '',
  updatedTimestamp: '',
};

test.each<PostingChange>([
  { action: 'resend', attempt: { act: 'resend', sendByMs: 1_000 } },
  { action: 'finish', attempt: { act: 'finish', outcome: 'unknown', message: 'lost' } },
  { action: 'sent', writeBack: { act: 'sent' } },
])('$action is refused where nothing of it is on record, and changes nothing', async (change) => {
  const records = new MemoryRecords(new Kernel(new RecordedChance({})), {});
  await memoryIntakeStore(records, LIFE).recordListed('prufa', [LISTED], () => 'key', 0);
  const store = memoryPostingStore(records, LIFE);
  const [id = ''] = records.rows.keys();
  const claim = await store.claim(id, 'me', 60_000);
  if (!claim) throw new Error('it cannot be claimed');
  await expect(store.commit(claim, { ...change, tries: 5 })).rejects.toThrow(
    /no attempt or write-back on record/,
  );
  expect(records.rows.get(id)?.posting.tries).toBe(0);
});
