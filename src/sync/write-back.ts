// Steps 7 to 9: write the status to the source. Posted is only written for an entry that is in the books, and the wanted status is on record
// before it is sent. Decisions use the status and the content that are read, never the text of an answer: a refused update may only mean
// that an earlier one arrived.
import type { WritableStatus } from '../domain/posting.js';
import type { Message } from '../domain/message.js';
import { isSourceKind } from '../domain/source-document.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { message, reason, saidBy } from '../language/messages.js';
import { contentHash } from './content-hash.js';
import { jittered, nextTry, retryInMs, TRIES_MAX, WAITS_MS } from './back-off.js';
import { aboutDocument, postedMessage } from './outcomes.js';
import type { ClaimedPosting, PostingChange } from './posting-records.js';
import { isRepost, postingDate, type PostingWork, type Step, weWroteErrorStatus } from './work.js';

export async function writeBackStep(work: PostingWork): Promise<Step> {
  const { state, kind } = work.posting;
  if (!isSourceKind(kind)) return finishWithoutStatus(work);
  switch (state) {
    case 'posted':
      return writePosted(work, await readSource(work));
    case 'writing_back':
      return confirmPosted(work, await readSource(work));
    case 'skipped':
    case 'rejected':
      return isOpen(work)
        ? writeDecision(work, await readSource(work))
        : work.commitAndRelease({ action: 'given-back', dueInMs: null });
    default:
      return work.commitAndRelease({ action: 'given-back' });
  }
}

/** A payment, a release or a summary has no status at the source. */
function finishWithoutStatus(work: PostingWork): Promise<Step> {
  return work.posting.state === 'posted'
    ? work.commitAndRelease({
        action: 'acknowledged',
        to: 'acknowledged',
        reason: null,
        tries: 0,
        dueInMs: null,
      })
    : work.commitAndRelease({ action: 'given-back', dueInMs: null });
}

/** The write-back is not finished. */
export function isOpen({ claim: { writeBack } }: { readonly claim: ClaimedPosting }): boolean {
  return writeBack?.state === 'pending' || writeBack?.state === 'sent';
}

// ---- Step 7: read the source ----

interface SourceReading {
  readonly status: string;
  /** The content is the one that the journal was made from. */
  readonly isUnchanged: boolean;
  /** Why the document cannot be read. */
  readonly problem?: string;
  /** By the clock of this process. */
  readonly atMs: number;
}

async function readSource(work: PostingWork): Promise<SourceReading> {
  const { deps, tenant, sourceKind: kind } = work;
  const { guid, contentHash: known } = work.posting;
  const fetched = await tenant.source.get(kind, guid);
  const { nowMs: atMs } = work;
  await deps.breakers.succeeded(tenant.name, 'source');
  await deps.failPoints.reach('after-source-check');
  if (fetched.outcome === 'unreadable')
    return { isUnchanged: false, status: 'unreadable', problem: fetched.problem, atMs };
  if (fetched.outcome === 'gone') return { isUnchanged: false, status: 'gone', atMs };
  const isUnchanged = contentHash(kind, fetched.record ?? fetched.snapshot) === known;
  return { isUnchanged, status: fetched.document.accountingStatus, atMs };
}

/** The entry is in the books. May Posted be written? */
async function writePosted(work: PostingWork, reading: SourceReading): Promise<Step> {
  const { status, isUnchanged, problem } = reading;
  if (status === 'gone') return orphan(work);
  if (problem !== undefined) return retryUnreadable(work, problem, parkUnreadable);
  if (!isUnchanged) return park(work, 'CONTENT_CHANGED', status);
  if (status === 'New')
    return work.commitAndRelease({
      action: 'source-reopened',
      dueInMs: WAITS_MS.deferred,
      sourceStatus: 'New',
      incidents: [incidentOf(work, 'SOURCE_REOPENED', 'warning')],
    });
  const isOurError = status === 'Error' && (work.errorMayBeOurs || (await weWroteErrorStatus(work)));
  if (status !== 'Created' && status !== 'Posted' && !isOurError)
    return park(work, 'WRITE_BACK_REFUSED', status);
  if (status !== 'Posted' && (await originalsAreOpen(work)))
    // The last original that arrives wakes it. It may also be edited or deleted meanwhile, so it is read now and then.
    return work.commitAndRelease({
      action: 'originals-awaited',
      reason: reason('ORIGINALS_AWAITED'),
      dueInMs: jittered(WAITS_MS.originals, work.deps.runtime.random),
    });
  const text = await decidePosted(work);
  if (status !== 'Posted') return sendStatus(work, reading, 'Posted', text);
  // Posted is ours, unless no process of ours can have written it.
  if (!work.isSourceNotUpdated || isRepost(work)) return acknowledge(work, reading);
  const what = message('POSTED_BY_US_TOO', { entry: erpNumber(work) });
  return acknowledge(work, reading, [incidentOf(work, 'FOREIGN_POSTED', 'warning', what)]);
}

/** The tenant wants the original files stored before the source is updated. */
async function originalsAreOpen({ tenant: { awaited }, posting }: PostingWork): Promise<boolean> {
  if (!awaited || posting.reference === null) return false;
  return awaited.areOpen(posting.id, posting.generation);
}

/** The text of the write-back. It was decided with the booking, unless a person moved the document to this state: then it is committed now. */
async function decidePosted(work: PostingWork): Promise<string> {
  const { writeBack } = work.claim;
  if (writeBack?.wanted === 'Posted' && isOpen(work)) return writeBack.message;
  const text = postedMessage(work.posting.reference, postingDate(work.posting));
  await work.commit({
    action: 'write-back-intent',
    to: 'writing_back',
    writeBack: { act: 'decide', wanted: 'Posted', message: text },
  });
  return text;
}

// ---- Step 8: update the source ----

/**
 * Sends the status once; the next step reads it back. The reading must be fresh and the lease must hold: after a pause of this process another
 * one may have claimed the posting, or a person may have reopened the document, and the source has no fence that would refuse the update.
 */
async function sendStatus(
  work: PostingWork,
  { atMs }: SourceReading,
  status: WritableStatus,
  text: string,
): Promise<Step> {
  const { timing, failPoints } = work.deps;
  if (work.nowMs > Math.min(atMs + timing.sendByMs, work.sendStatusByMs))
    return work.commitAndRelease({ action: 'too-late-to-tell', dueInMs: 0 });
  // The wanted status is on record already. That it was sent is committed with the result.
  work.addToNextCommit({
    action: 'write-back-sent',
    ...(work.posting.state === 'posted' ? { to: 'writing_back' as const } : {}),
    writeBack: { act: 'sent' },
  });
  work.noteStatusSent();
  // An outage of the source throws here, and uses no try (advance.ts).
  const answer = await work.tenant.source.updateStatus(work.sourceKind, work.posting.guid, status, text);
  await failPoints.reach('after-write-back');
  if (answer.outcome === 'refused')
    await work.commit({
      action: 'write-back-refused',
      writeBack: { act: 'answered', answer: answer.message.slice(0, 300) },
    });
  return 'continue';
}

// ---- Step 9: read back ----

/** Posted was sent, or may have been. */
async function confirmPosted(work: PostingWork, reading: SourceReading): Promise<Step> {
  const { status, isUnchanged, problem } = reading;
  if (status === 'Posted') return acknowledge(work, reading);
  if (status === 'gone') return orphan(work);
  if (problem !== undefined) return retryUnreadable(work, problem, parkUnreadable);
  const mayStillChange = status === 'Created' || status === 'Error';
  if (!mayStillChange) return park(work, 'WRITE_BACK_REFUSED', status);
  if (!isUnchanged) return park(work, 'CONTENT_CHANGED', status);
  if (work.posting.tries >= TRIES_MAX) return park(work, 'WRITE_BACK_REFUSED', status);
  if (work.hasSentStatus) return retryNotTaken(work, status);
  return sendStatus(work, reading, 'Posted', await decidePosted(work));
}

async function acknowledge(
  work: PostingWork,
  { status, isUnchanged }: SourceReading,
  found: readonly NewIncident[] = [],
): Promise<Step> {
  const edited = () => incidentOf(work, 'CONTENT_CHANGED', 'critical', message('EDITED_BEFORE_POSTED'));
  await work.commitAndRelease({
    action: 'acknowledged',
    to: 'acknowledged',
    reason: null,
    tries: 0,
    dueInMs: null,
    sourceStatus: status,
    writeBack: { act: 'acknowledged' },
    incidents: isUnchanged ? found : [...found, edited()],
    wakeDependents: true,
  });
  await work.deps.failPoints.reach('after-acknowledge');
  return 'released';
}

// ---- Steps 7 to 9 for Skipped and Error ----

/** The source does not take back Skipped or Error on a cost, so the content must still be the one that was judged. */
async function writeDecision(work: PostingWork, reading: SourceReading): Promise<Step> {
  const { status, isUnchanged, problem } = reading;
  const { writeBack } = work.claim;
  if (!writeBack) return work.commitAndRelease({ action: 'given-back', dueInMs: null });
  if (status === writeBack.wanted)
    return work.commitAndRelease({
      action: 'acknowledged',
      tries: 0,
      dueInMs: null,
      sourceStatus: status,
      writeBack: { act: 'acknowledged' },
    });
  if (problem !== undefined) return retryUnreadable(work, problem, abandonUnreadable);
  if (status !== 'Created') return abandon(work, status);
  if (!isUnchanged)
    return work.commitAndRelease({
      action: 'edited-meanwhile',
      to: 'discovered',
      dueInMs: 0,
      writeBack: { act: 'abandoned', answer: 'edited' },
    });
  if (work.posting.tries >= TRIES_MAX) return abandon(work, status);
  if (work.hasSentStatus) return retryNotTaken(work, status);
  return sendStatus(work, reading, writeBack.wanted, writeBack.message);
}

/** If a person reopened or deleted the document, the decision does not matter any more. A sweep finds the document if it is approved again. */
function abandon(work: PostingWork, status: string): Promise<Step> {
  const isObsolete = status === 'New' || status === 'gone';
  const what = message('SOURCE_SAYS', { status });
  return work.commitAndRelease({
    action: 'write-back-abandoned',
    dueInMs: null,
    sourceStatus: status,
    writeBack: { act: 'abandoned', answer: `the source says ${status}` },
    incidents: isObsolete ? [] : [incidentOf(work, 'WRITE_BACK_REFUSED', 'warning', what)],
  });
}

// ---- The other ends ----

/** The document may become readable again. The waits grow, and after the last one a person decides. */
function retryUnreadable(
  work: PostingWork,
  problem: string,
  giveUp: (work: PostingWork, problem: string) => PostingChange,
): Promise<Step> {
  const next = nextTry(work.posting.tries, work.deps.runtime.random);
  return next
    ? retry(work, `the source's record cannot be read: ${problem}`, next)
    : work.commitAndRelease(giveUp(work, problem));
}

/** The entry is in the books. */
function parkUnreadable(work: PostingWork, problem: string): PostingChange {
  const why = reason('SOURCE_UNREADABLE', { problem });
  const incidents = [incidentOf(work, 'SOURCE_UNREADABLE', 'critical', saidBy({ message: problem }))];
  return { action: 'parked', to: 'parked', reason: why, dueInMs: null, incidents };
}

/** The decision holds, and the source shows the document as it was handed over. A replay decides and writes the status again. */
function abandonUnreadable(work: PostingWork, problem: string): PostingChange {
  const answer = `the record cannot be read: ${problem}`.slice(0, 300);
  const writeBack = { act: 'abandoned', answer } as const;
  const incidents = [incidentOf(work, 'SOURCE_UNREADABLE', 'warning', saidBy({ message: problem }))];
  return { action: 'write-back-abandoned', dueInMs: null, writeBack, incidents };
}

/** The source accepted the update, and still shows the old status. */
function retryNotTaken(work: PostingWork, status: string): Promise<Step> {
  const tries = work.posting.tries + 1;
  const dueInMs = retryInMs(tries, work.deps.runtime.random);
  return retry(work, `the source still says ${status}`, { tries, dueInMs });
}

function retry(
  work: PostingWork,
  problem: string,
  next: { readonly tries: number; readonly dueInMs: number },
): Promise<Step> {
  return work.commitAndRelease({
    action: 'write-back-waits',
    ...next,
    details: { message: problem.slice(0, 500) },
  });
}

/** The document was deleted at the source, and its entry is in the books. */
export function orphan(work: PostingWork): Promise<Step> {
  return work.commitAndRelease({
    action: 'orphaned',
    to: 'orphaned',
    reason: reason('ORPHANED'),
    dueInMs: null,
    sourceStatus: 'gone',
    incidents: [incidentOf(work, 'ORPHANED', 'critical')],
  });
}

function park(
  work: PostingWork,
  code: 'CONTENT_CHANGED' | 'WRITE_BACK_REFUSED',
  status: string,
): Promise<Step> {
  return work.commitAndRelease({
    action: 'parked',
    to: 'parked',
    reason: reason(code, { status }),
    dueInMs: null,
    sourceStatus: status,
    incidents: [incidentOf(work, code, 'critical', message('SOURCE_SAYS', { status }))],
  });
}

type WriteBackIncident =
  | 'FOREIGN_POSTED'
  | 'CONTENT_CHANGED'
  | 'WRITE_BACK_REFUSED'
  | 'SOURCE_REOPENED'
  | 'SOURCE_UNREADABLE'
  | 'ORPHANED';

function incidentOf(
  work: PostingWork,
  code: WriteBackIncident,
  severity: NewIncident['severity'],
  what?: Message,
): NewIncident {
  const about = { ...aboutDocument(work.posting), entry: erpNumber(work), ...(what && { what }) };
  return incident(code, about, { severity, fingerprint: work.posting.id });
}

function erpNumber({ posting }: PostingWork): string {
  return posting.reference?.number ?? posting.reference?.id ?? 'none';
}
