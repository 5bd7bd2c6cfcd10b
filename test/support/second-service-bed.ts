// The other direction against the second service: over the credential surface, or over the agent surface by a grant of exactly the scopes
// that the documents name for it, consented to as a person would.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { Secret } from '../../src/domain/secret.js';
import { connectApi } from '../../src/service/connect-source.js';
import type { ClientStore, GrantStore } from '../../src/service/grant-store.js';
import { beginLogin, finishLogin, readCallback } from '../../src/service/oauth/login.js';
import { registerClient } from '../../src/service/oauth/register.js';
import { TokenKeyring } from '../../src/service/oauth/token-keyring.js';
import type { Grants } from '../../src/service/source-services.js';
import type {
  AgentScope,
  CredentialsAuth,
  OAuthAuth,
  SourceSettings,
} from '../../src/service/source-settings.js';
import { testServices } from './invoicing/connections.js';
import { MemoryGrantStore } from './invoicing/memory-grant-store.js';
import { outgoingBedAt, type OutgoingBedOptions, type ServicePlace } from './outbound-bed.js';
import { type Freedoms, SecondService } from './second-service/index.js';

const REDIRECT = 'https://bridge.example.is/callback';

export interface SecondBedOptions extends Pick<
  OutgoingBedOptions,
  'database' | 'wish' | 'timing' | 'embedded'
> {
  readonly freedoms?: Partial<Freedoms>;
  /** Given: the agent surface, with a grant of these. */
  readonly scopes?: readonly AgentScope[];
}

export async function secondServiceBed({ freedoms = {}, scopes, ...options }: SecondBedOptions) {
  const service = await SecondService.start({ freedoms });
  const way: Pick<ServicePlace, 'auth' | 'grants'> =
    scopes === undefined ? { auth: credentialsAt(service) } : await signIn(service, scopes);
  const bed = await outgoingBedAt({ baseUrl: service.url, ...way, close: () => service.close() }, options);
  return { ...bed, service };
}

export function credentialsAt({ account }: SecondService): CredentialsAuth {
  return { type: 'credentials', username: account.username, apiKey: new Secret(account.apiKey) };
}

/** A service that is in maintenance is a development one. */
function environmentOf({ world }: SecondService) {
  const { maintenanceCode: code } = world.freedoms;
  return code === null
    ? ({ environment: 'production' } as const)
    : ({ environment: 'development', maintenanceCode: new Secret(code) } as const);
}

/** Where tokens are kept, and whose they are. */
export interface SignedIn {
  readonly store: GrantStore & ClientStore;
  readonly key: Secret;
  readonly tenant: string;
}

const inMemory = (): SignedIn => ({
  store: new MemoryGrantStore(),
  key: new Secret(randomBytes(32).toString('base64')),
  tenant: 'acme',
});

/** Registered, consented, tokens stored: as `ledgerbridge tenant login` does it. */
export async function signIn(
  service: SecondService,
  scopes: readonly AgentScope[],
  { store, key, tenant }: SignedIn = inMemory(),
): Promise<{ auth: OAuthAuth; grants: Grants; settings: SourceSettings }> {
  const keyring = new TokenKeyring(key);
  const grants = { store, keyring };
  const services = { ...testServices({ lines: [] }, {}, grants), tenantName: tenant };
  const settings = { baseUrl: service.url, ...environmentOf(service) };
  const client = connectApi({ ...settings, auth: credentialsAt(service) }, services);
  const asked = { tenant, name: 'ledgerbridge', redirectUri: REDIRECT, rotateSecret: false };
  const { clientId } = await registerClient(client, store, keyring, asked, new Date());
  await client.close();
  const auth: OAuthAuth = { type: 'oauth', clientId, redirectUri: REDIRECT, scopes };
  const attempt = beginLogin({ ...settings, auth }, auth);
  const consented = await fetch(attempt.address, { redirect: 'manual' });
  const callback = readCallback(attempt, auth, consented.headers.get('location') ?? '');
  await finishLogin({ ...settings, auth }, auth, services, attempt, callback);
  return { auth, grants, settings: { ...settings, auth } };
}

export type SecondBed = Awaited<ReturnType<typeof secondServiceBed>>;

/** Customers and originals are waited for, so that it takes more than one time. */
export async function settled({ settle }: Pick<SecondBed, 'settle'>): Promise<void> {
  for (let time = 0; time < 3; time++) await settle();
}

/** One look-up that a busy machine answers too late, and what it was for rests for 15 to 45 seconds, as it would in production. */
const MET_WITHIN_MS = 90_000;
const ROUND_MS = 40;

/** Until every fault was met, by as many processes as it takes, and then until nothing is due. */
export async function meetFaults(bed: SecondBed): Promise<void> {
  const { service, round, reconnect } = bed;
  // By the clock: what is in doubt is looked for after a second or two, however many rounds a quick machine makes of them.
  const deadline = performance.now() + MET_WITHIN_MS;
  while (performance.now() < deadline && service.faults.unmet().length > 0) {
    await round();
    await reconnect();
    await sleep(ROUND_MS);
  }
  const unmet = service.faults.unmet();
  if (unmet.length > 0) throw new Error(`nothing met ${unmet.join(', ')}: ${await bed.openRows()}`);
  await settled(bed);
}

/** What the service said no to, but for faults that were planned. */
export const refusalsOf = ({ calls }: SecondService) =>
  calls
    .filter(({ done, fault }) => !done && fault === null)
    .map(({ operation, message }) => [operation, message]);

/**
 * What the service could only notice: an address that is none, a maintenance code in production, credentials in an address; and what the
 * documents do not know, which another service would drop silently.
 */
export const noticedBy = ({ violations, calls }: SecondService): string[] => [
  ...violations,
  ...calls.flatMap(({ operation, ignored }) => ignored.map((name) => `${operation}: ${name}`)),
];
