// A summary: all documents of one day and kind, booked as one journal. Here is step 3 of the summary itself, and what each of its commits means
// for the documents in it (its members). Both are committed in one transaction.
import { BOOK_CURRENCY, sum } from '../domain/money.js';
import { journalFromJson } from '../domain/journal-json.js';
import type { Journal } from '../domain/journal.js';
import type { Reason } from '../domain/message.js';
import { isUncertain } from '../domain/posting.js';
import { reason } from '../language/messages.js';
import { openRuleBook } from '../pipeline/mapping/rules.js';
import { documentsMaxOf, readSummaryGuid, summarise } from '../pipeline/mapping/make-journal.js';
import type { ReadyDocument } from './follow-up-records.js';
import { WAITS_MS } from './back-off.js';
import { applyMapping, commitDecision, rediscover } from './examine.js';
import { skipBecause, postedMessage } from './outcomes.js';
import type { ClaimedPosting, DocumentFacts, PostingChange, PostingStore } from './posting-records.js';
import { type KindHandler, postingDate, type PostingWork, type Step } from './work.js';

export const SUMMARY: KindHandler = {
  examine: examineSummary,
  extendCommit: withMembers,
  commitsAtOnce: true,
};

/** The members are committed together with the journal. From then on they stay the same, whatever the result is. */
async function examineSummary(work: PostingWork): Promise<Step> {
  const { posting, tenant, deps } = work;
  const fixed = await deps.store.summaryMembers(posting.id);
  if (fixed.length > 0 && posting.journal !== null) {
    // A person restarted it: the journal and the members on record are used.
    await rediscover(work);
    return work.addToNextCommit({ action: 'mapped', to: 'mapped', reason: null });
  }
  const name = readSummaryGuid(posting.guid);
  const limit = documentsMaxOf(tenant.rules);
  const documents = await deps.store.readyDocuments(tenant.name, name.kind, name.day, limit);
  if (documents.length === 0) return commitDecision(work, skipBecause(reason('NOTHING_TO_SUMMARISE')));
  const journal = summarise(
    name,
    documents.map(({ key, journal: text }) => ({ key, journal: journalFromJson(text) })),
    openRuleBook(tenant.rules),
  );
  const mapped = { outcome: 'post', journal, warnings: [], trace: [] } as const;
  await applyMapping(work, summaryFacts(journal, documents), mapped);
  return work.addToNextCommit({
    action: 'mapped',
    members: { act: 'take', documents, reason: reason('IN_SUMMARY', { summary: journal.documentNo }) },
  });
}

function summaryFacts(journal: Journal, documents: readonly ReadyDocument[]): DocumentFacts {
  const listed = documents.map(({ kind, guid, number, key }) => ({ kind, guid, number, key }));
  return {
    number: journal.documentNo,
    amount: sum(journal.lines.map(({ debit }) => debit)).toFixed(),
    currency: BOOK_CURRENCY,
    issueDate: journal.postingDate,
    counterpartyName: '',
    counterpartyKennitala: '',
    referGuid: '',
    sourceStatus: '',
    snapshot: JSON.stringify({ documents: listed }),
    contentHash: '',
  };
}

// ---- What a commit of the summary means for its members ----

/** The ERP refused, and guarantees that nothing was booked. */
const REFUSALS = new Set(['ERP_PERIOD_CLOSED', 'ERP_CONFIGURATION', 'ERP_REFUSED']);

export async function withMembers(
  store: PostingStore,
  claim: ClaimedPosting,
  change: PostingChange,
): Promise<PostingChange> {
  const { posting } = claim;
  switch (change.to) {
    case 'posted': {
      const reference = change.reference?.reference ?? posting.reference;
      if (reference === null) return change;
      const text = postedMessage(reference, postingDate(posting));
      return { ...change, members: { act: 'posted', reference, message: text } };
    }
    case 'held':
    case 'parked':
      return isRefusedForCertain(claim, change)
        ? releaseMembers(store, claim, change)
        : keepMembers(claim, change);
    default:
      return change;
  }
}

function isRefusedForCertain({ posting, attempt }: ClaimedPosting, change: PostingChange): boolean {
  if (!REFUSALS.has(change.reason?.code ?? '')) return false;
  if (change.attempt?.act === 'finish') return !isUncertain(change.attempt);
  return change.attempt === undefined && !(attempt?.key === posting.key && isUncertain(attempt));
}

/** The summary may be in the books, or a person has to decide: its members wait with it. */
function keepMembers({ posting }: ClaimedPosting, change: PostingChange): PostingChange {
  const why = reason('SUMMARY_WAITS', { summary: posting.documentNumber });
  const { members } = change;
  return {
    ...change,
    members: members?.act === 'take' ? { ...members, reason: why } : { act: 'tell', reason: why },
  };
}

/**
 * The members that caused the refusal are held or parked, as they would be alone; the others go into a new summary under the same key. A refusal
 * that names nothing is about all members.
 */
async function releaseMembers(
  store: PostingStore,
  { posting }: ClaimedPosting,
  { mapped: _notSent, members, ...change }: PostingChange,
): Promise<PostingChange> {
  const { to, reason: why, dueInMs = null } = change;
  if (!why || (to !== 'held' && to !== 'parked')) return change;
  const documents = members?.act === 'take' ? members.documents : await store.summaryMembers(posting.id);
  const causes = documents.filter(({ journal }) => isAbout(why, journalFromJson(journal)));
  const refused = new Set((causes.length > 0 ? causes : documents).map(({ postingId }) => postingId));
  const { day } = readSummaryGuid(posting.guid);
  const ready = {
    to: 'mapped',
    reason: reason('AWAITS_SUMMARY', { day }),
    dueInMs: WAITS_MS.deferred,
  } as const;
  return {
    ...change,
    to: 'held',
    reason: reason('SUMMARY_REFUSED', { refusal: why }),
    // Due at once: then the remaining members are summarised again, or there are none.
    dueInMs: 0,
    members: {
      act: 'release',
      documents: documents.map(({ postingId }) =>
        refused.has(postingId) ? { postingId, to, reason: why, dueInMs } : { postingId, ...ready },
      ),
    },
  };
}

/** The journal uses what the refusal names. */
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
