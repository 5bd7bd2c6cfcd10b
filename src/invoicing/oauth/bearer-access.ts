// Bearer tokens for the client: opened from the grant store, refreshed in time, and again when a 401 says they expired.
import { CodedError } from '../../domain/errors/coded-error.js';
import { type Access, noCredentials } from '../access.js';
import type { SourceServices } from '../source-services.js';
import type { OAuthAuth, SourceSettings } from '../source-settings.js';
import { TokenEndpoint } from './token-endpoint.js';
import { TokenSource } from './token-source.js';

export function bearerAccess(settings: SourceSettings, auth: OAuthAuth, services: SourceServices): Access {
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
