// One submission on the work of whoever claimed it: the ends that it can come to, each one commit.
import type { Guid } from '../domain/ids.js';
import { keptWords, type Message, type Reason, type Told } from '../domain/message.js';
import type { SubmissionOutcome } from '../domain/submission.js';
import { incident } from '../language/incidents/incident-text.js';
import { reason, saidBy } from '../language/messages.js';
import { isSameReason } from './same-reason.js';
import type { FailPoint } from '../sync/fail-points.js';
import { jittered, retryInMs, TRIES_MAX, WAITS_MS } from '../sync/back-off.js';
import type { SubmissionChange, SubmissionRecord } from './records.js';
import { type OutgoingStage, type OutgoingTenant, quietPeriodMs, togetherInMs } from './stage.js';

/** `lost`: somebody else has it by now. */
export type Advanced = 'rested' | 'lost';

export interface SubmissionWork {
  readonly stage: OutgoingStage;
  readonly tenant: OutgoingTenant;
  readonly claimed: SubmissionRecord;
  /** Files of it were uploaded a moment ago: the service cannot have forgotten them. */
  readonly hasFreshFiles?: true;
}

export async function rest(
  { stage, tenant, claimed }: SubmissionWork,
  change: SubmissionChange,
  then?: FailPoint,
): Promise<Advanced> {
  const isBooked = change.to === 'created' && tenant.wish.booked === 'origin';
  const done = await stage.store.commit(claimed, isBooked ? { ...change, isInOriginsBooks: true } : change);
  if (done && then !== undefined) await stage.failPoints.reach(then, claimed);
  return done ? 'rested' : 'lost';
}

type Finish = NonNullable<SubmissionChange['finish']>;

export function finished(
  outcome: SubmissionOutcome,
  words: Told = { message: '' },
): { readonly finish: Finish } {
  return { finish: { outcome, message: keptWords(words) } };
}

type Alarm = 'SUBMISSION_UNKNOWN' | 'SUBMISSION_COLLISION' | 'SUBMISSION_TWICE';

/** Parked, and somebody is called: something may have gone to a customer that should not have, or twice. */
export function parkWithAlarm(
  work: SubmissionWork,
  code: Alarm,
  what: Message,
  more: Partial<SubmissionChange> = {},
) {
  const { tenantName, kind, reference, key, id } = work.claimed;
  const about = { tenant: tenantName, kind, reference, key, what };
  return rest(work, {
    action: 'parked',
    to: 'parked',
    reason: reason(code, { what }),
    dueInMs: null,
    incidents: [incident(code, about, { severity: 'critical', fingerprint: id })],
    ...more,
  });
}

export function park(work: SubmissionWork, why: Reason): Promise<Advanced> {
  return rest(work, { action: 'parked', to: 'parked', reason: why, dueInMs: null });
}

/** It stands at the service; the origin is told next. */
export function created(
  work: SubmissionWork,
  { guid, number = null }: { readonly guid: Guid; readonly number?: string | null },
): Promise<Advanced> {
  return rest(
    work,
    {
      ...{ action: 'created', to: 'created', reason: null, tries: 0, dueInMs: 0 },
      created: { guid, number, paymentLink: null },
      ...(work.claimed.state === 'received' ? {} : finished('accepted')),
    },
    'after-submission-created',
  );
}

/** What the documents alone forbid is not sent. */
export function refuseBreach(work: SubmissionWork, words: Told): Promise<Advanced> {
  return refuse(work, reason('SUBMISSION_BREACH', { problem: saidBy(words, 500) }));
}

/** The origin is told, so it is due at once. */
export function refuse(
  work: SubmissionWork,
  why: Reason,
  more: Partial<SubmissionChange> = {},
): Promise<Advanced> {
  return rest(work, { action: 'refused', to: 'refused', reason: why, tries: 0, dueInMs: 0, ...more });
}

/** What it waits for may have come into being between its look and this moment, and have woken those who were held by then. */
const FIRST_LOOK_MS = 30_000;

/** It looks again by itself soon, then now and then, and at once when what it waits for is there. */
export function hold(
  work: SubmissionWork,
  why: Reason,
  more: Partial<SubmissionChange> = {},
): Promise<Advanced> {
  const { random } = work.stage.runtime;
  return rest(work, {
    action: 'held',
    to: 'held',
    reason: why,
    // Work on it came to an end: what it waits for may take weeks, and processes die now and then.
    tries: 0,
    dueInMs: jittered(isSameReason(work.claimed.reason, why) ? WAITS_MS.deferred : FIRST_LOOK_MS, random),
    ...more,
  });
}

/** In doubt: nothing happens before nothing of it can be on its way. Bounded, then a person is asked. */
export function doubt(
  work: SubmissionWork,
  words: Told,
  outcome: SubmissionOutcome,
  more: Partial<SubmissionChange> = {},
): Promise<Advanced> {
  const { claimed, stage } = work;
  const tries = claimed.tries + 1;
  const finish = finished(outcome, words);
  if (tries > TRIES_MAX)
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', saidBy(words), { ...finish, tries, ...more });
  const waitMs = Math.max(quietPeriodMs(stage.timing), retryInMs(tries, stage.runtime.random));
  const dueInMs = togetherInMs(stage, waitMs);
  return rest(work, { action: 'in-doubt', to: 'unknown', tries, dueInMs, ...finish, ...more });
}

/** An outage of the service says nothing about the record, so it uses up no tries. */
export function waitForService(
  work: SubmissionWork,
  waitMs: number | undefined,
  more: Partial<SubmissionChange> = {},
) {
  const dueInMs = waitMs ?? jittered(WAITS_MS.outageMost / 10, work.stage.runtime.random);
  return rest(work, { action: 'service-away', dueInMs, ...more });
}
