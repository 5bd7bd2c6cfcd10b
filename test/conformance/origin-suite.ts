// What every origin promises, whatever it is made of. A bed gives the suite an origin, and ways to put records into it.
import { describe, expect, test } from 'vitest';
import type { Origin, OriginRecord, Told } from '../../src/origins/origin.js';

export interface OriginBed {
  readonly origin: Origin;
  /** The origin has this record from now on, whole. */
  put(reference: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Something that cannot be read. */
  putBad(): Promise<void>;
  /** Waits until what was put is handed over. */
  ripen(): Promise<void>;
  /** The same place, as another process sees it. */
  reopened(): Origin;
  /** What the origin was told of a record, as somebody who looks there sees it. */
  toldOf(reference: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

export const LINE = { item_number: 'V-1', description: 'Vara', qty: '2', unit_price: '1000', tax: 'S' };
export const INVOICE = {
  issue_date: '2026-03-01',
  customer: { kennitala: '5402696029', name: 'Prufa ehf.', email: 'a@b.is' },
  lines: [LINE],
};

const references = (records: readonly OriginRecord[]) => records.map(({ reference }) => reference).sort();

async function all(
  origin: Origin,
  from: string | null,
): Promise<{ records: OriginRecord[]; cursor: string | null }> {
  const records: OriginRecord[] = [];
  let cursor = from;
  for (let look = 0; look < 50; look++) {
    const changes = await origin.changes(cursor);
    records.push(...changes.records);
    cursor = changes.cursor;
    if (!changes.more) return { records, cursor };
  }
  throw new Error('the origin never comes to an end');
}

export function describeOrigin(name: string, makeBed: () => Promise<OriginBed>): void {
  const on = async (work: (bed: OriginBed) => Promise<void>) => {
    const bed = await makeBed();
    try {
      await work(bed);
    } finally {
      await bed.close();
    }
  };

  describe(`an origin of the kind ${name}`, () => {
    test('hands over what is new, and nothing twice after a cursor that was kept', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.ripen();
        const first = await all(bed.origin, null);
        expect(references(first.records)).toEqual(['A-1']);
        await bed.put('A-2');
        await bed.ripen();
        const second = await all(bed.origin, first.cursor);
        expect(references(second.records)).toContain('A-2');
        expect((await all(bed.origin, second.cursor)).records).toEqual([]);
      }));

    test('hands the same over again after a cursor that was not kept, also to another process', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.ripen();
        const first = await all(bed.origin, null);
        expect(await all(bed.origin, null)).toEqual(first);
        const other = bed.reopened();
        await all(other, null);
        await bed.ripen();
        expect((await all(other, null)).records).toEqual(first.records);
      }));

    test('hands over a record that changed, under the same reference and with other content', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.ripen();
        const first = await all(bed.origin, null);
        await bed.put('A-1', { terms: 'Greiðist strax' });
        await bed.ripen();
        const second = await all(bed.origin, first.cursor);
        expect(references(second.records)).toEqual(['A-1']);
        expect(second.records[0]?.content).not.toBe(first.records[0]?.content);
      }));

    test('names what cannot be read with its place, and hands over the rest', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.putBad();
        await bed.ripen();
        const { records, problems } = await bed.origin.changes(null);
        expect(references(records)).toEqual(['A-1']);
        expect(problems).toHaveLength(1);
        expect(problems[0]?.place).not.toBe('');
        expect(problems[0]?.problem).not.toBe('');
      }));

    test('reads one record as it is now, and says when it is gone', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.ripen();
        const [record] = (await all(bed.origin, null)).records;
        expect(await bed.origin.read('invoice', 'A-1', record!.place)).toEqual(record);
        expect(await bed.origin.read('invoice', 'B-9', record!.place)).toBeNull();
      }));

    test('is told twice as if once, also by another process', () =>
      on(async (bed) => {
        await bed.put('A-1');
        await bed.ripen();
        const [record] = (await all(bed.origin, null)).records;
        const told: Told = {
          ...{
            kind: 'invoice',
            reference: 'A-1',
            place: record!.place,
            state: 'created',
            guid: 'g-1',
            number: '7',
          },
          ...{ paymentLink: null, mark: 'OAAAAAAAAAAAAAAAAAAA', why: null },
        };
        await bed.origin.tell(told);
        await bed.reopened().tell(told);
        expect(await bed.toldOf('A-1')).toMatchObject([{ guid: 'g-1', number: '7', state: 'created' }]);
      }));
  });
}
