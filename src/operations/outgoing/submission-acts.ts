// The table of acts on what goes into the service: for each the states it may start from, where it leads, and what it refuses there. The
// one place that decides: pages and lists offer what stands here, and the act itself asks again when it has the submission.
import type { Message } from '../../domain/message.js';
import {
  isWithdrawable,
  type SubmissionKind,
  type SubmissionState,
  SUBMISSIONS_UNSENT,
} from '../../domain/submission.js';
import { message } from '../../language/messages.js';

export const SUBMISSION_ACTS = ['replay', 'skip', 'withdraw', 'use', 'settle'] as const;
export type SubmissionAct = (typeof SUBMISSION_ACTS)[number];

export interface SubmissionFacts {
  readonly reference: string;
  readonly kind: SubmissionKind;
  readonly state: SubmissionState;
  /** How often a request of it left. */
  readonly sends: number;
  readonly reason: { readonly code: string } | null;
  readonly conflicts: readonly unknown[];
}

interface ActRow {
  readonly from: readonly SubmissionState[];
  readonly to: (facts: SubmissionFacts) => SubmissionState;
  /** Also in one of these states. */
  readonly refuses?: (facts: SubmissionFacts) => Message | null;
}

const NOT_IN_DOUBT: ReadonlySet<string> = new Set([
  ...['CUSTOMER_DEACTIVATED', 'ITEM_GONE', 'PREPARED_GONE', 'GONE_AT_ORIGIN', 'LESS_AT_ORIGIN'],
]);

export const SUBMISSION_ACT_TABLE: Readonly<Record<SubmissionAct, ActRow>> = {
  replay: {
    from: ['parked', 'refused', 'skipped', 'withdrawn'],
    // What may have been sent is searched for first, when nothing of it can be on its way any more. Of one that was there and is listed
    // no more nothing is in doubt.
    to: ({ sends, state, reason }) =>
      sends > 0 && state === 'parked' && !NOT_IN_DOUBT.has(reason?.code ?? '') ? 'unknown' : 'received',
    refuses: ({ reason, reference }) =>
      reason?.code === 'SHARING_ENDED' ? message('SHARES_NO_MORE', { reference }) : null,
  },
  skip: {
    from: [...SUBMISSIONS_UNSENT.filter((state) => state !== 'skipped'), 'parked'],
    to: () => 'skipped',
  },
  withdraw: {
    from: ['created', 'acknowledged'],
    to: () => 'withdrawing',
    refuses: ({ kind, reference }) =>
      isWithdrawable(kind) ? null : message('CANNOT_BE_WITHDRAWN', { reference }),
  },
  use: {
    from: ['parked'],
    to: () => 'received',
    refuses: ({ kind, reference }) =>
      kind === 'customer' || kind === 'item' ? null : message('NO_CUSTOMER', { reference }),
  },
  settle: {
    from: ['created', 'acknowledged', 'received'],
    to: () => 'received',
    refuses: ({ conflicts, reference }) =>
      conflicts.length > 0 ? null : message('NOTHING_IN_CONFLICT', { reference }),
  },
};

/** null: it can be done. */
export function submissionRefusal(act: SubmissionAct, facts: SubmissionFacts): Message | null {
  const { from, refuses } = SUBMISSION_ACT_TABLE[act];
  const { reference, state } = facts;
  const refused = refuses?.(facts) ?? null;
  if (refused !== null) return refused;
  return from.includes(state) ? null : message('SUBMISSION_STATE', { reference, state });
}

export function submissionActs(facts: SubmissionFacts): SubmissionAct[] {
  return SUBMISSION_ACTS.filter((act) => submissionRefusal(act, facts) === null);
}
