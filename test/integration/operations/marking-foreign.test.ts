// A foreign document that was booked by hand, and of which the rules make no journal: its entry is compared in its currency,
// or in ISK at its rate; what cannot be compared only a person accepts, and that stands in the audit trail.
import { afterAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import type { ErpEntry } from '../../../src/erp/erp-adapter.js';
import { testDatabase } from '../../support/database.js';
import { ACT, operatorBed } from './operator-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

const NONE = new Decimal(0);

interface ByHand {
  readonly isk: number;
  /** What its lines show of the currency, where the ERP keeps that. */
  readonly euros?: number;
}

/** Two lines of `isk`, as a bookkeeper books a bill. */
function entryOf({ isk, euros }: ByHand): ErpEntry {
  const amount = new Decimal(isk);
  const inEuros = (sign: number) =>
    euros === undefined ? {} : { currency: 'EUR', currencyAmount: new Decimal(euros * sign) };
  return {
    reference: { id: 'by-hand' },
    key: '',
    state: 'posted',
    postingDate: '2026-11-15',
    lines: [
      { account: '1500', debit: amount, credit: NONE, ...inEuros(1) },
      { account: '3000', debit: NONE, credit: amount, ...inEuros(-1) },
    ],
  };
}

/** EUR 1,240 that add up to nothing else, so that nothing is made of them. */
async function foreignBed(name: string, rate: number | null, byHand: ByHand) {
  const bed = await operatorBed(database, name);
  const { source } = bed.tenant;
  const { get } = source;
  source.get = async (kind, guid) => {
    const fetched = await get(kind, guid);
    if (fetched.outcome !== 'found' || fetched.document.kind !== 'invoice') return fetched;
    const exchangeRate = rate === null ? null : new Decimal(rate);
    const document = { ...fetched.document, number: '', currency: 'EUR', exchangeRate };
    return { ...fetched, document };
  };
  const id = await bed.invoice('foreign');
  bed.books.entries.push(entryOf(byHand));
  const mark = (acceptDifferences = false) =>
    bed.operations.act('mark-posted', [id], { entry: 'by-hand', acceptDifferences }, ACT);
  const audited = async () => {
    const [entry] = await bed.prisma.$queryRaw<{ details: string }[]>`
      SELECT details FROM audit_entry WHERE subject = ${id} AND action = 'posting.marked-posted-elsewhere'`;
    return JSON.parse(entry?.details ?? 'null') as { differences?: string[] } | null;
  };
  return { bed, id, mark, audited };
}

describe('without a journal, a foreign document is marked with an entry', () => {
  test.each<[string, number | null, ByHand]>([
    ['of the same amount in its currency, whatever its krónur are', null, { isk: 190_000, euros: 1240 }],
    ['of its amount in ISK at its rate, where the ERP shows no currency', 150, { isk: 186_000 }],
    ['of its amount in ISK, give or take the króna of rounding', 150, { isk: 186_001 }],
  ])('%s', async (title, rate, byHand) => {
    const { mark, audited } = await foreignBed(`same ${title.length} ${byHand.isk}`, rate, byHand);
    expect(await mark()).toMatchObject({ marked: true, differences: [] });
    expect(await audited()).not.toHaveProperty('differences');
  });

  test('of another amount in its currency never: that is another document', async () => {
    const { bed, id, mark } = await foreignBed('other-amount', 150, { isk: 186_000, euros: 1241 });
    for (const accepts of [false, true])
      await expect(mark(accepts)).rejects.toMatchObject({ code: 'ERP_ENTRY_DIFFERS' });
    expect(await bed.row(id)).toMatchObject({ erpNumber: null });
  });

  test.each<[string, number | null, ByHand, string]>([
    ['other krónur than its rate gives', 150, { isk: 188_000 }, '186000 ISK at 150'],
    ['any krónur at all where no rate is known', null, { isk: 186_000 }, 'no rate'],
  ])('of %s only when a person accepts that, and it is audited', async (title, rate, byHand, told) => {
    const { bed, id, mark, audited } = await foreignBed(`accepted ${title.length}`, rate, byHand);
    await expect(mark()).rejects.toMatchObject({ code: 'ERP_ENTRY_DIFFERS' });
    expect(await bed.row(id)).toMatchObject({ erpNumber: null });
    const marked = await mark(true);
    expect(marked).toMatchObject({ marked: true, differences: [expect.stringContaining(told)] });
    expect(await audited()).toMatchObject({ entry: 'by-hand', differences: marked.differences });
  });
});
