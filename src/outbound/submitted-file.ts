// A file that goes to the service, as its origin has it now. Only the bytes whose hash is on record are ever sent, or, of an origin that
// tells versions apart itself, those of the version that is.
import { createHash } from 'node:crypto';
import type { TargetFile } from '../service/invoicing-target.js';
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
  return content && isThatOne(content, wanted) ? { fileName: wanted.name, content } : 'gone';
}

function isThatOne(content: Uint8Array, { sha256, bytes }: AttachedFile): boolean {
  if (sha256 === undefined) return String(content.byteLength) === bytes;
  return createHash('sha256').update(content).digest('hex') === sha256;
}
