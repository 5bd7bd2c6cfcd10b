// Signatures of webhooks, as Standard Webhooks has them (https://www.standardwebhooks.com): an HMAC over id, time and body, so that none
// of the three can be put with another. Both ways: what the bridge tells people, and what origins hand over.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../domain/secret.js';

export interface SignedMessage {
  readonly id: string;
  /** Unix seconds, as written. */
  readonly timestamp: string;
  readonly body: string | Uint8Array;
}

const VERSION = 'v1';
/** A header of somebody who changes secrets has two. */
const SIGNATURES_MAX = 5;

export function signWebhook(secret: Secret, { id, timestamp, body }: SignedMessage): string {
  const hmac = createHmac('sha256', keyOf(secret.reveal())).update(`${id}.${timestamp}.`).update(body);
  return `${VERSION},${hmac.digest('base64')}`;
}

/** Whether the header has the shape of a signature; says nothing about who made it. */
export function looksSigned(header: string): boolean {
  return header.split(' ', SIGNATURES_MAX).some((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one));
}

/** Whether any of the signatures in the header was made with any of the secrets. */
export function isSignedWith(secrets: readonly Secret[], signed: SignedMessage, header: string): boolean {
  const given = header.split(' ').slice(0, SIGNATURES_MAX);
  let isSigned = false;
  // All are compared: how long it takes says nothing.
  for (const secret of secrets) {
    const wanted = Buffer.from(signWebhook(secret, signed));
    for (const signature of given) {
      const bytes = Buffer.from(signature);
      if (bytes.length === wanted.length && timingSafeEqual(bytes, wanted)) isSigned = true;
    }
  }
  return isSigned;
}

/** `whsec_` and base64, as the specification writes keys; any other text is taken as it is. */
function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
}
