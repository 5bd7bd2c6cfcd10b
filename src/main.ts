// The composition root: the one place that knows everybody. It opens the records, connects the tenants and starts the parts
// that a role asks for; nobody imports it but the command line.
import { hostname } from 'node:os';
import { callWitness } from './call-witness.js';
import { channelsFrom, tryChannels } from './connect-channels.js';
import { tenantConnector } from './connect-tenant.js';
import { createTeller, type TellEvent } from './domain/bridge-event.js';
import { CodedError } from './domain/errors/coded-error.js';
import type { HttpServer } from './api/server.js';
import { booksOf } from './close-books.js';
import { createSpokenOperations, type SpokenOperations } from './operations/operations.js';
import { prepareStores } from './prepare-stores.js';
import { tenantFilesOf } from './edit-tenant-files.js';
import { followTenants } from './follow-tenants.js';
import { carryBeside } from './carry-beside.js';
import { notifierOf, watchmanOf } from './watch-over.js';
import { serveHttp, serveProbes } from './serve-http.js';
import { type RunKeeper, startRunKeeper } from './operations/run-keeper.js';
import { type FailPoints, NO_FAIL_POINTS } from './pipeline/fail-points.js';
import type { OutgoingTiming } from './pipeline/outgoing/stage.js';
import { POST_TIMING, type PostTiming } from './pipeline/posting/post-stage.js';
import type { SweepReport } from './pipeline/records.js';
import { createBreakerStore } from './store/breaker-store.js';
import { awaitDatabase } from './store/await-database.js';
import type { Database, DatabaseOptions } from './store/database.js';
import { createDispatchStore } from './store/dispatch-store.js';
import { createIntakeStore } from './store/intake-store.js';
import { createMetricsReader } from './store/metrics-reader.js';
import { createOperationRecords } from './store/operations/act-records.js';
import { followingStages } from './store/following-stages.js';
import { createPostingStore } from './store/posting-store.js';
import { createReconciliationStore } from './store/reconciliation-store.js';
import { createSweepTurns } from './store/sweep-turns.js';
import type { OpenWitness } from './store/witness.js';
import { createTenantStore, type TenantStore } from './store/tenant-store.js';
import type { Log } from './telemetry/log.js';
import { createMetrics, type Metrics } from './telemetry/metrics/metrics.js';
import { eventLog } from './telemetry/event-log.js';
import { seldom } from './telemetry/seldom.js';
import { observeConnector, tellIntake, tellPostings } from './telemetry/metrics/observed-ports.js';
import type { DocumentTraces } from './telemetry/traces/document-traces.js';
import type { OpenTraces } from './telemetry/traces/open-traces.js';
import { traceConnector, traceDispatch, tracePostings } from './telemetry/traces/traced-ports.js';
import type { BridgeSettings } from './tenants/bridge-settings.js';
import { type LoadedTenants, loadTenants } from './tenants/load-tenants.js';
import { type Connections, createConnections } from './worker/connections.js';
import { type Dispatcher, startDispatcher } from './worker/dispatcher.js';
import type { Workshop } from './worker/handlers.js';
import type { NotifierTiming } from './worker/notifier.js';
import { queueDepths, type Queues } from './worker/queues.js';
import { quietWhen } from './worker/quiet-breakers.js';
import { InFlight } from './pipeline/turns/in-flight.js';
import { createReconciler, type Reconciler } from './worker/reconciler.js';
import { createSchedules, type Schedules } from './worker/schedules.js';
import { startWorkers, type Workers } from './worker/start-workers.js';
import { SYSTEM_RUNTIME } from './worker/system-runtime.js';

export const ROLES = ['all', 'worker', 'scheduler', 'dashboard'] as const;
export type Role = (typeof ROLES)[number];

export interface BridgeOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly role: Role;
  readonly version: string;
  readonly log: Log;
  readonly failPoints?: FailPoints;
  readonly timing?: PostTiming;
  readonly outgoingTiming?: OutgoingTiming;
  /** How long a start waits for a database that cannot be reached. */
  readonly databaseWaitMs?: number;
  /** Between two looks at how everything is. */
  readonly lookMs?: number;
  readonly notifierTiming?: NotifierTiming;
  readonly onSweep?: (tenantName: string, reports: readonly SweepReport[]) => void;
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
const DISPATCH = { round: 64, turnMin: 2, intervalMs: 250 } as const;

export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { settings, log } = options;
  // The files are read while the database starts; what is wrong with them is said when it runs.
  const loading = loadTenants(settings.tenantsDirectory, options.env);
  loading.catch(() => undefined);
  const database = await awaitDatabase(databaseOptions(options), {
    waitMs: options.databaseWaitMs ?? DATABASE_WAIT_MS,
    onWaiting: (error, leftMs) =>
      log.warn({ err: error, leftMs: Math.round(leftMs) }, 'the database cannot be reached yet; waiting'),
  });
  let queues: Queues | null = null;
  try {
    queues = await prepareStores(settings, database, warner(log));
    return await withHttp(options, await assemble(options, database, queues, await loading));
  } catch (error) {
    await queues?.close();
    await database.close();
    throw error;
  }
}

function databaseOptions({ settings, role, log }: BridgeOptions): DatabaseOptions {
  return {
    databaseUrl: settings.databaseUrl ?? undefined,
    dataDirectory: settings.dataDirectory,
    role: role === 'all' ? 'bridge' : role,
    poolSize: settings.concurrency + 4,
    onLost: (error) => log.error({ err: error }, 'the embedded database was lost'),
  };
}

async function withHttp(options: BridgeOptions, bridge: Omit<Bridge, 'http'>): Promise<Bridge> {
  const visited = options.role === 'all' || options.role === 'dashboard';
  try {
    const http = await (visited ? serveHttp : serveProbes)(options, bridge);
    const close = async () => {
      try {
        await http?.close();
      } finally {
        await bridge.close();
      }
    };
    return { ...bridge, http, close };
  } catch (error) {
    await bridge.close();
    throw error;
  }
}

function warner(log: Log) {
  const warn = seldom((facts, message) => log.warn(facts, message));
  return (error: unknown) => warn({ err: error }, 'background work failed; it is tried again');
}

async function assemble(
  options: BridgeOptions,
  database: Database,
  queues: Queues,
  loaded: LoadedTenants,
): Promise<Omit<Bridge, 'http'>> {
  const { settings, log, role } = options;
  const owner = `${hostname()}:${process.pid}`;
  const onError = warner(log);
  const { prisma } = database;
  const tenants = createTenantStore(prisma, 'bridge');
  const metrics = metricsOf(options, database, queues, onError);
  const tell = createTeller([eventLog(log), metrics.listen], onError);
  const connector = tenantConnector({ ...options, database, tell });
  const tracing = await tracesOf(options);
  const { traces } = tracing;
  const ports = observeConnector(traceConnector(connector, traces), metrics.observer);
  const connections = createConnections(ports, tenants);
  const dispatch = createDispatchStore(database);
  const reconciler = createReconciler(createReconciliationStore(prisma), connections, dispatch);
  let dispatcher: Dispatcher | null = null;
  const poke = () => dispatcher?.poke();
  const channels = channelsFrom(options, connections, connector);
  const spoken = createSpokenOperations({
    records: createOperationRecords(prisma),
    postings: (actor) => tellPostings(createPostingStore(database, actor), tell),
    reconcile: (tenant, period) => reconciler.run(tenant, period),
    ...{ owner, connections, poke, clock: SYSTEM_RUNTIME.clock },
    tryChannels: (tenant) => tryChannels(channels, tenant, options.version),
    files: tenantFilesOf(settings, connections),
    ...booksOf(options, database, connections),
  });
  const schedules = createSchedules({ owner, store: tenants, onTick: poke, onError });
  const watch = await followTenants(options, { loaded, connections, schedules, tenants });
  let [workers, witness]: [Workers | null, OpenWitness | null] = [null, null];
  let runKeeper: RunKeeper | null = null;
  let beside: { stop(): Promise<void> } | null = null;
  if (role === 'all' || role === 'worker') {
    witness = await callWitness(options, database, owner);
    const shop = workshop(options, database, connections, { owner, poke, tell, witness, traces });
    runKeeper = startRunKeeper(spoken.en, onError);
    beside = carryBeside(options, database, shop, { connector, onError });
    workers = startWorkers({ shop, queues, concurrency: settings.concurrency, reconciler, log });
  }
  if (role !== 'dashboard')
    dispatcher = startDispatcher(dispatch, queues, {
      ...{ owner, tenants: () => working(connections), onError },
      ...DISPATCH,
      round: Math.max(DISPATCH.round, 2 * settings.concurrency),
    });
  const scheduling = role === 'all' || role === 'scheduler';
  if (scheduling) await tenants.requestOverdueSweeps(working(connections), SWEPT_LATELY_MS);
  const watched = { database, connections, connector, channels, operations: spoken.en, tell, owner };
  const watchman = scheduling ? watchmanOf(options, watched) : null;
  const notifier = scheduling ? notifierOf(options, watched) : null;
  poke();
  return {
    ...{ database, queues, connections, tenants, schedules, reconciler, spoken, metrics },
    operations: spoken.en,
    close: async () => {
      for (const part of [watch, watchman, notifier, schedules, runKeeper, dispatcher, beside])
        await part?.stop();
      await workers?.stop(settings.shutdownMs);
      witness?.close();
      for (const part of [queues, connections, database]) await part.close();
      await tracing.close();
    },
  };
}

type MaybeTraces = OpenTraces | { readonly traces: null; close(): Promise<void> };

/** OpenTelemetry is loaded only where somebody asked for traces. */
async function tracesOf({ settings, version, role }: BridgeOptions): Promise<MaybeTraces> {
  if (settings.traces === null) return { traces: null, close: () => Promise.resolve() };
  const { openTraces } = await import('./telemetry/traces/open-traces.js');
  return openTraces({ version, role, publicUrl: settings.publicUrl, settings: settings.traces });
}

function metricsOf(
  { version, role }: BridgeOptions,
  { prisma }: Database,
  queues: Queues,
  onError: (error: unknown) => void,
): Metrics {
  const reader = createMetricsReader(prisma);
  return createMetrics({ version, role, reader, queueDepths: () => queueDepths(queues), onError });
}

interface WorkshopParts {
  readonly owner: string;
  readonly poke: () => void;
  readonly tell: TellEvent;
  readonly witness: OpenWitness;
  readonly traces: DocumentTraces | null;
}

function workshop(
  options: BridgeOptions,
  database: Database,
  connections: Connections,
  { owner, poke, tell, witness, traces }: WorkshopParts,
): Workshop {
  const { prisma } = database;
  const failPoints = options.failPoints ?? NO_FAIL_POINTS;
  const breakers = quietWhen(() => connections.isClosed(), createBreakerStore(prisma, tell));
  const runtime = SYSTEM_RUNTIME;
  return {
    owner,
    connections,
    posting: {
      runtime,
      store: tellPostings(tracePostings(createPostingStore(database, 'worker'), traces), tell),
      breakers,
      failPoints,
      witness,
      timing: options.timing ?? POST_TIMING,
    },
    intake: { runtime, store: tellIntake(createIntakeStore(prisma, 'worker'), tell), failPoints },
    ...followingStages(prisma, { runtime, failPoints }),
    breakers,
    dispatch: traceDispatch(createDispatchStore(database), traces),
    sweepTurns: createSweepTurns(prisma),
    inFlight: new InFlight({ places: options.settings.concurrency }),
    poke,
    onFailure: ({ id, tenantName: tenant, guid }, error) =>
      options.log.warn(
        { posting: id, tenant, document: guid, err: error },
        'work failed; it comes back by itself',
      ),
    onSweep: (tenantName, reports) => {
      options.onSweep?.(tenantName, reports);
    },
  };
}

function working(connections: Connections): string[] {
  return connections.names().filter((name) => connections.tenant(name)?.paused === false);
}

export function asRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new CodedError('CLI_USAGE', `There is no role "${text}". Use one of: ${ROLES.join(', ')}.`);
}
