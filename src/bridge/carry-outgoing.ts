// The other direction, wired: its records, the service as it creates, the origins, and the keeper that carries.
import { dirname } from 'node:path';
import type { TellEvent } from '../domain/bridge-event.js';
import { doneInTime } from '../http/in-time.js';
import { type FailPoints, NO_FAIL_POINTS } from '../sync/fail-points.js';
import { OUTBOUND_TIMING, type OutboundTiming } from '../outbound/stage.js';
import type { BreakerStore } from '../sync/posting-records.js';
import type { Database } from '../store/database.js';
import { createLeases } from '../store/dispatch-store.js';
import { createAgreedStore, createSubmissionStore } from '../store/submission-store.js';
import { createInbox } from '../store/inbox-store.js';
import { createOriginStore, createOriginWatch } from '../store/origin-store.js';
import { tellOrigins, tellSubmissions } from '../telemetry/metrics/counters.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Connections } from '../worker/connections.js';
import { type OutgoingPace, startOutgoingKeeper } from '../worker/outgoing-keeper.js';
import type { TenantConnector } from './connect-tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import type { Secret } from '../domain/secret.js';
import type { SecretReference } from '../domain/secret-reference.js';
import type { ErpServices } from '../erp/erp-adapter.js';
import type { InvoicingTarget } from '../service/invoicing-target.js';
import { coded } from '../language/coded.js';
import { message, saidBy } from '../language/messages.js';
import type { Inbox } from '../origins/inbox.js';
import type { BillableTask, TaskSource } from '../origins/billable-hours.js';
import type { Origin } from '../origins/origin.js';
import type { OriginServices } from '../origins/origin-services.js';
import { createOrigin } from '../origins/registry.js';
import type { Tenant, TenantOutgoing } from '../tenants/tenant.js';
import { openVault } from './open-vault.js';
import { POST_TIMING, type PostTiming } from '../sync/work.js';
import { createOriginalsStore } from '../store/originals-store.js';
import { startOriginalsKeeper } from '../worker/originals-keeper.js';

export interface CarryOutgoingOptions {
  readonly settings: BridgeSettings;
  readonly failPoints?: FailPoints;
  readonly outgoingTiming?: OutboundTiming;
  readonly outgoingPace?: OutgoingPace;
}

interface Parts {
  readonly owner: string;
  readonly breakers: BreakerStore;
  readonly connector: Pick<TenantConnector, 'target' | 'secret' | 'erpServices'>;
  readonly tell: TellEvent;
  readonly onError: (error: unknown) => void;
}

export function carryOutgoing(
  options: CarryOutgoingOptions,
  { db }: Database,
  connections: Connections,
  { owner, breakers, connector, tell, onError }: Parts,
) {
  const store = tellSubmissions(createSubmissionStore(db), tell);
  const ends: OriginEnds = {
    secret: (tenant, reference) => connector.secret(tenant, reference),
    erpServices: (tenant) => connector.erpServices(tenant),
    inbox: (tenantName, origin) => createInbox(db, tenantName, origin),
  };
  const keeper = startOutgoingKeeper({
    ...{ owner, store, connections, onError },
    origins: tellOrigins(createOriginStore(db), tell),
    watch: createOriginWatch(db),
    agreed: createAgreedStore(db),
    stage: {
      ...{ runtime: SYSTEM_RUNTIME, store, breakers },
      failPoints: options.failPoints ?? NO_FAIL_POINTS,
      timing: options.outgoingTiming ?? OUTBOUND_TIMING,
    },
    dispatch: createLeases(db),
    connect: {
      target: (tenant) => connector.target(tenant),
      origins: (tenant, outgoing, target) => originsOf(tenant, outgoing, target, ends),
    },
    ...(options.outgoingPace ? { pace: options.outgoingPace } : {}),
  });
  return { stop: () => doneInTime(keeper.stop(), options.settings.shutdownMs) };
}

// The origins of a tenant, made from its file.
interface OriginEnds {
  erpServices(tenant: Tenant): ErpServices;
  secret(tenant: Tenant, reference: SecretReference): Secret;
  inbox(tenantName: string, origin: string): Inbox;
}

function originsOf(
  tenant: Tenant,
  { origins }: TenantOutgoing,
  target: InvoicingTarget,
  ends: OriginEnds,
): Promise<readonly Origin[]> {
  const services: OriginServices = {
    tenantName: tenant.name,
    clock: SYSTEM_RUNTIME.clock,
    configDirectory: dirname(tenant.file),
    secret: (reference) => ends.secret(tenant, reference),
    tasks: taskSource(target),
    inbox: (origin) => ends.inbox(tenant.name, origin),
    erp: async (settings) => {
      const { openRecords } = await import('../erp/origins.js');
      return openRecords(settings, { ...tenant.erp, services: () => ends.erpServices(tenant) });
    },
  };
  return Promise.all(origins.map((origin) => createOrigin(origin, services)));
}

/** Bills that leave one after the other are held against one list. */
const TASKS_KEPT_MS = 60_000;

export function taskSource(target: Pick<InvoicingTarget, 'listTasksToBill' | 'endTask'>): TaskSource {
  let kept: { readonly at: number; readonly tasks: readonly BillableTask[] } | null = null;
  const { clock } = SYSTEM_RUNTIME;
  return {
    tasks: async (how) => {
      const at = clock.now().getTime();
      if (how === 'lately' && kept !== null && at - kept.at < TASKS_KEPT_MS) return kept.tasks;
      const listed = await target.listTasksToBill();
      // What is not listed would count as taken away: the next look may see it whole.
      if (listed.outcome === 'incomplete')
        throw coded('SOURCE_UNAVAILABLE', message('TASKS_NOT_LISTED', { why: saidBy(listed) }));
      // What is about to leave is not held against the list that it was made of.
      kept = how === 'lately' ? { at, tasks: listed.found } : null;
      return listed.found;
    },
    end: (guid) => target.endTask(guid),
  };
}

// The stage of originals, wired: where they are kept, their records, and the keeper that carries them.

export interface KeepOriginalsOptions {
  readonly settings: BridgeSettings;
  readonly failPoints?: FailPoints;
  readonly timing?: PostTiming;
}

export function keepOriginals(
  options: KeepOriginalsOptions,
  { db }: Database,
  connections: Connections,
  { owner, onError }: { readonly owner: string; readonly onError: (error: unknown) => void },
) {
  const store = createOriginalsStore(db);
  const vault = openVault(options.settings);
  const keeper = startOriginalsKeeper({
    owner,
    store,
    stage: {
      runtime: SYSTEM_RUNTIME,
      records: store,
      vault,
      failPoints: options.failPoints ?? NO_FAIL_POINTS,
      timing: options.timing ?? POST_TIMING,
    },
    dispatch: createLeases(db),
    connections,
    onError,
  });
  return {
    /** What is under way when the time is up comes back when its lease runs out. */
    stop: async () => {
      await doneInTime(keeper.stop(), options.settings.shutdownMs);
      await vault.close();
    },
  };
}
