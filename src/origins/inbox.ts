// The inbox of records that came over HTTP. What is in it is on record: nothing that was acknowledged is lost. Promises of an
// implementation: ids of one origin rise in the order in which they can be seen, so that no look overtakes what is being put there.
import type { SubmissionKind, SubmissionState } from '../domain/submission.js';
import { type OriginRecord, type OriginProblem, problemAt } from './origin.js';
import { type GivenFile, withFilesGiven } from './folder/named-files.js';
import { asOriginRecord, readJsonRecord } from './folder/read-table.js';
import { told } from './told.js';

export interface InboxRow extends OriginRecord {
  readonly id: string;
}

/** Of one origin. */
export interface Inbox {
  /** After an id, oldest first. */
  after(id: string | null, rows: number): Promise<readonly InboxRow[]>;
  /** As it came last. */
  newest(kind: SubmissionKind, reference: string): Promise<OriginRecord | null>;
  /** The bytes of that hash that came with a delivery; null: there are none. */
  file(key: string, sha256: string): Promise<Uint8Array | null>;
}

export interface Delivery {
  readonly tenantName: string;
  readonly origin: string;
  /** Given by the sender: the same key is the same delivery. */
  readonly key: string;
  readonly bodyHash: string;
  readonly record: DeliveredRecord;
  /** So many may wait to be taken up. */
  readonly waitingMax: number;
}

export interface Delivered {
  readonly key: string;
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly receivedAt: Date;
}

export type Acceptance =
  | ({ readonly outcome: 'accepted' | 'known' } & Delivered)
  /** Another body came under this key. */
  | { readonly outcome: 'other' }
  | { readonly outcome: 'full' };

/** What became of it. */
export interface DeliveryStatus extends Delivered {
  /** `waiting`: nobody has taken it up yet. */
  readonly state: SubmissionState | 'waiting';
  readonly since: Date;
  readonly why: string | null;
  readonly guid: string | null;
  readonly number: string | null;
  readonly paymentLink: string | null;
  readonly mark: string | null;
}

export interface Deliveries {
  accept(delivery: Delivery): Promise<Acceptance>;
  find(tenantName: string, origin: string, key: string): Promise<DeliveryStatus | null>;
}

// A record in the body of a request: one object, as a line of a file of JSON lines has it.

/** With the bytes of the files that it names. */
interface DeliveredRecord extends OriginRecord {
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
