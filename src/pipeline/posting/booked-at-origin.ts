// No circle: an invoice that we made at the service for an origin that has booked it already is not booked again. It is ours when it
// carries our mark and its guid is the one on record; a copy that somebody made of it carries the mark too, and is booked like any other.
// While that is being found out it waits.
import { marksIn } from '../../domain/submission-key.js';
import type { SourceDocument } from '../../domain/source-document.js';
import { reason } from '../../language/messages.js';
import type { PostingChange } from '../../sync/posting-records.js';
import { skipMessage } from '../writeback/status-message.js';
import { FINISH_FIRST_MS, jittered, WAITS_MS } from './back-off.js';
import type { PostingWork } from './post-stage.js';

export async function bookedAtOrigin(
  work: PostingWork,
  document: SourceDocument,
): Promise<PostingChange | null> {
  const { ours } = work.tenant;
  if (!ours || document.kind !== 'invoice' || work.posting.reference) return null;
  const { description, booking, costProvide, terms } = document;
  const marks = marksIn([description, booking, costProvide, terms].join('\n'));
  if (marks.length === 0) return null;
  const { verdict, reference } = await ours.recognise(document, marks);
  switch (verdict) {
    case 'another':
      return null;
    case 'in-doubt': {
      const dueInMs = jittered(WAITS_MS.deferred, work.stage.runtime.random);
      return {
        action: 'deferred',
        to: 'deferred',
        reason: reason('ORIGIN_IN_DOUBT', { reference }),
        dueInMs,
      };
    }
    case 'ours': {
      const why = reason('BOOKED_AT_ORIGIN', { reference });
      return {
        action: 'skipped',
        to: 'skipped',
        reason: why,
        dueInMs: FINISH_FIRST_MS,
        writeBack: { act: 'decide', wanted: 'Skipped', message: skipMessage(why) },
      };
    }
  }
}
