// What looks after documents that are in the books: their payments, and what of them waits for other months.
import type { FollowUpStage } from '../pipeline/payments/follow-up.js';
import type { ReleaseStage } from '../pipeline/releases/begin-releases.js';
import type { PrismaClient } from './generated/client.js';
import { createPaymentStore } from './payment-store.js';
import { createReleaseStore } from './release-store.js';

export function followingStages(
  prisma: PrismaClient,
  process: Pick<FollowUpStage, 'runtime' | 'failPoints'>,
): { readonly payments: FollowUpStage; readonly releases: ReleaseStage } {
  return {
    payments: { ...process, store: createPaymentStore(prisma) },
    releases: { ...process, store: createReleaseStore(prisma) },
  };
}
