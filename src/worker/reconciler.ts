// Reconciliations as queued work; the command line runs the same thing at once.
import type { TenantName } from '../domain/ids.js';
import { type ReconciliationReport, reconcile } from '../sync/reconcile.js';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { ReconciliationRecords } from '../store/reconciliation-store.js';
import type { Connections } from './connections.js';
import { SYSTEM_RUNTIME } from './schedules.js';
import type { WakeUp } from '../sync/turns.js';

export interface Reconciler {
  run(
    tenantName: TenantName,
    period: { readonly from: string; readonly to: string },
  ): Promise<ReconciliationReport>;
  handle(wakeUp: WakeUp): Promise<void>;
}

const TRIES_MAX = 3;
const RETRY_MS = 60_000;

export function createReconciler(
  records: ReconciliationRecords,
  connections: Connections,
  dispatch: DispatchStore,
): Reconciler {
  const run: Reconciler['run'] = async (tenantName, period) => {
    const startedAt = new Date();
    const report = await reconcile(records, await connections.get(tenantName), period, SYSTEM_RUNTIME);
    await records.saveReport(report, startedAt);
    return report;
  };
  return {
    run,
    handle: async ({ id }) => {
      const request = await dispatch.outboxPayload(id);
      if (!request?.tenantName) return;
      try {
        await run(request.tenantName, request.payload as { from: string; to: string });
        await dispatch.finishOutbox(id);
      } catch (error) {
        if (request.tries >= TRIES_MAX) await dispatch.finishOutbox(id);
        else await dispatch.failOutbox(id, RETRY_MS);
        throw error;
      }
    },
  };
}
