// What operations need of the records of the other direction. Reading is for the companies that are named, null being all; an act is one
// transaction with its audit entry, and is refused with null when the submission is not in a state from which it can be done.
import type { Guid, IsoDate, TenantName } from '../../domain/ids.js';
import type { Reason } from '../../domain/message.js';
import type { SubmissionKind, SubmissionState } from '../../domain/submission.js';
import type { Decisions, FieldConflict } from '../../outbound/agree-fields.js';
import type { Companies } from '../access/reach.js';
import type { Act } from '../act.js';

export interface StoredSubmission {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly origin: string;
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly mark: string;
  /** The mark of the record that its reference belongs to; null: it is its own. */
  readonly twinOf: string | null;
  readonly place: string;
  readonly state: SubmissionState;
  readonly since: string;
  readonly reason: Reason | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly issueDate: IsoDate | null;
  readonly counterparty: string;
  readonly guid: Guid | null;
  readonly number: string | null;
  readonly paymentLink: string | null;
  readonly sends: number;
  readonly dueAt: string | null;
  readonly receivedAt: string;
  /** Fields that its origin and the service have both changed. */
  readonly conflicts: readonly FieldConflict[];
  /** When the two were last held against each other. */
  readonly agreedAt: string | null;
}

export interface StoredAttempt {
  readonly number: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly outcome: string | null;
  readonly message: string | null;
  /** JSON, as it was on record before it left. */
  readonly request: string;
}

export interface SubmissionQuery {
  readonly companies: Companies;
  readonly states?: readonly SubmissionState[] | undefined;
  readonly kind?: SubmissionKind | undefined;
  /** Only those whose fields both sides have changed. */
  readonly inConflict?: boolean | undefined;
  /** A reference, a mark, a guid or a number, whole; or our id. */
  readonly text?: string | undefined;
  readonly limit: number;
}

export interface OutgoingSwitches {
  readonly tenantName: TenantName;
  readonly confirmedAt: string | null;
  readonly confirmedBy: string | null;
  readonly pausedAt: string | null;
  readonly pausedBy: string | null;
  readonly pausedReason: string | null;
  /** In the last 24 hours. */
  readonly sentToday: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: number;
  readonly conflicts: number;
}

export interface StoredProblem {
  readonly tenantName: TenantName;
  readonly origin: string;
  readonly place: string;
  readonly problem: string;
  readonly seenAt: string;
}

export interface OutgoingRecords {
  switches(companies: Companies): Promise<readonly OutgoingSwitches[]>;
  submissions(query: SubmissionQuery): Promise<readonly StoredSubmission[]>;
  attempts(id: string): Promise<readonly StoredAttempt[]>;
  content(id: string): Promise<string | null>;
  /** What the template of a subscription made, the latest first. */
  generated(id: string): Promise<readonly { readonly guid: Guid; readonly number: string }[]>;
  problems(companies: Companies, limit: number): Promise<readonly StoredProblem[]>;
  /** false: it was so before. */
  confirm(tenant: TenantName, act: Act): Promise<boolean>;
  pause(tenant: TenantName, act: Act): Promise<boolean>;
  resume(tenant: TenantName, act: Act): Promise<boolean>;
  move(id: string, act: Act, move: SubmissionMove): Promise<boolean>;
  /** A record goes in place of the first one with its reference. false: the first one is on its way, or was sent. */
  takePlace(id: string, act: Act): Promise<boolean>;
  /** What a person says of fields in conflict. false: it is not, or no more, about these values. */
  decide(id: string, act: Act, decisions: Decisions): Promise<boolean>;
}

export interface SubmissionMove {
  /** For the audit. */
  readonly action: 'replayed' | 'skipped' | 'chosen' | 'withdrawn';
  readonly from: readonly SubmissionState[];
  readonly to: SubmissionState;
  readonly reason?: Reason;
  readonly surelyAbsent?: true;
  /** How often it had been sent when somebody looked; refused when that is another number by now. */
  readonly sends?: number;
  /** Of the customer that a person chose. */
  readonly guid?: string;
}
