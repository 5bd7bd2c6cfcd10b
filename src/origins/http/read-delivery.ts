// A record in the body of a request: one object, as a line of a file of JSON lines has it.
import type { SubmissionKind } from '../../domain/submission.js';
import { asOriginRecord } from '../folder/raw-record.js';
import { readJsonRecord } from '../folder/read-json-lines.js';
import { type OriginProblem, type OriginRecord, problemAt } from '../origin.js';
import { told } from '../told.js';

export function readDelivery(
  key: string,
  body: Uint8Array,
  kinds?: readonly SubmissionKind[],
): OriginRecord | OriginProblem {
  const place = `${key}:1`;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return problemAt(place, told('FILE_NOT_UTF8'));
  }
  const read = readJsonRecord(text);
  return 'said' in read ? problemAt(place, read) : asOriginRecord(key, { ...read, line: 1 }, kinds);
}
