// Repost: a document whose entry was reversed is booked anew, under the next generation of its key.
import { postingKey } from '../domain/posting-key.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { type ActRequest, onlyId } from './act-request.js';
import { refusalOf } from './acts.js';
import { underClaim, type OperatorClaim } from './operator-claim.js';
import { type Language, say } from '../language/say.js';
import type { ActResults, MoveToNewResult } from './views/act.js';

/** The document is read, mapped and posted again under the next key. */
export async function repostPosting(
  request: Pick<ActRequest<'repost'>, 'deps' | 'ids' | 'by'>,
): Promise<ActResults['repost']> {
  const { deps, by } = request;
  const id = onlyId(request);
  const { key, generation } = await underClaim({ deps, name: 'repost', by }, id, (claim) =>
    Promise.resolve(nextKey(claim)),
  );
  if (!(await deps.records.repost(by, id, key, generation)))
    throw coded('POSTING_BUSY', message('CHANGED_MEANWHILE'));
  deps.poke();
  return { changed: true };
}

export async function previewRepost({ deps, ids }: ActRequest<'repost'>): Promise<ActResults['repost']> {
  const [facts] = await deps.records.replayFacts(ids);
  if (!facts) throw coded('DOCUMENT_NOT_FOUND', message('ID_UNKNOWN', { id: onlyId({ ids }) }));
  const refusal = refusalOf('repost', facts);
  if (refusal) throw coded('ACT_NOT_POSSIBLE', refusal.why);
  return { changed: false };
}

function nextKey({ posting, tenant }: OperatorClaim) {
  const { environment, sourceAccount, erp } = tenant;
  const { kind, guid } = posting;
  const generation = posting.generation + 1;
  const identity = { environment, sourceAccount, kind, guid, ledger: erp.ledger, generation };
  return { key: postingKey(identity), generation };
}

// A cost that stands in Error or Skipped leaves that only by the way the service offers: move-cost-to-new, then approval by
// a person there. The bridge asks for the first and waits for the second: a sweep that finds it Created begins it anew.

export function moveToNew(request: ActRequest<'move-to-new'>): Promise<MoveToNewResult> {
  const { language } = request.deps;
  return underClaim(request, onlyId(request), async (claim) => {
    const { posting, tenant } = claim;
    const before = await readStatus(claim);
    if (before === 'New' || before === 'Created') return settled(claim, before, language);
    await claim.commit({ action: 'move-to-new', details: { from: before } });
    const answer = await tenant.source.moveCostToNew(posting.guid);
    const after = await readStatus(claim);
    if (after === 'New' || after === 'Created') return settled(claim, after, language);
    await claim.commit({ action: 'move-to-new-refused', sourceStatus: after, details: { status: after } });
    const said = answer.outcome === 'refused' ? { answer: answer.message } : {};
    throw coded('MOVE_TO_NEW_REFUSED', message('STILL_SAYS', { status: after, ...said }));
  });
}

async function readStatus({ posting, tenant }: OperatorClaim): Promise<string> {
  const fetched = await tenant.source.get('cost', posting.guid);
  if (fetched.outcome === 'found') return fetched.document.accountingStatus;
  throw coded('ACT_NOT_POSSIBLE', message('COST_GONE', { outcome: fetched.outcome }));
}

async function settled(
  claim: OperatorClaim,
  status: 'New' | 'Created',
  language: Language,
): Promise<MoveToNewResult> {
  // Kept as New even when it was approved in the same breath: the next sweep sees the difference and begins it anew.
  await claim.commit({ action: 'moved-to-new', sourceStatus: 'New', release: true, details: { status } });
  const said = message(status === 'New' ? 'IS_NEW_AT_SOURCE' : 'IS_APPROVED_AT_SOURCE');
  return { postingId: claim.posting.id, sourceStatus: status, sentence: say(language, said) };
}
