// Steps 7 to 9: tell the source what became of the document. The ERP comes first, always: Posted is written only for an entry
// that stands in the books. That it should be told is on record before it is sent, by itself or with the intent to book; and only what is
// read back counts.
import { isSourceKind } from '../../domain/source-document.js';
import type { PostingWork, Step } from '../posting/post-stage.js';
import { decidePosted, isOpen, judgeDecided, judgePosted } from './judge-status.js';
import { readSource } from './read-source.js';

export async function writeBackStep(work: PostingWork): Promise<Step> {
  if (!isSourceKind(work.posting.kind)) return finish(work);
  switch (work.posting.state) {
    case 'posted':
      return decidePosted(work, await readSource(work));
    case 'writing_back':
      return judgePosted(work, await readSource(work));
    case 'skipped':
    case 'rejected':
      return isOpen(work)
        ? judgeDecided(work, await readSource(work))
        : work.rest({ action: 'given-back', dueInMs: null });
    default:
      return work.rest({ action: 'given-back' });
  }
}

/** There is nobody to tell. */
function finish(work: PostingWork): Promise<Step> {
  return work.posting.state === 'posted'
    ? work.rest({ action: 'acknowledged', to: 'acknowledged', reason: null, tries: 0, dueInMs: null })
    : work.rest({ action: 'given-back', dueInMs: null });
}
