// Steps 4 to 6: the exact request on record, then the call, then what the service shows of it.
import { createHash } from 'node:crypto';
import { keptWords, type Message, type Told } from '../domain/message.js';
import { reason, saidBy, told, message } from '../language/messages.js';
import type {
  SendOutcome,
  TargetFile,
  TargetRequest,
  NamedFile,
  UploadOutcome,
} from '../service/invoicing-target.js';
import type { Agreed } from './agree-fields.js';
import { jittered, WAITS_MS, retryInMs, TRIES_MAX } from '../sync/back-off.js';
import {
  type Advanced,
  type SubmissionWork,
  doubt,
  finished,
  refuse,
  rest,
  parkWithAlarm,
  park,
  refuseBreach,
} from './submission-work.js';
import type { Guid } from '../domain/ids.js';
import { judgeFound } from './find-document.js';
import type { SubmissionRecord, Uploads } from './stage.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { AttachedFile, CostContent, InvoiceContent } from '../origins/content.js';
import { uploadKey } from './make-request.js';
import { takenBack } from './still-there.js';

export type Accepted = Extract<SendOutcome, { outcome: 'accepted' }>;
/** The service says that it has it. */
export type ReadBack = (
  work: SubmissionWork,
  request: TargetRequest,
  accepted: Accepted,
) => Promise<Advanced>;

export interface Sending {
  readonly file?: TargetFile;
  readonly found?: Agreed;
  /** What becomes of it when the service says no; it is `refused` unless given. */
  readonly refused?: (work: SubmissionWork, what: Message) => Promise<Advanced>;
}

function refuseSaid(work: SubmissionWork, what: Message): Promise<Advanced> {
  return refuse(work, reason('SUBMISSION_REFUSED', { message: what }), {
    ...finished('rejected', { message: '', said: what }),
    uploads: null,
  });
}

export async function sendRequest(
  work: SubmissionWork,
  request: TargetRequest,
  readBack: ReadBack,
  { file, found, refused = refuseSaid }: Sending = {},
): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { clock } = stage.runtime;
  const leaveBy = new Date(clock.now().getTime() + stage.timing.sendByMs);
  const intent = { action: 'intent', to: 'sending', begin: request, dueInMs: 0, keep: true } as const;
  if (!(await stage.store.commit(claimed, found ? { ...intent, found } : intent))) return 'lost';
  await stage.failPoints.reach('after-submission-intent', claimed);
  // Whether something that was sent before may be at the service.
  const inDoubt = claimed.state === 'unknown';
  const sent: SubmissionWork = { ...work, claimed: { ...claimed, state: 'sending', request, outcome: null } };
  const outcome: SendOutcome =
    clock.now() > leaveBy
      ? { outcome: 'not-sent', why: 'too-late', ...told('SLEPT_PAST') }
      : await tenant.target.send(request, leaveBy, file);
  await stage.failPoints.reach('after-submission-sent', claimed);
  if (outcome.outcome !== 'accepted') return judge(sent, outcome, inDoubt, refused);
  await stage.breakers.succeeded(tenant.name, 'source');
  return readBack(sent, request, outcome);
}

async function judge(
  work: SubmissionWork,
  outcome: Exclude<SendOutcome, Accepted>,
  inDoubt: boolean,
  refused: NonNullable<Sending['refused']>,
): Promise<Advanced> {
  const { breakers } = work.stage;
  const { name } = work.tenant;
  switch (outcome.outcome) {
    case 'rejected':
      await breakers.succeeded(name, 'source');
      // The one before may have arrived, and this refusal may only mean that: looked for once more before it is believed.
      if (inDoubt) return doubt(work, outcome, 'rejected');
      if (work.claimed.request !== null && mayRenew(work, work.claimed.request))
        return rest(work, {
          ...{ action: 'files-anew', to: 'received', uploads: RENEWED, dueInMs: 0 },
          ...finished('rejected', outcome),
        });
      if (work.claimed.request !== null && repeatsNumbers(work.claimed.request))
        return rest(work, {
          ...{ action: 'numbers-apart', to: 'received', dueInMs: 0 },
          ...finished('rejected', outcome),
        });
      return refused(work, saidBy(outcome));
    case 'not-sent':
      return notSent(work, outcome, inDoubt, inDoubt ? 'unknown' : 'received');
    case 'unknown':
      await breakers.failed(name, 'source', keptWords(outcome));
      return doubt(work, outcome, 'unknown');
  }
}

/** It goes again when the service may be there, and that uses up no tries. */
export async function notSent(
  work: SubmissionWork,
  outcome: Extract<SendOutcome, { outcome: 'not-sent' }>,
  inDoubt: boolean,
  to: 'unknown' | 'received' | 'withdrawing',
): Promise<Advanced> {
  const { breakers, runtime } = work.stage;
  const { name } = work.tenant;
  if (outcome.why === 'refused-credentials') await breakers.refused(name, 'source', keptWords(outcome));
  if (outcome.why === 'away') await breakers.failed(name, 'source', keptWords(outcome), outcome.retryAfterMs);
  const dueInMs =
    outcome.why === 'too-late' ? 0 : (outcome.waitMs ?? jittered(WAITS_MS.outage, runtime.random));
  return rest(work, {
    action: `not-sent-${outcome.why}`,
    to,
    dueInMs,
    // Whoever turned us away has had it.
    ...(outcome.why === 'refused-credentials' ? {} : { isUnsent: true }),
    // What was sent before it stays in doubt, and this one says nothing of that.
    ...finished(inDoubt ? 'unknown' : 'not-sent', outcome),
  });
}

// Step 6: what the service shows of what it has just accepted. Its word alone is not enough where it can show the thing itself.

/** The service says that it has it. Believed when it shows it, wherever it can. */
export async function readBackDocument(
  work: SubmissionWork,
  request: TargetRequest,
  accepted: Accepted,
): Promise<Advanced> {
  const { tenant, claimed } = work;
  if (claimed.kind !== 'invoice') return createdUnseen(work, accepted);
  const { guid, paymentLink, id } = accepted;
  const named = guid ?? id ?? null;
  const shown =
    named === null
      ? null
      : await tenant.target.readInvoice(named, claimed.key, tenant.wish.mark).catch(() => null);
  if (shown !== null) return judgeFound(work, request, [shown], accepted);
  return notShown(work, { guid, number: null, paymentLink });
}

/** It is there and is not shown yet: never sent again, whatever is found or not; after a while a person looks. */
export function notShown(
  work: SubmissionWork,
  created: {
    readonly guid: Guid | null;
    readonly number: string | null;
    readonly paymentLink: string | null;
  },
): Promise<Advanced> {
  const { claimed, stage } = work;
  const tries = claimed.tries + 1;
  const kept = { ...finished('accepted'), created, tries };
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CREATED_NOT_SHOWN'), kept);
  const dueInMs = retryInMs(tries, stage.runtime.random);
  return rest(work, { action: 'not-shown', to: 'unknown', dueInMs, ...kept });
}

/** The service lists neither drafts, orders nor quotes: its word is all there is, and whatever it calls the thing is its name. */
function createdUnseen(work: SubmissionWork, { guid: named, id, paymentLink }: Accepted): Promise<Advanced> {
  const guid = named ?? id ?? null;
  if (guid === null)
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('NO_GUID_NAMED'), finished('accepted'));
  return rest(
    work,
    {
      action: 'created',
      to: 'created',
      reason: null,
      tries: 0,
      dueInMs: 0,
      created: { guid, number: null, paymentLink },
      ...finished('accepted'),
    },
    'after-submission-created',
  );
}

// A complete list does not have it, and nothing of it can be on its way any more.

export function absent(work: SubmissionWork, sendAgain: () => Promise<Advanced>): Promise<Advanced> {
  const { outcome, tries, guid, number, paymentLink } = work.claimed;
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  switch (outcome) {
    case 'accepted':
      return notShown(work, { guid, number, paymentLink });
    case 'rejected':
      return refuse(work, reason('SUBMISSION_REFUSED', { message: message('REFUSED_AND_ABSENT') }), {
        uploads: null,
      });
    case 'unknown':
    case 'not-sent':
    case null:
      return sendAgain();
  }
}

// More than one thing at the service carries one mark: none of them is touched.

export function several(
  work: SubmissionWork,
  found: readonly { readonly guid: string; readonly number?: string }[],
): Promise<Advanced> {
  const invoices = found
    .map(({ number, guid }) => number || guid)
    .join(', ')
    .slice(0, 200);
  return parkWithAlarm(work, 'SUBMISSION_TWICE', message('SEVERAL_CARRY_THE_MARK', { invoices }));
}

// Two lines of one document may have the same item number: the same goods at two prices, or on two days. The documents call the number of a
// line "any unique SKU" and do not say unique among what. So the lines go out as their origin has them, and where the service surely refuses
// that, once more with the numbers told apart: no line is merged with another, so that no amount changes and no text is lost.

type Line = Readonly<Record<string, unknown>>;

function linesOf({ act, body }: TargetRequest): readonly Line[] {
  const { items } = body;
  return act !== 'delete' && Array.isArray(items) ? (items as readonly Line[]) : [];
}

const numberOf = (line: Line): string => String(line['item_number']);

export function repeatsNumbers(request: TargetRequest): boolean {
  const lines = linesOf(request);
  return new Set(lines.map(numberOf)).size < lines.length;
}

/** The first line keeps its number, the next has `-2` after it, and so on; a number that another line has is passed over. */
export function withNumbersApart(request: TargetRequest): TargetRequest {
  const lines = linesOf(request);
  const taken = new Set(lines.map(numberOf));
  const seen = new Set<string>();
  const items = lines.map((line) => {
    const number = numberOf(line);
    if (!seen.has(number)) {
      seen.add(number);
      return line;
    }
    const apart = firstFree(number, taken);
    taken.add(apart);
    return { ...line, item_number: apart };
  });
  return { ...request, body: { ...request.body, items } };
}

function firstFree(number: string, taken: ReadonlySet<string>): string {
  let nth = 2;
  while (taken.has(`${number}-${String(nth)}`)) nth++;
  return `${number}-${String(nth)}`;
}

/** As it goes out now: apart, where the one before had them repeated and surely was refused. */
export function asTaken(
  { request: before, outcome }: Pick<SubmissionRecord, 'request' | 'outcome'>,
  request: TargetRequest,
): TargetRequest {
  const wasRefused = before !== null && outcome === 'rejected' && repeatsNumbers(before);
  return wasRefused && repeatsNumbers(request) ? withNumbersApart(request) : request;
}

// Files go to the service before the request that names them. An upload has no key and may happen twice, which harms nobody as long as one
// id of it stands in the request: so each id is on record, by hash and name, before the intent, and a retry, a crash and a replay use it.

/** With what is known of it by now: a file that was uploaded is on its record. */
interface Attached {
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

// A file that goes to the service, as its origin has it now. Only the bytes whose hash is on record are ever sent, or, of an origin that
// tells versions apart itself, those of the version that is.

/** undefined: it has none. `beside`: the record names it, and is not the file itself. */
export async function readSubmittedFile(
  { tenant, claimed }: SubmissionWork,
  wanted: AttachedFile | CostContent['file'],
  which: 'itself' | 'beside' = 'itself',
): Promise<TargetFile | undefined | 'gone'> {
  if (wanted === undefined) return undefined;
  const named = which === 'beside' ? wanted : undefined;
  const content = await tenant.origins.get(claimed.origin)?.file?.(claimed.place, named);
  return content && isThatOne(content, wanted) ? { fileName: wanted.name, content } : 'gone';
}

function isThatOne(content: Uint8Array, { sha256, bytes }: AttachedFile): boolean {
  if (sha256 === undefined) return String(content.byteLength) === bytes;
  return createHash('sha256').update(content).digest('hex') === sha256;
}
