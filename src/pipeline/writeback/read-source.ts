// The document as the source has it now, held against what the journal was made from.
import { contentHash } from '../content-hash.js';
import type { PostingWork } from '../posting/post-stage.js';

export interface SourceReading {
  /** Same content as when the journal was made. */
  readonly unchanged: boolean;
  readonly status: string;
  /** Of a document that is unreadable. */
  readonly problem?: string;
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
  if (fetched.outcome === 'unreadable')
    return { unchanged: false, status: 'unreadable', problem: fetched.problem, atMs };
  if (fetched.outcome === 'gone') return { unchanged: false, status: 'gone', atMs };
  const unchanged = contentHash(kind, fetched.record ?? fetched.snapshot) === known;
  return { unchanged, status: fetched.document.accountingStatus, atMs };
}
