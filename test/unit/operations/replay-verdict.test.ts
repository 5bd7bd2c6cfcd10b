import { describe, expect, it } from 'vitest';
import { isLegalMove, POSTING_STATES } from '../../../src/domain/posting.js';
import {
  actionsFor,
  replayVerdict,
  type ReplayFacts,
  stillLacksItsRule,
  QUIET_PERIOD_MS,
} from '../../../src/operations/replay-verdict.js';

const FACTS: ReplayFacts = {
  postingId: 'p',
  tenantName: 't',
  kind: 'invoice',
  state: 'parked',
  fence: 1,
  reasonCode: null,
  held: false,
  leased: false,
  due: false,
  blocked: false,
  sourceStatus: 'Created',
  writeBackOpen: false,
  lastWanted: null,
  mainPosted: false,
  allPosted: false,
  attemptUncertain: false,
  lastSendAgeMs: null,
};
const verdict = (facts: Partial<ReplayFacts>, surelyAbsent = false) =>
  replayVerdict({ ...FACTS, ...facts }, { surelyAbsent });

describe('a replay', () => {
  it('believes that something is surely absent only of what was sent long before the operator said so', () => {
    const hour = 60 * 60_000;
    const verdictAfterAnHour = (lastSendAgeMs: number) =>
      replayVerdict(
        { ...FACTS, attemptUncertain: true, lastSendAgeMs },
        { surelyAbsent: true, chosenAgoMs: hour },
      );
    expect(verdictAfterAnHour(hour - 1), 'sent again since').toMatchObject({ eligible: false });
    expect(verdictAfterAnHour(hour + QUIET_PERIOD_MS - 1), 'on its way then').toMatchObject({
      eligible: false,
    });
    expect(verdictAfterAnHour(hour + QUIET_PERIOD_MS + 1)).toEqual({ eligible: true, to: 'discovered' });
  });

  it('is known to lead nowhere only while the rules are those that it was held with, and nothing else could cure it', () => {
    const lacks = (reasonCode: string, more: Partial<ReplayFacts> = {}) =>
      stillLacksItsRule({ ...FACTS, state: 'held', reasonCode, ...more });
    expect(lacks('UNMAPPED_COST_CODE')).toBe(true);
    // The rules changed: it is about to be looked at with the new ones.
    expect(lacks('UNMAPPED_COST_CODE', { due: true })).toBe(false);
    expect(lacks('UNMAPPED_COST_CODE', { state: 'parked' })).toBe(false);
    for (const elsewhere of ['ERP_CONFIGURATION', 'FX_RATE_MISSING', 'ERP_PERIOD_CLOSED'])
      expect(lacks(elsewhere), elsewhere).toBe(false);
  });

  it('is always a legal move, whatever the facts', () => {
    const flags = [true, false];
    for (const state of POSTING_STATES)
      for (const mainPosted of flags)
        for (const attemptUncertain of flags)
          for (const kind of ['invoice', 'cost'] as const)
            for (const sourceStatus of ['Created', 'New', 'Error', 'Skipped', 'Posted']) {
              const facts = {
                state,
                mainPosted,
                allPosted: mainPosted,
                attemptUncertain,
                kind,
                sourceStatus,
              };
              const judged = verdict({ ...facts, lastWanted: 'Error' });
              if (judged.eligible && judged.to !== 'stay') expect(isLegalMove(state, judged.to)).toBe(true);
            }
  });

  it('never touches what a worker has claimed', () => {
    for (const state of POSTING_STATES) expect(verdict({ state, leased: true }).eligible).toBe(false);
  });

  it('goes on from an uncertain outcome instead of sending anew', () => {
    expect(verdict({ attemptUncertain: true })).toEqual({ eligible: true, to: 'posting' });
    expect(verdict({ attemptUncertain: true, lastSendAgeMs: QUIET_PERIOD_MS - 1 }, true).eligible).toBe(
      false,
    );
    expect(verdict({ attemptUncertain: true, lastSendAgeMs: QUIET_PERIOD_MS + 1 }, true)).toMatchObject({
      to: 'discovered',
    });
  });

  it('hurries what waits for later, or for a side that was down, and leaves alone what is on its way', () => {
    for (const state of ['mapped', 'posting'] as const) {
      expect(verdict({ state, due: false })).toEqual({ eligible: true, to: 'stay' });
      expect(verdict({ state, due: true, blocked: true })).toEqual({ eligible: true, to: 'stay' });
      expect(verdict({ state, due: true }).eligible).toBe(false);
    }
  });

  it('tells the source again when the entry is in the books', () => {
    expect(verdict({ mainPosted: true, allPosted: true })).toEqual({ eligible: true, to: 'posted' });
    expect(verdict({ mainPosted: true })).toEqual({ eligible: true, to: 'posting' });
  });

  it.each([
    ['a cost in Error', { state: 'rejected', kind: 'cost', sourceStatus: 'Error' }, 'move-to-new'],
    ['a skipped cost', { state: 'skipped', kind: 'cost', sourceStatus: 'Skipped' }, 'move-to-new'],
    ['a document somebody holds', { state: 'held', held: true }, 'release'],
    ['an orphan', { state: 'orphaned', mainPosted: true, allPosted: true }, 'reverse'],
    ['a reversed one', { state: 'reversed' }, 'repost'],
  ] as const)('of %s names what would help instead', (_name, facts, instead) => {
    expect(verdict(facts)).toMatchObject({ eligible: false, instead });
    expect(actionsFor({ ...FACTS, ...facts })).toContain(instead);
  });

  it('of an invoice in Error is tried when the Error was ours, and not otherwise', () => {
    const facts = { state: 'rejected', sourceStatus: 'Error' } as const;
    expect(verdict({ ...facts, lastWanted: 'Error' })).toEqual({ eligible: true, to: 'discovered' });
    expect(verdict({ ...facts, lastWanted: 'Posted' }).eligible).toBe(false);
  });
});
