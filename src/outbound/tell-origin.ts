// What became of a record, told to its origin. Telling twice is telling once (origins/origin.ts).
import type { Told } from '../origins/origin.js';
import { keptAtService } from './agree-fields.js';
import type { SubmissionRecord } from './records.js';
import type { SubmissionWork } from './submission-work.js';

/** A customer that we made ourselves has nobody to be told; an origin that the file names no more cannot be told. */
export async function tell({ tenant, claimed }: SubmissionWork, state: Told['state'], why: string | null) {
  const { kind, reference, place, guid, number, paymentLink, key: mark } = claimed;
  await tenant.origins
    .get(claimed.origin)
    ?.tell({ kind, reference, place, state, guid, number, paymentLink, mark, why, ...apart(claimed) });
}

/** What people changed at the service, and the origin does not have. */
function apart({ agreed }: SubmissionRecord): Pick<Told, 'atService'> {
  const atService = keptAtService(agreed ?? {});
  return Object.keys(atService).length === 0 ? {} : { atService };
}
