// Who looks after the bridge and who tells people, wired: the watchman's rounds and the notifier's messages.
import type { TenantConnector } from './connect-tenant.js';
import type { TellEvent } from './domain/bridge-event.js';
import type { Operations } from './operations/operations.js';
import type { Database } from './store/database.js';
import { createFollowedIncidents } from './store/followed-incidents.js';
import { createDispatchStore } from './store/dispatch-store.js';
import { createIncidentReader } from './store/incident-reader.js';
import { createWatchStore } from './store/watch-store.js';
import type { Log } from './telemetry/log.js';
import type { Connections } from './worker/connections.js';
import { createNotifier, type Notifier } from './worker/notifier.js';
import { startWatchman } from './worker/watchman.js';

export interface WatchOptions {
  readonly log: Log;
  readonly version: string;
  /** Between two looks at how everything is. */
  readonly lookMs?: number;
}

interface Watched {
  readonly database: Database;
  readonly connections: Connections;
  readonly connector: TenantConnector;
  readonly operations: Pick<Operations, 'overview'>;
  readonly tell: TellEvent;
  readonly owner: string;
}

export function watchmanOf({ log, lookMs }: WatchOptions, watched: Watched) {
  const { connections, connector, operations, tell, owner } = watched;
  const { prisma } = watched.database;
  return startWatchman({
    owner,
    tell,
    ...(lookMs === undefined ? {} : { lookMs }),
    store: createWatchStore(prisma),
    incidents: createFollowedIncidents(prisma),
    overview: () => operations.overview(),
    dispatch: createDispatchStore(prisma),
    tenants: () => connections.names().flatMap((name) => connections.tenant(name) ?? []),
    keepAlive: (tenant) => connector.keepAlive(tenant),
    onError: (error) => log.warn({ err: error }, 'a round of the watchman failed; the next one follows'),
  });
}

export function notifierOf(
  { version }: { readonly version: string },
  { prisma }: Database,
  connections: Connections,
  connector: TenantConnector,
): Notifier {
  return createNotifier({
    dispatch: createDispatchStore(prisma),
    incidents: createIncidentReader(prisma),
    tenant: (name) => connections.tenant(name),
    secret: (tenant, reference) => connector.secret(tenant, reference),
    userAgent: `ledgerbridge/${version}`,
  });
}
