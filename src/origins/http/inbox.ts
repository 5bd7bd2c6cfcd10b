// The inbox of records that came over HTTP. What is in it is on record: nothing that was acknowledged is lost. Promises of an
// implementation: ids of one origin rise in the order in which they can be seen, so that no look overtakes what is being put there.
import type { SubmissionKind, SubmissionState } from '../../domain/submission.js';
import type { OriginRecord } from '../origin.js';
import type { DeliveredRecord } from './read-delivery.js';

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
