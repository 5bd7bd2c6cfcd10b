// The guards of the protocol and of the sweeps, each with the small world in which it is missed when it is taken away. The scoreboard of
// docs/explanation/reliability.md is made from these.
import { INTAKE_PROMISES } from './intake-promises.js';
import type { IntakeWorldOptions } from './intake-world.js';
import type { SmallWorldOptions } from './small-world.js';

export interface Guard {
  /** What is taken away. */
  readonly guard: string;
  readonly without: SmallWorldOptions;
}

export const GUARDS: readonly Guard[] = [
  { guard: 'the lease and its fence', without: { erp: 'look-up', store: { ignoreFence: true } } },
  { guard: 'the fence of a commit alone', without: { erp: 'look-up', store: { ignoreOldFence: true } } },
  {
    guard: 'intent on record before a byte leaves',
    without: { erp: 'look-up', store: { forgetIntent: true } },
  },
  { guard: 'the look before a resend', without: { erp: 'look-up', erpFlaws: { claimsUnique: true } } },
  { guard: 'the wait before that look', without: { erp: 'look-up', erpFlaws: { looksEarly: true } } },
  {
    guard: 'the wait, where an ERP works on after we gave up',
    without: { erp: 'look-up', timing: { erpTimeoutMs: 1_000, networkDelayMaxMs: 1_000 } },
  },
  { guard: 'the moment until which a request may leave', without: { erp: 'look-up', clocksStop: true } },
  {
    guard: 'the doubt in what a proxy says (look-up)',
    without: { erp: 'look-up', erpFlaws: { trustsProxies: true } },
  },
  {
    guard: 'the doubt in what a proxy says (posted only)',
    without: { erp: 'posted-only', erpFlaws: { trustsProxies: true } },
  },
  {
    guard: 'the doubt in what a proxy says (neither)',
    without: { erp: 'none', erpFlaws: { trustsProxies: true } },
  },
  { guard: 'drafts in the look-up', without: { erp: 'look-up-two-step', erpFlaws: { hidesDrafts: true } } },
  {
    guard: 'the life of a native key',
    without: { erp: 'native-key', erpFlaws: { trustsOldKeys: true, keyLifeMs: 1_000 } },
  },
  { guard: 'parts told apart', without: { erp: 'look-up', paid: true, store: { confuseParts: true } } },
  {
    guard: 'the read-back of a status',
    without: { erp: 'unique-reference', source: { echoReadBack: true } },
  },
  {
    guard: 'the content hash',
    without: { erp: 'unique-reference', people: true, source: { hideEdits: true } },
  },
  {
    guard: 'the look after a restore',
    without: { erp: 'look-up', forgotten: 'entry', store: { hideRestore: true } },
  },
  {
    guard: 'the wait after a restore',
    without: { erp: 'look-up', forgotten: 'request', store: { restoredLongAgo: true } },
  },
  {
    guard: 'the look for a settlement that was forgotten',
    without: {
      ...{ erp: 'look-up', paidLater: true, forgotten: 'settlement' },
      erpFlaws: { hidesSettlements: true },
    },
  },
  {
    guard: 'parking after a restore (neither)',
    without: { erp: 'none', forgotten: 'entry', store: { hideRestore: true } },
  },
];

export interface IntakeGuard {
  readonly guard: string;
  readonly without: IntakeWorldOptions;
  /** The promise that is not kept then. */
  readonly broken: string;
  /** Which of the stories shows it, where the first is about something else. */
  readonly nth?: number;
}

const SWAPPED = ['one is deleted', 'one is approved late'] as const;

export const INTAKE_GUARDS: readonly IntakeGuard[] = [
  {
    guard: 'a full sweep is asked for until one is complete',
    without: { happens: SWAPPED, store: { forgetBegunSweep: true } },
    broken: INTAKE_PROMISES.halfDone,
  },
  {
    guard: 'reading what a complete list does not show',
    without: { happens: SWAPPED, store: { hideUnlisted: true } },
    broken: INTAKE_PROMISES.approved,
    nth: 2,
  },
  {
    guard: 'full sweeps that come by themselves',
    without: { happens: SWAPPED, store: { sweptJustNow: true } },
    broken: INTAKE_PROMISES.hidden,
  },
  {
    guard: 'the count beside the quick sweep',
    without: { happens: ['one is approved late'], countsNothing: true },
    broken: INTAKE_PROMISES.approved,
  },
];
