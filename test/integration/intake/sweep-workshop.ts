// Requests for sweeps as rows, and a workshop that works them off when it is told to.
import { randomUUID } from 'node:crypto';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { createDispatchStore } from '../../../src/store/dispatch-store.js';
import {
  createPaymentStore,
  createReleaseStore,
  createSummaryStore,
} from '../../../src/store/follow-up-store.js';
import { createSweepTurns } from '../../../src/store/sweep-turns.js';
import type { Workshop } from '../../../src/worker/handlers.js';
import { InFlight } from '../../../src/sync/in-flight.js';
import type { TestDatabase } from '../../support/database.js';
import type { IntakeBed } from './intake-bed.js';

export function workshop(
  database: TestDatabase,
  { stage, intake }: IntakeBed,
  tenant: TenantContext,
): Workshop {
  return {
    owner: 'me',
    connections: { get: () => Promise.resolve(tenant) } as unknown as Workshop['connections'],
    posting: stage,
    intake,
    payments: { ...intake, store: createPaymentStore(database.db) },
    releases: { ...intake, store: createReleaseStore(database.db) },
    summaries: { store: createSummaryStore(database.db, 'worker') },
    breakers: stage.breakers,
    dispatch: createDispatchStore(database),
    sweepTurns: createSweepTurns(database.db),
    inFlight: new InFlight({ places: 4, timers: stage.runtime.timers }),
    poke: () => undefined,
    onSweep: () => undefined,
    onFailure: () => undefined,
  };
}

export async function requestSweep({ prisma }: TestDatabase, tenantName: string): Promise<string> {
  const id = randomUUID();
  const at = new Date(Date.now() - 1_000);
  await prisma.outbox.create({
    data: { id, topic: 'sweep', tenantName, payload: '{}', dueAt: at, createdAt: at },
  });
  return id;
}
