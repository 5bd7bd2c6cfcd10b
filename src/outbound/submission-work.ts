// One submission on the work of whoever claimed it: the ends that it can come to, each one commit.
import type { Guid } from '../domain/ids.js';
import { keptWords, type Message, type Reason } from '../domain/message.js';
import {
  type SubmissionOutcome,
  type SubmissionState,
  type SubmissionKind,
  submissionKey,
} from '../domain/submission.js';
import { incident } from '../language/incidents/incident-text.js';
import { reason, saidBy, message } from '../language/messages.js';
import type { Told as Words } from '../domain/message.js';
import type { FailPoint } from '../sync/fail-points.js';
import { jittered, retryInMs, TRIES_MAX, WAITS_MS } from '../sync/back-off.js';
import {
  type SubmissionChange,
  type SubmissionRecord,
  type OutboundStage,
  type OutboundTenant,
  quietPeriodMs,
  togetherInMs,
} from './stage.js';
import { canonicalJson } from '../domain/canonical-json.js';
import type { Told } from '../origins/origin.js';
import { keptAtService } from './agree-fields.js';
import { say } from '../language/say.js';

/** `lost`: somebody else has it by now. */
export type Advanced = 'rested' | 'lost';

export interface SubmissionWork {
  readonly stage: OutboundStage;
  readonly tenant: OutboundTenant;
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
  words: Words = { message: '' },
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
export function refuseBreach(work: SubmissionWork, words: Words): Promise<Advanced> {
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
  words: Words,
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

// Whether a record waits on for the very same.

export function isSameReason(one: Reason | null, other: Reason | null | undefined): boolean {
  return one !== null && canonicalJson(partsOf(one)) === canonicalJson(other ? partsOf(other) : null);
}

function partsOf({ code, subject, params }: Reason): Reason {
  return { code, subject, params };
}

// What became of a record, told to its origin. Telling twice is telling once (origins/origin.ts).

/** A customer that we made ourselves has nobody to be told; an origin that the file names no more cannot be told. */
export async function tell({ tenant, claimed }: SubmissionWork, state: Told['state'], why: string | null) {
  const { kind, reference, place, guid, number, paymentLink, key: mark } = claimed;
  await tenant.origins
    .get(claimed.origin)
    ?.tell({ kind, reference, place, state, guid, number, paymentLink, mark, why, ...apart(claimed) });
}

/** What people changed at the service, and the origin does not have. */
function apart({ agreed }: SubmissionRecord): Pick<Told, 'atService'> {
  const atService = keptAtService(agreed ?? {});
  return Object.keys(atService).length === 0 ? {} : { atService };
}

// A record that waits for another one: its customer, the invoice that it credits, its task. While that is on its way nobody hears of the wait;
// where it is not on record, or rests itself, the origin is told who is waited for and why, once.

const RESTS: ReadonlySet<SubmissionState> = new Set(['refused', 'parked', 'skipped', 'withdrawn']);

/** `none`: nothing is on record under this key. `why`: it rests, and for what. */
type Awaited = 'none' | 'under-way' | { readonly why: Message; readonly content: string };

export async function readAwaited({ stage, tenant }: SubmissionWork, key: string): Promise<Awaited> {
  const standing = await stage.store.standing(tenant.name, key);
  if (standing === null) return 'none';
  const { state, reason, content } = standing;
  if (!RESTS.has(state)) return 'under-way';
  return {
    content,
    why: reason ? { code: reason.code, params: reason.params } : message('RECORD_RESTS', { state }),
  };
}

/** What it is told twice it is told once; one that cannot be told keeps nothing waiting longer, and hears the end of it later. */
export async function holdAndTell(
  work: SubmissionWork,
  why: Reason,
  more: Partial<SubmissionChange> = {},
): Promise<Advanced> {
  if (!isSameReason(work.claimed.reason, why)) {
    // Whoever slept since the claim would tell of a wait that is over.
    const isOurs = { action: 'tells-of-wait', dueInMs: 0, keep: true } as const;
    if (!(await work.stage.store.commit(work.claimed, isOurs))) return 'lost';
    await tell(work, 'held', say('en', why)).catch(() => undefined);
  }
  return hold(work, why, more);
}

// The key of what the same origin calls so: the customer, task, item or invoice that a record refers to.

export function keyOf({ tenant, claimed }: SubmissionWork, kind: SubmissionKind, reference: string): string {
  const { environment, sourceAccount, series } = tenant;
  return submissionKey({ environment, sourceAccount, kind, series: series[claimed.origin] ?? '', reference });
}

// Whether something that was sent before may stand at the service, although the submission begins anew: somebody has skipped what was in
// doubt and set it going again, or the database has forgotten. Where nothing can be searched for, only a person's word lets it go on.

export function mayStand({ restoredAgoMs, surelyAbsent, request, outcome }: SubmissionRecord): boolean {
  if (surelyAbsent) return false;
  const isOpen = request?.act === 'create' && outcome !== 'rejected' && outcome !== 'not-sent';
  // It was to be deleted, and nobody has said that it is: what was made before may stand there still.
  const isKept = request?.act === 'delete' && outcome !== 'accepted';
  return restoredAgoMs !== null || isOpen || isKept;
}
