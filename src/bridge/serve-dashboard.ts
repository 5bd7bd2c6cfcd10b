// The dashboard of a bridge, put together: what it reads, who may sign in, and the code for the first one who does.
import { dashboard, type DashboardDeps, type RouteEntry } from '../dashboard/dashboard.js';
import { createIdentityProvider } from '../identity/identity-provider.js';
import { TokenKeyring } from '../invoicing/oauth/token-keyring.js';
import type { Operations, SpokenOperations } from '../operations/operations.js';
import { createOriginalsView } from '../operations/originals-view.js';
import { createTenantCards } from '../operations/tenant-card.js';
import type { Vault } from '../operations/users/second-factor.js';
import { createUserAccounts, type UserAccounts } from '../operations/users/user-accounts.js';
import { openVault } from './open-vault.js';
import { createHistory } from '../store/dashboard/history.js';
import { createUserStore } from '../store/dashboard/user-store.js';
import type { Database } from '../store/database.js';
import { createOriginalsReader } from '../store/operations/originals-reader.js';
import type { Log } from '../telemetry/log.js';
import type { Metrics } from '../telemetry/metrics/metrics.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { loadSignIn } from '../tenants/load-sign-in.js';
import type { Connections } from '../worker/connections.js';
import type { Queues } from '../worker/queues.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export interface ServeOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
}

export interface ServedBridge {
  readonly operations: Operations;
  readonly spoken: SpokenOperations;
  readonly database: Database;
  readonly connections: Connections;
  readonly queues: Queues;
  readonly metrics: Metrics;
}

export interface ServedDashboard {
  readonly users: UserAccounts;
  /** Everything that was registered, once it is mounted. */
  readonly routes: readonly RouteEntry[];
  /** A plugin for the server. */
  readonly plugin: ReturnType<typeof dashboard>;
}

/** Seals with the key that seals grants; null: nobody set one. */
export function vaultOf({ key, previousKey }: Pick<BridgeSettings, 'key' | 'previousKey'>): Vault | null {
  if (key === null) return null;
  const keyring = new TokenKeyring(key, previousKey === null ? [] : [previousKey]);
  return {
    seal: (owner, secret) => keyring.seal(owner, 'second-factor', secret),
    open: (owner, sealed) => keyring.open(owner, 'second-factor', sealed),
  };
}

export async function openIdentity({
  settings,
  env,
}: Pick<ServeOptions, 'env'> & { readonly settings: Pick<BridgeSettings, 'configDirectory'> }): Promise<
  DashboardDeps['identity']
> {
  const file = await loadSignIn(settings.configDirectory, env);
  if (file === null) return null;
  const { name, passwords, roles, secondFactor } = file;
  const rules = roles.map(({ group, role, companies }) => ({ group, role, companies: companies ?? null }));
  return { provider: createIdentityProvider(file), name, passwords, rules, secondFactor };
}

export async function openDashboard(options: ServeOptions, bridge: ServedBridge): Promise<ServedDashboard> {
  const { prisma } = bridge.database;
  const { clock } = SYSTEM_RUNTIME;
  const { settings } = options;
  const users = createUserAccounts(createUserStore(prisma), clock, vaultOf(settings), settings.secondFactor);
  const routes: RouteEntry[] = [];
  const deps: DashboardDeps = {
    operations: bridge.operations,
    spoken: bridge.spoken,
    users,
    tenants: createTenantCards(bridge.connections, options.env, clock),
    history: createHistory(prisma),
    originals: createOriginalsView(createOriginalsReader(prisma), openVault(options.settings)),
    queues: bridge.queues,
    clock,
    log: options.log,
    version: options.version,
    publicUrl: options.settings.publicUrl,
    identity: await openIdentity(options),
    filesEditable: options.settings.tenantFiles === 'editable',
  };
  return { users, routes, plugin: dashboard(deps, routes) };
}

/** There is no default password: whoever sees the log makes the first account. */
export async function offerSetUp(users: UserAccounts, url: string, log: Log): Promise<void> {
  if (!(await users.needsSetUp())) return;
  const code = await users.issueSetupCode();
  log.warn(`Nobody can sign in to the dashboard yet. Open ${url}/setup and use the set-up code ${code}`);
}
