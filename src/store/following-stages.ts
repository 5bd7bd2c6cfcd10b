// What looks after documents beside the sweeps: their payments, what of them waits for other months, and those that are booked together.
import type { PaymentDeps, ReleaseDeps, SummaryDeps } from '../sync/begin-follow-ups.js';
import type { PrismaClient } from './generated/client.js';
import { createPaymentStore } from './payment-store.js';
import { createReleaseStore } from './release-store.js';
import { createSummaryStore } from './summary-store.js';

export function followingStages(
  prisma: PrismaClient,
  process: Pick<PaymentDeps, 'runtime' | 'failPoints'>,
  actor: string,
): { readonly payments: PaymentDeps; readonly releases: ReleaseDeps; readonly summaries: SummaryDeps } {
  return {
    payments: { ...process, store: createPaymentStore(prisma) },
    releases: { ...process, store: createReleaseStore(prisma) },
    summaries: { store: createSummaryStore(prisma, actor) },
  };
}
