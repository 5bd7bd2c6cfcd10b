// Which scopes the origins of a tenant ask for, by the kinds that they hand over; and what is not among the kinds is not taken.
import { describe, expect, test } from 'vitest';
import { outboundScopes } from '../../../src/service/source-settings.js';
import { recordFiles } from '../../../src/origins/folder/record-files.js';
import { readDelivery } from '../../../src/origins/inbox.js';
import { kindsOf } from '../../../src/origins/origin-kinds.js';
import { originSettings } from '../../../src/origins/origin-settings.js';

const folder = { name: 'a', type: 'folder', directory: '.' };
const http = { name: 'a', type: 'http', secrets: ['env:A'] };
const erp = { name: 'a', type: 'erp', since: '2026-01-01' };

const CASES = [
  [folder, ['create_invoice', 'manage_customers']],
  [{ ...folder, kinds: ['customer'] }, ['manage_customers']],
  [{ ...folder, kinds: ['task', 'hours'] }, ['task', 'manage_customers']],
  [{ ...http, kinds: ['subscription'] }, ['recurring', 'manage_customers']],
  [{ ...http, kinds: ['cost'] }, ['cost']],
  [{ name: 'a', type: 'receipts', directory: '.' }, ['cost']],
  [
    { name: 'a', type: 'hours', bill: 'invoice', since: '2026-01-01' },
    ['task', 'create_invoice', 'manage_customers'],
  ],
  [{ ...erp, hands: ['customers'] }, ['manage_customers']],
  [{ ...erp, hands: ['items'] }, ['nav']],
  [{ ...folder, kinds: ['item'] }, ['nav']],
  [{ ...erp, hands: ['invoices'] }, ['manage_customers', 'create_invoice']],
  [{ ...erp, hands: ['quotes'], quotes: 'draft' }, ['manage_customers']],
] as const;

describe('scopes by kind', () => {
  test.each(CASES)('%j asks for %j', (given, wanted) => {
    expect(outboundScopes(kindsOf(originSettings.parse(given)).surely)).toEqual(wanted);
  });

  test('whoever has not said what comes may have been granted more', () => {
    expect(outboundScopes(kindsOf(originSettings.parse(folder)).perhaps)).toContain('recurring');
    expect(kindsOf(originSettings.parse({ ...folder, kinds: ['customer'] })).perhaps).toEqual([]);
  });
});

describe('a kind that is not taken', () => {
  const customer = Buffer.from('{"kind":"customer","kennitala":"5402696029","name":"Prufa ehf."}');

  test('is a problem of the file, and the others go on', () => {
    const invoice = '{"kind":"invoice","reference":"A-1"}\n';
    const bytes = Buffer.concat([Buffer.from(invoice), customer]);
    const file = { name: 'a.jsonl', bytes, companion: null, changedOn: '2026-01-01' };
    const { records, problems } = recordFiles('order', ['customer']).read(file);
    expect(records.map(({ reference }) => reference)).toEqual(['5402696029']);
    expect(problems.map(({ place, said }) => [place, said?.code])).toEqual([['a.jsonl:1', 'KIND_NOT_TAKEN']]);
  });

  test('is refused over HTTP', () => {
    expect(readDelivery('k', customer, ['invoice'])).toMatchObject({ said: { code: 'KIND_NOT_TAKEN' } });
    expect(readDelivery('k', customer, ['customer'])).toMatchObject({ kind: 'customer' });
    expect(readDelivery('k', customer)).toMatchObject({ kind: 'customer' });
  });
});
