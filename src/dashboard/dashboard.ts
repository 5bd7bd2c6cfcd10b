// The dashboard: server-rendered pages on the same operations as the command line. Promises: every route says who may come
// and refuses everybody else; nothing is loaded from elsewhere; whatever text comes from outside shows as text; every act is
// a signed-in person's.
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { CookieRules } from './access/cookies.js';
import { addExports } from './access/exports.js';
import { addGuard } from './access/guard.js';
import { loadAssets } from './assets.js';
import type { DashboardDeps } from './deps.js';
import { addEvents, createPulses } from './live/events.js';
import type { RouteContext } from './route-context.js';
import { addErrorPages } from './routes/errors.js';
import { addAccount } from './routes/account.js';
import { addApprovals } from './routes/approvals.js';
import { addAudit } from './routes/audit.js';
import { addBooks } from './routes/books.js';
import { addCertificates } from './routes/certificates.js';
import { addDocument } from './routes/document.js';
import { addInbox } from './routes/inbox.js';
import { addIncidents } from './routes/incidents.js';
import { addConfirmPerson } from './routes/confirm-person.js';
import { addChosen } from './routes/chosen.js';
import { addLists } from './routes/lists.js';
import { addOutgoing } from './routes/outgoing.js';
import { addOverview } from './routes/overview.js';
import { addQueues } from './routes/queues.js';
import { addReports } from './routes/reports.js';
import { addReplay } from './routes/replay.js';
import { addTenants } from './routes/tenants.js';
import { addUsers } from './routes/users.js';
import { addVat } from './routes/vat.js';
import { addIdentity } from './routes/identity.js';
import { addSecondFactor } from './routes/second-factor.js';
import { addSignIn } from './routes/sign-in.js';
import type { Access } from './visit.js';
import { addSimulatorPage } from './simulator-page.js';

export type { DashboardDeps } from './deps.js';

export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  readonly access: Access | null;
  readonly everywhere: boolean;
  /** Open to somebody who has to turn on a second factor first. */
  readonly enrolling: boolean;
}

const BODY_BYTES_MAX = 64 * 1024;

/** A Fastify plugin. `routes` gets an entry for everything that was registered: tests visit each of them as a stranger. */
export function dashboard(deps: DashboardDeps, routes: RouteEntry[] = []) {
  return async (app: FastifyInstance): Promise<void> => {
    const assets = loadAssets();
    const cookies: CookieRules = { secure: deps.publicUrl?.startsWith('https:') ?? false };
    const pulses = createPulses(deps.spoken, () => deps.clock.now().getTime());
    const { users, originals, queues, clock, log, version, publicUrl, identity, filesEditable } = deps;
    const shared = { users, originals, queues, clock, log, version, publicUrl, identity, filesEditable };
    const context: RouteContext = { ...shared, pulse: pulses, cookies, assets: assets.version };
    app.addHook('onRoute', ({ method, url, config, bodyLimit }) => {
      if (bodyLimit !== undefined && bodyLimit > BODY_BYTES_MAX)
        throw new Error(`${url} takes too large a body`);
      const decided = {
        access: config?.access ?? null,
        everywhere: config?.everywhere ?? false,
        enrolling: config?.enrolling ?? false,
      };
      for (const one of [method].flat()) routes.push({ method: one, url, ...decided });
    });
    app.addHook('onListen', () => {
      void pulses.warm();
    });
    await app.register(cookie);
    await app.register(formbody, { bodyLimit: BODY_BYTES_MAX });
    const refuse = addErrorPages(app, context);
    addGuard(app, deps, { pulses, cookies, refuse });
    addExports(app, deps.operations.exports);
    assets.addTo(app);
    addSimulatorPage(app, cookies.secure);
    addSignIn(app, context);
    addIdentity(app, context);
    const pages = [
      addOverview,
      addLists,
      addInbox,
      addChosen,
      addDocument,
      addReplay,
      addIncidents,
      addApprovals,
      addBooks,
      addVat,
      addCertificates,
      addOutgoing,
      addReports,
      addTenants,
      addAudit,
      addUsers,
      addAccount,
      addSecondFactor,
      addConfirmPerson,
      addQueues,
    ];
    for (const addPages of pages) addPages(app, context);
    addEvents(app, deps, cookies);
  };
}
