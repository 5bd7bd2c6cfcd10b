// Three companies and somebody who is admin of one, viewer of another and nothing in the third: with everything that can leak
// or be changed on record for each of them.
import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { Secret } from '../../../src/domain/secret.js';
import type { OperatorRole } from '../../../src/operations/token-records.js';
import { createApprovalRecords } from '../../../src/store/operations/approvals.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type DashboardBed, PASSWORD, servedDashboard } from '../../support/dashboard-bed.js';

export const OWN = 'hraun';
export const SEEN = 'fjordur';
export const HIDDEN = 'leynd';
export const REACH = new Map<string, OperatorRole>([
  [OWN, 'admin'],
  [SEEN, 'viewer'],
]);

export interface CompanyIds {
  readonly tenant: string;
  readonly posting: string;
  readonly incident: string;
  readonly run: string;
  readonly approval: string;
  readonly certificate: string;
  readonly submission: string;
  readonly text: string;
}

interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

export interface MatrixBed {
  readonly bed: Bed;
  readonly dash: DashboardBed;
  readonly ids: Readonly<Record<string, CompanyIds>>;
  /** What only the hidden company has: ids, guids, names. */
  readonly marks: readonly string[];
  session(login: string): Promise<Session>;
  /** Somebody's account was changed, which signs them out. */
  forgetSessions(): void;
  ask(options: InjectOptions): Promise<{ status: number; body: string }>;
  /** What acts of people would change in a company. */
  fingerprint(tenant: string): Promise<unknown>;
  close(): Promise<void>;
}

const TENANTS = [OWN, SEEN, HIDDEN];

export async function matrixBed(): Promise<MatrixBed> {
  const bed = await bridgeBed({
    accounts: TENANTS.map((username) => ({ username, invoices: 6, costs: 6, seed: `matrix-${username}` })),
    tenants: TENANTS.map((name) => ({
      name,
      account: name,
      erp: { adapter: 'file' },
      more: { fourEyes: ['reversal'], title: name === HIDDEN ? 'Leyndarmál ehf.' : `${name} ehf.` },
    })),
  });
  await bed.settled();
  const dash = servedDashboard(bed.bridge);
  await dash.users.create('everybody', 'admin', new Secret(PASSWORD), 'test');
  await dash.users.create('confined', 'viewer', new Secret(PASSWORD), 'test', REACH);
  const ids: Record<string, CompanyIds> = {};
  for (const tenant of TENANTS) ids[tenant] = await fill(bed, tenant);
  let visits = 0;
  const sessions = new Map<string, Promise<Session>>();
  return {
    bed,
    dash,
    ids,
    marks: await marksOf(bed),
    session: (login) => {
      const known = sessions.get(login) ?? session(dash, login);
      sessions.set(login, known);
      return known;
    },
    forgetSessions: () => sessions.clear(),
    ask: async (options) => {
      visits += 1;
      const answer = await dash.app.inject({
        ...options,
        remoteAddress: `10.2.${String(visits >> 8)}.${String(visits & 255)}`,
      });
      return { status: answer.statusCode, body: answer.body };
    },
    fingerprint: (tenant) => fingerprint(bed, tenant),
    close: () => bed.close(),
  };
}

async function fill({ bridge: { operations }, database }: Bed, tenant: string): Promise<CompanyIds> {
  const [document] = (await operations.documents({ tenant, limit: 1 })).items;
  if (!document) throw new Error(`${tenant} has no document`);
  const act = { actor: 'test', reason: `something of ${tenant}` };
  const run = await operations.startReplay({ postingIds: [document.postingId] }, act);
  await operations.reconcile(tenant, { from: '2025-01-01', to: '2026-12-31' });
  const approvals = createApprovalRecords(database);
  const wanted = { tenantName: tenant, act: 'reversal', subject: document.postingId, asked: '{}' } as const;
  const approval = await approvals.askOrAgree(act, 'somebody', wanted);
  const incident = randomUUID();
  const now = new Date();
  await database.prisma.incident.create({
    data: {
      id: incident,
      tenantName: tenant,
      code: 'TEST',
      fingerprint: incident,
      severity: 'warning',
      title: `Incident of ${tenant}`,
      details: `details-${incident}`,
      nextStep: 'none',
      state: 'open',
      firstSeenAt: now,
      lastSeenAt: now,
    },
  });
  const submission = randomUUID();
  await database.prisma.submission.create({
    data: {
      ...{
        id: submission,
        tenantName: tenant,
        origin: 'orders',
        kind: 'customer',
        reference: `reference-of-${tenant}`,
      },
      ...{
        key: `key-of-${tenant}`,
        place: `${tenant}.csv:2`,
        state: 'parked',
        stateSince: now,
        receivedAt: now,
      },
      ...{ content: '{"kennitala":"5402696029"}', contentHash: '' },
    },
  });
  const problem = {
    tenantName: tenant,
    origin: 'orders',
    place: `problem-of-${tenant}:1`,
    problem: 'x',
    seenAt: now,
  };
  await database.prisma.originProblem.create({ data: problem });
  const year = { from: '2026-01-01', to: '2026-12-31' };
  const certificate = await operations.closePeriod(tenant, year, act);
  const text = document.counterpartyName || document.guid.slice(0, 8);
  return {
    tenant,
    posting: document.postingId,
    incident,
    run: run.id,
    approval: approval.outcome === 'waits' ? approval.id : '',
    certificate: certificate.id,
    submission,
    text,
  };
}

/** Ids and long words that stand in the records of the hidden company and in nobody else's. */
async function marksOf({ database: { prisma } }: Bed): Promise<string[]> {
  const rows = await prisma.posting.findMany({ include: { document: true } });
  const words = (tenant: (name: string) => boolean) =>
    new Set(
      rows
        .filter((row) => tenant(row.tenantName))
        .flatMap(({ id, key, document: { guid, counterpartyName, counterpartyKennitala } }) => [
          id,
          key,
          guid,
          counterpartyName,
          counterpartyKennitala,
        ])
        .filter((word) => word.length > 5),
    );
  const others = words((name) => name !== HIDDEN);
  const incident = await prisma.incident.findMany({ where: { tenantName: HIDDEN } });
  return [
    ...[...words((name) => name === HIDDEN)].filter((word) => !others.has(word)),
    ...incident.map(({ details }) => details),
    `reference-of-${HIDDEN}`,
    `problem-of-${HIDDEN}`,
    'Leyndarmál',
    HIDDEN,
  ];
}

async function session(dash: DashboardBed, login: string): Promise<Session> {
  const signedIn = await dash.users.signIn(login, new Secret(PASSWORD), { browser: '', address: '' });
  if (signedIn.outcome !== 'signed-in') throw new Error(`${login} cannot sign in`);
  const cookie = `ledgerbridge=${signedIn.sessionId}`;
  const { body } = await dash.app.inject({ url: '/account', headers: { cookie } });
  return { cookie, csrf: /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? '' };
}

async function fingerprint({ database: { prisma } }: Bed, tenantName: string): Promise<unknown> {
  return {
    postings: await prisma.posting.findMany({
      where: { tenantName },
      select: { id: true, state: true, reason: true, generation: true, leaseOwner: true },
      orderBy: { id: 'asc' },
    }),
    tenant: await prisma.tenant.findUnique({
      where: { name: tenantName },
      select: { pausedAt: true, planConfirmedAt: true },
    }),
    incidents: await prisma.incident.findMany({ where: { tenantName }, select: { id: true, state: true } }),
    cursors: await prisma.cursor.findMany({ where: { tenantName }, select: { kind: true, fromDate: true } }),
    acts: await prisma.auditEntry.count({
      where: { chain: tenantName, actor: { in: ['confined', 'bound'] } },
    }),
    runs: await prisma.operationItem.count({
      where: {
        postingId: { in: (await prisma.posting.findMany({ where: { tenantName } })).map(({ id }) => id) },
      },
    }),
    certificates: await prisma.certificate.count({ where: { tenantName } }),
    submissions: await prisma.submission.findMany({
      where: { tenantName },
      select: { id: true, state: true },
    }),
    outgoing: await prisma.outgoingTenant.findMany({ where: { tenantName } }),
    approvals: await prisma.approval.findMany({ where: { tenantName }, select: { id: true, state: true } }),
    comparisons: await prisma.reconciliationRun.count({ where: { tenantName } }),
  };
}
