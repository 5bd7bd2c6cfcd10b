// A record as a file has it, before anybody knows whether it can be used.
import { SUBMISSION_KINDS } from '../../domain/submission.js';
import { contentText, readContent } from '../../pipeline/outgoing/content.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';

export interface RawRecord {
  /** As written: it may be none of ours. */
  readonly kind: string;
  readonly reference: string;
  /** Where it begins in its file, from 1. */
  readonly line: number;
  readonly value: unknown;
}

export interface RawReading {
  readonly records: readonly RawRecord[];
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

const REFERENCE = /^[\p{L}\p{N}][\p{L}\p{N} ./_#:-]{0,99}$/u;

export function asOriginRecord(file: string, raw: RawRecord): OriginRecord | OriginProblem {
  const { kind, reference, line, value } = raw;
  const place = `${file}:${String(line)}`;
  const known = SUBMISSION_KINDS.find((one) => one === kind);
  if (known === undefined)
    return { place, problem: `kind "${kind}" is not one of ${SUBMISSION_KINDS.join(', ')}` };
  if (kind !== 'customer' && !REFERENCE.test(reference))
    return {
      place,
      problem: `reference "${reference.slice(0, 40)}" is missing, too long, or has signs that it may not have`,
    };
  const read = readContent(known, value);
  if (read.outcome === 'problem') return problemAt(place, read.words);
  // A customer is named by its kennitala, however it is written.
  const name = 'kennitala' in read.content ? read.content.kennitala : reference;
  return { kind: known, reference: name, place, content: contentText(read.content) };
}
