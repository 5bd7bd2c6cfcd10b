// Who looks after the bridge and who tells people, wired: the watchman's rounds and the notifier's messages.
import type { Channel } from '../notifications/channel.js';
import type { TenantConnector } from './connect-tenant.js';
import type { TellEvent } from '../domain/bridge-event.js';
import type { Operations } from '../operations/operations.js';
import { lastAnchored, readAuditHeads, sayAnchored } from '../store/audit-anchor.js';
import type { Database } from '../store/database.js';
import { createFollowedIncidents } from '../store/incidents.js';
import { createDispatchStore } from '../store/dispatch-store.js';
import { removeAddresses } from '../store/privacy/operators-store.js';
import { firstDayKept } from '../operations/care/limits.js';
import { createNotificationStore } from '../store/notification-store.js';
import { createWatchStore } from '../store/watch-store.js';
import { type Log, seldom } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { TenantWatch } from '../tenants/watch-tenants.js';
import { anchorDaily, startWatchman } from '../worker/watchman.js';
import type { Connections } from '../worker/connections.js';
import { type Notifier, type NotifierTiming, startNotifier } from '../worker/notifier.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';

export interface WatchOptions {
  readonly log: Log;
  readonly version: string;
  /** Between two looks at how everything is. */
  readonly lookMs?: number;
  readonly settings: Pick<BridgeSettings, 'auditAnchor' | 'addressDays'>;
}

export interface NotifyOptions extends WatchOptions {
  readonly notifierTiming?: NotifierTiming;
}

interface Watched {
  readonly database: Database;
  readonly connections: Connections;
  readonly connector: TenantConnector;
  readonly files: Pick<TenantWatch, 'broken'>;
  readonly channels: () => Promise<readonly Channel[]>;
  readonly operations: Pick<Operations, 'overview'>;
  readonly tell: TellEvent;
  readonly owner: string;
}

function complain(log: Log, message: string) {
  const warn = seldom((facts, text) => log.warn(facts, text));
  return (error: unknown) => warn({ err: error }, message);
}

export function watchmanOf({ log, lookMs, settings }: WatchOptions, watched: Watched) {
  const { auditAnchor, addressDays } = settings;
  const { connections, connector, operations, tell, owner } = watched;
  const { db } = watched.database;
  return startWatchman({
    owner,
    tell,
    ...(lookMs === undefined ? {} : { lookMs }),
    store: createWatchStore(db),
    incidents: createFollowedIncidents(db),
    overview: () => operations.overview(),
    brokenFiles: () => watched.files.broken(),
    dispatch: createDispatchStore(watched.database),
    tenants: () => connections.names().flatMap((name) => connections.tenant(name) ?? []),
    keepAlive: (tenant) => connector.keepAlive(tenant),
    removeAddresses: addressDays === null ? undefined : () => removeOldAddresses(db, addressDays),
    anchor: auditAnchor === null ? undefined : () => anchorNow(db, auditAnchor),
    onError: complain(log, 'a round of the watchman failed; the next one follows'),
  });
}

function removeOldAddresses(db: Database['db'], days: number) {
  const act = { actor: 'scheduler', reason: `older than ${String(days)} days` };
  return removeAddresses(db, firstDayKept(days, SYSTEM_RUNTIME.clock.now()), act);
}

function anchorNow(db: Database['db'], path: string) {
  const records = {
    heads: (now: Date) => readAuditHeads(db, now),
    last: (place: string) => lastAnchored(db, place),
    said: (place: string, what: { heads: number; now: Date }) => sayAnchored(db, place, what),
  };
  return anchorDaily(records, path, SYSTEM_RUNTIME.clock.now());
}

export function notifierOf(options: NotifyOptions, watched: Watched): Notifier {
  const { connections, operations, tell, owner } = watched;
  const { db } = watched.database;
  return startNotifier({
    owner,
    tell,
    dispatch: createDispatchStore(watched.database),
    store: createNotificationStore(db),
    incidents: createFollowedIncidents(db),
    channels: watched.channels,
    heads: (now) => readAuditHeads(db, now),
    figures: async () =>
      (await operations.overview()).tenants.map(({ name: tenant, ...figures }) => ({ tenant, ...figures })),
    tenantTitle: (name) => connections.tenant(name)?.title ?? name,
    userAgent: `ledgerbridge/${options.version}`,
    now: () => SYSTEM_RUNTIME.clock.now(),
    ...(options.notifierTiming === undefined ? {} : { timing: options.notifierTiming }),
    onError: complain(options.log, 'telling people failed; it is tried again'),
  });
}
