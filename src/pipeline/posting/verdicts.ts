// The ends that a posting can come to after the ERP was asked: each is one commit, and each gives the posting back.
import type { AuthFailed, ErpEntry, ErpReference, Rejected, Transient } from '../../erp/erp-adapter.js';
import type { PostingKey } from '../../domain/ids.js';
import { keptWords, type Message, type Reason, type Told } from '../../domain/message.js';
import { isSourceKind } from '../../domain/source-document.js';
import { withFields } from '../../domain/with-fields.js';
import { incident, type NewIncident } from '../../language/incidents/incident-text.js';
import { reason, saidBy, toldAs } from '../../language/messages.js';
import type {
  AttemptChange,
  ParkChange,
  PostingChange,
  PostingRecord,
  WaitChange,
} from '../../sync/posting-records.js';
import { FINISH_FIRST_MS, jittered, retryInMs, TRIES_MAX, WAITS_MS } from './back-off.js';
import { isLastPart, type Part, postingDate } from './parts.js';
import { isRepost, type PostingWork, type Step } from './post-stage.js';
import type { Stop } from './stop-tenant.js';
import { postedMessage } from '../writeback/status-message.js';

/** The entry stands in the ERP and equals the journal. */
export async function acceptPosted(
  work: PostingWork,
  part: Part,
  entry: ErpEntry,
  stop: Partial<Stop> = {},
  unmatched?: Told,
): Promise<Step> {
  const last = isLastPart(work.posting, part.part);
  const change = {
    action: last ? 'posted' : 'part-posted',
    reason: null,
    tries: 0,
    attempt: { act: 'finish', outcome: 'posted', message: '', reference: entry.reference },
    reference: { part: part.part, reference: entry.reference },
    ...stop,
    ...(unmatched
      ? {
          incidents: [
            ...(stop.incidents ?? []),
            notMatched(work.posting, part.key, entry.reference, unmatched),
          ],
        }
      : {}),
  } as const;
  if (!last) return work.commit(change);
  // Where there is a settlement too, people know the document by its main entry.
  return booked(work, change, work.posting.reference ?? entry.reference);
}

/** It is in the books; that it does not stand against its invoice there is for a bookkeeper to mend. */
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

/**
 * All of it is in the books. What the source is to be told goes on record with that; whether it may be told is found out by reading the
 * source once more.
 */
export async function booked(
  work: PostingWork,
  change: PostingChange,
  main: ErpReference | null,
): Promise<Step> {
  const message = postedMessage(main, postingDate(work.posting));
  // Before it was booked, reversed and booked anew, it may have been refused.
  const saidError = work.claim.writeBack?.wanted === 'Error' || isRepost(work);
  // Of what follows a document the source is told nothing: the document stands as Posted.
  const writeBack = { writeBack: { act: 'decide', wanted: 'Posted', message } } as const;
  const posted = withFields(change, { to: 'posted', dueInMs: FINISH_FIRST_MS } as const);
  await work.book(isSourceKind(work.posting.kind) ? withFields(posted, writeBack) : posted, saidError);
  await work.stage.failPoints.reach('after-posted');
  return 'again';
}

type Alarm = 'OUTCOME_UNKNOWN' | 'ERP_COLLISION' | 'ERP_DUPLICATE';

/** `attempt`: what becomes of it, unless the one under way ends in doubt. */
export function parkWithAlarm(
  work: PostingWork,
  code: Alarm,
  what: Message,
  attempt: AttemptChange | null = work.claim.attempt && {
    act: 'finish',
    outcome: 'unknown',
    message: keptWords(toldAs(what)),
  },
  stop: Partial<Stop> = {},
): Promise<Step> {
  const alarm = alarming(work.posting, code, what);
  const incidents = [...alarm.incidents, ...(stop.incidents ?? [])];
  return work.rest({ ...alarm, ...stop, incidents, ...(attempt ? { attempt } : {}) });
}

/** What an incident says of a document. */
export function aboutDocument({ kind, documentNumber, guid, key }: PostingRecord) {
  return { kind, number: documentNumber || guid, key };
}

const alarmAbout = ({ id }: PostingRecord) => ({ severity: 'critical', fingerprint: id }) as const;

/** Parked, and somebody is called. */
export function alarming(posting: PostingRecord, code: Alarm, what: Message) {
  return {
    action: 'parked',
    to: 'parked',
    reason: reason(code, { what }),
    dueInMs: null,
    incidents: [incident(code, { ...aboutDocument(posting), what }, alarmAbout(posting))],
  } as const;
}

/** It may have happened: stays in `posting` until somebody finds out. Bounded, then a person is asked. */
export function stillUnknown(work: PostingWork, what: Message, retryAfterMs = 0): Promise<Step> {
  const tries = work.posting.tries + 1;
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'OUTCOME_UNKNOWN', what);
  return work.rest({
    action: 'outcome-unknown',
    tries,
    dueInMs: Math.max(retryInMs(tries, work.stage.runtime.random), retryAfterMs),
    attempt: { act: 'finish', outcome: 'unknown', message: keptWords(toldAs(what)) },
  });
}

/** Before a byte of the journal left: nothing to look up, nothing uncertain. */
export async function judgeRefusalBeforeSend(
  work: PostingWork,
  outcome: Rejected | Transient | AuthFailed,
): Promise<Step> {
  if (outcome.outcome === 'rejected') return work.rest(refused(work, outcome));
  const { breakers } = work.stage;
  if (outcome.outcome === 'auth') await breakers.refused(work.tenant.name, 'erp', keptWords(outcome));
  else await breakers.failed(work.tenant.name, 'erp', keptWords(outcome), outcome.retryAfterMs);
  return work.rest({
    action: `erp-${outcome.outcome}`,
    dueInMs: waitOf(work, outcome),
    details: { message: outcome.message.slice(0, 300) },
  });
}

export function notTaken(work: PostingWork, outcome: Transient | AuthFailed): PostingChange {
  return {
    action: `erp-${outcome.outcome}`,
    to: 'mapped',
    dueInMs: waitOf(work, outcome),
    attempt: { act: 'finish', outcome: outcome.outcome, message: keptWords(outcome) },
  };
}

/** This send had surely no effect, an earlier one may have had: it stays in doubt, and an outage uses up no tries of that either. */
export function stillInDoubt(work: PostingWork, outcome: Transient | AuthFailed): PostingChange {
  return {
    action: `erp-${outcome.outcome}`,
    dueInMs: waitOf(work, outcome),
    attempt: { act: 'finish', outcome: 'unknown', message: keptWords(outcome) },
  };
}

function waitOf(work: PostingWork, outcome: Transient | AuthFailed): number {
  const asked = outcome.outcome === 'transient' ? outcome.retryAfterMs : undefined;
  return asked ?? longer(work);
}

/** An outage uses up no tries. But what is refused for the moment again and again makes room for the others of its tenant. */
function longer({ claim, stage }: PostingWork): number {
  const times = Math.max(claim.attempt?.number ?? 0, claim.attempt?.sends ?? 0);
  const doubled = WAITS_MS.outage * 2 ** Math.min(times, 10);
  return jittered(Math.min(doubled, WAITS_MS.outageMost), stage.runtime.random);
}

/** Where a definite refusal leaves the posting: held when time or the ERP's people cure it, parked otherwise. */
export function refused(work: PostingWork, rejected: Rejected): WaitChange | ParkChange {
  const { random } = work.stage.runtime;
  switch (rejected.code) {
    case 'closed-period': {
      const why = reason('ERP_PERIOD_CLOSED', factsOf(rejected));
      return holdBecause(why, jittered(WAITS_MS.periodClosed, random));
    }
    case 'unknown-account':
    case 'blocked-account':
    case 'unknown-dimension':
    case 'unknown-vat-code':
    case 'unknown-party':
      return holdBecause(
        reason('ERP_CONFIGURATION', factsOf(rejected)),
        jittered(WAITS_MS.configuration, random),
      );
    default:
      return refusedForGood(rejected);
  }
}

export function refusedForGood(rejected: Rejected): ParkChange {
  return parkBecause(reason('ERP_REFUSED', factsOf(rejected)));
}

/** What the ERP said, and what it is about where the adapter knows. */
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

/** Waits until time, new rules or a change in the ERP solves it. */
function holdBecause(why: Reason, dueInMs: number): WaitChange {
  return { action: actionOf(why), to: 'held', reason: why, tries: 0, dueInMs };
}

function parkBecause(why: Reason): ParkChange {
  return { action: actionOf(why), to: 'parked', reason: why, tries: 0, dueInMs: null };
}

function actionOf({ code }: Reason): string {
  return code.toLowerCase().replaceAll('_', '-');
}
