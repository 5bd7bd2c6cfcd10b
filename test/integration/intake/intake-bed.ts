// One tenant on real records, with the simulated service as its source: no network, no queue, every step by hand.
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import type { TestDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

export { CUT_OVER };
export type IntakeBed = Awaited<ReturnType<typeof intakeBed>>;

export async function intakeBed(database: TestDatabase, name: string) {
  const bed = await pipelineBed(database, name);
  const { tenant, stage, intake, row } = bed;
  const meeting = (source: Partial<InvoicingSource>) => ({
    ...tenant,
    source: { ...tenant.source, ...source },
  });
  return {
    ...bed,
    /** `source`: what this sweep meets instead of the service as it is. */
    sweep: (source: Partial<InvoicingSource> = {}) => sweep(intake, meeting(source), 'invoice', CUT_OVER),
    post: async (guid: string, source: Partial<InvoicingSource> = {}) => {
      await advancePosting(stage, meeting(source), (await row(guid)).id, 'me');
    },
    writeBack: async (guid: string) => {
      await advancePosting(stage, tenant, (await row(guid)).id, 'me');
    },
  };
}
