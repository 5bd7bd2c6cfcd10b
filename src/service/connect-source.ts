// The door of this room: from a tenant's settings to the port that the pipeline uses. Promises: a maintenance code goes to
// the origin of a development connection and nowhere else; credentials travel in headers (upload-file is the documented
// exception); nothing is sent over plain http except to a loopback address; both surfaces behave alike behind the port.
import { CodedError, isCoded } from '../domain/errors/coded-error.js';
import { type Access, basicAccess, noCredentials } from './access.js';
import { AccountCheck } from './account-check.js';
import { ApiClient } from './api-client.js';
import { ApiSource } from './api-source.js';
import { ApiTarget } from './api-target.js';
import type { InvoicingSource, AccountIdentity } from './invoicing-source.js';
import type { OpenTarget } from './invoicing-target.js';
import { RememberedItems } from './whole-lists.js';
import type { SourceServices } from './source-services.js';
import { type SourceSettings, type Surface, surfaceOf, type OAuthAuth } from './source-settings.js';
import { Traffic } from './traffic.js';
import { type Identity, OPERATIONS } from './operations.js';
import { plainKennitala } from '../domain/kennitala.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { TokenEndpoint } from './oauth/token-endpoint.js';
import { TokenSource } from './oauth/token-source.js';

export function connectSource(settings: SourceSettings, services: SourceServices): InvoicingSource {
  const { client, check } = connectAccount(settings, services);
  return new ApiSource(client, surfaceOf(settings), {
    hello: () => check.hello(),
    items: new RememberedItems(services.runtime.clock),
    ...(services.limits?.pageSize !== undefined && { pageSize: services.limits.pageSize }),
  });
}

/** Outbound, in a client of its own. */
export function connectTarget(settings: SourceSettings, services: SourceServices): OpenTarget {
  const { client } = connectAccount(settings, services);
  return Object.assign(new ApiTarget(client, surfaceOf(settings)), { close: () => client.close() });
}

/** A client that calls nothing before it is known that the credentials open the account of this tenant. */
export function connectAccount(settings: SourceSettings, given: SourceServices) {
  mustBeSafe(settings.baseUrl);
  const services = together(settings, given);
  const access = accessTo(settings, services);
  const anyAccount = new ApiClient(settings, services, access);
  const check = new AccountCheck({
    authorize: () => access.authorize(),
    ask: () => identify(anyAccount, surfaceOf(settings), settings, services),
    signedInSince: async (version) => (await access.reread(version)) !== 'none',
  });
  // Whoever only tries a connection has no documents yet that another account could be confused with.
  if (services.ownAccount === undefined) return { client: anyAccount, check };
  const ownAccount: Access = {
    ...access,
    authorize: () => check.authorize(),
    close: () => anyAccount.close(),
  };
  return { client: new ApiClient(settings, services, ownAccount), check };
}

/** Every endpoint, for the command line and the checks; the pipeline has no use for it. */
export function connectApi(settings: SourceSettings, given: SourceServices): ApiClient {
  mustBeSafe(settings.baseUrl);
  const services = together(settings, given);
  return new ApiClient(settings, services, accessTo(settings, services));
}

/** What asks for tokens, whose account it is, and everything else: all of one connection is one traffic at least. */
function together(settings: SourceSettings, services: SourceServices): SourceServices {
  const { runtime, limits, traffic } = services;
  return { ...services, traffic: traffic ?? new Traffic({ runtime, limits, origin: settings.baseUrl }) };
}

function accessTo(settings: SourceSettings, services: SourceServices): Access {
  const { auth } = settings;
  return auth.type === 'credentials' ? basicAccess(auth) : bearerAccess(settings, auth, services);
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** "HTTPS must be used" (Document 1, "Authentication" 3); a sandbox on this machine is the one exception. */
export function mustBeSafe(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const https = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (url !== null && https && url.username === '' && url.password === '' && url.search === '') return;
  throw new CodedError(
    'SOURCE_SETTINGS_INVALID',
    'baseUrl must be an https address without user, password or query (http only on a loopback address).',
  );
}

// Whose account it is: what the service says, or the tenant file where the grant does not reach so far.

type Named = Pick<SourceSettings, 'registrationNo'>;

/** Throws where it is another account than the tenant's documents came from, or than its file names. */
async function identify(
  client: ApiClient,
  surface: Surface,
  { registrationNo: named }: Named,
  { ownAccount }: Pick<SourceServices, 'ownAccount'>,
): Promise<AccountIdentity> {
  const identity = await askWho(client, surface, named);
  await ownAccount?.mustBe(identity.registrationNo);
  if (named !== undefined && plainKennitala(identity.registrationNo) !== plainKennitala(named))
    throw coded('SOURCE_WRONG_ACCOUNT', message('ACCOUNT_OF_OTHER', { name: identity.name }));
  return { ...identity, clockSkewMs: client.clockSkewMs };
}

async function askWho(client: ApiClient, surface: Surface, named: string | undefined): Promise<Identity> {
  try {
    const answer = await OPERATIONS.account[surface](client, {});
    if (answer.outcome === 'ok') return answer.value;
    throw coded('SOURCE_CREDENTIALS_REFUSED', message('HELLO_REFUSED', { answer: answer.message }));
  } catch (error) {
    // The worker's grant is nav and cost only; who the account is may then be known from the tenant file alone.
    if (!isCoded(error, 'SOURCE_FORBIDDEN')) throw error;
    return askWithoutScope(client, surface, named, error);
  }
}

async function askWithoutScope(
  client: ApiClient,
  surface: Surface,
  named: string | undefined,
  forbidden: CodedError,
): Promise<Identity> {
  const answer = await OPERATIONS.probe[surface](client, {});
  if (answer.outcome === 'refused')
    throw coded('SOURCE_CREDENTIALS_REFUSED', message('EVERY_CALL_REFUSED', { answer: answer.message }));
  if (named !== undefined) return { name: '', registrationNo: named, vatNo: '' };
  throw coded('SOURCE_ACCOUNT_UNKNOWN', message('ACCOUNT_NOT_TOLD'), { cause: forbidden });
}

// Bearer tokens for the client: opened from the grant store, refreshed in time, and again when a 401 says they expired.

function bearerAccess(settings: SourceSettings, auth: OAuthAuth, services: SourceServices): Access {
  if (services.grants === undefined) {
    throw new CodedError(
      'SOURCE_SETTINGS_INVALID',
      'This tenant signs in with OAuth, and no grant store was given.',
    );
  }
  const tokens = new TokenSource(
    services,
    services.grants,
    new TokenEndpoint(settings, auth, services, services.grants),
  );
  return {
    authorize: async () => {
      const { accessToken, version } = await tokens.current();
      return { headers: { authorization: `Bearer ${accessToken.reveal()}` }, version };
    },
    allows: (scope) => tokens.allows(scope),
    renew: async (failedVersion) => {
      const { version, isRefreshed } = await tokens.newerThan(failedVersion);
      if (version === failedVersion) return 'none';
      return isRefreshed ? 'refreshed' : 'stored';
    },
    reread: async (failedVersion) => ((await tokens.stored()).version === failedVersion ? 'none' : 'stored'),
    credentials: noCredentials,
    secrets: () => tokens.seen(),
    close: () => tokens.close(),
  };
}
