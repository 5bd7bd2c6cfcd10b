// A record as the port has it, from what an ERP says; or what keeps it from being one.
import type { Told } from '../../domain/message.js';
import type { SubmissionKind } from '../../domain/submission.js';
import { contentText, readContent } from '../../pipeline/outgoing/content.js';
import { type OriginRecord, problemAt } from '../origin.js';
import type { Reading } from './erp-records.js';

export interface ErpRecord {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly value: unknown;
  /** Where it has a place of its own. */
  readonly place?: string;
  /** Whether the ERP has it in its books, or the bridge is to book it; left out: the tenant file says. */
  readonly booked?: 'origin' | 'bridge';
}

/** Of all records of one thing; one that cannot be read keeps the others of it back too. */
export function asReading(id: number | string, place: string, all: readonly ErpRecord[]): Reading {
  const records: OriginRecord[] = [];
  for (const { kind, reference, value, booked, place: own = place } of all) {
    const read = readContent(kind, value);
    if (read.outcome === 'problem') return unfit(id, place, read.words);
    const content = contentText(read.content);
    records.push({ kind, reference, place: own, content, ...(booked === undefined ? {} : { booked }) });
  }
  return { id: String(id), records, problems: [], looked: place };
}

export function unfit(id: number | string, place: string, words: Told): Reading {
  return { id: String(id), records: [], problems: [problemAt(place, words)], looked: place };
}
