// What handlers work with: the stages of the pipeline on their records, told of and traced.
import type { TenantName } from '../domain/ids.js';
import type { TellEvent } from '../domain/bridge-event.js';
import { type FailPoints, NO_FAIL_POINTS } from '../sync/fail-points.js';
import { POST_TIMING, type PostTiming } from '../sync/work.js';
import type { SweepReport } from '../sync/intake-records.js';
import { InFlight } from '../sync/in-flight.js';
import { createBreakerStore } from '../store/breaker-store.js';
import type { Database } from '../store/database.js';
import { createDispatchStore } from '../store/dispatch-store.js';
import { followingStages } from '../store/follow-up-store.js';
import { createIntakeStore } from '../store/intake-store.js';
import { createPostingStore } from '../store/posting-store.js';
import { createSweepTurns } from '../store/sweep-turns.js';
import type { OpenWitness } from '../store/witness.js';
import type { Log } from '../telemetry/log.js';
import { tellIntake, tellPostings } from '../telemetry/metrics/counters.js';
import type { DocumentTraces } from '../telemetry/traces/document-traces.js';
import { traceDispatch, tracePostings } from '../telemetry/traces/traced-ports.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import type { Connections } from '../worker/connections.js';
import { type Workshop, quietWhen } from '../worker/handlers.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';

export interface WorkshopOptions {
  readonly settings: BridgeSettings;
  readonly log: Log;
  readonly failPoints?: FailPoints;
  readonly timing?: PostTiming;
  readonly onSweep?: (tenantName: TenantName, reports: readonly SweepReport[]) => void;
}

interface WorkshopParts {
  readonly owner: string;
  readonly poke: () => void;
  readonly tell: TellEvent;
  readonly witness: OpenWitness;
  readonly traces: DocumentTraces | null;
}

export function workshop(
  options: WorkshopOptions,
  database: Database,
  connections: Connections,
  { owner, poke, tell, witness, traces }: WorkshopParts,
): Workshop {
  const { db } = database;
  const failPoints = options.failPoints ?? NO_FAIL_POINTS;
  const breakers = quietWhen(() => connections.isClosed(), createBreakerStore(db, tell));
  const runtime = SYSTEM_RUNTIME;
  return {
    owner,
    connections,
    posting: {
      runtime,
      store: tellPostings(tracePostings(createPostingStore(database, 'worker', tell), traces), tell),
      breakers,
      failPoints,
      witness,
      timing: options.timing ?? POST_TIMING,
    },
    intake: { runtime, store: tellIntake(createIntakeStore(db, 'worker'), tell), failPoints },
    ...followingStages(db, { runtime, failPoints }, 'worker'),
    breakers,
    dispatch: traceDispatch(createDispatchStore(database), traces),
    sweepTurns: createSweepTurns(db),
    inFlight: new InFlight({ places: options.settings.concurrency, timers: runtime.timers }),
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
