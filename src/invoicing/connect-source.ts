// The door of this room: from a tenant's settings to the port that the pipeline uses. Promises: a maintenance code goes to
// the origin of a development connection and nowhere else; credentials travel in headers (upload-file is the documented
// exception); nothing is sent over plain http except to a loopback address; both surfaces behave alike behind the port.
import { CodedError } from '../domain/errors/coded-error.js';
import { type Access, basicAccess } from './access.js';
import { AccountCheck } from './account-check.js';
import { ApiClient } from './api-client.js';
import { ApiSource } from './api-source.js';
import { ApiTarget } from './api-target.js';
import { identify } from './identify.js';
import type { InvoicingSource } from './invoicing-source.js';
import type { OpenTarget } from './invoicing-target.js';
import { bearerAccess } from './oauth/bearer-access.js';
import { RememberedItems } from './remembered-items.js';
import type { SourceServices } from './source-services.js';
import { type SourceSettings, surfaceOf } from './source-settings.js';
import { Traffic } from './traffic.js';
import { agentDialect, credentialDialect, type SurfaceDialect } from './surface-dialect.js';

export function connectSource(settings: SourceSettings, services: SourceServices): InvoicingSource {
  const { client, check } = connectAccount(settings, services);
  return new ApiSource(client, dialectOf(settings), {
    hello: () => check.hello(),
    items: new RememberedItems(services.runtime.clock),
    ...(services.limits?.pageSize !== undefined && { pageSize: services.limits.pageSize }),
  });
}

/** The other direction, in a client of its own. */
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
    ask: () => identify(anyAccount, dialectOf(settings), settings, services),
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

function dialectOf(settings: SourceSettings): SurfaceDialect {
  return surfaceOf(settings) === 'agent' ? agentDialect : credentialDialect;
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
