// A record that changes at its origin: whether that may still change what goes to the service, and whether it sets it going again.
import type { SubmissionKind, SubmissionState } from '../domain/submission.js';
import { contentText } from './content.js';

/** Nothing of it was sent, or nothing of it stands there any more. */
const OPEN: ReadonlySet<SubmissionState> = new Set(['received', 'held', 'refused', 'skipped', 'withdrawn']);
/** Something of it is under way, or waits for a person. */
const UNDER_WAY: ReadonlySet<SubmissionState> = new Set(['sending', 'unknown', 'parked', 'withdrawing']);

/** Customers and items may always be updated, and hours corrected. */
const KEPT_UP: ReadonlySet<SubmissionKind> = new Set(['customer', 'item', 'hours']);
/** Drafts and orders until an invoice was made of them; of anything else a person hears once it was sent. */
const PREPARED: ReadonlySet<SubmissionKind> = new Set(['draft', 'order']);

export function isPrepared(kind: SubmissionKind): boolean {
  return PREPARED.has(kind);
}

export function mayChange(kind: SubmissionKind, state: SubmissionState): boolean {
  return PREPARED.has(kind) || mayTakeOver(kind, state);
}

/** Another record of the same reference may stand in its place from now on: what was sent of a sale stays that sale. */
export function mayTakeOver(kind: SubmissionKind, state: SubmissionState): boolean {
  return KEPT_UP.has(kind) || OPEN.has(state);
}

/** A request of it is under way, and what it was made of is compared with what its origin says when that is done. */
export function isLeftToWork(kind: SubmissionKind, state: SubmissionState): boolean {
  return (isPrepared(kind) || kind === 'invoice') && (state === 'sending' || state === 'unknown');
}

/** All that an origin may say of an invoice that was sent: it is paid by now. */
export function isOnlyPaid(kind: SubmissionKind, before: string, after: string): boolean {
  if (kind !== 'invoice') return false;
  const { mark_paid: was, method_payment: _by, ...rest } = JSON.parse(before) as Payable;
  const { mark_paid: is, method_payment: _now, ...other } = JSON.parse(after) as Payable;
  return was !== true && is === true && contentText(rest) === contentText(other);
}

interface Payable {
  readonly mark_paid?: boolean;
  readonly method_payment?: unknown;
}

/** It rests on, with its reason, and goes as it is now when it is set going: a change takes back no person's decision. */
export function restsOn(kind: SubmissionKind, state: SubmissionState, reason: string | null): boolean {
  if (UNDER_WAY.has(state)) return true;
  // Hours that their origin had deleted are back there.
  if (state === 'withdrawn') return kind !== 'hours';
  return state === 'skipped' && reason !== 'DELETED_AT_ORIGIN';
}
