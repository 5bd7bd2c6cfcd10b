// What happens in the bridge, told once: where it was committed. The log, the metrics, the round that opens incidents and the
// live page listen. An event is news, not a record: whatever must not be lost is a row that was committed before it.
import type { Guid, TenantName } from './ids.js';
import type { PostingState } from './posting.js';
import type { BookedKind } from './source-document.js';
import type { SubmissionKind, SubmissionState } from './submission.js';

export interface DocumentEvent {
  readonly event: `document.${PostingState}`;
  readonly tenant: TenantName;
  readonly kind: BookedKind;
  readonly guid: Guid;
  readonly number: string;
  readonly postingId: string;
  readonly from: PostingState;
  /** Stable code of why it is there, and what that is about. */
  readonly reason: { readonly code: string; readonly subject: string } | null;
  /** Number of its entry in the ERP, once there is one. */
  readonly entry: string | null;
}

/** Of the other direction: what an origin wants to have at the service. */
export interface SubmissionEvent {
  readonly event: `submission.${SubmissionState}`;
  readonly tenant: TenantName;
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly submissionId: string;
  readonly mark: string;
  readonly from: SubmissionState;
  readonly reason: { readonly code: string; readonly subject: string } | null;
  /** Its number at the service, once it is known. */
  readonly number: string | null;
}

export interface SweepEvent {
  readonly event: 'sweep.complete' | 'sweep.incomplete' | 'sweep.failed';
  readonly tenant: TenantName;
  readonly kind: 'invoice' | 'cost';
  readonly mode: 'fast' | 'full';
  readonly listed: number;
  readonly discovered: number;
  readonly reopened: number;
  readonly problems: number;
  readonly message: string;
}

export interface ConnectionEvent {
  readonly event: 'breaker.opened' | 'breaker.closed' | 'credentials.refused';
  readonly tenant: TenantName;
  readonly side: 'source' | 'erp';
  /** What the other side said last; empty when it works again. */
  readonly reason: string;
}

export type BridgeEvent =
  | DocumentEvent
  | SubmissionEvent
  | {
      readonly event: 'records.received';
      readonly tenant: TenantName;
      readonly origin: string;
      readonly added: number;
      readonly changed: number;
      /** Changed after they were sent. */
      readonly late: number;
      /** Their reference belongs to another record. */
      readonly shared: number;
    }
  | { readonly event: 'submission-attempt.finished'; readonly outcome: string }
  | SweepEvent
  | ConnectionEvent
  | { readonly event: 'attempt.finished'; readonly outcome: string }
  | {
      readonly event: 'write-back';
      readonly status: string;
      readonly result: 'sent' | 'refused' | 'acknowledged' | 'abandoned';
    }
  | {
      readonly event: 'documents.discovered';
      readonly tenant: TenantName;
      readonly count: number;
      readonly reopened: number;
    }
  | {
      readonly event: 'plan.confirmed' | 'tenant.paused' | 'tenant.resumed';
      readonly tenant: TenantName;
      readonly by: string;
      readonly reason: string;
    }
  | {
      readonly event: 'incident.opened' | 'incident.resolved';
      readonly tenant: TenantName | null;
      readonly code: string;
      readonly severity: string;
      readonly title: string;
      readonly whatToDo: string;
      readonly count: number;
    }
  | {
      readonly event: 'notification.sent' | 'notification.delayed' | 'notification.abandoned';
      readonly tenant: TenantName | null;
      readonly channel: string;
      readonly about: string;
      readonly reason: string;
    };

export type TellEvent = (event: BridgeEvent) => void;

/** Hands each event to every listener. One that throws is reported and keeps neither the others nor the work from going on. */
export function createTeller(listeners: readonly TellEvent[], onError: (error: unknown) => void): TellEvent {
  return (event) => {
    for (const listen of listeners) {
      try {
        listen(event);
      } catch (error) {
        onError(error);
      }
    }
  };
}

export const TELL_NOBODY: TellEvent = () => undefined;
