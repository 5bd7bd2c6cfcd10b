// Step 6: what an answer of the ERP means for the posting, and every way in which a claim ends after the ERP was asked. One entry under our key
// that equals the journal is ours. A draft is finished. An entry with other content, or a second entry, is never changed: a person decides.
import { errorWords } from '../domain/errors/coded-error.js';
import type { PostingKey, IsoDate } from '../domain/ids.js';
import { auditWords, keptWords, type Message, type Reason, type Told } from '../domain/message.js';
import { type AttemptOutcome, ACCOUNTING_MESSAGE_MAX } from '../domain/posting.js';
import { isSourceKind } from '../domain/source-document.js';
import { withFields } from '../domain/with-fields.js';
import { entryDifferences } from '../erp/compare-entry.js';
import type {
  AuthFailed,
  ErpEntry,
  ErpReference,
  FindOutcome,
  PostOutcome,
  PreparedPost,
  Rejected,
  Transient,
} from '../erp/erp-adapter.js';
import { incident, type NewIncident } from '../language/incidents/incident-text.js';
import { message, reason, saidBy, told, toldAs } from '../language/messages.js';
import { FINISH_FIRST_MS, jittered, nextTry, WAITS_MS } from './back-off.js';
import type {
  AttemptChange,
  DecisionChange,
  ParkChange,
  PostingChange,
  PostingRecord,
  StayChange,
  WaitChange,
} from './posting-records.js';
import {
  inFlightMaxMs,
  isLastPart,
  isRepost,
  type Part,
  type PostingWork,
  postingDate,
  type Step,
} from './work.js';
import { cureText, say } from '../language/say.js';

// ---- The answer to a request that was sent ----
export interface Sent {
  /** No earlier send of the same request can have had an effect. */
  readonly isFirstSend: boolean;
  /** Time since the send before this one, which may still be in flight. */
  readonly earlierAgeMs?: number;
  /** The request only had to finish this draft. */
  readonly draft?: ErpEntry;
}

export async function judgeOutcome(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  outcome: PostOutcome,
  sent: Sent,
): Promise<Step> {
  const { breakers } = work.deps;
  const { name } = work.tenant;
  switch (outcome.outcome) {
    case 'posted':
      await breakers.succeeded(name, 'erp');
      return readBack(work, part, prepared, outcome);
    case 'pending':
    case 'draft':
      await breakers.succeeded(name, 'erp');
      return work.commitAndRelease({
        action: outcome.outcome,
        dueInMs: WAITS_MS.pending,
        attempt: finished(outcome.outcome, NO_WORDS, outcome.reference),
      });
    case 'rejected':
      await breakers.succeeded(name, 'erp');
      return judgeRejection(work, part, prepared, outcome, sent);
    case 'transient':
    case 'auth':
      await reportToBreaker(work, outcome);
      return work.commitAndRelease({
        action: `erp-${outcome.outcome}`,
        dueInMs: outageWaitMs(work, outcome),
        // This request had no effect. An earlier send of it may have had one: then the attempt stays uncertain.
        ...(sent.isFirstSend
          ? { to: 'mapped' as const, attempt: finished(outcome.outcome, outcome) }
          : { attempt: finished('unknown', outcome) }),
      });
    case 'unknown':
      await breakers.failed(name, 'erp', keptWords(outcome), outcome.retryAfterMs);
      return retryUnknown(work, saidBy(outcome), outcome.retryAfterMs);
  }
}

/** The ERP says that it booked the entry. That counts when it also shows the entry; a false or early answer leaves the outcome unknown. */
async function readBack(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  { reference, unmatched }: Extract<PostOutcome, { outcome: 'posted' }>,
): Promise<Step> {
  if (work.tenant.erp.capabilities.lookUp === 'none')
    return recordPosted(work, part, reference, {}, unmatched);
  const found = await work.tenant.erp.findByKey(part.key);
  if (found.outcome === 'one' || found.outcome === 'many')
    return judgeFound(work, part, prepared, found, unmatched ? { unmatched } : {});
  return retryUnknown(work, message('POSTED_NOT_SHOWN'));
}

async function judgeRejection(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  rejected: Rejected,
  { isFirstSend, draft, earlierAgeMs = Infinity }: Sent,
): Promise<Step> {
  const { erp } = work.tenant;
  if (draft) {
    // A replay continues from the draft. With a new attempt, a document that is deleted or skipped by then would leave its draft behind.
    const attempt = finished('draft', rejected, draft.reference);
    return work.commitAndRelease({ ...refusedFinally(rejected), attempt });
  }
  const isTaken = rejected.code === 'duplicate' || rejected.code === 'collision';
  // A refusal after an earlier send of the same request may only mean that the earlier one arrived.
  if (isTaken || !isFirstSend) {
    if (erp.capabilities.lookUp === 'none') return parkWithAlarm(work, 'OUTCOME_UNKNOWN', saidBy(rejected));
    const found = await erp.findByKey(part.key);
    if (found.outcome === 'one' || found.outcome === 'many') {
      const entries = found.outcome === 'one' ? [found.entry] : found.entries;
      const stop = isFirstSend && isForeign(work) ? foreignEntryStop(work, entries) : {};
      return adoptFound(work, part, prepared, found, stop);
    }
    if (found.outcome !== 'none') return retryUnknown(work, saidBy(found));
    if (isTaken)
      return parkWithAlarm(
        work,
        'ERP_COLLISION',
        message('KEY_REFUSED_NOT_SHOWN', { message: saidBy(rejected, 250) }),
      );
    // The earlier send may still arrive. The refusal counts once nothing is in flight.
    const inFlightMs = inFlightMaxMs(work.deps, work.tenant);
    if (earlierAgeMs < inFlightMs)
      return work.commitAndRelease({
        action: 'refused-in-doubt',
        dueInMs: inFlightMs,
        attempt: finished('unknown', rejected),
      });
  }
  return work.commitAndRelease({ ...refused(work, rejected), attempt: finished('rejected', rejected) });
}

// ---- An entry that was found under our key ----
export type Found = Extract<FindOutcome, { outcome: 'one' | 'many' }>;

/** The entry was found without its answer, so steps after the booking in the ERP may be missing: it is matched with its invoice again. */
export async function adoptFound(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  found: Found,
  stop: Partial<Stop> = {},
): Promise<Step> {
  const isBooked = found.outcome === 'one' && found.entry.state === 'posted';
  const unmatched = isBooked ? await matchWithInvoice(work, part, found.entry) : undefined;
  return judgeFound(work, part, prepared, found, { stop, ...(unmatched ? { unmatched } : {}) });
}

/** Matching changes no amount, so a failure does not stop the posting. */
async function matchWithInvoice(
  { tenant: { erp } }: PostingWork,
  { journal }: Part,
  entry: ErpEntry,
): Promise<Told | undefined> {
  if (!erp.match || entryDifferences(journal, entry, erp.capabilities).length > 0) return undefined;
  return erp.match(entry, journal).catch((error: unknown) => errorWords(error));
}

const DIFFERENCES_SHOWN_MAX = 8;

async function judgeFound(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  found: Found,
  /** `unmatched`: why the ERP did not match the entry with its invoice. */
  { stop = {}, unmatched }: { readonly stop?: Partial<Stop>; readonly unmatched?: Told } = {},
): Promise<Step> {
  if (found.outcome === 'many') {
    const what = message('SEVERAL_ENTRIES', { entries: numbersOf(found.entries) });
    return parkWithAlarm(work, 'ERP_DUPLICATE', what, undefined, foreignEntryStop(work, found.entries));
  }
  const { entry } = found;
  const differences = entryDifferences(part.journal, entry, work.tenant.erp.capabilities);
  if (differences.length > 0) {
    const what = message('DIFFERENCES', { each: differences.slice(0, DIFFERENCES_SHOWN_MAX) });
    return parkWithAlarm(work, 'ERP_COLLISION', what, undefined, stop);
  }
  switch (entry.state) {
    case 'posted':
      return recordPosted(work, part, entry.reference, stop, unmatched);
    case 'pending':
      return work.commitAndRelease({
        action: 'pending',
        dueInMs: WAITS_MS.pending,
        attempt: finished('pending', told('IS_STILL_WORKING'), entry.reference),
      });
    case 'draft':
      return finishDraft(work, part, prepared, entry);
  }
}

async function finishDraft(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  draft: ErpEntry,
): Promise<Step> {
  const { erp } = work.tenant;
  // Some ERPs let only their own users post.
  if (erp.capabilities.finality === 'draft')
    return work.commitAndRelease({
      action: 'waits-in-draft',
      dueInMs: WAITS_MS.deferred,
      attempt: finished('draft', told('WAITS_AS_DRAFT'), draft.reference),
    });
  const outcome = await unknownWhenThrown(() => erp.resume(draft, prepared));
  return judgeOutcome(work, part, prepared, outcome, { isFirstSend: false, draft });
}

/** An adapter may throw after the request left. */
export async function unknownWhenThrown(call: () => Promise<PostOutcome>): Promise<PostOutcome> {
  try {
    return await call();
  } catch (error) {
    return { outcome: 'unknown', ...errorWords(error) };
  }
}

// ---- Posted ----

/** The ERP has this part, and it equals the journal. */
async function recordPosted(
  work: PostingWork,
  { part, key }: Part,
  reference: ErpReference,
  stop: Partial<Stop>,
  unmatched: Told | undefined,
): Promise<Step> {
  const isLast = isLastPart(work.posting, part);
  const notMatchedToo = unmatched ? [notMatched(work.posting, key, reference, unmatched)] : [];
  const incidents = [...(stop.incidents ?? []), ...notMatchedToo];
  const change: StayChange = {
    action: isLast ? 'posted' : 'part-posted',
    reason: null,
    tries: 0,
    attempt: finished('posted', NO_WORDS, reference),
    reference: { part, reference },
    ...stop,
    ...(incidents.length > 0 ? { incidents } : {}),
  };
  if (!isLast) return work.commit(change);
  // People know a document by its main entry, not by its settlement.
  return recordBooked(work, change, work.posting.reference ?? reference);
}

/** All parts are in the books. The write-back is decided with that; whether it may be sent depends on the status at the source (step 7). */
export async function recordBooked(
  work: PostingWork,
  change: StayChange,
  main: ErpReference | null,
): Promise<Step> {
  const text = postedMessage(main, postingDate(work.posting));
  const wroteError = work.claim.writeBack?.wanted === 'Error' || isRepost(work);
  const posted = withFields(change, { to: 'posted', dueInMs: FINISH_FIRST_MS } as const);
  const writeBack = { writeBack: { act: 'decide', wanted: 'Posted', message: text } } as const;
  // A payment, a release or a summary has no status at the source.
  await work.book(isSourceKind(work.posting.kind) ? withFields(posted, writeBack) : posted, wroteError);
  await work.deps.failPoints.reach('after-posted');
  return 'continue';
}

// ---- The other ends: try again, wait for the ERP, refused, parked ----
const NO_WORDS: Told = { message: '' };

export function finished(outcome: AttemptOutcome, words: Told, reference?: ErpReference): AttemptChange {
  return { act: 'finish', outcome, message: keptWords(words), ...(reference ? { reference } : {}) };
}

/** Waits until time, new rules or a change in the ERP solves it. */
export function holdBecause(why: Reason, dueInMs: number): WaitChange {
  return { action: actionOf(why), to: 'held', reason: why, tries: 0, dueInMs };
}

export function parkBecause(why: Reason): ParkChange {
  return { action: actionOf(why), to: 'parked', reason: why, tries: 0, dueInMs: null };
}

export function skipBecause(why: Reason): DecisionChange {
  return { action: actionOf(why), to: 'skipped', reason: why, tries: 0, dueInMs: null };
}

/** The audit names the action after the reason: CONTENT_CHANGED → content-changed. */
function actionOf({ code }: Reason): string {
  return code.toLowerCase().replaceAll('_', '-');
}

/** The entry may exist, so the posting stays in `posting`. After TRIES_MAX a person decides. */
export function retryUnknown(work: PostingWork, what: Message, retryAfterMs = 0): Promise<Step> {
  const next = nextTry(work.posting.tries, work.deps.runtime.random);
  if (!next) return parkWithAlarm(work, 'OUTCOME_UNKNOWN', what);
  return work.commitAndRelease({
    action: 'outcome-unknown',
    tries: next.tries,
    dueInMs: Math.max(next.dueInMs, retryAfterMs),
    attempt: finished('unknown', toldAs(what)),
  });
}

/** The ERP refused or did not answer a call that has no effect on the books: nothing is uncertain. */
export async function endBeforeSend(
  work: PostingWork,
  outcome: Rejected | Transient | AuthFailed,
): Promise<Step> {
  if (outcome.outcome === 'rejected') return work.commitAndRelease(refused(work, outcome));
  await reportToBreaker(work, outcome);
  return work.commitAndRelease({
    action: `erp-${outcome.outcome}`,
    dueInMs: outageWaitMs(work, outcome),
    details: auditWords(outcome),
  });
}

async function reportToBreaker(
  { deps: { breakers }, tenant: { name } }: PostingWork,
  outcome: Transient | AuthFailed,
): Promise<void> {
  if (outcome.outcome === 'auth') await breakers.refused(name, 'erp', keptWords(outcome));
  else await breakers.failed(name, 'erp', keptWords(outcome), outcome.retryAfterMs);
}

/** An outage uses no try. A posting that meets one again and again waits longer, so that others of its tenant come first. */
function outageWaitMs({ claim, deps }: PostingWork, outcome: Transient | AuthFailed): number {
  if (outcome.outcome === 'transient' && outcome.retryAfterMs !== undefined) return outcome.retryAfterMs;
  const times = Math.max(claim.attempt?.number ?? 0, claim.attempt?.sends ?? 0);
  const doubled = WAITS_MS.outage * 2 ** Math.min(times, 10);
  return jittered(Math.min(doubled, WAITS_MS.outageMost), deps.runtime.random);
}

/** Held when time or a change in the ERP solves it, parked otherwise. */
export function refused({ deps }: PostingWork, rejected: Rejected): WaitChange | ParkChange {
  const { random } = deps.runtime;
  switch (rejected.code) {
    case 'closed-period': {
      const why = reason('ERP_PERIOD_CLOSED', factsOf(rejected));
      return holdBecause(why, jittered(WAITS_MS.periodClosed, random));
    }
    case 'unknown-account':
    case 'blocked-account':
    case 'unknown-dimension':
    case 'unknown-vat-code':
    case 'unknown-party': {
      const why = reason('ERP_CONFIGURATION', factsOf(rejected));
      return holdBecause(why, jittered(WAITS_MS.configuration, random));
    }
    default:
      return refusedFinally(rejected);
  }
}

function refusedFinally(rejected: Rejected): ParkChange {
  return parkBecause(reason('ERP_REFUSED', factsOf(rejected)));
}

/** The ERP's message, and the account, dimension, party, … that it is about, if the adapter knows. */
function factsOf({
  outcome: _outcome,
  code: refusal,
  message,
  said,
  partyIsMade: _isMade,
  ...about
}: Rejected) {
  return { refusal, message: said ?? message.slice(0, 300), ...about };
}

type Alarm = 'OUTCOME_UNKNOWN' | 'ERP_COLLISION' | 'ERP_DUPLICATE';

/** Parks the posting and opens a critical incident. An attempt that is under way becomes uncertain, unless `attempt` says otherwise. */
export function parkWithAlarm(
  work: PostingWork,
  code: Alarm,
  what: Message,
  attempt: AttemptChange | null = work.claim.attempt && finished('unknown', toldAs(what)),
  stop: Partial<Stop> = {},
): Promise<Step> {
  const alarm = alarming(work.posting, code, what);
  const incidents = [...alarm.incidents, ...(stop.incidents ?? [])];
  return work.commitAndRelease({ ...alarm, ...stop, incidents, ...(attempt ? { attempt } : {}) });
}

export function alarming(
  posting: PostingRecord,
  code: Alarm,
  what: Message,
): ParkChange & Pick<Stop, 'incidents'> {
  const about = { severity: 'critical', fingerprint: posting.id } as const;
  return {
    action: 'parked',
    to: 'parked',
    reason: reason(code, { what }),
    dueInMs: null,
    incidents: [incident(code, { ...aboutDocument(posting), what }, about)],
  };
}

// ---- Incidents ----

/** The fields of an incident text that name the document. */
export function aboutDocument({ kind, documentNumber, guid, key }: PostingRecord) {
  return { kind, number: documentNumber || guid, key };
}

/** The entry is booked, but the ERP did not match it with its invoice. A bookkeeper does that by hand. */
export function notMatched(
  posting: PostingRecord,
  key: PostingKey,
  reference: ErpReference,
  why: Told,
): NewIncident {
  const entry = reference.number ?? reference.id;
  const about = { ...aboutDocument(posting), key, entry, what: saidBy(why) };
  return incident('NOT_MATCHED', about, { severity: 'warning', fingerprint: key });
}

/** Pauses the tenant. */
export type Stop = Required<Pick<PostingChange, 'stopTenant' | 'incidents'>>;

/** Nothing of ours was ever sent under this key, as far as a database knows that was never restored. */
export function isForeign({ claim: { attempt, restoredAgeMs } }: PostingWork): boolean {
  return restoredAgeMs === null && (attempt === null || (attempt.number === 1 && attempt.sends <= 1));
}

/**
 * Another program books under our keys: a second ledgerbridge with its own database, or our database was rolled back. It does the same to
 * every document, so the tenant is paused at the first one, and a person decides.
 */
export function foreignEntryStop({ posting, tenant }: PostingWork, entries: readonly ErpEntry[]): Stop {
  const about = { ...aboutDocument(posting), tenant: tenant.name, entries: numbersOf(entries) };
  const alarm = incident('FOREIGN_ENTRY', about, { severity: 'critical', fingerprint: tenant.name });
  return { stopTenant: 'Somebody else books its documents under the same keys.', incidents: [alarm] };
}

function numbersOf(entries: readonly ErpEntry[]): string {
  const numbers = entries.map(({ reference }) => reference.number ?? reference.id);
  return numbers.join(', ').slice(0, 200);
}

// The text of accounting_message. The person who reads it works in the invoicing service and has never seen ledgerbridge. It has at most 500
// characters and at most 500 bytes, because the API documents do not say which of the two is limited.

export function postedMessage(main: ErpReference | null, postingDate: IsoDate): string {
  const number = main?.number ?? main?.id ?? 'none';
  return bounded(`Posted to the ledger as entry ${number}, dated ${postingDate}.`);
}

export function skipMessage(why: Message): string {
  return bounded(`Not booked: ${say('en', why)} (${why.code})`);
}

export function rejectMessage(why: Message): string {
  return bounded(`${say('en', why)} ${cureText('en', why.code)} (${why.code})`);
}

/** Without control characters, cut between two characters so that neither limit is exceeded. */
export function bounded(message: string): string {
  const printable = message.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (Math.max(printable.length, Buffer.byteLength(printable)) <= ACCOUNTING_MESSAGE_MAX) return printable;
  let kept = '';
  let bytes = 0;
  for (const character of printable) {
    bytes += Buffer.byteLength(character);
    if (bytes > ACCOUNTING_MESSAGE_MAX || kept.length + character.length > ACCOUNTING_MESSAGE_MAX) break;
    kept += character;
  }
  return kept;
}
