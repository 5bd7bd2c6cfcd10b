// The other direction, wired: its records, the service as it creates, the origins, and the keeper that carries.
import type { TellEvent } from '../domain/bridge-event.js';
import { doneInTime } from '../http/in-time.js';
import { type FailPoints, NO_FAIL_POINTS } from '../sync/fail-points.js';
import { OUTGOING_TIMING, type OutgoingTiming } from '../pipeline/outgoing/stage.js';
import type { BreakerStore } from '../sync/posting-records.js';
import type { Database } from '../store/database.js';
import { createLeases } from '../store/dispatch-store.js';
import { createAgreedStore } from '../store/agreed-store.js';
import { createInbox } from '../store/inbox-store.js';
import { createOriginStore } from '../store/origin-store.js';
import { createOriginWatch } from '../store/origin-watch.js';
import { createSubmissionStore } from '../store/submission-store.js';
import { tellOrigins, tellSubmissions } from '../telemetry/metrics/observed-ports.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Connections } from '../worker/connections.js';
import { type OutgoingPace, startOutgoingKeeper } from '../worker/outgoing-keeper.js';
import type { TenantConnector } from './connect-tenant.js';
import { type OriginEnds, originsOf } from './open-origins.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export interface CarryOutgoingOptions {
  readonly settings: BridgeSettings;
  readonly failPoints?: FailPoints;
  readonly outgoingTiming?: OutgoingTiming;
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
  { prisma }: Database,
  connections: Connections,
  { owner, breakers, connector, tell, onError }: Parts,
) {
  const store = tellSubmissions(createSubmissionStore(prisma), tell);
  const ends: OriginEnds = {
    secret: (tenant, reference) => connector.secret(tenant, reference),
    erpServices: (tenant) => connector.erpServices(tenant),
    inbox: (tenantName, origin) => createInbox(prisma, tenantName, origin),
  };
  const keeper = startOutgoingKeeper({
    ...{ owner, store, connections, onError },
    origins: tellOrigins(createOriginStore(prisma), tell),
    watch: createOriginWatch(prisma),
    agreed: createAgreedStore(prisma),
    stage: {
      ...{ runtime: SYSTEM_RUNTIME, store, breakers },
      failPoints: options.failPoints ?? NO_FAIL_POINTS,
      timing: options.outgoingTiming ?? OUTGOING_TIMING,
    },
    dispatch: createLeases(prisma),
    connect: {
      target: (tenant) => connector.target(tenant),
      origins: (tenant, outgoing, target) => originsOf(tenant, outgoing, target, ends),
    },
    ...(options.outgoingPace ? { pace: options.outgoingPace } : {}),
  });
  return { stop: () => doneInTime(keeper.stop(), options.settings.shutdownMs) };
}
