// Files go to the service before the request that names them. An upload has no key and may happen twice, which harms nobody as long as one
// id of it stands in the request: so each id is on record, by hash and name, before the intent, and a retry, a crash and a replay use it.
import { reason, saidBy, told } from '../language/messages.js';
import type { NamedFile, TargetFile, TargetRequest, UploadOutcome } from '../service/invoicing-target.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { keptWords, type Told } from '../domain/message.js';
import { jittered, retryInMs, TRIES_MAX, WAITS_MS } from '../sync/back-off.js';
import type { AttachedFile } from './content-cost.js';
import type { InvoiceContent } from './content.js';
import { uploadKey } from './make-request.js';
import type { Uploads } from './records.js';
import { takenBack } from './still-there.js';
import { readSubmittedFile } from './submitted-file.js';
import { type Advanced, type SubmissionWork, park, refuse, refuseBreach, rest } from './submission-work.js';

/** With what is known of it by now: a file that was uploaded is on its record. */
export interface Attached {
  readonly work: SubmissionWork;
  /** Names every file by its id. */
  readonly request: TargetRequest;
}

/** The request as it can be sent; or what became of it, because a file of it cannot. */
export async function attachFiles(
  given: SubmissionWork,
  request: TargetRequest,
  content: InvoiceContent,
): Promise<Attached | Advanced> {
  const { files = [] } = request;
  const { clock } = given.stage.runtime;
  const began = clock.now().getTime();
  let work = given;
  for (const file of files) {
    if (idOf(work, file) !== undefined) continue;
    // What was uploaded is kept, and the rest follows under a lease that is as long as ever.
    if (clock.now().getTime() > began + work.stage.timing.leaseMs / 3)
      return rest(work, { action: 'more-files', dueInMs: 0 });
    const next = await upload(work, file, content);
    if (next === 'rested' || next === 'lost') return next;
    work = next;
  }
  if (files.length === 0) return { work, request };
  const ids = files.map((file) => idOf(work, file) ?? '');
  return { work, request: { ...request, body: { ...request.body, files: ids.join(',') } } };
}

function idOf({ claimed }: SubmissionWork, file: NamedFile): string | undefined {
  return claimed.uploads?.ids[uploadKey(file)];
}

export function lacksFile(work: SubmissionWork, { files = [] }: TargetRequest): boolean {
  return files.some((file) => idOf(work, file) === undefined);
}

async function upload(
  work: SubmissionWork,
  named: NamedFile,
  { files = [] }: InvoiceContent,
): Promise<SubmissionWork | Advanced> {
  const { stage, tenant, claimed } = work;
  const at = files.find((one) => uploadKey(one) === uploadKey(named))?.at;
  const file = await readFile(work, { ...named, at });
  if (file === 'rested' || file === 'lost') return file;
  const leaveBy = new Date(stage.runtime.clock.now().getTime() + stage.timing.sendByMs);
  const sent = await tenant.target.upload(file, leaveBy);
  if (sent.outcome !== 'uploaded') return notUploaded(work, named, sent);
  await stage.breakers.succeeded(tenant.name, 'source');
  const { ids = {}, areRenewed = false } = claimed.uploads ?? {};
  const uploads: Uploads = { ids: { ...ids, [uploadKey(named)]: sent.id }, areRenewed };
  if (!(await stage.store.commit(claimed, { action: 'file-uploaded', uploads, dueInMs: 0, keep: true })))
    return 'lost';
  await stage.failPoints.reach('after-file-uploaded', claimed);
  return { ...work, claimed: { ...claimed, uploads }, hasFreshFiles: true };
}

/** What keeps it from being read may be that the record has changed at its origin, or that nobody is there: that is asked first. */
async function readFile(work: SubmissionWork, wanted: AttachedFile): Promise<TargetFile | Advanced> {
  const { name: file } = wanted;
  let what: Told | null = null;
  try {
    const read = await readSubmittedFile(work, wanted, 'beside');
    if (read !== 'gone' && read !== undefined) return read;
  } catch (error) {
    what = error instanceof Error ? error : { message: String(error) };
  }
  const changed = await takenBack(work);
  if (changed !== null) return changed;
  // Its origin is told, and what it puts right sets it going again.
  if (what === null) return refuse(work, reason('FILE_GONE', { file }));
  const { message, said } = told('BESIDE_UNREADABLE', { file, what: saidBy(what) });
  throw new CodedError('ERP_ORIGIN_FAILED', message, { said });
}

/** Nothing of the record itself was sent, and whatever became of the file is seen by nobody: it is tried again later. */
async function notUploaded(
  work: SubmissionWork,
  { name: file }: NamedFile,
  sent: Exclude<UploadOutcome, { outcome: 'uploaded' }>,
): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { breakers, runtime } = stage;
  if (sent.outcome === 'rejected') {
    await breakers.succeeded(tenant.name, 'source');
    return refuseBreach(work, told('UPLOAD_REFUSED', { file, what: saidBy(sent) }));
  }
  if (sent.outcome === 'not-sent') {
    const { why, retryAfterMs, waitMs } = sent;
    if (why === 'refused-credentials') await breakers.refused(tenant.name, 'source', keptWords(sent));
    if (why === 'away') await breakers.failed(tenant.name, 'source', keptWords(sent), retryAfterMs);
    const dueInMs = why === 'too-late' ? 0 : (waitMs ?? jittered(WAITS_MS.outage, runtime.random));
    return rest(work, { action: `file-not-sent-${why}`, dueInMs });
  }
  await breakers.failed(tenant.name, 'source', keptWords(sent));
  const tries = claimed.tries + 1;
  if (tries > TRIES_MAX) return park(work, reason('TRIES_EXHAUSTED', { last: saidBy(sent) }));
  return rest(work, { action: 'file-in-doubt', tries, dueInMs: retryInMs(tries, runtime.random) });
}

/**
 * The service refused a request that names files which were uploaded a while ago: it may have forgotten them. Once, and only where that
 * request surely had no effect, they are uploaded anew; after that a refusal is a refusal.
 */
export function mayRenew({ claimed, hasFreshFiles }: SubmissionWork, { files = [] }: TargetRequest): boolean {
  return files.length > 0 && hasFreshFiles !== true && claimed.uploads?.areRenewed !== true;
}

export const RENEWED: Uploads = { ids: {}, areRenewed: true };
