// The dashboard of a bridge, put together: what it reads, who may sign in, and the code for the first one who does.
import { dirname } from 'node:path';
import { dashboard, type DashboardDeps, type RouteEntry } from '../dashboard/dashboard.js';
import { createIdentityProvider } from '../identity/identity-provider.js';
import { TokenKeyring } from '../service/oauth/token-keyring.js';
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
import { type Metrics, bearerOf, registerMetrics } from '../telemetry/metrics/metrics.js';
import { type BridgeSettings, DEFAULT_PORT } from '../tenants/bridge-settings.js';
import { loadSignIn } from '../tenants/load-sign-in.js';
import type { Connections } from '../worker/connections.js';
import { type Queues, queueDepths } from '../worker/queues.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import { type IntakeDeps, intake } from '../api/intake/register-intake.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { createDeliveries } from '../store/inbox-store.js';
import { resolveSecret } from '../tenants/secrets.js';
import { type HttpServer, type ProbeOptions, startHttpServer, startProbeServer } from '../api/server.js';
import { createAnswerRecords } from '../store/operations/api-records.js';

interface ServeOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: Log;
}

interface ServedBridge {
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

async function openDashboard(options: ServeOptions, bridge: ServedBridge): Promise<ServedDashboard> {
  const { database } = bridge;
  const { clock } = SYSTEM_RUNTIME;
  const { settings } = options;
  const users = createUserAccounts(
    createUserStore(database),
    clock,
    vaultOf(settings),
    settings.secondFactor,
  );
  const routes: RouteEntry[] = [];
  const deps: DashboardDeps = {
    operations: bridge.operations,
    spoken: bridge.spoken,
    users,
    tenants: createTenantCards(bridge.connections, options.env, clock),
    history: createHistory(database),
    originals: createOriginalsView(createOriginalsReader(database), openVault(options.settings)),
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
async function offerSetUp(users: UserAccounts, url: string, log: Log): Promise<void> {
  if (!(await users.needsSetUp())) return;
  const code = await users.issueSetupCode();
  log.warn(`Nobody can sign in to the dashboard yet. Open ${url}/setup and use the set-up code ${code}`);
}

// Where records over HTTP may come to, from the tenant files; secrets are read when a request comes, so that a new one counts at once.

function intakeOf(
  { env, log }: Pick<ServeOptions, 'env' | 'log'>,
  { database: { db }, connections }: Pick<ServedBridge, 'database' | 'connections'>,
): IntakeDeps {
  const onError = (error: unknown) => log.warn({ err: error }, 'a record over HTTP was not taken');
  return {
    deliveries: createDeliveries(db),
    place: (tenantName, originName) => {
      const tenant = connections.tenant(tenantName);
      const origin = tenant?.outgoing?.origins.find(({ name }) => name === originName);
      if (!tenant || origin?.type !== 'http') return null;
      const { requestsPerSecond, waitingMax, kinds } = origin;
      const secrets = origin.secrets.flatMap((reference) => {
        try {
          return [resolveSecret(reference, { env, baseDirectory: dirname(tenant.file) })];
        } catch (error) {
          // One that is gone keeps nobody out who has another.
          if (!(error instanceof CodedError)) throw error;
          onError(error);
          return [];
        }
      });
      return { requestsPerSecond, waitingMax, secrets, ...(kinds && { kinds }) };
    },
    nowMs: () => SYSTEM_RUNTIME.clock.now().getTime(),
    onError,
  };
}

// What a bridge serves over HTTP: the dashboard, the operator API, health and readiness. One place, so that every room that
// is mounted on the same server is found here.

export async function serveHttp(options: ServeOptions, bridge: ServedBridge): Promise<HttpServer> {
  const { settings, log } = options;
  const { users, plugin } = await openDashboard(options, bridge);
  const probes = probesOf(options, bridge, settings.port ?? DEFAULT_PORT);
  const http = await startHttpServer({
    ...probes,
    answers: createAnswerRecords(bridge.database),
    nowMs: () => SYSTEM_RUNTIME.clock.now().getTime(),
    mount: async (app) => {
      await probes.mount(app);
      await app.register(intake(intakeOf(options, bridge)));
      await app.register(plugin);
    },
  });
  await offerSetUp(users, settings.publicUrl ?? http.url, log);
  return http;
}

/** For a worker or a scheduler: what a supervisor asks, on the port it was given, if it was given one. */
export async function serveProbes(options: ServeOptions, bridge: ServedBridge): Promise<HttpServer | null> {
  const { port } = options.settings;
  return port === null ? null : startProbeServer(probesOf(options, bridge, port));
}

function probesOf({ settings, version, log }: ServeOptions, bridge: ServedBridge, port: number) {
  return {
    host: settings.host,
    port,
    trustedProxies: settings.trustedProxies,
    operations: bridge.operations,
    version,
    queueStore: bridge.queues.backend,
    askQueues: () => queueDepths(bridge.queues),
    onError: (error) => log.warn({ err: error }, 'a request failed'),
    mount: (app) => {
      const authorise = bearerOf(async (value, address) => {
        // The metrics name every company.
        const token = await bridge.operations.recogniseToken(value);
        if (token === null) await bridge.operations.refuseToken(value, address);
        return token !== null && token.companies === null;
      });
      registerMetrics(app, bridge.metrics, { access: settings.metrics, authorise });
      return Promise.resolve();
    },
  } satisfies ProbeOptions;
}
