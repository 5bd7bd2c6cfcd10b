// The store of originals that the settings name. Whatever its disk or its network does is one error: originals wait, postings go on.
import { CodedError } from '../domain/errors/coded-error.js';
import { directoryVault } from '../originals/directory-vault.js';
import { s3Vault } from '../originals/s3-vault.js';
import type { Vault } from '../originals/vault.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';

export function openVault({
  originalsDirectory,
  originalsS3,
}: Pick<BridgeSettings, 'originalsDirectory' | 'originalsS3'>): Vault {
  const vault = originalsS3 === null ? directoryVault(originalsDirectory) : s3Vault(originalsS3);
  return {
    ...vault,
    put: (content) => orAway(vault.put(content)),
    read: (sha256) => orAway(vault.read(sha256)),
    check: (sha256) => orAway(vault.check(sha256)),
    remove: (sha256) => orAway(vault.remove(sha256)),
  };
}

async function orAway<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CodedError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw new CodedError('ORIGINALS_STORE_UNAVAILABLE', said, { cause: error });
  }
}
