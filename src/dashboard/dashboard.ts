// The dashboard: server-rendered pages on the same operations as the command line. Promises: every route says who may come
// and refuses everybody else; nothing is loaded from elsewhere; whatever text comes from outside shows as text; every act is
// a signed-in person's.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { readFile } from 'node:fs/promises';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CookieRules, readSession } from './access/cookies.js';
import { addGuard } from './access/guard.js';
import type { DashboardDeps } from './deps.js';
import { addEvents, createPulses } from './live/events.js';
import type { RouteContext } from './route-context.js';
import { addErrorPages } from './routes/errors.js';
import { addAccount, showAccount, toldBy } from './routes/account.js';
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
import { addSignIn } from './routes/sign-in.js';
import type { Access } from './visit.js';
import { type Export, type Exported, type Exports, rowCounter } from '../operations/exports.js';
import { secureHeaders } from './access/security-headers.js';
import { Secret } from '../domain/secret.js';
import { field } from './routes/answer.js';

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

// The files a browser loads, all from here: our own, and the two libraries as they were installed. Read once, served from
// memory; their address carries a hash of all of them, so they can be kept for ever.

interface Assets {
  readonly version: string;
  addTo(app: FastifyInstance): void;
}

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
}

function loadAssets(): Assets {
  const require = createRequire(import.meta.url);
  const own = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../dashboard/assets/${name}`, import.meta.url)));
  const uplot = dirname(require.resolve('uplot'));
  const htmx = dirname(require.resolve('htmx.org'));
  const [script, style] = ['text/javascript; charset=utf-8', 'text/css; charset=utf-8'];
  const assets: readonly Asset[] = [
    { name: 'dashboard.css', type: style, body: own('dashboard.css') },
    { name: 'pages.css', type: style, body: own('pages.css') },
    { name: 'dashboard.js', type: script, body: own('dashboard.js') },
    { name: 'icon.svg', type: 'image/svg+xml', body: own('icon.svg') },
    { name: 'htmx.js', type: script, body: readFileSync(join(htmx, 'htmx.min.js')) },
    { name: 'uplot.js', type: script, body: readFileSync(join(uplot, 'uPlot.iife.min.js')) },
    { name: 'uplot.css', type: style, body: readFileSync(join(uplot, 'uPlot.min.css')) },
  ];
  const hash = createHash('sha256');
  for (const { body } of assets) hash.update(body);
  return {
    version: hash.digest('hex').slice(0, 12),
    addTo: (app) => {
      for (const { name, type, body } of assets) {
        app.get(`/assets/${name}`, { config: { access: 'anyone' } }, (_request, reply) =>
          reply
            .header('content-type', type)
            .header('cache-control', 'public, max-age=31536000, immutable')
            .send(body),
        );
      }
    },
  };
}

// Whatever leaves as a file is in the audit: who took it, by which filter, how many rows. A route says what it hands out; a file of a
// route that does not say so is held back, so that forgetting it opens nothing.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it hands out as a file. */
    exports?: Exported;
  }
  interface FastifyRequest {
    /** Whose it is, where the address does not say so. */
    exportedFrom: string | null;
  }
}

export function addExports(app: FastifyInstance, exports: Exports): void {
  app.decorateRequest('exportedFrom', null);
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method === 'HEAD' || reply.statusCode !== 200 || !reply.hasHeader('content-disposition'))
      return payload;
    const what = request.routeOptions.config.exports;
    if (what === undefined) throw new Error(`${request.routeOptions.url ?? ''} does not say what it exports`);
    return watched(exports, exportOf(request, what), reply, payload);
  });
}

async function watched(exports: Exports, given: Export, reply: FastifyReply, payload: unknown) {
  const type = String(reply.getHeader('content-type') ?? '');
  if (payload instanceof Readable) return Readable.from(exports.lines(given, type, payload));
  const counter = rowCounter(type);
  counter.add(payload as string | Uint8Array);
  await exports.whole(given, counter.rows());
  return payload;
}

function exportOf(request: FastifyRequest, what: Exported): Export {
  const { visit, exportedFrom, query, params } = request;
  const { tenant } = query as { tenant?: unknown };
  const { id } = params as { id?: string };
  return {
    ...{ what, actor: visit.user?.login ?? '', by: { by: 'dashboard' }, subject: id ?? null },
    tenant: exportedFrom ?? (typeof tenant === 'string' && tenant !== '' ? tenant : null),
    filter: { ...(query as Record<string, unknown>), ...without(params as Record<string, unknown>, 'id') },
  };
}

function without(params: Readonly<Record<string, unknown>>, name: string) {
  return Object.fromEntries(Object.entries(params).filter(([one]) => one !== name));
}

// The simulator as a page of the dashboard: one file that the build made, with its scripts in it. It is shown in a room of its own, where
// it reaches nothing of ours: no cookie, no address, no page beside it.

const ALONE = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Beside the bundled program, or where the program runs from its sources. */
const PLACES = ['../simulator.html', '../../dist/simulator.html'];

function addSimulatorPage(app: FastifyInstance, secure: boolean): void {
  app.get('/assets/simulator.html', { config: { access: 'anyone' } }, async (_request, reply) => {
    const page = await readPage();
    if (page === null) {
      reply.callNotFound();
      return reply;
    }
    secureHeaders(reply, secure, ALONE);
    return reply.header('content-type', 'text/html; charset=utf-8').send(page);
  });
}

async function readPage(): Promise<Buffer | null> {
  for (const place of PLACES) {
    const page = await readFile(new URL(place, import.meta.url)).catch(() => null);
    if (page) return page;
  }
  return null;
}

// Turning the second factor of one's own account on and off. Both want the password again: a browser that was left open is
// not enough.

const VIEWER = { config: { access: 'viewer' } } as const;
const ENROLLING = { config: { access: 'viewer', enrolling: true } } as const;

interface Came {
  readonly problem?: string;
  readonly done?: string;
  readonly codes?: readonly string[];
}

function addSecondFactor(app: FastifyInstance, context: RouteContext): void {
  const { users, cookies } = context;
  const on = (act: string, work: (request: FastifyRequest, me: string) => Promise<Came>) =>
    app.post(
      `/account/second-factor/${act}`,
      act === 'off' ? VIEWER : ENROLLING,
      async (request: FastifyRequest, reply: FastifyReply) => {
        const me = request.visit.user?.login ?? '';
        let codes: readonly string[] | null = null;
        const told = await toldBy(request.visit.language, async () => {
          const came = await work(request, me);
          codes = came.codes ?? null;
          return { problem: came.problem ?? null, done: came.done ?? null };
        });
        return showAccount(context, request, reply, told, codes);
      },
    );
  const isPassword = (me: string, { body, ip }: FastifyRequest) =>
    users.isPassword(me, new Secret(field(body, 'current', 200)), ip);
  on('begin', async (request, me) => {
    // Whoever must turn it on has just given it.
    const user = request.visit.user;
    const isKnown = user?.mustEnrol === true && user.proven;
    if (!isKnown && !(await isPassword(me, request)))
      return { problem: request.visit.text.users.wrongPassword };
    await users.secondFactor.begin(me);
    return {};
  });
  on('confirm', async (request, me) => {
    const session = readSession(request, cookies) ?? '';
    const codes = await users.secondFactor.confirm(me, field(request.body, 'code', 40), session);
    return codes === null ? { problem: request.visit.text.signIn.wrongCode } : { codes };
  });
  on('off', async (request, me) => {
    const { body, visit, ip } = request;
    if (!(await isPassword(me, request))) return { problem: visit.text.users.wrongPassword };
    if (!(await users.secondFactor.isCode(me, field(body, 'code', 40), ip)))
      return { problem: visit.text.signIn.wrongCode };
    await users.secondFactor.end(me, me);
    return { done: visit.text.secondFactor.ended };
  });
}
