// From references to secrets: what a connection to the invoicing service is opened with. Call it when connecting and keep
// the result no longer than the connection, so that a rotated secret is picked up by the next one.
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { SourceAuth, SourceSettings } from '../service/source-settings.js';
import type { TenantSource } from './source-schema.js';

export function resolveSource(
  source: TenantSource,
  secret: (reference: SecretReference) => Secret,
): SourceSettings {
  const { baseUrl, registrationNo } = source;
  const auth = resolveAuth(source.auth, secret);
  const common = { baseUrl, auth, ...(registrationNo !== undefined && { registrationNo }) };
  if (source.environment === 'production') return { environment: 'production', ...common };
  return { environment: 'development', ...common, maintenanceCode: secret(source.maintenanceCode) };
}

function resolveAuth(auth: TenantSource['auth'], secret: (reference: SecretReference) => Secret): SourceAuth {
  if (auth.type === 'credentials') {
    return {
      type: 'credentials',
      username: auth.username,
      apiKey: secret(auth.apiKey),
      ...(auth.surface !== undefined && { surface: auth.surface }),
      ...(auth.agentId !== undefined && { agentId: auth.agentId }),
    };
  }
  return {
    type: 'oauth',
    clientId: auth.clientId,
    redirectUri: auth.redirectUri,
    scopes: auth.scopes,
    ...(auth.clientSecret !== undefined && { clientSecret: secret(auth.clientSecret) }),
  };
}
