// A record that waits for another one: its customer, the invoice that it credits, its task. While that is on its way nobody hears of the wait;
// where it is not on record, or rests itself, the origin is told who is waited for and why, once.
import type { Message, Reason } from '../domain/message.js';
import type { SubmissionState } from '../domain/submission.js';
import { message } from '../language/messages.js';
import { say } from '../language/say.js';
import { isSameReason } from './same-reason.js';
import type { SubmissionChange } from './records.js';
import { type Advanced, hold, type SubmissionWork } from './submission-work.js';
import { tell } from './tell-origin.js';

const RESTS: ReadonlySet<SubmissionState> = new Set(['refused', 'parked', 'skipped', 'withdrawn']);

/** `none`: nothing is on record under this key. `why`: it rests, and for what. */
export type Awaited = 'none' | 'under-way' | { readonly why: Message; readonly content: string };

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
