// The dashboard of a bridge under test, with somebody who can sign in: the one the bridge itself serves, or one of its own
// whose clock the test holds.
import { randomBytes, scryptSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { dashboard, type RouteEntry } from '../../src/dashboard/dashboard.js';
import type { IdentityDoor } from '../../src/dashboard/deps.js';
import type { Clock } from '../../src/domain/runtime.js';
import type { Secret } from '../../src/domain/secret.js';
import { createOriginalsView } from '../../src/operations/originals-view.js';
import { createTenantCards } from '../../src/operations/tenant-card.js';
import { asLogin } from '../../src/operations/users/passwords.js';
import { createUserAccounts, type UserAccounts } from '../../src/operations/users/user-accounts.js';
import type { FactorPolicy } from '../../src/domain/factor-policy.js';
import type { UserRecords, UserRole } from '../../src/operations/users/user-records.js';
import { directoryVault } from '../../src/originals/directory-vault.js';
import { createHistory } from '../../src/store/dashboard/history.js';
import { createUserStore } from '../../src/store/dashboard/user-store.js';
import { createOriginalsReader } from '../../src/store/operations/originals-reader.js';
import { createLog } from '../../src/telemetry/log.js';
import type { Bridge } from '../../src/bridge/start-bridge.js';
import { vaultOf } from '../../src/bridge/serve-dashboard.js';

export const PASSWORD = 'hross kind naut geit';

export interface DashboardBed {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly users: UserAccounts;
  /** Nothing happens when that person is there already: a test that is tried again finds them. */
  addUser(login: string, role: UserRole): Promise<void>;
  close(): Promise<void>;
}

export interface OwnDashboard extends DashboardBed {
  /** With who may come; what the bridge serves has more routes than these. */
  readonly routes: readonly RouteEntry[];
}

/** What the bridge serves; it is closed with the bridge. */
export function servedDashboard(bridge: Bridge): DashboardBed {
  if (!bridge.http) throw new Error('This bridge serves nothing.');
  const { app, url } = bridge.http;
  const records = createUserStore(bridge.database);
  const clock = { now: () => new Date() };
  const users = createUserAccounts(records, clock);
  return { app, url, users, addUser: adder(records, clock), close: () => Promise.resolve() };
}

export async function dashboardBed(
  bridge: Bridge,
  options: {
    publicUrl?: string;
    now?: () => Date;
    port?: number;
    identity?: IdentityDoor | null;
    key?: Secret;
    secondFactor?: FactorPolicy;
  } = {},
): Promise<OwnDashboard> {
  const clock = { now: options.now ?? (() => new Date()) };
  const vault = vaultOf({ key: options.key ?? null, previousKey: null });
  const records = createUserStore(bridge.database);
  const users = createUserAccounts(records, clock, vault, options.secondFactor);
  const routes: RouteEntry[] = [];
  const app = fastify({ forceCloseConnections: true });
  const log = createLog({ level: 'fatal', format: 'json', isTty: false });
  const { operations, spoken, queues } = bridge;
  const tenants = createTenantCards(bridge.connections, {}, clock);
  const history = createHistory(bridge.database);
  const originals = createOriginalsView(
    createOriginalsReader(bridge.database),
    directoryVault(join(tmpdir(), 'no-originals')),
  );
  const publicUrl = options.publicUrl ?? null;
  await app.register(
    dashboard(
      {
        operations,
        spoken,
        users,
        tenants,
        history,
        originals,
        queues,
        clock,
        log,
        version: 'test',
        publicUrl,
        identity: options.identity ?? null,
        filesEditable: false,
      },
      routes,
    ),
  );
  const url = await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  return { app, url, users, routes, addUser: adder(records, clock), close: () => app.close() };
}

/** The cost of a hash stands in it: signing in with this one takes 3 ms of a processor. What the product makes takes 100. */
const QUICK = { logN: 10, r: 8, p: 1 };

function quickHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** QUICK.logN, r: QUICK.r, p: QUICK.p });
  return ['scrypt', QUICK.logN, QUICK.r, QUICK.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

function adder(records: UserRecords, clock: Clock): DashboardBed['addUser'] {
  return async (login, role) => {
    const user = { login: asLogin(login), role, reach: null, passwordHash: quickHash(PASSWORD) };
    await records.create({ ...user, by: 'test', at: clock.now() });
  };
}

export interface RegisteredRoute {
  readonly method: string;
  /** As it was registered: /documents/:id */
  readonly url: string;
}

/** Everything a server answers to, from the server's own listing rather than from a list that somebody keeps. */
export function registeredRoutes(app: FastifyInstance): RegisteredRoute[] {
  const prefixes: string[] = [];
  const routes: RegisteredRoute[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', path = '', methods] = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (path === '') continue;
    const depth = indent.length / 4;
    prefixes.length = depth;
    const url = (prefixes[depth - 1] ?? '') + path;
    prefixes[depth] = url;
    for (const method of methods?.split(', ') ?? []) routes.push({ method, url });
  }
  return routes;
}

/** An address that the route answers to. */
export function addressOf({ url }: RegisteredRoute): string {
  return url.replaceAll(/:\w+/g, 'x').replace('*', 'x');
}
