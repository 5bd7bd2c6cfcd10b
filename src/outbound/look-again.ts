// What is held is looked at every hour, and whenever anything was created: it is worked on as if it were received. Where it has to wait on, for
// the very same, it has never moved, and the audit and `held since` say so; a thousand that wait for one customer leave no rows behind by
// looking. Whatever else becomes of it, it moves to `received` first, as the table of moves has it.
import type { SubmissionChange, SubmissionRecord, SubmissionStore } from './records.js';
import { isSameReason } from './same-reason.js';
import type { SubmissionWork } from './submission-work.js';

export function lookAgain({ stage, tenant, claimed }: SubmissionWork): SubmissionWork {
  const held = claimed;
  let isHeld = true;
  const commit = async (by: SubmissionRecord, change: SubmissionChange): Promise<boolean> => {
    if (!isHeld) return stage.store.commit(by, change);
    if (change.to === 'held' && isSameReason(held.reason, change.reason)) {
      const { to: _same, ...stays } = change;
      return stage.store.commit(held, stays);
    }
    const moves = { action: 'looked-again', to: 'received', dueInMs: 0, keep: true } as const;
    if (!(await stage.store.commit(held, moves))) return false;
    isHeld = false;
    return stage.store.commit(by, change);
  };
  const store: SubmissionStore = {
    commit,
    cursor: (tenantName, origin) => stage.store.cursor(tenantName, origin),
    standing: (tenantName, key) => stage.store.standing(tenantName, key),
    createdGuid: (tenantName, key) => stage.store.createdGuid(tenantName, key),
    createdNumbers: (tenantName, keys) => stage.store.createdNumbers(tenantName, keys),
  };
  return { stage: { ...stage, store }, tenant, claimed: { ...held, state: 'received' } };
}
