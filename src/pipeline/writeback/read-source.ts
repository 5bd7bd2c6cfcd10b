// The document as the source has it now, held against what the journal was made from.
import { contentHash } from '../content-hash.js';
import type { PostingWork } from '../posting/post-stage.js';

export interface SourceReading {
  /** Same content as when the journal was made. */
  readonly unchanged: boolean;
  readonly status: string;
  /** When it was read, by the clock of this process. */
  readonly atMs: number;
}

export async function readSource(work: PostingWork): Promise<SourceReading> {
  const { sourceKind: kind } = work;
  const { guid, contentHash: known } = work.posting;
  const fetched = await work.tenant.source.get(kind, guid);
  const atMs = work.stage.runtime.clock.now().getTime();
  await work.stage.breakers.succeeded(work.tenant.name, 'source');
  await work.stage.failPoints.reach('after-source-check');
  if (fetched.outcome !== 'found') return { unchanged: false, status: fetched.outcome, atMs };
  const unchanged = contentHash(kind, fetched.record ?? fetched.snapshot) === known;
  return { unchanged, status: fetched.document.accountingStatus, atMs };
}
