// The door of this room: from a tenant's settings to the port that the pipeline uses. Promises: a maintenance code goes to
// the origin of a development connection and nowhere else; credentials travel in headers (upload-file is the documented
// exception); nothing is sent over plain http except to a loopback address; both surfaces behave alike behind the port.
import { CodedError } from '../domain/errors/coded-error.js';
import { type Access, basicAccess } from './access.js';
import { ApiClient } from './api-client.js';
import { ApiSource } from './api-source.js';
import { ApiTarget } from './api-target.js';
import type { InvoicingSource } from './invoicing-source.js';
import type { OpenTarget } from './invoicing-target.js';
import { bearerAccess } from './oauth/bearer-access.js';
import { RememberedItems } from './remembered-items.js';
import type { SourceServices } from './source-services.js';
import { type SourceSettings, surfaceOf } from './source-settings.js';
import { agentDialect, credentialDialect } from './surface-dialect.js';

export function connectSource(settings: SourceSettings, services: SourceServices): InvoicingSource {
  const client = connectApi(settings, services);
  const dialect = surfaceOf(settings) === 'agent' ? agentDialect : credentialDialect;
  return new ApiSource(client, dialect, {
    items: new RememberedItems(services.runtime.clock),
    ...(settings.registrationNo !== undefined && { registrationNo: settings.registrationNo }),
    ...(services.limits?.pageSize !== undefined && { pageSize: services.limits.pageSize }),
  });
}

/** The other direction. Its calls keep to the same limits, in a client of their own. */
export function connectTarget(settings: SourceSettings, services: SourceServices): OpenTarget {
  const client = connectApi(settings, services);
  return Object.assign(new ApiTarget(client, surfaceOf(settings)), { close: () => client.close() });
}

/** Every endpoint, for the command line and the checks; the pipeline has no use for it. */
export function connectApi(settings: SourceSettings, services: SourceServices): ApiClient {
  mustBeSafe(settings.baseUrl);
  return new ApiClient(settings, services, accessTo(settings, services));
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
