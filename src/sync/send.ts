// Steps 4 to 6: commit the exact request, send it, and read the result back.
import { createHash } from 'node:crypto';
import type { PostingKey } from '../domain/ids.js';
import { isSourceKind } from '../domain/source-document.js';
import type { Attachment, PostRequest, PreparedPost } from '../erp/erp-adapter.js';
import type { SourceFile } from '../service/invoicing-source.js';
import { fileTypeOf, nameInErp } from './originals.js';
import {
  adoptFound,
  endBeforeSend,
  judgeOutcome,
  unknownWhenThrown,
  parkWithAlarm,
  recordBooked,
  retryUnknown,
} from './outcomes.js';
import type { AttemptRecord } from './posting-records.js';
import { findBeforeSend } from './restored.js';
import { nextPart, type Part, type PostingWork, type Step, inFlightMaxMs } from './work.js';
import { isUncertain } from '../domain/posting.js';
import { message } from '../language/messages.js';
import { TRIES_MAX, WAITS_MS } from './back-off.js';

export async function sendJournal(work: PostingWork): Promise<Step> {
  const { erp } = work.tenant;
  const { failPoints, timing, witness } = work.deps;
  const part = nextPart(work.posting);
  if (!part) return nothingToSend(work);

  // Translate the journal. This asks the ERP, and has no effect on the books.
  const { key, journal } = part;
  const translated = await erp.prepare({ key, journal, ...earlierRequest(work.claim.attempt, key) });
  if (translated.outcome !== 'prepared') return endBeforeSend(work, translated);
  const found = await findBeforeSend(work, part, translated.prepared);
  if (found === 'released') return found;
  const prepared = await withFiles(work, translated.prepared);

  // Step 4: commit the intent with the exact request. Mapping and snapshot are committed with it.
  const deadlineMs = work.nowMs + timing.sendByMs;
  const { part: name } = part;
  await work.commit({
    action: 'intent',
    ...(work.posting.state === 'mapped' ? { to: 'posting' as const } : {}),
    attempt: { act: 'begin', part: name, key, request: prepared.request, sendByMs: timing.sendByMs },
  });
  await failPoints.reach('after-intent');
  if ((await witness?.trusts(work.claim)) === false) return databaseWasRolledBack(work);

  // Steps 5 and 6: send, and read back. An entry that is in the ERP already is only read.
  if (found.outcome !== 'none') return adoptFound(work, part, prepared, found);
  return sendPrepared(work, part, prepared, deadlineMs);
}

/** Sends the committed request, and judges the answer (outcomes.ts). A process that slept past the deadline does not send. */
async function sendPrepared(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  deadlineMs: number,
  earlierAgeMs = Infinity,
): Promise<Step> {
  const isFirstSend = (work.claim.attempt?.sends ?? 1) <= 1;
  if (work.nowMs > deadlineMs) return sleptPastDeadline(work, isFirstSend);
  const outcome = await unknownWhenThrown(() => work.tenant.erp.post(prepared));
  await work.deps.failPoints.reach('after-send');
  return judgeOutcome(work, part, prepared, outcome, { isFirstSend, earlierAgeMs });
}

/** Nothing was sent under this claim, so it uses no try. After an earlier send of the same request the result stays unknown. */
function sleptPastDeadline(work: PostingWork, isFirstSend: boolean): Promise<Step> {
  const outcome = isFirstSend ? 'never-sent' : 'unknown';
  return work.commitAndRelease({
    action: 'too-late-to-send',
    dueInMs: 0,
    attempt: { act: 'finish', outcome, message: 'slept past the deadline' },
    ...(isFirstSend ? { to: 'mapped' as const } : {}),
  });
}

/** Nothing was sent. The next claim knows about the rollback, and asks the ERP before it sends. */
function databaseWasRolledBack(work: PostingWork): Promise<Step> {
  return work.commitAndRelease({
    action: 'database-went-back',
    to: 'mapped',
    dueInMs: 0,
    attempt: { act: 'finish', outcome: 'never-sent', message: 'the database went back in time' },
  });
}

/** The payment was withdrawn after the entry was booked, so there is no settlement to send: the document is booked completely. */
function nothingToSend(work: PostingWork): Promise<Step> {
  return work.posting.reference
    ? work.commit({ action: 'nothing-left-to-send', to: 'posting' })
    : work.commitAndRelease({ action: 'nothing-left-to-send', to: 'discovered', dueInMs: 0 });
}

function earlierRequest(attempt: AttemptRecord | null, key: PostingKey): Pick<PostRequest, 'earlier'> {
  if (attempt?.key !== key) return {};
  return { earlier: { request: attempt.request, isRefused: attempt.outcome === 'rejected' } };
}

/** Size of all files of one document. A larger file is only kept in our own store of originals. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Some ERPs accept a file only together with its document. The files are fetched before the intent is committed, so that a source that does
 * not answer delays the document without making its result uncertain.
 */
async function withFiles(work: PostingWork, prepared: PreparedPost): Promise<PreparedPost> {
  const { posting, tenant } = work;
  const { kind, guid, documentNumber: documentNo } = posting;
  const isMain = prepared.key === posting.key;
  if (tenant.erp.capabilities.filesWithPost !== true || !isMain || !isSourceKind(kind)) return prepared;
  const originals = await tenant.source.originals(kind, guid);
  if (originals.outcome !== 'found') return prepared;
  let bytesLeft = FILE_BYTES_MAX;
  const files = originals.files
    .flatMap((file) => attachmentOf(file, { kind, documentNo }))
    .filter(({ content }) => {
      if (content.byteLength > bytesLeft) return false;
      bytesLeft -= content.byteLength;
      return true;
    });
  return { ...prepared, files };
}

function attachmentOf(
  { role, content }: SourceFile,
  document: { readonly kind: string; readonly documentNo: string },
): Attachment[] {
  const type = content && fileTypeOf(content);
  if (!content || !type) return [];
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { contentType } = type;
  return [{ fileName: nameInErp({ ...document, role, sha256, contentType }), contentType, content }];
}

// A posting that was sent, or may have been. What happens next depends on the capabilities of the ERP, and on nothing else; the table is in
// docs/explanation/how-it-works.md ("When the outcome is unknown").

/** Clocks differ, so a native key is used for this share of its documented life only. */
const KEY_LIFE_SHARE = 0.8;

export async function resolveOutcome(work: PostingWork): Promise<Step> {
  const part = nextPart(work.posting);
  const { attempt, summary } = work.claim;
  // The entry of this document is part of the journal of its day. The summary decides its result, and it is never sent alone.
  if (summary && part?.part === 'main') return work.commitAndRelease({ action: 'given-back', dueInMs: null });
  // A process stopped between the last reference and the move to `posted`.
  if (!part) return recordBooked(work, { action: 'posted', reason: null }, work.posting.reference);
  // The first send under this key (the next part, the next generation), or a person retries after a definite answer.
  if (attempt?.key !== part.key || !isUncertain(attempt)) return sendJournal(work);
  const prepared: PreparedPost = { key: attempt.key, request: attempt.request };
  if (attempt.outcome === 'pending' || attempt.outcome === 'draft')
    return lookUp(work, part, prepared, () => waitUntilShown(work));
  return resolveUnknown(work, part, prepared, attempt);
}

async function resolveUnknown(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  attempt: AttemptRecord,
): Promise<Step> {
  const { idempotency, nativeKeyLifeMs = 0, lookUp: canShow } = work.tenant.erp.capabilities;
  const sendAgain = () => resend(work, part, prepared);

  // The ERP replays by key. After a restore the ERP may know the key for longer than our attempt is old, so look first.
  if (idempotency === 'native-key' && attempt.ageMs < nativeKeyLifeMs * KEY_LIFE_SHARE) {
    const mayJustSend = work.claim.restoredAgeMs === null || canShow === 'none';
    return mayJustSend ? sendAgain() : lookUp(work, part, prepared, sendAgain);
  }
  // The ERP refuses a second entry.
  if (idempotency === 'unique-reference') return sendAgain();
  // The ERP cannot be asked.
  if (canShow === 'none') return parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ERP_CANNOT_TELL'));
  // The ERP can be asked, once nothing is in flight: an earlier look could miss a request that still arrives.
  const waitMs = inFlightMaxMs(work.deps, work.tenant) - attempt.lastSendAgeMs;
  if (waitMs > 0) return work.commitAndRelease({ action: 'waits-to-look', dueInMs: waitMs });
  // An ERP that hides drafts, or whose native key has expired, cannot prove that there is no entry.
  const provesAbsence = canShow === 'posted-and-draft' && idempotency === 'none';
  const park = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ABSENCE_UNPROVEN'));
  return lookUp(work, part, prepared, provesAbsence ? sendAgain : park);
}

async function lookUp(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  whenNone: () => Promise<Step>,
): Promise<Step> {
  const found = await work.tenant.erp.findByKey(part.key);
  switch (found.outcome) {
    case 'one':
    case 'many':
      return adoptFound(work, part, prepared, found);
    case 'none':
      return whenNone();
    case 'transient':
    case 'auth':
      return endBeforeSend(work, found);
  }
}

/** How many processes may die while they look up a posting that has used all its tries. */
const LOOKS_MAX = 3;

/**
 * Sends the identical request again. A try is counted when the answer is lost, or when the process dies; never twice for the same send. After
 * the last try the ERP is only asked: an entry that is there needs no person.
 */
async function resend(work: PostingWork, part: Part, prepared: PreparedPost): Promise<Step> {
  const { claim, deps, posting, tenant } = work;
  if (posting.tries >= TRIES_MAX) {
    const park = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('RESENT_TOO_OFTEN'));
    const mayLook = tenant.erp.capabilities.lookUp !== 'none' && posting.tries < TRIES_MAX + LOOKS_MAX;
    return mayLook ? lookUp(work, part, prepared, park) : park();
  }
  const whole = await withFiles(work, prepared);
  const earlierAgeMs = claim.attempt?.lastSendAgeMs ?? Infinity;
  const { sendByMs } = deps.timing;
  const deadlineMs = work.nowMs + sendByMs;
  await work.commit({ action: 'resend', attempt: { act: 'resend', sendByMs } });
  await deps.failPoints.reach('after-intent');
  // Nothing was sent now. What was sent before stays uncertain, and the next claim knows about the rollback.
  if ((await deps.witness?.trusts(work.claim)) === false)
    return work.commitAndRelease({
      action: 'database-went-back',
      dueInMs: 0,
      attempt: { act: 'finish', outcome: 'unknown', message: 'the database went back in time' },
    });
  return sendPrepared(work, part, whole, deadlineMs, earlierAgeMs);
}

/** How long an ERP may take to show an entry that it promised to post. */
const PENDING_MAX_MS = 60 * 60 * 1000;

function waitUntilShown(work: PostingWork): Promise<Step> {
  return work.posting.stateAgeMs < PENDING_MAX_MS
    ? work.commitAndRelease({ action: 'pending', dueInMs: WAITS_MS.pending })
    : retryUnknown(work, message('TAKEN_NOT_SHOWN'));
}
