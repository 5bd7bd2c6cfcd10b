// Steps 4 to 6: commit the exact request, send it, and read the result back.
import { createHash } from 'node:crypto';
import type { PostingKey } from '../domain/ids.js';
import { isSourceKind } from '../domain/source-document.js';
import type { Attachment, PostRequest, PreparedPost } from '../erp/erp-adapter.js';
import type { SourceFile } from '../invoicing/invoicing-source.js';
import { fileTypeOf, nameInErp } from './file-facts.js';
import { adoptFound, endBeforeSend, judgeOutcome, unknownWhenThrown } from './outcomes.js';
import type { AttemptRecord } from './posting-records.js';
import { findBeforeSend } from './restored.js';
import { nextPart, type Part, type PostingWork, type Step } from './work.js';

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
export async function sendPrepared(
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
export async function withFiles(work: PostingWork, prepared: PreparedPost): Promise<PreparedPost> {
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
