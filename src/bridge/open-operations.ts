// Operations without a bridge: for commands that work beside a running one, or on records that nobody serves. Nothing is
// registered, dispatched or migrated; tenants are connected when something asks for them.
import type { TenantName } from '../domain/ids.js';
import { channelsFrom, tryChannels } from './connect-channels.js';
import { tenantConnector } from './connect-tenant.js';
import { useTimeZone } from '../domain/local-time.js';
import { type Act, checkedAct } from '../operations/act.js';
import { type Archived, archivePeriod, type ArchiveRequest } from '../operations/auditor/archive.js';
import { closingOf } from './close-books.js';
import type { Closing, ClosingProgress } from '../operations/closing/closing.js';
import { createOperations, type Operations } from '../operations/operations.js';
import type { OperationRecords } from '../operations/records.js';
import { createOriginalsView, type OriginalsView } from '../operations/originals-view.js';
import { createOriginalsExpiry, type OriginalsExpiry } from '../operations/originals-expiry.js';
import { createPrivacy, type Privacy } from '../operations/privacy/privacy.js';
import { createPrivacyStore } from '../store/privacy/privacy-store.js';
import { createDescriptions, type Descriptions } from '../operations/description/description.js';
import type { Rehearsal, RehearsalOptions } from '../operations/rehearsal/rehearsal.js';
import { rehearse } from '../operations/rehearsal/rehearse.js';
import { Opened } from './opened.js';
import { neverServed } from './open-reading.js';
import { outgoingOf } from './open-outgoing.js';
import { openVault } from './open-vault.js';
import { createExpiryStore, createOriginalsReader } from '../store/operations/originals-reader.js';
import { createDescriptionStore, createRehearsalReader } from '../store/closing-store.js';
import { openDatabase } from '../store/database.js';
import { requireRecords } from '../store/embedded/cluster.js';
import { createDispatchStore } from '../store/dispatch-store.js';
import { migrationStatus } from '../store/migrate.js';
import { createOperationRecords } from '../store/operations/act-records.js';
import { createPostingStore } from '../store/posting-store.js';
import { createReconciliationStore } from '../store/reconciliation-store.js';
import { createTenantStore } from '../store/tenant-store.js';
import { createLog } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { loadTenants } from '../tenants/load-tenants.js';
import type { Tenant } from '../tenants/tenant.js';
import { type Connections, createConnections } from '../worker/connections.js';
import { createReconciler } from '../worker/reconciler.js';
import { processOwner, SYSTEM_RUNTIME } from '../worker/schedules.js';

export interface OpenedOperations {
  readonly operations: Operations;
  readonly closing: Closing;
  readonly originals: OriginalsView;
  readonly expiry: OriginalsExpiry;
  readonly privacy: Privacy;
  readonly describe: Descriptions;
  readonly archive: (
    request: ArchiveRequest,
    act: Act,
    onProgress?: (progress: ClosingProgress) => void,
  ) => Promise<Archived>;
  /** Reads only. */
  readonly rehearse: (tenant: TenantName, options?: RehearsalOptions) => Promise<Rehearsal>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly settings: BridgeSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

export async function openOperations(options: OpenOptions): Promise<OpenedOperations> {
  const opened = new Opened();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function open({ settings, env, version }: OpenOptions, opened: Opened): Promise<OpenedOperations> {
  const { databaseUrl, databaseOwnerUrl, dataDirectory, tenantsDirectory } = settings;
  useTimeZone(settings.timeZone);
  requireRecords(databaseUrl, dataDirectory);
  const close = (part: { close(): unknown }) => part.close();
  const forCommand = {
    ...{ databaseUrl, databaseOwnerUrl, dataDirectory },
    role: 'command',
    poolSize: 4,
  } as const;
  const database = opened.add(await openDatabase(forCommand), close);
  const { pending } = await migrationStatus(database.ownerUrl ?? database.url);
  if (pending.length > 0) throw neverServed();
  const { db } = database;
  // Answers go to standard output; what connecting has to say only matters when it fails, and then it throws.
  const log = createLog({ level: 'fatal', format: 'json', isTty: false });
  const connector = tenantConnector({ settings, env, version, log, database });
  const store = createTenantStore(db, 'command');
  // A command that looks must not make the records follow the files: that is the bridge's business.
  const connections = opened.add(
    connectedWhenAsked(
      (await loadTenants(tenantsDirectory)).tenants,
      createConnections(connector, { ...store, register: () => Promise.resolve({ woken: 0 }) }),
    ),
    close,
  );
  const reconciler = createReconciler(
    createReconciliationStore(db),
    connections,
    createDispatchStore(database),
  );
  const closing = closingOf({ settings, version }, database, connections);
  const rehearsal: OpenedOperations['rehearse'] = (tenant, options) =>
    rehearse({ records: createRehearsalReader(db), connections }, tenant, options);
  const records = createOperationRecords(database);
  const operations = createOperations({
    closing,
    outgoing: outgoingOf(database, connections, connector),
    rehearse: rehearsal,
    records,
    postings: (actor) => createPostingStore(database, actor),
    reconcile: (tenant, period) => reconciler.run(tenant, period),
    connections,
    clock: SYSTEM_RUNTIME.clock,
    owner: `command:${processOwner()}`,
    language: 'en',
    poke: () => undefined,
    files: null,
    tryChannels: (tenant) =>
      tryChannels(channelsFrom({ settings, env, log, version }, connections, connector), tenant, version),
  });
  const describe = createDescriptions(createDescriptionStore(database), connections);
  const vault = opened.add(openVault(settings), close);
  const { clock } = SYSTEM_RUNTIME;
  const expiry = createOriginalsExpiry({ records: createExpiryStore(db), vault, connections, clock });
  return {
    operations,
    closing,
    describe,
    archive: archiveTold({ closing, describe, vault }, records),
    rehearse: rehearsal,
    originals: createOriginalsView(createOriginalsReader(database), vault),
    expiry,
    privacy: createPrivacy({ records: createPrivacyStore(db), expiry, connections, clock }),
    close: () => opened.close(),
  };
}

/** The audit tells who took an archive. */
function archiveTold(
  deps: Parameters<typeof archivePeriod>[0],
  records: Pick<OperationRecords, 'record'>,
): OpenedOperations['archive'] {
  return async (request, act, onProgress) => {
    const archived = await archivePeriod(deps, request, checkedAct(act), onProgress);
    const { tenant, period } = request;
    const details = { ...period, originals: archived.originals };
    await records.record(act, { tenantName: tenant, action: 'archive.written', subject: tenant, details });
    return archived;
  };
}

/** Looking at records needs no secret of any tenant, so only what a command talks to is connected. */
function connectedWhenAsked(tenants: readonly Tenant[], connections: Connections): Connections {
  const find = (name: string) => tenants.find((tenant) => tenant.name === name) ?? null;
  const asked = new Set<Tenant>();
  return {
    ...connections,
    names: () => tenants.map((tenant) => tenant.name),
    tenant: find,
    get: async (name) => {
      const tenant = find(name);
      if (tenant) {
        const failures = await connections.update([...asked.add(tenant)]);
        for (const failure of failures) if (failure.tenant.name === name) throw failure.error;
      }
      return connections.get(name);
    },
  };
}
