// What is written down instead of a secret, and how a login is written.
import { createHash } from 'node:crypto';

/** Session ids and codes are long and random, so a fast hash keeps them as safe as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function asLogin(login: string): string {
  return login.trim().normalize('NFC').toLowerCase();
}
