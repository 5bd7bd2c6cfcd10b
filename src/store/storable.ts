// What a source or an ERP said goes into columns as they said it, apart from characters that PostgreSQL cannot keep.
import { isStorableText, storableText } from '../domain/text.js';
import { asWritten, type Params, type Reason } from '../domain/message.js';

/** The same value with every text in it storable: in lists and plain objects, at any depth. */
export function storable<T>(value: T): T {
  return isStorable(value) ? value : (cleaned(value) as T);
}

/** Nearly everything is; then nothing is copied. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (!isPlainObject(value)) return true;
  for (const name in value) if (!isStorable(value[name])) return false;
  return true;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [field, cleaned(member)]));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

// Why a posting rests, as its row keeps it: a code, what it is about, and the parameters of its sentence as JSON text.

export interface ReasonColumns {
  reason: string | null;
  reason_subject: string | null;
  reason_params: string | null;
  /** Only in rows from before the parameters were kept. */
  reason_sentence: string | null;
}

const CHARACTERS_MAX = 1_000;

export function toReason(row: ReasonColumns): Reason | null {
  if (row.reason === null) return null;
  return { code: row.reason, subject: row.reason_subject ?? '', params: toParams(row) };
}

export function toParams(row: Pick<ReasonColumns, 'reason_params' | 'reason_sentence'>): Params {
  return row.reason_params === null
    ? asWritten(row.reason_sentence ?? '')
    : (JSON.parse(row.reason_params) as Params);
}

/** What others wrote into it is cut: a reason is read by people. */
export function paramsText(params: Params): string {
  return JSON.stringify(params, (_name, value: unknown) =>
    typeof value === 'string' ? value.slice(0, CHARACTERS_MAX) : value,
  );
}

// Moments as people and machines outside of the database get them.

export function instantOf(moment: Date): string {
  return moment.toISOString();
}

export function instantOrNull(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
