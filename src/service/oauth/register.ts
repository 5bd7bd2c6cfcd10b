// Registering a client of ours at the service (Document 2, "Register behaviour"): idempotent on user, name and redirect
// URI. The secret is shown once, so it is sealed and stored at once, and never replaced by the null of a later call.
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { AGENT_ENDPOINTS } from '../agent-endpoints.js';
import type { ApiClient } from '../api-client.js';
import type { ClientStore, GrantStore } from '../grant-store.js';
import { openTokens, sealPair } from './sealed-tokens.js';
import type { TokenKeyring } from './token-keyring.js';

export interface Registration {
  readonly tenant: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly rotateSecret: boolean;
}

export interface Registered {
  readonly clientId: string;
  readonly existing: boolean;
  readonly rotated: boolean;
  /** Whether a secret is stored now, from this call or an earlier one. */
  readonly hasSecret: boolean;
}

/** `client` is connected with the user name and key of the account. */
export async function registerClient(
  client: ApiClient,
  clients: ClientStore,
  keyring: TokenKeyring,
  asked: Registration,
  now: Date,
): Promise<Registered> {
  const answer = await client.call(AGENT_ENDPOINTS.register, {
    name: asked.name,
    redirect_uri: asked.redirectUri,
    ...(asked.rotateSecret && { rotate_secret: true }),
  });
  if (answer.outcome === 'refused') {
    throw new CodedError('SOURCE_REFUSED', `The service refused the registration: ${answer.message}.`);
  }
  const { client_id: clientId, client_secret: secret, existing, rotated } = answer.value;
  const { tenant, name, redirectUri } = asked;
  const sealedSecret = secret === null ? null : keyring.seal(tenant, 'client-secret', new Secret(secret));
  const keyId = keyring.currentKeyId;
  await clients.saveClient({ tenant, clientId, sealedSecret, keyId, name, redirectUri }, now);
  const stored = await clients.readClient(tenant);
  return { clientId, existing, rotated, hasSecret: (stored?.sealedSecret ?? null) !== null };
}

// Re-seals everything at rest with the current key. Compare-and-set on the version: a grant that is refreshed meanwhile is
// sealed with the current key by that refresh already.

interface Rotated {
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
