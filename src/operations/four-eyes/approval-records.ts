// What is kept of an act that two people must agree on.
import type { TenantName } from '../../domain/ids.js';
import type { Companies } from '../access/reach.js';
import type { Act } from '../act.js';
import type { ApprovalView, ApprovedAct } from '../views/approval.js';

export interface AskedAct {
  readonly tenantName: TenantName;
  readonly act: ApprovedAct;
  readonly subject: string;
  /** How exactly, as JSON whose keys are always in the same order. */
  readonly asked: string;
}

export interface StoredApproval extends ApprovalView {
  /** The login of the person who asked; null when that is not known. */
  readonly person: string | null;
  readonly asked: string;
}

export type Asked =
  | { readonly outcome: 'granted' }
  /** Nobody else has agreed yet. */
  | { readonly outcome: 'waits'; readonly id: string; readonly since: string };

export interface ApprovalRecords {
  /**
   * In one transaction: a second person who asks for exactly the same agrees. The first person, and an act of which the person is not
   * known (null), wait; the first known person takes the place of an unknown one.
   */
  askOrAgree(act: Act, person: string | null, asked: AskedAct): Promise<Asked>;
  /** The login that was declared to be the same person. */
  loginOfSystemUser(systemUser: string): Promise<string | null>;
  /** It was done: the agreement is used up. */
  useApprovals(asked: readonly AskedAct[]): Promise<void>;
  approval(id: string): Promise<StoredApproval | null>;
  approvals(companies: Companies): Promise<readonly StoredApproval[]>;
  withdrawApproval(act: Act, id: string): Promise<boolean>;
}
