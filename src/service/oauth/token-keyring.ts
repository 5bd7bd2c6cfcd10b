// Secrets at rest: AES-256-GCM, a fresh nonce each time, tenant and purpose as associated data, so that a value copied to
// another tenant or column does not open. The first key seals; older ones still open, which makes rotation possible.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';

export type SealedPurpose = 'access-token' | 'refresh-token' | 'client-secret' | 'second-factor';

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 'v1';

export class TokenKeyring {
  readonly #keys: readonly [Key, ...Key[]];

  /** Base64 of 32 bytes each; the first one seals. */
  constructor(current: Secret, older: readonly Secret[] = []) {
    this.#keys = [readKey(current), ...older.map(readKey)];
  }

  /** Names the key without telling it. */
  get currentKeyId(): string {
    return this.#keys[0].id;
  }

  seal(tenant: string, purpose: SealedPurpose, secret: Secret): string {
    const [key] = this.#keys;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(tenant, purpose));
    const sealed = Buffer.concat([
      cipher.update(secret.reveal(), 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return [FORMAT, key.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  open(tenant: string, purpose: SealedPurpose, sealed: string): Secret {
    const [format, keyId, nonce, content] = sealed.split('.');
    const key = this.#keys.find((candidate) => candidate.id === keyId);
    if (format !== FORMAT || key === undefined || nonce === undefined || content === undefined) {
      throw unreadable(
        tenant,
        purpose,
        `it was sealed with key ${keyId?.slice(0, 12) ?? 'unknown'}, which is not given`,
      );
    }
    const opened = decipher(
      key,
      Buffer.from(nonce, 'base64url'),
      Buffer.from(content, 'base64url'),
      tenant,
      purpose,
    );
    if (opened === null) {
      throw unreadable(tenant, purpose, 'its content was changed or belongs to another tenant');
    }
    return new Secret(opened);
  }
}

function decipher(
  key: Key,
  nonce: Buffer,
  content: Buffer,
  tenant: string,
  purpose: SealedPurpose,
): string | null {
  try {
    const opening = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES });
    opening.setAAD(associatedData(tenant, purpose));
    opening.setAuthTag(content.subarray(-TAG_BYTES));
    return Buffer.concat([opening.update(content.subarray(0, -TAG_BYTES)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function associatedData(tenant: string, purpose: SealedPurpose): Buffer {
  return Buffer.from(`ledgerbridge/${purpose}/${tenant}`, 'utf8');
}

function unreadable(tenant: string, purpose: SealedPurpose, why: string): CodedError {
  const message = `The stored ${purpose} of ${tenant} cannot be opened: ${why}.`;
  return new CodedError('SOURCE_GRANT_UNREADABLE', message);
}

function readKey(secret: Secret): Key {
  const bytes = Buffer.from(secret.reveal().trim(), 'base64');
  if (bytes.byteLength !== KEY_BYTES) {
    const message = `A token key must be 32 bytes in base64; this one has ${String(bytes.byteLength)}.`;
    throw new CodedError('SOURCE_TOKEN_KEY_INVALID', message);
  }
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 12), bytes };
}
