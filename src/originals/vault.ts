// Where originals are kept, whatever it is: files by the hash of their bytes, and nothing else is ever a name.
import type { OriginalVault } from '../sync/originals.js';

export type VaultVerdict = 'whole' | 'changed' | 'missing';

export interface VaultCheck {
  /** Hashes it without keeping it in memory. */
  check(sha256: string): Promise<VaultVerdict>;
}

export interface Vault extends OriginalVault, VaultCheck {
  /** For people: where it is. */
  readonly place: string;
  /** When the law no longer wants it. What is not there is removed already. */
  remove(sha256: string): Promise<void>;
  close(): Promise<void>;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** ab/cd/abcd…: no directory grows large, and no name comes from outside. */
export function pathParts(sha256: string): readonly [string, string, string] {
  if (!SHA256.test(sha256)) throw new RangeError('This is not a SHA-256 in hexadecimal digits.');
  return [sha256.slice(0, 2), sha256.slice(2, 4), sha256];
}
