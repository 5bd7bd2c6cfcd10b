// The file that goes with a request, as its origin has it now. Only the bytes whose hash is on record are ever sent.
import { createHash } from 'node:crypto';
import type { TargetFile } from '../../invoicing/invoicing-target.js';
import type { CostContent } from './content-cost.js';
import type { SubmissionWork } from './submission-work.js';

/** undefined: it has none. */
export async function readSubmittedFile(
  { tenant, claimed }: SubmissionWork,
  wanted: CostContent['file'],
): Promise<TargetFile | undefined | 'gone'> {
  if (wanted === undefined) return undefined;
  const content = await tenant.origins.get(claimed.origin)?.file?.(claimed.place);
  if (!content || createHash('sha256').update(content).digest('hex') !== wanted.sha256) return 'gone';
  return { fileName: wanted.name, content };
}
