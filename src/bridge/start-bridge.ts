// The composition root: this folder is the one place that knows everybody. Here the records are opened, the tenants connected and the
// parts started that a role asks for; nobody imports it but the command line.
import type { TenantName } from '../domain/ids.js';
import { callWitness, tenantConnector, type TenantConnector } from './connect-tenant.js';
import { channelsFrom, tryChannels } from './connect-channels.js';
import { createTeller, type TellEvent } from '../domain/bridge-event.js';
import type { HttpServer } from '../api/server.js';
import { booksOf } from './close-books.js';
import { createSpokenOperations, type SpokenOperations } from '../operations/operations.js';
import { followTenants } from './follow-tenants.js';
import { notifierOf, watchmanOf } from './watch-over.js';
import { serveHttp, serveProbes } from './serve-dashboard.js';
import { startRunKeeper } from '../operations/run-keeper.js';
import type { FailPoints } from '../sync/fail-points.js';
import type { OutboundTiming } from '../outbound/stage.js';
import type { PostTiming } from '../sync/work.js';
import type { SweepReport } from '../sync/intake-records.js';
import { awaitDatabase, type Database, type DatabaseOptions } from '../store/database.js';
import { createDispatchStore } from '../store/dispatch-store.js';
import { createMetricsReader } from '../store/metrics-reader.js';
import { createOperationRecords } from '../store/operations/act-records.js';
import { createPostingStore } from '../store/posting-store.js';
import { createReconciliationStore } from '../store/reconciliation-store.js';
import { createTenantStore, type TenantStore } from '../store/tenant-store.js';
import { type Log, seldom } from '../telemetry/log.js';
import { createMetrics, type Metrics, type MetricsOptions } from '../telemetry/metrics/metrics.js';
import { eventLog } from '../telemetry/event-log.js';
import { observeConnector, tellPostings } from '../telemetry/metrics/counters.js';
import type { DocumentTraces } from '../telemetry/traces/document-traces.js';
import type { OpenTraces } from '../telemetry/traces/open-traces.js';
import { traceConnector } from '../telemetry/traces/traced-ports.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { type LoadedTenants, loadTenants } from '../tenants/load-tenants.js';
import { type Connections, createConnections } from '../worker/connections.js';
import { type Dispatcher, startDispatcher } from '../worker/dispatcher.js';
import type { NotifierTiming } from '../worker/notifier.js';
import type { OutgoingPace } from '../worker/outgoing-keeper.js';
import { queueDepths, type Queues, openQueues } from '../worker/queues.js';
import { createReconciler, type Reconciler } from '../worker/reconciler.js';
import { watchRedis } from '../worker/redis-facts.js';
import { createSchedules, type Schedules, processOwner, SYSTEM_RUNTIME } from '../worker/schedules.js';
import { startWorkers } from '../worker/start-workers.js';
import { Opened, DUTIES, type Role } from './opened.js';
import { workshop } from './workshop.js';
import { useTimeZone } from '../domain/local-time.js';
import { migrateAsOwner } from '../store/migrate.js';
import {
  carryOutgoing,
  type CarryOutgoingOptions,
  keepOriginals,
  type KeepOriginalsOptions,
} from './carry-outgoing.js';
import type { Workshop } from '../worker/handlers.js';
import { unknownTenant } from '../operations/known-tenant.js';
import type { TenantFiles } from '../operations/deps.js';
import { editTenantFile, saveTenantFile } from '../tenants/edit-tenant-file.js';

export interface BridgeOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly role: Role;
  readonly version: string;
  readonly log: Log;
  readonly failPoints?: FailPoints;
  readonly timing?: PostTiming;
  readonly outgoingTiming?: OutboundTiming;
  readonly outgoingPace?: OutgoingPace;
  /** How long a start waits for a database that cannot be reached. */
  readonly databaseWaitMs?: number;
  /** Between two looks at how everything is. */
  readonly lookMs?: number;
  readonly notifierTiming?: NotifierTiming;
  /** Called right before the first request can come: lets go of what held the port meanwhile. */
  readonly beforeServing?: () => Promise<void>;
  readonly onSweep?: (tenantName: TenantName, reports: readonly SweepReport[]) => void;
}

export interface Bridge {
  readonly database: Database;
  readonly queues: Queues;
  readonly connections: Connections;
  readonly tenants: TenantStore;
  readonly schedules: Schedules;
  readonly reconciler: Reconciler;
  /** What the command line, the API and the dashboard call. */
  readonly operations: SpokenOperations['en'];
  readonly spoken: SpokenOperations;
  /** Of this process and of the whole bridge, for Prometheus. */
  readonly metrics: Metrics;
  /** The API and the dashboard, or what supervisors ask; null when nothing is served. */
  readonly http: HttpServer | null;
  /** Resolves when everything that was started has stopped. */
  close(): Promise<void>;
}

/** A process that starts sweeps what nobody has swept for this long: a rolling restart is no reason to ask for everything anew. */
const SWEPT_LATELY_MS = 30_000;
/** Longer than a PostgreSQL takes to start, also one that has a power cut to recover from. */
const DATABASE_WAIT_MS = 120_000;
const DISPATCH = { round: 64, turnMin: 4, jobMin: 32, intervalMs: 250 } as const;

export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const opened = new Opened();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened
      .close()
      .catch((left: unknown) => options.log.warn({ err: left }, 'a failed start left something open'));
    throw error;
  }
}

async function open(options: BridgeOptions, opened: Opened): Promise<Bridge> {
  const { settings, log, role } = options;
  // The files are read while the database starts; what is wrong with them is said when it runs.
  const loading = loadTenants(settings.tenantsDirectory, options.env);
  loading.catch(() => undefined);
  const waiting = {
    waitMs: options.databaseWaitMs ?? DATABASE_WAIT_MS,
    onWaiting: (error: unknown, leftMs: number) =>
      log.warn({ err: error, leftMs: Math.round(leftMs) }, 'the database cannot be reached yet; waiting'),
  };
  const close = (part: { close(): unknown }) => part.close();
  const tracing = opened.add(await startTraces(options), close);
  const database = opened.add(await awaitDatabase(databaseOptions(options), waiting), close);
  const queues = opened.add(await prepareStores(settings, database, warner(log)), close);
  const stores = { database, queues, traces: tracing.traces };
  const bridge = await assemble(options, stores, await loading, opened);
  await options.beforeServing?.();
  const http = await (DUTIES[role].serves ? serveHttp : serveProbes)(options, bridge);
  if (http) opened.add(http, close);
  return { ...bridge, http, close: () => opened.close() };
}

function databaseOptions({ settings, role, log }: BridgeOptions): DatabaseOptions {
  return {
    databaseUrl: settings.databaseUrl ?? undefined,
    databaseOwnerUrl: settings.databaseOwnerUrl,
    dataDirectory: settings.dataDirectory,
    role: role === 'all' ? 'bridge' : role,
    poolSize: settings.concurrency + 4,
    onLost: (error) => log.error({ err: error }, 'the embedded database was lost'),
  };
}

function warner(log: Log) {
  const warn = seldom((facts, message) => log.warn(facts, message));
  return (error: unknown) => warn({ err: error }, 'background work failed; it is tried again');
}

interface Stores {
  readonly database: Database;
  readonly queues: Queues;
  readonly traces: DocumentTraces | null;
}

async function assemble(
  options: BridgeOptions,
  { database, queues, traces }: Stores,
  loaded: LoadedTenants,
  opened: Opened,
): Promise<Omit<Bridge, 'http' | 'close'>> {
  const { settings, log, role } = options;
  const duties = DUTIES[role];
  const owner = processOwner();
  const onError = warner(log);
  const { db } = database;
  const tenants = createTenantStore(db, 'bridge');
  const sendsOut = (name: string) => Boolean(connections.tenant(name)?.outgoing);
  const metrics = metricsOf(options, database, queues, { onError, sendsOut });
  const tell = createTeller([eventLog(log), metrics.listen], onError);
  const connector = tenantConnector({ ...options, database, tell });
  const ports = observeConnector(traceConnector(connector, traces), metrics.observer);
  const connections = opened.add(createConnections(ports, tenants), (all) => all.close());
  const dispatch = createDispatchStore(database);
  const reconciler = createReconciler(createReconciliationStore(db), connections, dispatch);
  let dispatcher: Dispatcher | null = null;
  const poke = () => dispatcher?.poke();
  const channels = channelsFrom(options, connections, connector);
  const spoken = createSpokenOperations({
    auditsReads: settings.auditReads === 'on',
    records: createOperationRecords(database),
    postings: (actor) => tellPostings(createPostingStore(database, actor, tell), tell),
    reconcile: (tenant, period) => reconciler.run(tenant, period),
    ...{ owner, connections, poke, clock: SYSTEM_RUNTIME.clock },
    ...(settings.redisUrl === null
      ? {}
      : { queuesAway: watchRedis(settings.redisUrl, SYSTEM_RUNTIME.clock) }),
    tryChannels: (tenant) => tryChannels(channels, tenant, options.version),
    files: tenantFilesOf(settings, connections),
    ...booksOf(options, database, connections, connector),
  });
  const schedules = opened.start(createSchedules({ owner, store: tenants, onTick: poke, onError }));
  const files = opened.start(await followTenants(options, { loaded, connections, schedules, tenants }));
  if (duties.posts) {
    const witness = opened.add(await callWitness(options, database, owner), (open) => open.close());
    const shop = workshop(options, database, connections, { owner, poke, tell, witness, traces });
    const workers = startWorkers({ shop, queues, concurrency: settings.concurrency, reconciler, log });
    opened.add(workers, (all) => all.stop(settings.shutdownMs));
    opened.start(carryBeside(options, database, shop, { connector, tell, onError }));
    opened.start(startRunKeeper(spoken.en, onError));
  }
  if (duties.dispatches)
    dispatcher = opened.start(
      startDispatcher(dispatch, queues, {
        ...{ owner, tenants: () => working(connections), onError },
        ...DISPATCH,
        round: Math.max(DISPATCH.round, 2 * settings.concurrency),
      }),
    );
  if (duties.schedules) {
    await tenants.requestOverdueSweeps(working(connections), SWEPT_LATELY_MS);
    const watched = { database, connections, connector, files, channels, operations: spoken.en, tell, owner };
    opened.start(watchmanOf(options, watched));
    opened.start(notifierOf(options, watched));
  }
  poke();
  return {
    ...{ database, queues, connections, tenants, schedules, reconciler, spoken, metrics },
    operations: spoken.en,
  };
}

type MaybeTraces = OpenTraces | { readonly traces: null; close(): Promise<void> };

/** OpenTelemetry is loaded only where somebody asked for traces. */
async function startTraces({ settings, version, role }: BridgeOptions): Promise<MaybeTraces> {
  if (settings.traces === null) return { traces: null, close: () => Promise.resolve() };
  const { openTraces } = await import('../telemetry/traces/open-traces.js');
  return openTraces({ version, role, publicUrl: settings.publicUrl, settings: settings.traces });
}

function metricsOf(
  { version, role }: BridgeOptions,
  { db }: Database,
  queues: Queues,
  more: Pick<MetricsOptions, 'onError' | 'sendsOut'>,
): Metrics {
  const reader = createMetricsReader(db);
  return createMetrics({ version, role, reader, queueDepths: () => queueDepths(queues), ...more });
}

function working(connections: Connections): string[] {
  return connections.names().filter((name) => connections.tenant(name)?.paused === false);
}

// Our tables and the queues' are brought up to date side by side, and the first connection is made meanwhile: together they
// are half of what a start waits for.
export async function prepareStores(
  { redisUrl, timeZone }: BridgeSettings,
  { url, ownerUrl, db }: Database,
  onError: (error: unknown) => void,
): Promise<Queues> {
  // Before anybody is told anything.
  useTimeZone(timeZone);
  const opening = openQueues(
    redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url, ownerUrl },
    onError,
  );
  try {
    await Promise.all([migrateAsOwner({ url, ownerUrl }), db.run`SELECT 1`, opening]);
    return await opening;
  } catch (error) {
    await opening.then((queues) => queues.close()).catch(() => undefined);
    throw error;
  }
}

// What is carried beside the posting, never before it: originals to their entries, and the other direction.

interface Parts {
  readonly connector: Pick<TenantConnector, 'target' | 'secret' | 'erpServices'>;
  readonly tell: TellEvent;
  readonly onError: (error: unknown) => void;
}

export function carryBeside(
  options: KeepOriginalsOptions & CarryOutgoingOptions,
  database: Database,
  { owner, connections, breakers }: Pick<Workshop, 'owner' | 'connections' | 'breakers'>,
  { connector, tell, onError }: Parts,
): { stop(): Promise<void> } {
  const originals = keepOriginals(options, database, connections, { owner, onError });
  const outgoing = carryOutgoing(options, database, connections, {
    owner,
    breakers,
    connector,
    tell,
    onError,
  });
  return {
    stop: async () => {
      await Promise.all([originals.stop(), outgoing.stop()]);
    },
  };
}

// Tenant files that admins may add to from the inbox, where whoever runs the bridge allows it.

export function tenantFilesOf(
  { tenantFiles }: Pick<BridgeSettings, 'tenantFiles'>,
  connections: Pick<Connections, 'tenant' | 'names'>,
): TenantFiles | null {
  if (tenantFiles !== 'editable') return null;
  return {
    edit: async (name, edits) => {
      const tenant = connections.tenant(name);
      if (!tenant) throw unknownTenant(name, connections.names());
      return editTenantFile(tenant.file, edits);
    },
    // Whoever follows the files finds the change within a second.
    save: (_name, edited) => saveTenantFile(edited),
  };
}
