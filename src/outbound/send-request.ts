// Steps 4 to 6: the exact request on record, then the call, then what the service shows of it.
import { keptWords, type Message } from '../domain/message.js';
import { reason, saidBy, told } from '../language/messages.js';
import type { SendOutcome, TargetFile, TargetRequest } from '../service/invoicing-target.js';
import type { Agreed } from './agree-fields.js';
import { jittered, WAITS_MS } from '../sync/back-off.js';
import { mayRenew, RENEWED } from './attach-files.js';
import { repeatsNumbers } from './repeated-numbers.js';
import { type Advanced, type SubmissionWork, doubt, finished, refuse, rest } from './submission-work.js';

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
