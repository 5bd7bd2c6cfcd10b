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
  readonly identity: string;
  readonly asked: string;
}

export type Asked =
  | { readonly outcome: 'granted' }
  /** Nobody else has agreed yet. */
  | { readonly outcome: 'waits'; readonly id: string; readonly since: string };

export interface ApprovalRecords {
  /** In one transaction: whoever comes second and asks for exactly the same agrees; whoever comes first, or again, waits. */
  askOrAgree(act: Act, identity: string, asked: AskedAct): Promise<Asked>;
  /** It was done: the agreement is used up. */
  useApprovals(asked: readonly AskedAct[]): Promise<void>;
  approval(id: string): Promise<StoredApproval | null>;
  approvals(companies: Companies): Promise<readonly StoredApproval[]>;
  withdrawApproval(act: Act, id: string): Promise<boolean>;
}
