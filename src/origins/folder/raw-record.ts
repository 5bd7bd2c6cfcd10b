// A record as a file has it, before anybody knows whether it can be used.
import type { Told } from '../../domain/message.js';
import { readKennitala } from '../../domain/kennitala.js';
import { SUBMISSION_KINDS, type SubmissionKind } from '../../domain/submission.js';
import { contentText, readContent } from '../../outbound/content.js';
import type { PlaceOfField } from '../../outbound/content.js';
import { writtenText } from '../../domain/written-values.js';
import { told } from '../told.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';

export interface RawRecord {
  /** As written: it may be none of ours. */
  readonly kind: string;
  readonly reference: string;
  /** Where it begins in its file, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Where people find a field of it, where its name alone does not say. */
  readonly placeOf?: PlaceOfField;
}

export interface RawReading {
  readonly records: readonly RawRecord[];
  readonly problems: readonly RawProblem[];
}

export interface RawProblem {
  readonly line: number;
  readonly words: Told;
}

const REFERENCE = /^[\p{L}\p{N}][\p{L}\p{N} ./_#:-]{0,99}$/u;

export function asOriginRecord(
  file: string,
  raw: RawRecord,
  kinds: readonly SubmissionKind[] = SUBMISSION_KINDS,
): OriginRecord | OriginProblem {
  const { kind, reference, line, value, placeOf } = raw;
  const place = `${file}:${String(line)}`;
  const known = SUBMISSION_KINDS.find((one) => one === kind);
  if (known === undefined)
    return problemAt(place, told('KIND_UNKNOWN', { kind, kinds: SUBMISSION_KINDS.join(', ') }));
  if (!kinds.includes(known))
    return problemAt(place, told('KIND_NOT_TAKEN', { kind, kinds: kinds.join(', ') }));
  if (kind !== 'customer' && !REFERENCE.test(reference))
    return problemAt(place, told('REFERENCE_UNFIT', { reference: reference.slice(0, 40) }));
  const read = readContent(known, value, undefined, placeOf);
  if (read.outcome === 'problem') return problemAt(place, read.words);
  const name = 'kennitala' in read.content ? read.content.kennitala : reference;
  return { kind: known, reference: name, place, content: contentText(read.content) };
}

/** A customer is named by its kennitala, however it is written. */
export function nameOf({ kind, reference, value }: Pick<RawRecord, 'kind' | 'reference' | 'value'>): string {
  if (kind !== 'customer') return reference;
  const { kennitala } = (value ?? {}) as { readonly kennitala?: unknown };
  const written = writtenText(kennitala);
  return readKennitala(written).digits ?? written;
}
