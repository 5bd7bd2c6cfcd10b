// Every request is signed over everything that matters about it: when, what, where, and the body. A copy is worthless after
// the receiver's time window, and nothing can be changed on the way.
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { Secret } from '../../domain/secret.js';

export interface SignedRequest {
  readonly method: string;
  /** Path and query, exactly as they go on the wire. */
  readonly target: string;
  readonly body: string;
}

const HASH_OF_NOTHING = hash('sha256', '');

export function signatureHeaders(secret: Secret, now: Date, request: SignedRequest): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const bodyHash = request.body === '' ? HASH_OF_NOTHING : hash('sha256', request.body);
  const signed = `${timestamp}.${request.method}.${request.target}.${bodyHash}`;
  const signature = createHmac('sha256', keyOf(secret)).update(signed).digest('hex');
  return { 'x-ledgerbridge-timestamp': timestamp, 'x-ledgerbridge-signature': `v1=${signature}` };
}

/** Made once: every request is signed with it. */
const keys = new WeakMap<Secret, KeyObject>();

function keyOf(secret: Secret): KeyObject {
  // Told that it is used, whether or not its key is there: what is in use is kept out of every log.
  const value = secret.reveal();
  const before = keys.get(secret);
  if (before) return before;
  const key = createSecretKey(value, 'utf8');
  keys.set(secret, key);
  return key;
}
