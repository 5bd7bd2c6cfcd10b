// A file that goes to the service, as its origin has it now. Only the bytes whose hash is on record are ever sent.
import { createHash } from 'node:crypto';
import type { TargetFile } from '../../invoicing/invoicing-target.js';
import type { AttachedFile, CostContent } from './content-cost.js';
import type { SubmissionWork } from './submission-work.js';

/** undefined: it has none. `beside`: the record names it, and is not the file itself. */
export async function readSubmittedFile(
  { tenant, claimed }: SubmissionWork,
  wanted: AttachedFile | CostContent['file'],
  which: 'itself' | 'beside' = 'itself',
): Promise<TargetFile | undefined | 'gone'> {
  if (wanted === undefined) return undefined;
  const named = which === 'beside' ? wanted : undefined;
  const content = await tenant.origins.get(claimed.origin)?.file?.(claimed.place, named);
  if (!content || createHash('sha256').update(content).digest('hex') !== wanted.sha256) return 'gone';
  return { fileName: wanted.name, content };
}
