// Ed25519 over the head of a certificate. The key is a setting; its public half stands in every certificate, and whoever
// verifies compares it with the one they were given.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Secret } from '../domain/secret.js';

export interface Signer {
  /** SPKI, base64. */
  readonly publicKey: string;
  sign(text: string): string;
}

export function signerOf(pem: Secret): Signer {
  const key = privateKey(pem);
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64'),
  };
}

function privateKey(pem: Secret): KeyObject {
  try {
    const key = createPrivateKey(pem.reveal());
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below, without the text of the key.
  }
  throw new CodedError(
    'SETTINGS_INVALID',
    'LEDGERBRIDGE_SIGNING_KEY is not an Ed25519 private key in PEM; make one with: openssl genpkey -algorithm ed25519',
  );
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** Short enough to read out over the telephone. */
export function fingerprintOf(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16);
  return hash.replaceAll(/(.{4})(?=.)/g, '$1-');
}
