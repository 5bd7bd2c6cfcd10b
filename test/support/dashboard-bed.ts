// The dashboard of a bridge under test, listening on a free port, with somebody who can sign in.
import fastify, { type FastifyInstance } from 'fastify';
import { dashboard, type RouteEntry } from '../../src/dashboard/dashboard.js';
import { Secret } from '../../src/domain/secret.js';
import { createTenantCards } from '../../src/operations/tenant-card.js';
import { createUserDesk, type UserDesk } from '../../src/operations/users/user-desk.js';
import type { UserRole } from '../../src/operations/users/user-records.js';
import { createHistory } from '../../src/store/dashboard/history.js';
import { createUserStore } from '../../src/store/dashboard/user-store.js';
import { createLog } from '../../src/telemetry/log.js';
import type { Bridge } from '../../src/main.js';

export const PASSWORD = 'hross kind naut geit';

export interface DashboardBed {
  readonly app: FastifyInstance;
  readonly url: string;
  readonly users: UserDesk;
  readonly routes: readonly RouteEntry[];
  addUser(login: string, role: UserRole): Promise<void>;
  close(): Promise<void>;
}

export async function dashboardBed(
  bridge: Bridge,
  options: { publicUrl?: string; now?: () => Date } = {},
): Promise<DashboardBed> {
  const clock = { now: options.now ?? (() => new Date()) };
  const users = createUserDesk(createUserStore(bridge.database.prisma), clock);
  const routes: RouteEntry[] = [];
  const app = fastify({ forceCloseConnections: true });
  const log = createLog({ level: 'error', format: 'json', isTty: false });
  const { operations, queues } = bridge;
  const tenants = createTenantCards(bridge.connections, {});
  const history = createHistory(bridge.database.prisma);
  const publicUrl = options.publicUrl ?? null;
  await app.register(
    dashboard(
      { operations, users, tenants, history, queues, clock, log, version: 'test', publicUrl },
      routes,
    ),
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    app,
    url,
    users,
    routes,
    addUser: (login, role) => users.create(login, role, new Secret(PASSWORD), 'test'),
    close: () => app.close(),
  };
}
