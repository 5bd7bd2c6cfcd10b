// Why a posting rests, as its row keeps it: a code, what it is about, and the parameters of its sentence as JSON text.
import { asWritten, type Params, type Reason } from '../domain/message.js';

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
