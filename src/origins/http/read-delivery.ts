// A record in the body of a request: one object, as a line of a file of JSON lines has it.
import type { SubmissionKind } from '../../domain/submission.js';
import { type GivenFile, withFilesGiven } from '../folder/named-files.js';
import { asOriginRecord } from '../folder/raw-record.js';
import { readJsonRecord } from '../folder/read-json-lines.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';
import { told } from '../told.js';

/** With the bytes of the files that it names. */
export interface DeliveredRecord extends OriginRecord {
  readonly files?: readonly GivenFile[];
}

export function readDelivery(
  key: string,
  body: Uint8Array,
  kinds?: readonly SubmissionKind[],
): DeliveredRecord | OriginProblem {
  const place = `${key}:1`;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return problemAt(place, told('FILE_NOT_UTF8'));
  }
  const read = readJsonRecord(text);
  if ('said' in read) return problemAt(place, read);
  const given = withFilesGiven(read.value);
  if ('said' in given) return problemAt(place, given);
  const record = asOriginRecord(key, { ...read, line: 1, value: given.value }, kinds);
  return 'problem' in record
    ? record
    : { ...record, ...(given.files.length > 0 ? { files: given.files } : {}) };
}
