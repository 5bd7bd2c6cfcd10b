// Every act in every state: what the table allows is a move that the database allows, and nothing else is offered.
import { expect, test } from 'vitest';
import {
  isLegalSubmissionMove,
  SUBMISSION_KINDS,
  SUBMISSION_STATES,
  type SubmissionState,
} from '../../../src/domain/submission.js';
import {
  SUBMISSION_ACT_TABLE,
  SUBMISSION_ACTS,
  submissionActs,
  type SubmissionFacts,
} from '../../../src/operations/outgoing/submission-acts.js';

const CONFLICT = [{ field: 'city' }];
const facts = (state: SubmissionState, more: Partial<SubmissionFacts> = {}): SubmissionFacts => ({
  ...{ reference: 'R-1', kind: 'customer', state, sends: 0, reason: null, conflicts: [] },
  ...more,
});

test('an act is offered only where it leads to a state that can follow', () => {
  for (const state of SUBMISSION_STATES)
    for (const kind of SUBMISSION_KINDS)
      for (const sends of [0, 1])
        for (const conflicts of [[], CONFLICT]) {
          const one = facts(state, { kind, sends, conflicts });
          for (const act of submissionActs(one))
            expect(
              isLegalSubmissionMove(state, SUBMISSION_ACT_TABLE[act].to(one)),
              `${act} ${state} ${kind}`,
            ).toBe(true);
        }
});

/** What can be done to a customer, a draft, and a customer whose fields both sides have changed. */
const OFFERED: Readonly<
  Record<SubmissionState, readonly [customer: string, draft: string, conflict: string]>
> = {
  received: ['skip', 'skip', 'skip settle'],
  held: ['skip', 'skip', 'skip'],
  sending: ['', '', ''],
  unknown: ['', '', ''],
  created: ['', 'withdraw', 'settle'],
  acknowledged: ['', 'withdraw', 'settle'],
  refused: ['replay skip', 'replay skip', 'replay skip'],
  parked: ['replay skip use', 'replay skip', 'replay skip use'],
  skipped: ['replay', 'replay', 'replay'],
  withdrawing: ['', '', ''],
  withdrawn: ['replay', 'replay', 'replay'],
};

test.each(SUBMISSION_STATES)('in the state %s exactly this is offered', (state) => {
  const [customer, draft, conflict] = OFFERED[state];
  expect(submissionActs(facts(state)).join(' ')).toBe(customer);
  expect(submissionActs(facts(state, { kind: 'draft' })).join(' ')).toBe(draft);
  expect(submissionActs(facts(state, { conflicts: CONFLICT })).join(' ')).toBe(conflict);
});

test('what may have been sent is searched for before it is sent again; what is listed no more is not in doubt', () => {
  const { to } = SUBMISSION_ACT_TABLE.replay;
  expect(to(facts('parked', { sends: 1 }))).toBe('unknown');
  expect(to(facts('parked', { sends: 1, reason: { code: 'CUSTOMER_DEACTIVATED' } }))).toBe('received');
  expect(to(facts('parked'))).toBe('received');
  expect(SUBMISSION_ACTS).toHaveLength(5);
});
