// What looks after documents beside the sweeps: their payments, what of them waits for other months, and those that are booked together.
import type { FollowUpStage } from '../pipeline/payments/follow-up.js';
import type { ReleaseStage } from '../pipeline/releases/begin-releases.js';
import type { SummaryStage } from '../pipeline/summaries/begin-summaries.js';
import type { PrismaClient } from './generated/client.js';
import { createPaymentStore } from './payment-store.js';
import { createReleaseStore } from './release-store.js';
import { createSummaryStore } from './summary-store.js';

export function followingStages(
  prisma: PrismaClient,
  process: Pick<FollowUpStage, 'runtime' | 'failPoints'>,
  actor: string,
): { readonly payments: FollowUpStage; readonly releases: ReleaseStage; readonly summaries: SummaryStage } {
  return {
    payments: { ...process, store: createPaymentStore(prisma) },
    releases: { ...process, store: createReleaseStore(prisma) },
    summaries: { store: createSummaryStore(prisma, actor) },
  };
}
