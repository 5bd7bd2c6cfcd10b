// Whatever becomes of a summary becomes of its documents in the same commit. Here is what: the one place, for every end that a summary
// can come to.
import { journalFromJson } from '../../domain/journal-json.js';
import type { Reason } from '../../domain/message.js';
import type { Journal } from '../../domain/journal.js';
import { isUncertain } from '../../domain/posting.js';
import { reason } from '../../language/messages.js';
import { readSummaryGuid } from '../mapping/summarise.js';
import { WAITS_MS } from '../posting/back-off.js';
import { postingDate } from '../posting/parts.js';
import type { ClaimedPosting, PostingChange, PostingStore } from '../../sync/posting-records.js';
import { postedMessage } from '../writeback/status-message.js';

/** The ERP said no, and vouches that nothing of it was booked. */
const REFUSALS = new Set(['ERP_PERIOD_CLOSED', 'ERP_CONFIGURATION', 'ERP_REFUSED']);

export async function withMembers(
  store: PostingStore,
  claim: ClaimedPosting,
  change: PostingChange,
): Promise<PostingChange> {
  switch (change.to) {
    case 'posted':
      return posted(claim, change);
    case 'held':
    case 'parked':
      return isDefinite(claim, change) ? released(store, claim, change) : told(claim, change);
    default:
      return change;
  }
}

function posted({ posting }: ClaimedPosting, change: PostingChange): PostingChange {
  const reference = change.reference?.reference ?? posting.reference;
  if (reference === null) return change;
  const message = postedMessage(reference, postingDate(posting));
  return { ...change, members: { act: 'posted', reference, message } };
}

function isDefinite({ posting, attempt }: ClaimedPosting, change: PostingChange): boolean {
  if (!REFUSALS.has(change.reason?.code ?? '')) return false;
  if (change.attempt?.act === 'finish') return !isUncertain(change.attempt);
  return change.attempt === undefined && !(attempt?.key === posting.key && isUncertain(attempt));
}

/** Nobody can say yet whether it is in the books, or a person has to: its documents wait with it. */
function told({ posting }: ClaimedPosting, change: PostingChange): PostingChange {
  const why = reason('SUMMARY_WAITS', { summary: posting.documentNumber });
  const { members } = change;
  return {
    ...change,
    members: members?.act === 'take' ? { ...members, reason: why } : { act: 'tell', reason: why },
  };
}

/**
 * Those that the refusal is about rest with it, as they would by themselves; the others are put together anew, under the same key.
 * Where it names nothing, it is about all of them.
 */
async function released(
  store: PostingStore,
  { posting }: ClaimedPosting,
  { mapped: _unsent, members, ...change }: PostingChange,
): Promise<PostingChange> {
  const { to, reason: why, dueInMs = null } = change;
  if (!why || (to !== 'held' && to !== 'parked')) return change;
  const documents = members?.act === 'take' ? members.documents : await store.summaryMembers(posting.id);
  const meant = documents.filter(({ journal }) => isAbout(why, journalFromJson(journal)));
  const refused = new Set((meant.length > 0 ? meant : documents).map(({ postingId }) => postingId));
  const { day } = readSummaryGuid(posting.guid);
  const again = {
    to: 'mapped',
    reason: reason('AWAITS_SUMMARY', { day }),
    dueInMs: WAITS_MS.deferred,
  } as const;
  return {
    ...change,
    to: 'held',
    reason: reason('SUMMARY_REFUSED', { refusal: why }),
    // At once: what is left of it is put together anew, or nothing is.
    dueInMs: 0,
    members: {
      act: 'release',
      documents: documents.map(({ postingId }) =>
        refused.has(postingId) ? { postingId, to, reason: why, dueInMs } : { postingId, ...again },
      ),
    },
  };
}

/** Whether a document has what the ERP does not know. */
function isAbout({ params }: Reason, { lines }: Journal): boolean {
  const { account, vatCode, party, dimension, value } = params;
  const digits = (text: string) => text.replaceAll(/\D/g, '');
  return lines.some(
    (line) =>
      line.account === account ||
      (vatCode !== undefined && line.vatCode === vatCode) ||
      (typeof party === 'string' && digits(line.counterparty ?? '') === digits(party)) ||
      (typeof dimension === 'string' &&
        line.dimensions?.[dimension] !== undefined &&
        (value === undefined || line.dimensions[dimension] === value)),
  );
}
