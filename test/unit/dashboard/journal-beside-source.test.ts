import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../src/dashboard/language/en.js';
import { ICELANDIC } from '../../../src/dashboard/language/is.js';
import { besideSource, journalTable } from '../../../src/dashboard/views/journal-table.js';
import type { Visit } from '../../../src/dashboard/visit.js';

const english = { language: 'en', text: ENGLISH } as unknown as Visit;
const icelandic = { language: 'is', text: ICELANDIC } as unknown as Visit;

type Journal = Parameters<typeof besideSource>[1];
const line = (account: string, debit: string, credit: string) => ({ account, debit, credit, text: 'Vara' });
const journal = {
  documentNo: 'SR1',
  postingDate: '2026-11-01',
  description: 'Prufa',
  currency: 'EUR',
  exchangeRate: '150.32',
  lines: [line('1200', '124000', '0'), line('4010', '0', '124000')],
} as unknown as Journal;

describe('a journal beside its document', () => {
  it('says by how much it differs from what the source says, in both languages', () => {
    const source = { amount: '124001.5', currency: 'ISK' };
    const apart = [english, icelandic].map((visit) => besideSource(visit, journal, source)?.text ?? '');
    for (const text of apart) {
      expect(text).toContain('124.001,5');
      expect(text).toContain('124.000');
      expect(text).toContain('1,5');
    }
    expect(new Set(apart).size).toBe(2);
  });

  it('says nothing where both say the same, also of a credit note, nor of another currency', () => {
    expect(besideSource(english, journal, { amount: '-124000', currency: 'ISK' })).toBeNull();
    expect(besideSource(english, journal, { amount: '900', currency: 'EUR' })).toBeNull();
  });

  it('names the accounts as the ERP does, and a rate does not look like an amount', () => {
    const shown = journalTable(english, journal, [], { '1200': 'Viðskiptakröfur' }).text;
    expect(shown).toContain('Viðskiptakröfur');
    // A rate is no amount: it says of what, and has no króna behind it.
    expect(shown.replaceAll(/\s+/g, ' ')).toContain('rate 1 EUR = 150,32 ISK');
    expect(shown).not.toContain('150,32 kr.');
  });
});
