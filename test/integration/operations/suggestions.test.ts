// What the inbox proposes for a missing account, from what is in the books.
import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { testDatabase } from '../../support/database.js';
import { SEEN_AT, storedDocument } from '../../support/stored-document.js';

const database = await testDatabase();
const { prisma } = database;
const records = createOperationRecords(database);
afterAll(() => database.close());

interface Cost {
  readonly supplier: string;
  readonly text: string;
  /** Where it was booked; waiting without. */
  readonly account?: string;
  readonly day?: string;
}

let number = 0;
async function cost(
  tenantName: string,
  { supplier, text, account, day = '2026-02-01' }: Cost,
): Promise<void> {
  number++;
  const document = {
    ...storedDocument(tenantName),
    kind: 'cost',
    counterpartyKennitala: supplier,
    counterpartyName: supplier === '' ? '' : 'Síminn hf.',
    snapshot: JSON.stringify({ description: text }),
  };
  await prisma.document.create({ data: document });
  const lines = [
    { account, role: 'expense' },
    { account: '1600', role: 'vat-in' },
    { account: '2410', role: 'payable' },
  ];
  const booked = { journal: JSON.stringify({ lines }), documentNo: `K-${number}`, postingDate: day };
  const waits = { state: 'held', reason: 'UNMAPPED_COST_CODE', reasonSubject: 'cost code 9998' };
  await prisma.posting.create({
    data: {
      ...{ id: randomUUID(), documentId: document.id, tenantName, kind: 'cost', key: `C${number}` },
      ...{ stateSince: SEEN_AT, discoveredAt: SEEN_AT, state: 'discovered' },
    },
  });
  const where = { documentId: document.id };
  if (account === undefined) await prisma.posting.updateMany({ where, data: waits });
  else
    for (const state of ['posting', 'posted', 'acknowledged'])
      await prisma.posting.updateMany({ where, data: { ...booked, state } });
}

const suggested = (tenant: string) => records.bookedBefore(tenant, 'UNMAPPED_COST_CODE', 'cost code 9998');

test('accounts of the same supplier, the most frequent first, with the last document as evidence', async () => {
  await prisma.tenant.create({ data: { name: 'a', environment: 'production', createdAt: SEEN_AT } });
  await cost('a', { supplier: '4602070880', text: 'Sími', account: '6150', day: '2026-01-05' });
  await cost('a', { supplier: '4602070880', text: 'Net', account: '6150', day: '2026-03-05' });
  await cost('a', { supplier: '4602070880', text: 'Tæki', account: '6130', day: '2026-02-05' });
  await cost('a', { supplier: '5501192180', text: 'Annað', account: '6900' });
  expect(await suggested('a')).toEqual([]);
  await cost('a', { supplier: '4602070880', text: 'Sími í mars' });
  expect(await suggested('a')).toEqual([
    {
      value: '6150',
      by: 'supplier',
      of: 'Síminn hf.',
      times: 2,
      lastDocument: 'K-2',
      lastDate: '2026-03-05',
    },
    {
      value: '6130',
      by: 'supplier',
      of: 'Síminn hf.',
      times: 1,
      lastDocument: 'K-3',
      lastDate: '2026-02-05',
    },
  ]);
});

test('accounts of the same text where the supplier is new, and nothing of another company', async () => {
  await prisma.tenant.create({ data: { name: 'b', environment: 'production', createdAt: SEEN_AT } });
  await cost('b', { supplier: '', text: 'Leiga á skrifstofu', account: '6050' });
  await cost('b', { supplier: '4602070880', text: 'leiga á skrifstofu ' });
  expect(await suggested('b')).toMatchObject([
    { value: '6050', by: 'text', of: 'leiga á skrifstofu', times: 1 },
  ]);
});

interface Sale {
  readonly customer: string;
  readonly item: string;
  readonly text?: string;
  /** Value of the dimension on its lines; waiting without. */
  readonly place?: string;
}

async function sale(tenantName: string, { customer, item, text = '', place }: Sale): Promise<void> {
  number++;
  const document = {
    ...storedDocument(tenantName),
    counterpartyKennitala: customer,
    counterpartyName: customer === '' ? '' : 'Hótel Hraun ehf.',
    snapshot: JSON.stringify({ description: text, items: [{ item_number: item }] }),
  };
  await prisma.document.create({ data: document });
  const id = randomUUID();
  await prisma.posting.create({
    data: {
      ...{ id, documentId: document.id, tenantName, kind: 'invoice', key: `I${number}`, state: 'discovered' },
      ...{ stateSince: SEEN_AT, discoveredAt: SEEN_AT },
    },
  });
  if (place === undefined) {
    const reasonParams = JSON.stringify({ field: 'cost_provide', dimension: 'place', value: 'Vstur' });
    const waits = {
      state: 'held',
      reason: 'UNMAPPED_DIMENSION',
      reasonSubject: 'dimension place, value "Vstur"',
    };
    await prisma.posting.update({ where: { id }, data: { ...waits, reasonParams } });
    return;
  }
  const lines = [{ role: 'receivable' }, { role: 'revenue', dimensions: { place } }];
  const booked = { journal: JSON.stringify({ lines }), documentNo: `R-${number}`, postingDate: '2026-02-01' };
  for (const state of ['posting', 'posted', 'acknowledged'])
    await prisma.posting.update({ where: { id }, data: { ...booked, state } });
}

test('for an invoice, the value that the same customer, item or text had before, in that order', async () => {
  await prisma.tenant.create({ data: { name: 'c', environment: 'production', createdAt: SEEN_AT } });
  await sale('c', { customer: '4602070880', item: 'V1', place: 'west' });
  await sale('c', { customer: '4602070880', item: 'V9', place: 'west' });
  await sale('c', { customer: '5501192180', item: 'V2', place: 'north' });
  await sale('c', { customer: '5501192180', item: 'V7', text: 'Gisting', place: 'south' });
  await sale('c', { customer: '5501192180', item: 'V8', place: 'east' });
  await sale('c', { customer: '4602070880', item: 'V2', text: 'gisting ' });
  const suggested = await records.bookedBefore('c', 'UNMAPPED_DIMENSION', 'dimension place, value "Vstur"');
  expect(suggested.map(({ value, by, of, times }) => [value, by, of, times])).toEqual([
    ['west', 'customer', 'Hótel Hraun ehf.', 2],
    ['north', 'item', 'V2', 1],
    ['south', 'text', 'gisting', 1],
  ]);
  expect(suggested[0]?.lastDocument).toMatch(/^R-/);
});

test('for a way of paying, what was credited; not what it was booked on', async () => {
  await prisma.tenant.create({ data: { name: 'd', environment: 'production', createdAt: SEEN_AT } });
  await cost('d', { supplier: '4602070880', text: 'Sími', account: '6150' });
  await cost('d', { supplier: '4602070880', text: 'Sími' });
  await prisma.posting.updateMany({
    where: { tenantName: 'd', state: 'held' },
    data: { reason: 'UNMAPPED_HOW_PAID', reasonSubject: 'how_paid 9' },
  });
  const suggested = await records.bookedBefore('d', 'UNMAPPED_HOW_PAID', 'how_paid 9');
  expect(suggested.map(({ value }) => value)).toEqual(['2410']);
});
