// What looks after documents beside the sweeps: their payments, what of them waits for other months, and those that are booked together.
import type { PaymentDeps, ReleaseDeps, SummaryDeps } from '../sync/begin-follow-ups.js';
import { createPaymentStore } from './payment-store.js';
import { createReleaseStore } from './release-store.js';
import { createSummaryStore } from './summary-store.js';
import type { Db } from './db.js';

export function followingStages(
  db: Db,
  process: Pick<PaymentDeps, 'runtime' | 'failPoints'>,
  actor: string,
): { readonly payments: PaymentDeps; readonly releases: ReleaseDeps; readonly summaries: SummaryDeps } {
  return {
    payments: { ...process, store: createPaymentStore(db) },
    releases: { ...process, store: createReleaseStore(db) },
    summaries: { store: createSummaryStore(db, actor) },
  };
}
