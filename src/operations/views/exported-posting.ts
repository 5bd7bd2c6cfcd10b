// A posting as exports show it.
import type { Guid, IsoDate, TenantName } from '../../domain/ids.js';

export interface ExportedPosting {
  readonly postingId: string;
  readonly tenantName: TenantName;
  readonly kind: string;
  readonly guid: Guid;
  readonly number: string;
  readonly counterpartyName: string;
  readonly counterpartyKennitala: string;
  readonly issueDate: IsoDate;
  readonly postingDate: IsoDate;
  readonly totalIsk: string;
  readonly key: string;
  /** Key of the journal of its day, where it was booked with others; its own lines are `journal`. */
  readonly summaryKey?: string | null;
  readonly state: string;
  readonly erpNumber: string;
  readonly settlementNumber: string;
  readonly journal: string | null;
  readonly settlement: string | null;
}

/** A posting with a reversal: what it was before, and what was booked for it. */
export interface ReversedPosting extends ExportedPosting {
  /** Attempts that the ERP took, oldest first. */
  readonly attempts: readonly {
    readonly part: 'main' | 'settlement' | 'reversal';
    readonly key: string;
    readonly request: string;
    readonly entry: string;
    readonly finishedOn: string;
  }[];
  /** What each repost put aside; null where an older version did not keep it. */
  readonly former: readonly (FormerGeneration | null)[];
}

/** Kept in the audit by a repost. */
export interface FormerGeneration {
  readonly key: string;
  readonly summaryKey?: string | null;
  readonly erpNumber: string;
  readonly settlementNumber: string;
  readonly postingDate: IsoDate;
  readonly journal: string | null;
  readonly settlement: string | null;
}
