// What the stage that carries submissions works with, and one tenant as it sees it.
import type { Runtime } from '../domain/runtime.js';
import type { MarkField, InvoicingTarget } from '../service/invoicing-target.js';
import type { Origin } from '../origins/origin.js';
import type { FailPoints } from '../sync/fail-points.js';
import type { BreakerStore } from '../sync/posting-records.js';
import type { SubmissionStore } from './records.js';

export interface OutgoingStage {
  readonly runtime: Runtime;
  readonly store: SubmissionStore;
  readonly breakers: BreakerStore;
  readonly failPoints: FailPoints;
  readonly timing: OutgoingTiming;
}

export interface OutgoingTiming {
  readonly leaseMs: number;
  /** From the committed intent to the last moment its request may leave. */
  readonly sendByMs: number;
  /** One call; the service may work on as long again after we gave up. */
  readonly callMs: number;
  /** How far the service's lists may be behind. */
  readonly lagMs: number;
}

export const OUTGOING_TIMING: OutgoingTiming = {
  leaseMs: 180_000,
  sendByMs: 10_000,
  callMs: 30_000,
  lagMs: 60_000,
};

/** Longer ago than this, nothing of it can be on its way any more, and whatever arrived is listed. */
export function quietPeriodMs({ sendByMs, callMs, lagMs }: OutgoingTiming): number {
  return sendByMs + 2 * callMs + lagMs;
}

/**
 * At the next of a few moments that all have in common: those who came into doubt at nearly the same time are due together, and one list serves
 * them.
 */
export function togetherInMs({ runtime, timing }: OutgoingStage, waitMs: number): number {
  const everyMs = Math.max(1, Math.ceil(quietPeriodMs(timing) / 10));
  const beyond = (runtime.clock.now().getTime() + Math.ceil(waitMs)) % everyMs;
  return Math.ceil(waitMs) + (beyond === 0 ? 0 : everyMs - beyond);
}

export interface OutgoingWish {
  /** Where the mark of an invoice is written. */
  readonly mark: MarkField;
  /** What a customer that an origin names may change of one that is there already. */
  readonly customers: 'create-only' | 'update';
  /** The same of items; update unless given. */
  readonly items?: 'create-only' | 'update';
  /** Fields of a customer or item in which the service wins: what it has there stays; what it lacks is filled in. */
  readonly serviceWins?: readonly string[];
  /** Fields in which the origin wins where both have changed. Of any other field a person decides then. */
  readonly originWins?: readonly string[];
  /** What becomes of a customer whose profile the service lists no more; it waits for a person unless given. */
  readonly deactivated?: 'park' | 'create';
  /** Days until settlement of drafts and orders, where the record does not say. */
  readonly settlementDays: number;
  /** Whether AI may read receipts at this account before anything shows them. */
  readonly costAi: boolean;
  /** Whose books an invoice is in where its record does not say; the bridge books it unless given. */
  readonly booked?: 'bridge' | 'origin';
}

export interface OutgoingTenant {
  readonly name: string;
  readonly environment: 'production' | 'development';
  readonly sourceAccount: string;
  readonly target: InvoicingTarget;
  readonly wish: OutgoingWish;
  /** By name; one that the file names no more is missing. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** The series of each origin, by its name. */
  readonly series: Readonly<Record<string, string>>;
}
