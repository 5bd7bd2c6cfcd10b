// What `api` and `auth` share: a tenant's settings with their secrets, and the services of a connection. The database is
// opened only where a grant is needed, so that a tenant with a key can be looked at without one.
import { dirname } from 'node:path';
import { withRecords } from '../bridge/care-for-records.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Grants, SourceServices } from '../service/source-services.js';
import type { SourceSettings } from '../service/source-settings.js';
import { TokenKeyring } from '../service/oauth/token-keyring.js';
import type { SecondFactorRecords } from '../operations/users/user-records.js';
import { createLog } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { resolveSource } from '../tenants/resolve-source.js';
import { resolveSecret } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import type { CliIo } from './command.js';
import { findTenant, readSettings, type TenantOptions } from './tenant-files.js';
import { VERSION } from './version.js';

export interface SourceConnection {
  readonly tenant: Tenant;
  readonly settings: SourceSettings;
  readonly services: SourceServices;
}

export async function withSource<T>(
  io: CliIo,
  name: string,
  options: TenantOptions,
  act: (connection: SourceConnection) => Promise<T>,
): Promise<T> {
  const { directory } = await readSettings(io, options);
  const tenant = await findTenant(io, directory, name);
  const warn = (message: string) => io.err(`${message}\n`);
  const settings = resolveSource(tenant.source, (reference) =>
    resolveSecret(reference, { env: io.env, baseDirectory: dirname(tenant.file), warn }),
  );
  const services = {
    tenantName: tenant.name,
    runtime: SYSTEM_RUNTIME,
    log: await logTo(io),
    version: VERSION,
  };
  if (settings.auth.type !== 'oauth') return act({ tenant, settings, services });
  return withGrants(io, options, ({ store, keyring }) =>
    act({ tenant, settings, services: { ...services, grants: { store, keyring } } }),
  );
}

export async function withGrants<T>(
  io: CliIo,
  options: TenantOptions,
  act: (grants: Grants & { readonly factors: SecondFactorRecords }) => Promise<T>,
): Promise<T> {
  const { settings } = await readSettings(io, options);
  const keyring = keyringOf(settings);
  return withRecords(settings, { migrated: true }, (care) =>
    act({ store: care.grants(), keyring, factors: care.factors }),
  );
}

export function keyringOf(settings: BridgeSettings): TokenKeyring {
  if (settings.key === null) {
    throw new CodedError(
      'SOURCE_TOKEN_KEY_INVALID',
      'LEDGERBRIDGE_KEY is not set; it encrypts OAuth tokens at rest.',
    );
  }
  return new TokenKeyring(settings.key, settings.previousKey === null ? [] : [settings.previousKey]);
}

/** Warnings reach the person; the rest would only be noise beside an answer. */
async function logTo(io: CliIo): Promise<SourceServices['log']> {
  const { settings } = await readSettings(io, {});
  return createLog({
    level: settings.logLevel === 'info' ? 'warn' : settings.logLevel,
    format: settings.logFormat,
    isTty: io.isTty,
    destination: { write: (line) => io.err(line) },
  });
}
