// Every request is signed over everything that matters about it: when, what, where, and the body. A copy is worthless after
// the receiver's time window, and nothing can be changed on the way.
import { createHash, createHmac } from 'node:crypto';
import type { Secret } from '../../domain/secret.js';

export interface SignedRequest {
  readonly method: string;
  /** Path and query, exactly as they go on the wire. */
  readonly target: string;
  readonly body: string;
}

export function signatureHeaders(secret: Secret, now: Date, request: SignedRequest): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const bodyHash = createHash('sha256').update(request.body).digest('hex');
  const signed = `${timestamp}.${request.method}.${request.target}.${bodyHash}`;
  const signature = createHmac('sha256', secret.reveal()).update(signed).digest('hex');
  return { 'x-ledgerbridge-timestamp': timestamp, 'x-ledgerbridge-signature': `v1=${signature}` };
}
