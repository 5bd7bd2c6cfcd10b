// What `ledgerbridge auth` does. Every act works on one tenant's grant in the records; none prints a secret.
import { dirname } from 'node:path';
import { AGENT_ENDPOINTS } from '../service/agent-endpoints.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { connectApi } from '../service/connect-source.js';
import type { GrantRow } from '../service/grant-store.js';
import { beginLogin, finishLogin, readCallback } from '../service/oauth/login.js';
import { registerClient, rotateKey } from '../service/oauth/register.js';
import { resealFactors } from '../operations/users/second-factor.js';
import type { OAuthAuth, SourceSettings } from '../service/source-settings.js';
import { resolveSecret } from '../tenants/secrets.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import { answer } from './answer.js';
import { awaitCallback, type LoginOptions } from './auth-callback.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { confirm } from './prompt.js';
import { type SourceConnection, withGrants, withSource } from './source-connection.js';
import { table } from './table.js';
import { findTenant, readSettings, type TenantOptions } from './tenant-files.js';

export interface OwnerOptions extends TenantOptions {
  readonly username?: string;
  readonly apiKey?: string;
  readonly yes?: boolean;
}

export interface RegisterOptions extends OwnerOptions {
  readonly name: string;
  readonly redirectUri?: string;
  readonly rotateSecret?: boolean;
}

export async function register(io: CliIo, name: string, options: RegisterOptions): Promise<void> {
  await withSource(io, name, options, (connection) =>
    withGrants(io, options, async ({ store, keyring }) => {
      const { settings, services } = connection;
      const redirectUri =
        options.redirectUri ?? (settings.auth.type === 'oauth' ? settings.auth.redirectUri : undefined);
      if (redirectUri === undefined) throw usage('Give --redirect-uri, an https address of yours.');
      const client = connectApi(ownerSettings(io, connection, options), services);
      try {
        const asked = {
          tenant: name,
          name: options.name,
          redirectUri,
          rotateSecret: options.rotateSecret === true,
        };
        const done = await registerClient(client, store, keyring, asked, SYSTEM_RUNTIME.clock.now());
        answer(io, options, done, () => sayRegistered(done, name));
      } finally {
        await client.close();
      }
    }),
  );
}

function sayRegistered(
  done: { clientId: string; existing: boolean; rotated: boolean; hasSecret: boolean },
  name: string,
): string {
  const what = done.rotated ? 'has a new secret' : done.existing ? 'was registered before' : 'is registered';
  const secret = done.hasSecret
    ? 'Its secret is stored, encrypted.'
    : 'Its secret is not known here; --rotate-secret makes a new one.';
  return `The client ${done.clientId} ${what}. ${secret}\nWrite clientId: ${done.clientId} into the tenant file, then: ledgerbridge auth login ${name}\n`;
}

export async function login(io: CliIo, name: string, options: LoginOptions): Promise<void> {
  await withSource(io, name, options, async ({ settings, services }) => {
    const auth = oauthOf(settings, name);
    const attempt = beginLogin(settings, auth);
    const callback = await awaitCallback(io, settings, auth, attempt, options);
    const code = readCallback(attempt, auth, callback);
    const { scopes, accessExpiresAt } = await finishLogin(settings, auth, services, attempt, code);
    const missing = auth.scopes.filter((scope) => !scopes.includes(scope));
    answer(io, options, { tenant: name, scopes, accessExpiresAt, missing }, () => {
      const lacking =
        missing.length === 0 ? '' : `\nNot granted: ${missing.join(', ')} (plan, or a box left empty).`;
      return `Signed in. Granted: ${scopes.join(', ')}.${lacking}`;
    });
    if (missing.length > 0) io.setExitCode(EXIT.problems);
  });
}

export async function status(io: CliIo, name: string | undefined, options: TenantOptions): Promise<void> {
  const nothing = await nothingToLookAfter(io, name, options);
  if (nothing !== null) {
    answer(io, options, [], () => nothing);
    return;
  }
  await withGrants(io, options, async ({ store, keyring }) => {
    const now = SYSTEM_RUNTIME.clock.now();
    const rows = (await store.list())
      .filter(({ tenant }) => name === undefined || tenant === name)
      .map((row) => describeGrant(row, keyring.currentKeyId, now));
    const column = (title: keyof (typeof rows)[number]) => ({
      title,
      value: (row: (typeof rows)[number]) => row[title],
    });
    const columns = [
      column('tenant'),
      column('state'),
      column('scopes'),
      column('access'),
      column('refresh'),
      column('key'),
    ];
    answer(io, options, rows, () => (rows.length === 0 ? 'There are no grants.' : table(io, columns, rows)));
    if (rows.some(({ state }) => state !== 'active')) io.setExitCode(EXIT.problems);
  });
}

/** Without OAuth there are no tokens, so their key and the database need not be there. null: there may be grants. */
async function nothingToLookAfter(
  io: CliIo,
  name: string | undefined,
  options: TenantOptions,
): Promise<string | null> {
  const { settings, directory } = await readSettings(io, options);
  if (settings.key !== null) return null;
  if (name !== undefined) {
    const { source } = await findTenant(io, directory, name);
    return source.auth.type === 'oauth' ? null : withoutGrant(name);
  }
  const { loadTenants } = await import('../tenants/load-tenants.js');
  const { tenants } = await loadTenants(directory);
  if (tenants.some(({ source }) => source.auth.type === 'oauth')) return null;
  return 'No tenant signs in with OAuth, so there are no grants to look after.';
}

function withoutGrant(name: string): string {
  return `${name} signs in with a user name and API key; there is no grant to look after.`;
}

function describeGrant(row: GrantRow, currentKeyId: string, now: Date) {
  return {
    tenant: row.tenant,
    client: row.clientId,
    state: row.state,
    scopes: row.scopes.join(','),
    access: left(row.accessExpiresAt, now),
    refresh: left(row.refreshExpiresAt, now),
    key: row.keyId === currentKeyId ? 'current' : 'older',
    since: row.updatedAt.toISOString(),
  };
}

function left(until: Date, now: Date): string {
  const minutes = Math.floor((until.getTime() - now.getTime()) / 60_000);
  if (minutes < 0) return 'expired';
  return minutes < 2_880 ? `${String(minutes)} min` : `${String(Math.floor(minutes / 1_440))} days`;
}

export async function revoke(io: CliIo, name: string, options: OwnerOptions): Promise<void> {
  await withSource(io, name, options, async (connection) => {
    const auth = oauthOf(connection.settings, name);
    const { store } = connection.services.grants ?? {};
    const consequence = `The grant of ${name} ends: its tokens stop working and polling stops until somebody signs in again.`;
    if (!(await confirm(io, { consequence, question: 'Revoke it?', yes: options.yes }))) return;
    const client = connectApi(ownerSettings(io, connection, options), connection.services);
    try {
      const ended = await client.call(AGENT_ENDPOINTS['revoke-agent'], { agent_id: auth.clientId });
      const row = await store?.read(name);
      if (row) {
        const lease = { tenant: name, owner: '', version: row.version };
        await store?.close(lease, 'revoked', SYSTEM_RUNTIME.clock.now());
      }
      const said =
        ended.outcome === 'ok'
          ? 'Revoked at the service and here.'
          : `Ended here; the service said: ${ended.message}.`;
      answer(io, options, { tenant: name, revoked: true, service: ended.outcome }, () => said);
    } finally {
      await client.close();
    }
  });
}

export async function rotate(io: CliIo, options: TenantOptions): Promise<void> {
  await withGrants(io, options, async ({ store, keyring, factors }) => {
    const grants = await rotateKey(store, keyring, SYSTEM_RUNTIME.clock.now());
    const resealed = await resealFactors(factors, {
      seal: (owner, secret) => keyring.seal(owner, 'second-factor', secret),
      open: (owner, sealed) => keyring.open(owner, 'second-factor', sealed),
    });
    const done = { ...grants, resealed: grants.resealed + resealed };
    answer(io, options, done, () => {
      const kept = done.alreadyCurrent === 0 ? '' : ` ${String(done.alreadyCurrent)} had it already.`;
      return `${String(done.resealed)} entries are encrypted with the current key now.${kept} LEDGERBRIDGE_KEY_PREVIOUS can go once every process has restarted.`;
    });
  });
}

/** Managing agents takes the account's own credentials: the tenant's, or those named on the command line. */
function ownerSettings(
  io: CliIo,
  { settings, tenant }: SourceConnection,
  options: OwnerOptions,
): SourceSettings {
  const { username, apiKey } = options;
  if (username === undefined && apiKey === undefined && settings.auth.type === 'credentials') {
    return { ...settings, auth: { ...settings.auth, surface: 'agent' } };
  }
  if (username === undefined || apiKey === undefined) {
    throw usage(
      'This takes the account’s own credentials: give --username and --api-key env:NAME (or file:path).',
    );
  }
  const places = { env: io.env, baseDirectory: dirname(tenant.file) };
  const secret = resolveSecret(apiKey, places);
  return { ...settings, auth: { type: 'credentials', username, apiKey: secret, surface: 'agent' } };
}

function oauthOf(settings: SourceSettings, name: string): OAuthAuth {
  if (settings.auth.type === 'oauth') return settings.auth;
  throw usage(withoutGrant(name));
}

function usage(message: string): CodedError {
  return new CodedError('CLI_USAGE', message);
}
