// Who may speak to the ledger: whoever holds the shared secret and a clock that is right within five minutes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const SKEW_SECONDS_MAX = 300;

export interface SignedParts {
  readonly method: string;
  /** Path with query, as it stands in the request line. */
  readonly target: string;
  readonly body: Uint8Array;
}

export function signature(secret: string, timestamp: string, parts: SignedParts): string {
  const bodyHash = createHash('sha256').update(parts.body).digest('hex');
  const signed = `${timestamp}.${parts.method}.${parts.target}.${bodyHash}`;
  return `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`;
}

/** Null when the request is signed as it must be; else a sentence. */
export function signatureFault(
  secret: string,
  headers: { readonly timestamp: string; readonly signature: string },
  parts: SignedParts,
  nowMs: number,
): string | null {
  if (!/^\d{1,12}$/.test(headers.timestamp)) return 'X-Ledgerbridge-Timestamp must be unix seconds.';
  if (Math.abs(nowMs / 1000 - Number(headers.timestamp)) > SKEW_SECONDS_MAX)
    return `X-Ledgerbridge-Timestamp is more than ${SKEW_SECONDS_MAX} seconds off; set the clock.`;
  const expected = Buffer.from(signature(secret, headers.timestamp, parts));
  const given = Buffer.from(headers.signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    return 'X-Ledgerbridge-Signature does not fit the request; check the shared secret.';
  return null;
}
