// What the status at the source means, given what we wanted it to be. Decided by reading state, never by a message's text:
// a refused update may only mean that an earlier one arrived.
import type { WritableStatus } from '../../domain/accounting-status.js';
import { jittered, retryInMs, TRIES_MAX, WAITS_MS } from '../posting/back-off.js';
import { postingDate } from '../posting/parts.js';
import { isOurError, isRepost, type PostingWork, type Step } from '../posting/post-stage.js';
import type { Message } from '../../domain/message.js';
import { incident, type NewIncident } from '../../language/incidents/incident-text.js';
import { message, reason, saidBy } from '../../language/messages.js';
import { aboutDocument } from '../posting/verdicts.js';
import type { PostingChange } from '../../sync/posting-records.js';
import { postedMessage } from './status-message.js';
import type { SourceReading } from './read-source.js';

/** The entry is in the books: may the source be told? */
export async function decidePosted(work: PostingWork, reading: SourceReading): Promise<Step> {
  if (reading.status === 'gone') return orphan(work);
  if (reading.problem !== undefined) return unreadable(work, reading.problem, parkedUnread);
  if (!reading.unchanged) return parked(work, 'CONTENT_CHANGED', reading.status);
  if (reading.status === 'New') return reopened(work);
  const ourError = reading.status === 'Error' && (work.errorMayBeOurs || (await isOurError(work)));
  if (reading.status !== 'Created' && reading.status !== 'Posted' && !ourError) {
    return parked(work, 'WRITE_BACK_REFUSED', reading.status);
  }
  if (reading.status !== 'Posted' && (await originalsAreOpen(work))) return awaitOriginals(work);
  const note = await decided(work);
  if (reading.status !== 'Posted') return send(work, reading, 'Posted', note);
  // Ours, as far as anybody can know, once somebody of us may have sent it.
  const foreign = work.isUntold && !isRepost(work);
  return acknowledge(
    work,
    reading,
    foreign
      ? [
          incidentOf(
            work,
            'FOREIGN_POSTED',
            'warning',
            message('POSTED_BY_US_TOO', { entry: erpNumber(work) }),
          ),
        ]
      : [],
  );
}

/** Only before anything was said: an entry that is booked stays booked, and what was told is not taken back. */
async function originalsAreOpen({ tenant: { awaited }, posting }: PostingWork): Promise<boolean> {
  if (!awaited || posting.reference === null) return false;
  return awaited.areOpen(posting.id, posting.generation);
}

/** Looked at again at once when the last of them has arrived; until then now and then, for it may be edited or deleted. */
function awaitOriginals(work: PostingWork): Promise<Step> {
  return work.rest({
    action: 'originals-awaited',
    reason: reason('ORIGINALS_AWAITED'),
    dueInMs: jittered(WAITS_MS.originals, work.stage.runtime.random),
  });
}

/** Decided together with the entry, unless a person brought the document here: then it is on record before it is sent. */
async function decided(work: PostingWork): Promise<string> {
  const { writeBack } = work.claim;
  if (writeBack?.wanted === 'Posted' && isOpen(work)) return writeBack.message;
  const note = postedMessage(work.posting.reference, postingDate(work.posting));
  await work.commit({
    action: 'write-back-intent',
    to: 'writing_back',
    writeBack: { act: 'decide', wanted: 'Posted', message: note },
  });
  return note;
}

export function isOpen({ claim }: Pick<PostingWork, 'claim'>): boolean {
  return claim.writeBack?.state === 'pending' || claim.writeBack?.state === 'sent';
}

/** The status was sent, or may have been: what does the source say? */
export async function judgePosted(work: PostingWork, reading: SourceReading): Promise<Step> {
  if (reading.status === 'Posted') return acknowledge(work, reading);
  if (reading.status === 'gone') return orphan(work);
  if (reading.problem !== undefined) return unreadable(work, reading.problem, parkedUnread);
  const mayStillTake = reading.status === 'Created' || reading.status === 'Error';
  if (!mayStillTake) return parked(work, 'WRITE_BACK_REFUSED', reading.status);
  if (!reading.unchanged) return parked(work, 'CONTENT_CHANGED', reading.status);
  if (work.posting.tries >= TRIES_MAX) return parked(work, 'WRITE_BACK_REFUSED', reading.status);
  if (work.hasSent) return notTaken(work, reading.status);
  return send(work, reading, 'Posted', await decided(work));
}

/** Skipped or Error, decided by the mapping. One-way on costs, so the content must still be what was judged. */
export async function judgeDecided(work: PostingWork, reading: SourceReading): Promise<Step> {
  const decided = work.claim.writeBack;
  if (!decided) return work.rest({ action: 'given-back', dueInMs: null });
  if (reading.status === decided.wanted) {
    return work.rest({
      action: 'acknowledged',
      tries: 0,
      dueInMs: null,
      sourceStatus: reading.status,
      writeBack: { act: 'acknowledged' },
    });
  }
  if (reading.problem !== undefined) return unreadable(work, reading.problem, untoldUnread);
  if (reading.status !== 'Created') return abandon(work, reading.status);
  if (!reading.unchanged) {
    return work.rest({
      action: 'edited-meanwhile',
      to: 'discovered',
      dueInMs: 0,
      writeBack: { act: 'abandoned', answer: 'edited' },
    });
  }
  if (work.posting.tries >= TRIES_MAX) return abandon(work, reading.status);
  if (work.hasSent) return notTaken(work, reading.status);
  return send(work, reading, decided.wanted, decided.message);
}

/** Sends once and lets the next step read back; but only on the strength of what was read just now, and while the claim lasts. */
async function send(
  work: PostingWork,
  { atMs }: SourceReading,
  status: WritableStatus,
  message: string,
): Promise<Step> {
  const { timing, runtime } = work.stage;
  // Whoever slept has perhaps lost its lease, and a person may have reopened the document since. The source knows no fence.
  if (runtime.clock.now().getTime() > Math.min(atMs + timing.sendByMs, work.sayByMs))
    return work.rest({ action: 'too-late-to-tell', dueInMs: 0 });
  // That it should be said is on record since it was decided, or since it was to be booked; that it was sent goes with whatever becomes of it.
  work.carry({
    action: 'write-back-sent',
    ...(work.posting.state === 'posted' ? { to: 'writing_back' as const } : {}),
    writeBack: { act: 'sent' },
  });
  work.noteSent();
  // An outage throws here and uses up no try.
  const answer = await work.tenant.source.updateStatus(work.sourceKind, work.posting.guid, status, message);
  await work.stage.failPoints.reach('after-write-back');
  if (answer.outcome === 'refused') {
    await work.commit({
      action: 'write-back-refused',
      writeBack: { act: 'answered', answer: answer.message.slice(0, 300) },
    });
  }
  return 'again';
}

async function acknowledge(
  work: PostingWork,
  reading: SourceReading,
  told: readonly NewIncident[] = [],
): Promise<Step> {
  const incidents = reading.unchanged
    ? told
    : [...told, incidentOf(work, 'CONTENT_CHANGED', 'critical', message('EDITED_BEFORE_POSTED'))];
  await work.rest({
    action: 'acknowledged',
    to: 'acknowledged',
    reason: null,
    tries: 0,
    dueInMs: null,
    sourceStatus: reading.status,
    writeBack: { act: 'acknowledged' },
    incidents,
    wakeDependents: true,
  });
  await work.stage.failPoints.reach('after-acknowledge');
  return 'rested';
}

/** The source answered and shows the old status all the same. */
function notTaken(work: PostingWork, status: string): Promise<Step> {
  return retryLater(work, `the source still says ${status}`, work.posting.tries + 1);
}

/** It may become readable again; each look waits longer than the one before, and after the last a person is asked. */
function unreadable(
  work: PostingWork,
  problem: string,
  giveUp: (work: PostingWork, problem: string) => PostingChange,
): Promise<Step> {
  const tries = work.posting.tries + 1;
  return tries <= TRIES_MAX
    ? retryLater(work, `the source's record cannot be read: ${problem}`, tries)
    : work.rest(giveUp(work, problem));
}

/** It is in the books. */
function parkedUnread(work: PostingWork, problem: string): PostingChange {
  const why = reason('SOURCE_UNREADABLE', { problem });
  const incidents = [incidentOf(work, 'SOURCE_UNREADABLE', 'critical', saidBy({ message: problem }))];
  return { action: 'parked', to: 'parked', reason: why, dueInMs: null, incidents };
}

/** The decision holds, and the source still has it as handed over: a replay decides and tells anew. */
function untoldUnread(work: PostingWork, problem: string): PostingChange {
  const answer = `the record cannot be read: ${problem}`.slice(0, 300);
  const writeBack = { act: 'abandoned', answer } as const;
  const incidents = [incidentOf(work, 'SOURCE_UNREADABLE', 'warning', saidBy({ message: problem }))];
  return { action: 'write-back-abandoned', dueInMs: null, writeBack, incidents };
}

function retryLater(work: PostingWork, message: string, tries: number): Promise<Step> {
  return work.rest({
    action: 'write-back-waits',
    tries,
    dueInMs: retryInMs(tries, work.stage.runtime.random),
    details: { message: message.slice(0, 500) },
  });
}

export function orphan(work: PostingWork): Promise<Step> {
  return work.rest({
    action: 'orphaned',
    to: 'orphaned',
    reason: reason('ORPHANED'),
    dueInMs: null,
    sourceStatus: 'gone',
    incidents: [incidentOf(work, 'ORPHANED', 'critical')],
  });
}

function reopened(work: PostingWork): Promise<Step> {
  return work.rest({
    action: 'source-reopened',
    dueInMs: WAITS_MS.deferred,
    sourceStatus: 'New',
    incidents: [incidentOf(work, 'SOURCE_REOPENED', 'warning')],
  });
}

function parked(
  work: PostingWork,
  code: 'CONTENT_CHANGED' | 'WRITE_BACK_REFUSED',
  status: string,
): Promise<Step> {
  const why = reason(code, { status });
  return work.rest({
    action: 'parked',
    to: 'parked',
    reason: why,
    dueInMs: null,
    sourceStatus: status,
    incidents: [incidentOf(work, code, 'critical', message('SOURCE_SAYS', { status }))],
  });
}

function abandon(work: PostingWork, status: string): Promise<Step> {
  // Reopened or deleted by a person: the decision is moot, and a sweep brings the document back if it is handed over again.
  const moot = status === 'New' || status === 'gone';
  return work.rest({
    action: 'write-back-abandoned',
    dueInMs: null,
    sourceStatus: status,
    writeBack: { act: 'abandoned', answer: `the source says ${status}` },
    incidents: moot
      ? []
      : [incidentOf(work, 'WRITE_BACK_REFUSED', 'warning', message('SOURCE_SAYS', { status }))],
  });
}

type AboutBooked =
  | 'FOREIGN_POSTED'
  | 'CONTENT_CHANGED'
  | 'WRITE_BACK_REFUSED'
  | 'SOURCE_REOPENED'
  | 'SOURCE_UNREADABLE'
  | 'ORPHANED';

function incidentOf(
  work: PostingWork,
  code: AboutBooked,
  severity: NewIncident['severity'],
  what?: Message,
): NewIncident {
  const about = { ...aboutDocument(work.posting), entry: erpNumber(work), ...(what && { what }) };
  return incident(code, about, { severity, fingerprint: work.posting.id });
}

function erpNumber({ posting }: PostingWork): string {
  return posting.reference?.number ?? posting.reference?.id ?? 'none';
}
