// How an answer is read once it said success: lists, counts, guids, single records. The envelope of most lists is not
// shown in the documents, so a list may stand bare in `result` or beside paging fields; one bad record spoils itself only.
import type { Guid } from '../domain/ids.js';
import type { GrowthWatch } from './growth-watch.js';
import { isJsonObject, type JsonObject } from './wire-json.js';
import type { RecordRead, WireShape } from './wire-shapes.js';
import { asText, integer } from './wire-types.js';

/** Thrown while an answer is read; the client turns it into SOURCE_UNREADABLE (or SOURCE_EFFECT_UNKNOWN for a write). */
export class ShapeProblem extends Error {}

/** `status`: the envelope says status:true. `shape`: bare answers, whose required fields are the proof. */
export type SuccessMark = 'status' | 'status-or-success' | 'shape';

export interface AnswerReader<T> {
  readonly says: string;
  readonly success: SuccessMark;
  read(body: JsonObject, watch: GrowthWatch): T;
}

export interface RecordProblemAt {
  readonly index: number;
  readonly guid: Guid | null;
  readonly problem: string;
  /** As it came. */
  readonly raw: unknown;
}

export interface RecordList<T> {
  readonly records: readonly T[];
  readonly problems: readonly RecordProblemAt[];
  readonly hasMore: boolean | null;
  readonly total: number | null;
}

export interface Created {
  /** At least one of the two: Document 2 shows integer ids where Document 1 has guids. */
  readonly guid: Guid | null;
  readonly id: string | null;
  readonly paymentLink: string | null;
  /** true: AI has not read it yet, and lists do not show it before. */
  readonly queued: boolean;
}

export function listOf<T>(shape: WireShape<T>, success: SuccessMark = 'status'): AnswerReader<RecordList<T>> {
  return {
    says: `list of ${shape.name}`,
    success,
    read: (body, watch) => {
      const found = findList(body);
      const records: T[] = [];
      const problems: RecordProblemAt[] = [];
      for (const [index, raw] of found.list.entries()) {
        const read = readRecord(shape, raw, watch);
        if (read.ok) records.push(read.value);
        else problems.push({ index, guid: guidOf(raw), problem: read.problem, raw });
      }
      return { records, problems, hasMore: booleanIn(found.beside, 'hasMore'), total: totalIn(found.beside) };
    },
  };
}

export function one<T>(shape: WireShape<T>): AnswerReader<T> {
  return {
    says: shape.name,
    success: 'status',
    read: (body, watch) => mustRead(shape, single(body['result']), watch),
  };
}

export type JudgedRecord<T> =
  | { readonly readable: true; readonly record: T }
  | { readonly readable: false; readonly problem: string; readonly raw: JsonObject };

/** A record that came whole and does not fit is an outcome, not a failed call: it is parked, not fetched for ever. */
export function oneJudged<T>(shape: WireShape<T>): AnswerReader<JudgedRecord<T>> {
  return {
    says: shape.name,
    success: 'status',
    read: (body, watch) => {
      const raw = single(body['result']);
      if (!isJsonObject(raw)) throw new ShapeProblem(`there is no ${shape.name} in result`);
      const read = readRecord(shape, raw, watch);
      return read.ok
        ? { readable: true, record: read.value }
        : { readable: false, problem: read.problem, raw };
    },
  };
}

const ENVELOPE = new Set(['status', 'message', 'result', 'action_id']);

/** The fields may stand beside `status`, or inside `result`: the documents allow both readings. */
export function bare<T>(shape: WireShape<T>, success: SuccessMark = 'shape'): AnswerReader<T> {
  return {
    says: shape.name,
    success,
    read: (body, watch) => {
      const inside = body['result'];
      const all = isJsonObject(inside) ? { ...body, ...inside } : body;
      const own = Object.entries(all).filter(([field]) => shape.fields.has(field) || !ENVELOPE.has(field));
      return mustRead(shape, Object.fromEntries(own), watch);
    },
  };
}

export const count: AnswerReader<number> = {
  says: 'count',
  success: 'status',
  read: (body) => {
    const result = body['result'];
    const written = isJsonObject(result) ? result['count'] : result;
    const read = integer.safeParse(written);
    // An empty value would read as zero, and zero means "nothing to do": it must have been said.
    if (!read.success || asText(written) === '' || read.data < 0)
      throw new ShapeProblem('there is no count in result');
    return read.data;
  },
};

export const created: AnswerReader<Created> = {
  says: 'guid',
  success: 'status-or-success',
  read: (body) => {
    const result = body['result'];
    const record = isJsonObject(result) ? { ...body, ...result } : body;
    const guid = isJsonObject(result) ? textIn(result, 'guid') : textIn(body, 'result');
    const id = textIn(record, 'invoice_id') ?? textIn(record, 'cost_id') ?? textIn(record, 'id');
    if (guid === null && id === null) throw new ShapeProblem('the answer names nothing that was created');
    return { guid, id, paymentLink: textIn(record, 'payment_link'), queued: record['queue'] === true };
  },
};

export const acknowledged: AnswerReader<null> = {
  says: 'status and message only',
  success: 'status-or-success',
  read: () => null,
};

function findList(body: JsonObject): { list: readonly unknown[]; beside: JsonObject } {
  const result = body['result'] ?? body['data'];
  if (Array.isArray(result)) return { list: result, beside: body };
  if (isJsonObject(result)) {
    const lists = Object.values(result).filter((value) => Array.isArray(value));
    const [only] = lists;
    if (only !== undefined && lists.length === 1) return { list: only, beside: { ...body, ...result } };
  }
  throw new ShapeProblem('there is no list in result');
}

function single(result: unknown): unknown {
  return Array.isArray(result) && result.length === 1 ? result[0] : result;
}

function readRecord<T>(shape: WireShape<T>, raw: unknown, watch: GrowthWatch): RecordRead<T> {
  if (!isJsonObject(raw)) return { ok: false, problem: 'the record is not an object' };
  watch.look(shape, raw);
  return shape.read(raw);
}

function mustRead<T>(shape: WireShape<T>, raw: unknown, watch: GrowthWatch): T {
  const read = readRecord(shape, raw, watch);
  if (!read.ok) throw new ShapeProblem(`${shape.name}: ${read.problem}`);
  return read.value;
}

function guidOf(raw: unknown): string | null {
  return isJsonObject(raw) ? textIn(raw, 'guid') : null;
}

function textIn(record: JsonObject, field: string): string | null {
  const written = asText(record[field]);
  return written === '' ? null : written;
}

function booleanIn(record: JsonObject, field: string): boolean | null {
  const value = record[field];
  return typeof value === 'boolean' ? value : null;
}

function totalIn(record: JsonObject): number | null {
  const read = integer.safeParse(record['total']);
  return record['total'] !== undefined && read.success ? read.data : null;
}
