// What was, for the eye: earlier comparisons, and how long documents took. Read by the dashboard only; the store implements it.
import type { ReconciliationReport } from '../pipeline/reconciliation/reconcile.js';

export interface PastReconciliation {
  readonly id: string;
  readonly tenantName: string;
  readonly from: string;
  readonly to: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly clean: boolean | null;
  readonly report: Pick<ReconciliationReport, 'counts' | 'entries' | 'differences'> | null;
}

/** Of one tenant in one hour: the slowest document from being found to being in the books. */
export interface LagPoint {
  readonly tenantName: string;
  readonly hour: string;
  readonly slowestMs: number;
}

export interface History {
  /** Newest first. */
  reconciliations(tenant: string | null, limit: number): Promise<readonly PastReconciliation[]>;
  lag(tenant: string | null, hours: number): Promise<readonly LagPoint[]>;
}
