// Re-seals everything at rest with the current key. Compare-and-set on the version: a grant that is refreshed meanwhile is
// sealed with the current key by that refresh already.
import type { ClientStore, GrantStore } from '../grant-store.js';
import { openTokens, sealPair } from './sealed-tokens.js';
import type { TokenKeyring } from './token-keyring.js';

export interface Rotated {
  readonly resealed: number;
  readonly alreadyCurrent: number;
}

export async function rotateKey(
  store: GrantStore & ClientStore,
  keyring: TokenKeyring,
  now: Date,
): Promise<Rotated> {
  let resealed = 0;
  let alreadyCurrent = 0;
  for (const row of await store.list()) {
    if (row.keyId === keyring.currentKeyId) alreadyCurrent += 1;
    else if (
      await store.reseal(row.tenant, row.version, sealPair(keyring, row.tenant, openTokens(keyring, row)))
    ) {
      resealed += 1;
    }
  }
  for (const client of await store.listClients()) {
    if (client.keyId === keyring.currentKeyId || client.sealedSecret === null) alreadyCurrent += 1;
    else {
      const secret = keyring.open(client.tenant, 'client-secret', client.sealedSecret);
      const sealedSecret = keyring.seal(client.tenant, 'client-secret', secret);
      await store.saveClient({ ...client, sealedSecret, keyId: keyring.currentKeyId }, now);
      resealed += 1;
    }
  }
  return { resealed, alreadyCurrent };
}
