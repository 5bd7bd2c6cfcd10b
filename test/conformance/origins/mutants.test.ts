// The suite of origins is a judge, and a judge that cannot say no is worth nothing: origins that each break one promise, quietly, in the
// way that an author might.
import { expect, test } from 'vitest';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import type { OriginCaseId, OriginTarget } from '../../../src/origins/conformance/target.js';
import type { NamedAtOrigin, Origin, OriginChanges, OriginRecord } from '../../../src/origins/origin.js';
import { jsonTarget, receiptTarget } from './folder-beds.js';

/** An origin that is honest but for what a mutant puts in its place; one for each process. */
type Mutation = (honest: Origin) => Partial<Origin>;

function mutated(target: OriginTarget, mutation: Mutation): OriginTarget {
  return {
    ...target,
    open: async () => {
      const bed = await target.open();
      const connect = async (): Promise<Origin> => {
        const honest = await bed.connect();
        const lies = mutation(honest);
        return {
          name: honest.name,
          changes: (cursor) => honest.changes(cursor),
          read: (...asked) => honest.read(...asked),
          tell: (told) => honest.tell(told),
          ...(honest.file ? { file: (...asked) => honest.file?.(...asked) ?? Promise.resolve(null) } : {}),
          close: () => honest.close(),
          ...lies,
        };
      };
      return { ...bed, connect };
    },
  };
}

const changing =
  (change: (changes: OriginChanges, cursor: string | null) => Partial<OriginChanges>): Mutation =>
  (honest) => ({
    changes: async (cursor) => {
      const changes = await honest.changes(cursor);
      return { ...changes, ...change(changes, cursor) };
    },
  });

const eachRecord = (change: (record: OriginRecord) => OriginRecord): Mutation =>
  changing(({ records }) => ({ records: records.map(change) }));

/** Written with a member in another order. */
const unsorted = (content: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(content) as object).reverse()));

const nothing = (cursor: string | null): OriginChanges => ({
  ...{ records: [], problems: [], looked: [], cursor: cursor ?? '{}', more: false },
});

const MUTANTS: readonly [name: string, caught: OriginCaseId, Mutation][] = [
  ['never comes to an end', 'empty', changing(() => ({ more: true }))],
  ['hands over nothing', 'lists-new', changing(() => ({ records: [] }))],
  [
    'writes content in another order',
    'well-formed',
    eachRecord((one) => ({ ...one, content: unsorted(one.content) })),
  ],
  [
    'spoils letters that are not ASCII',
    'well-formed',
    eachRecord((one) => ({ ...one, content: one.content.replace(/[^\x20-\x7e]/g, '?') })),
  ],
  ['says no place', 'well-formed', eachRecord((one) => ({ ...one, place: '' }))],
  ['keeps no cursor', 'not-again', (honest) => ({ changes: () => honest.changes(null) })],
  [
    'remembers in the process what it handed over',
    'again-after-crash',
    (honest) => {
      const seen = new Set<string>();
      return changing(({ records }) => ({
        records: records.filter(({ content }) => !seen.has(content) && seen.add(content)),
      }))(honest);
    },
  ],
  [
    'has a cursor that only its process understands',
    'cursor-is-anybodys',
    (honest) => {
      const kept = new Map<string, string>();
      return {
        changes: async (cursor) => {
          const changes = await honest.changes(cursor === null ? null : (kept.get(cursor) ?? cursor));
          const opaque = String(kept.size);
          kept.set(opaque, changes.cursor);
          return { ...changes, cursor: opaque };
        },
      };
    },
  ],
  ['stops after the first look', 'many', changing(({ more: _more }) => ({ more: false }))],
  [
    'counts how far it came',
    'put-meanwhile',
    (honest) => ({
      changes: async (cursor) => {
        const all: OriginRecord[] = [];
        let [at, more]: [string | null, boolean] = [null, true];
        while (more) {
          const changes = await honest.changes(at);
          all.push(...changes.records);
          [at, more] = [changes.cursor, changes.more];
        }
        all.sort((a, b) => (a.place < b.place ? -1 : 1));
        const from = Number(cursor ?? '0');
        const records = all.slice(from, from + 20);
        const end = from + records.length;
        return { ...nothing(null), records, cursor: String(end), more: end < all.length };
      },
    }),
  ],
  [
    'does not see that a record changed',
    'changed',
    changing(({ records }, cursor) => ({ records: cursor?.includes('r1.') === true ? [] : records })),
  ],
  [
    'has the time in the content',
    'touched',
    (honest) => ({
      changes: async (cursor) => {
        const changes = await honest.changes(cursor);
        const records = changes.records.map((one) => ({
          ...one,
          content: one.content.replace('"ISK"', `"ISK ${encodeURIComponent(changes.cursor)}"`),
        }));
        return { ...changes, records };
      },
    }),
  ],
  [
    'gives up at what it cannot read',
    'bad-spoils-none',
    (honest) => ({
      changes: async (cursor) => {
        const changes = await honest.changes(cursor);
        if (changes.problems.length > 0) throw new Error('cannot read');
        return changes;
      },
    }),
  ],
  ['leaves out what it cannot read', 'bad-spoils-none', changing(() => ({ problems: [] }))],
  ['does not say what it looked at', 'bad-mended', changing(() => ({ looked: [] }))],
  [
    'names a problem once in a process',
    'bad-again-after-crash',
    (honest) => {
      const named = new Set<string>();
      return changing(({ problems }) => ({
        problems: problems.filter(({ place }) => !named.has(place) && named.add(place)),
      }))(honest);
    },
  ],
  [
    'hands over what is gone',
    'removed',
    (honest) => {
      let last: readonly OriginRecord[] = [];
      return {
        changes: async (cursor) => {
          const changes = await honest.changes(cursor);
          const records = [...changes.records, ...(cursor === null ? [] : last)];
          last = changes.records.length > 0 ? changes.records : last;
          return { ...changes, records };
        },
      };
    },
  ],
  [
    'reads whatever is there',
    'read-one',
    (honest) => ({
      read: async (_kind, _reference, place) =>
        (await honest.changes(null)).records.find((one) => one.place === place) ?? null,
    }),
  ],
  [
    'reads from memory',
    'read-now',
    (honest) => {
      const known = new Map<string, OriginRecord>();
      return {
        changes: async (cursor) => {
          const changes = await honest.changes(cursor);
          for (const one of changes.records) if (!known.has(one.reference)) known.set(one.reference, one);
          return changes;
        },
        read: (_kind, reference) => Promise.resolve(known.get(reference) ?? null),
      };
    },
  ],
  [
    'reads what is gone',
    'read-gone',
    (honest) => ({
      read: async (kind, reference, place) =>
        (await honest.read(kind, reference, place)) ?? { kind, reference, place, content: '{}' },
    }),
  ],
  ['tells nobody', 'told-created', () => ({ tell: () => Promise.resolve() })],
  [
    'forgets the payment link',
    'told-created',
    (honest) => ({ tell: (told) => honest.tell({ ...told, paymentLink: null }) }),
  ],
  [
    'tells only what was created',
    'told-others',
    (honest) => ({ tell: (told) => (told.state === 'created' ? honest.tell(told) : Promise.resolve()) }),
  ],
  [
    'tells again in other words',
    'told-twice',
    (honest) => {
      let times = 0;
      return { tell: (told) => honest.tell({ ...told, why: `${String(times++)}` }) };
    },
  ],
  [
    'tells one at a time, and drops the other',
    'told-at-once',
    (honest) => {
      let isBusy = false;
      return {
        tell: async (told) => {
          if (isBusy) return;
          isBusy = true;
          await honest.tell(told);
          isBusy = false;
        },
      };
    },
  ],
  [
    'takes what it was told for a change',
    'told-is-no-change',
    (honest) => {
      let number = '';
      return {
        tell: async (told) => {
          number = told.number ?? '';
          await honest.tell(told);
        },
        changes: async (cursor) => {
          if (number === '') return honest.changes(cursor);
          const changes = await honest.changes(null);
          const records = changes.records.map((one) => ({
            ...one,
            content: one.content.replace('"ISK"', `"ISK","booking":"${number}"`),
          }));
          return { ...changes, records };
        },
      };
    },
  ],
  [
    'fails on what is gone',
    'tell-gone',
    (honest) => ({
      tell: async (told) => {
        if (!(await honest.read(told.kind, told.reference, told.place))) throw new Error('gone');
        await honest.tell(told);
      },
    }),
  ],
  [
    'takes an outage for an empty place',
    'outage-is-not-empty',
    (honest) => ({ changes: (cursor) => honest.changes(cursor).catch(() => nothing(cursor)) }),
  ],
  [
    'takes an outage for a record that is gone',
    'outage-read',
    (honest) => ({ read: (...asked) => honest.read(...asked).catch(() => null) }),
  ],
  [
    'says that it was told during an outage',
    'outage-tell',
    (honest) => ({ tell: (told) => honest.tell(told).catch(() => undefined) }),
  ],
  [
    'leaves out the files of a record',
    'named-files',
    eachRecord((one) => ({ ...one, content: one.content.replace(/"files":\[[^\]]*\],/, '') })),
  ],
  [
    'spoils the bytes of a file',
    'named-files',
    (honest) => ({
      file: async (...asked) => (await honest.file?.(...asked))?.map((byte) => byte & 0x7f) ?? null,
    }),
  ],
  [
    'has the files of a record from memory',
    'named-file-changed',
    (honest) => {
      const kept = new Map<string, Uint8Array | null>();
      return {
        changes: async (cursor) => {
          const changes = await honest.changes(cursor);
          for (const { place, content } of changes.records) {
            const [file] = (JSON.parse(content) as { files?: NamedAtOrigin[] }).files ?? [];
            if (file) kept.set(file.name, (await honest.file?.(place, file)) ?? null);
          }
          return changes;
        },
        file: (_place, named) => Promise.resolve(kept.get(named?.name ?? '') ?? null),
      };
    },
  ],
  [
    'takes an outage for a file that is gone',
    'outage-file',
    (honest) => ({ file: async (...asked) => (await honest.file?.(...asked).catch(() => null)) ?? null }),
  ],
];

const caseOf = (id: OriginCaseId) => ORIGIN_CASES.find((each) => each.id === id)!;

test.each(MUTANTS)('an origin that %s is caught', async (_name, caught, mutation) => {
  const target = jsonTarget('invoice');
  expect(await runOriginCase(target, caseOf(caught))).toMatchObject({ result: 'passed' });
  expect(await runOriginCase(mutated(target, mutation), caseOf(caught))).toMatchObject({ result: 'failed' });
});

test('an origin that gives other bytes than it named is caught', async () => {
  const spoil: Mutation = (honest) => ({
    file: async (place) => {
      const bytes = await honest.file?.(place);
      return bytes ? bytes.slice(1) : null;
    },
  });
  const target = receiptTarget();
  expect(await runOriginCase(target, caseOf('files'))).toMatchObject({ result: 'passed' });
  expect(await runOriginCase(mutated(target, spoil), caseOf('files'))).toMatchObject({ result: 'failed' });
});

test('every promise that can be broken has a mutant', () => {
  const caught = new Set([...MUTANTS.map(([, id]) => id), 'files']);
  expect(ORIGIN_CASES.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});
