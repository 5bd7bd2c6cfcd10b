// A condition: something that is so now and that somebody should know. It is read from the records, never remembered: the
// same list is behind `status --check`, the banner of the overview, and the incidents that people are told of. When it ends,
// its incident is resolved. Its words in each language are in src/language/conditions.
import type { TenantName } from './ids.js';
import type { Message } from './message.js';
import type { PostingState } from './posting.js';
import type { BookedKind } from './source-document.js';
import type { StuckSubmission } from './submission.js';

export type Side = 'source' | 'erp';

export interface ConditionParams {
  BRIDGE_NOT_RUNNING: Readonly<Record<string, never>>;
  PLAN_UNCONFIRMED: { readonly count: number };
  TENANT_FILE_GONE: { readonly count: number };
  /** While the bridge works on with the version that was written then. */
  TENANT_FILE_BROKEN: {
    readonly place: string;
    /** Keys joined by dots; empty: the file itself. */
    readonly path: string;
    readonly what: Message;
    readonly remedy: Message;
    readonly more: number;
    readonly version: string;
  };
  TENANT_PAUSED: {
    readonly by: string;
    readonly reason: string;
    readonly needsYou: number;
    readonly waiting: number;
  };
  CONNECTION_DOWN: ConnectionParams;
  CONNECTION_REFUSED: ConnectionParams;
  /** Documents that rest for one cause. */
  DOCUMENTS_REST: {
    readonly cause: string;
    readonly states: readonly PostingState[];
    readonly count: number;
    readonly reason: Message;
    readonly needsPerson: boolean;
  };
  DOCUMENTS_STUCK: { readonly count: number; readonly since: string };
  SWEEP_FAILING: {
    readonly kind: 'invoice' | 'cost';
    readonly since: string | null;
    readonly reason: string;
  };
  SWEEP_OVERDUE: { readonly since: string | null };
  TENANT_SILENT: { readonly since: string; readonly days: number };
  /**
   * Whoever reversed it is gone: its request may have left without a word of what became of it, or one of two entries is undone and the
   * other is not (`isHalf`).
   */
  REVERSAL_UNFINISHED: {
    readonly isHalf: boolean;
    readonly kind: BookedKind;
    readonly number: string;
    readonly posting: string;
    readonly key: string;
    readonly since: string;
  };
  QUEUES_AWAY: { readonly since: string; readonly reason: string };
  /** An API token that ends soon: whoever uses it is refused then. */
  TOKEN_ENDING: { readonly id: string; readonly name: string; readonly endsAt: string };
  ORIGINALS_STORE_AWAY: { readonly count: number; readonly reason: string };
  /** Of the other direction: the plan waits for a person while records wait for it. */
  OUTGOING_UNCONFIRMED: { readonly count: number };
  /** Of the other direction: what rests for one reason, with that of the latest. */
  SUBMISSIONS_NEED_A_PERSON: {
    readonly state: StuckSubmission;
    readonly count: number;
    readonly reason: Message;
  };
  /** Critical incidents of one kind that are no condition themselves, until somebody says that they are settled; with the latest of them. */
  INCIDENT_OPEN: {
    readonly id: string;
    readonly incident: string;
    readonly count: number;
    readonly values: Readonly<Record<string, unknown>> | null;
    /** As it was written, where it has no values. */
    readonly title: string;
    readonly details: string;
    readonly nextStep: string;
  };
  NOTIFICATION_UNDELIVERED: { readonly channel: string; readonly count: number; readonly reason: string };
  /** `since`: when it last was; null: never. */
  AUDIT_NOT_ANCHORED: { readonly path: string; readonly reason: string; readonly since: string | null };
}

/** A type, not an interface: it is shown as plain JSON too. */
export type ConnectionParams = Readonly<{
  side: Side;
  count: number;
  since: string;
  reason: string;
}>;

export type ConditionCode = keyof ConditionParams;
/** The worst first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type Condition = {
  readonly [Code in ConditionCode]: {
    readonly code: Code;
    /** null: the bridge itself. */
    readonly tenant: TenantName | null;
    /** Tells two conditions of one tenant and code apart. */
    readonly subject: string;
    readonly severity: Severity;
    /** Somebody has to do something: `status --check` says so, and the banner is not green. */
    readonly needsPerson: boolean;
    /** The moment that renewed it last: what a person resolved before is news again after it. */
    readonly lastAt: string;
    readonly params: ConditionParams[Code];
  };
}[ConditionCode];

export function fingerprintOf({ code, tenant, subject }: Condition): string {
  return [code, ...(subject === '' ? [] : [subject]), ...(tenant === null ? [] : [tenant])].join(':');
}
