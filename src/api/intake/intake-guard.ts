// Who may hand records over: whoever signs with a secret of the origin, at about the time that it says. A stranger learns nothing, not
// even which tenants there are; and guessing is slow.
import type { SubmissionKind } from '../../domain/submission.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { networkOf } from '../../http/allowed-addresses.js';
import { isSignedWith } from '../../http/webhook-signature.js';
import { createRateLimit, type RateLimit } from '../rate-limit.js';

export interface IntakePlace {
  readonly requestsPerSecond: number;
  readonly waitingMax: number;
  readonly secrets: readonly Secret[];
  /** Those that are taken; left out: all. */
  readonly kinds?: readonly SubmissionKind[];
}

export interface IntakeCall {
  readonly tenant: string;
  readonly origin: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: Uint8Array;
  readonly address: string;
}

/** Either way: a clock may be behind, or before. */
export const SKEW_SECONDS_MAX = 300;
const GUESS_LIMITS = { burst: 20, perSecond: 0.2 };
const BURST_SECONDS = 10;
const PLACES_MAX = 1_000;
/** So that a place that is not there takes as long as one that is. */
const NOBODYS = new Secret('no place has this secret, it only takes time');
const KEY = /^[A-Za-z0-9._~:-]{1,100}$/;

export type IntakeGuard = (place: IntakePlace | null, call: IntakeCall) => IntakePlace;

export function createIntakeGuard(nowMs: () => number): IntakeGuard {
  const guesses = createRateLimit(GUESS_LIMITS.burst, GUESS_LIMITS.perSecond);
  const limits = new Map<string, RateLimit>();
  const limitOf = ({ requestsPerSecond }: IntakePlace) => {
    const name = String(requestsPerSecond);
    const known =
      limits.get(name) ?? createRateLimit(Math.ceil(requestsPerSecond * BURST_SECONDS), requestsPerSecond);
    if (limits.size < PLACES_MAX) limits.set(name, known);
    return known;
  };
  return (place, call) => {
    const { id, timestamp, body, signature } = call;
    const isSigned = isSignedWith(place?.secrets ?? [NOBODYS], { id, timestamp, body }, signature);
    if (place === null || !isSigned) {
      heed(guesses.take(networkOf(call.address), nowMs()));
      throw new CodedError('INTAKE_UNAUTHORIZED', 'The request is not signed with a secret of this place.');
    }
    heed(limitOf(place).take(`${call.tenant}/${call.origin}`, nowMs()));
    const skew = Math.abs(nowMs() / 1_000 - Number(timestamp));
    if (!/^\d{1,12}$/.test(timestamp) || skew > SKEW_SECONDS_MAX)
      throw new CodedError('INTAKE_STALE', `webhook-timestamp is more than ${SKEW_SECONDS_MAX} seconds off.`);
    if (!KEY.test(id))
      throw new CodedError('INTAKE_KEY_INVALID', 'webhook-id is missing or has other signs.');
    return place;
  };
}

function heed(waitSeconds: number): void {
  if (waitSeconds > 0)
    throw new CodedError('INTAKE_RATE_LIMITED', `Wait ${waitSeconds} s.`, {
      details: { retryAfterMs: waitSeconds * 1_000 },
    });
}
