// Commits of the pipeline as one statement, however many documents they are of. The compare-and-set on (id, state, fence) comes
// first; everything that belongs to it hangs on the row that this returned. So whoever lost the lease changes nothing, and one
// round trip is the whole transaction. Only what these commits carry is in the statement, since whatever is in it has to be set up
// each time: few shapes occur, and each is planned once a connection.
import type { CommitRows } from './commit-rows.js';
import {
  ATTEMPTED,
  audited,
  begun,
  DECIDED,
  moved,
  seen,
  SETTLED,
  type TextOf,
  told,
  tried,
  WOKEN,
  WRITTEN,
} from './commit-parts.js';
import { RESOLVED_BY } from './incidents.js';
import { type LongTexts, longTexts } from './long-texts.js';
import type { Statement } from './statements.js';

/** What it returned for each row that moved; a row that is missing had lost its lease. */
export interface Committed {
  readonly n: number;
  /** Of the attempt that was begun. */
  readonly attempt_number: number | null;
}

export interface CommitStatement extends Statement {
  readonly values: readonly string[];
}

/** A write-back that has no row yet. */
export const isNew = (act: string): boolean => act === 'decide' || act === 'told';

/** What may change with a posting, each with how it is seen that one of these commits has it. */
const CARRIES = {
  seen: ({ document }: CommitRows) => document !== undefined,
  begun: ({ attempt }: CommitRows) => attempt?.act === 'begin',
  attempted: ({ attempt }: CommitRows) => attempt !== undefined && attempt.act !== 'begin',
  decided: ({ writeBack }: CommitRows) => writeBack !== undefined && isNew(writeBack.act),
  written: ({ writeBack }: CommitRows) => writeBack !== undefined && !isNew(writeBack.act),
  woken: ({ posting }: CommitRows) => posting.wakes,
  settled: ({ posting }: CommitRows) => posting.to_state !== undefined && posting.to_state in RESOLVED_BY,
};
/** `long`: texts beside the rows. */
type Part = keyof typeof CARRIES | 'long';
type Carried = ReadonlySet<Part>;

/** The lists that the parts read, in this order; postings and audit are always there. */
const LISTS: readonly { readonly list: keyof CommitRows; readonly of?: readonly Part[] }[] = [
  { list: 'posting' },
  { list: 'audit' },
  { list: 'document', of: ['seen'] },
  { list: 'attempt', of: ['begun', 'attempted'] },
  { list: 'writeBack', of: ['decided', 'written'] },
];

export function commitStatement(rows: readonly CommitRows[], long: LongTexts): CommitStatement {
  const carried = carriedBy(rows, long);
  const needed = LISTS.filter(({ of }) => !of || of.some((part) => carried.has(part)));
  const lists = needed.map(({ list }) => list);
  const values = lists.map((list) => JSON.stringify(rows.flatMap<object>((row) => row[list] ?? [])));
  if (carried.has('long')) values.push(long.joined());
  return { ...shapeOf(carried, lists), values };
}

function carriedBy(rows: readonly CommitRows[], long: LongTexts): Carried {
  const parts = Object.keys(CARRIES) as (keyof typeof CARRIES)[];
  const carried = new Set<Part>(parts.filter((part) => rows.some((row) => CARRIES[part](row))));
  return long.isEmpty ? carried : carried.add('long');
}

const shapes = new Map<string, Statement>();

function shapeOf(carried: Carried, lists: readonly (keyof CommitRows)[]): Statement {
  const name = ['commit7', ...carried].join(' ');
  const known = shapes.get(name);
  if (known) return known;
  const shape = { name, text: textOf(carried, lists) };
  shapes.set(name, shape);
  return shape;
}

function textOf(carried: Carried, lists: readonly (keyof CommitRows)[]): string {
  const of = (part: Part, text: string) => (carried.has(part) ? [text] : []);
  const from = (list: keyof CommitRows, text: (parameter: string) => string) =>
    lists.includes(list) ? [text(`$${String(lists.indexOf(list) + 1)}`)] : [];
  const long: TextOf = carried.has('long')
    ? (number) => `(SELECT texts FROM long)[${number}]`
    : () => 'NULL::text';
  const parts = [
    ...of('long', longTexts(`$${String(lists.length + 1)}`)),
    moved(long),
    ...from('document', (list) => seen(list, long)),
    ...from('attempt', tried),
    ...of('begun', begun(long)),
    ...of('attempted', ATTEMPTED),
    ...from('writeBack', told),
    ...of('decided', DECIDED),
    ...of('written', WRITTEN),
    ...of('woken', WOKEN),
    ...of('settled', SETTLED),
    ...from('audit', (list) => audited(list, carried.has('settled'))),
  ];
  const returned = carried.has('begun')
    ? 'SELECT m.n, b.number AS attempt_number FROM moved m LEFT JOIN begun b ON b.posting_id = m.id'
    : 'SELECT m.n, NULL::int AS attempt_number FROM moved m';
  return `WITH ${parts.join(',')}\n${returned}`;
}
