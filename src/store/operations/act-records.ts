// The acting side of operations on PostgreSQL: each act one transaction with its audit entry.
import type { TenantName } from '../../domain/ids.js';
import type { Companies } from '../../operations/access/reach.js';
import type { Act, ActRecords, OperationRecords } from '../../operations/records.js';
import { SOURCE_KINDS, type SourceKind } from '../../domain/source-document.js';
import type { ErpReference } from '../../erp/erp-adapter.js';
import type { CursorView } from '../../operations/views/act.js';
import { createActTally } from '../act-tally.js';
import { appendAudit, verifyAudit } from '../audit.js';
import { createLeases } from '../dispatch-store.js';
import type { PrismaClient } from '../generated/client.js';
import { wake } from '../incidents.js';
import type { ModelTransaction } from '../light-client.js';
import { readSecurity } from '../security-store.js';
import { createTokenRecords } from './api-records.js';
import { readExportPage, readReversedPage } from './export-reader.js';
import { toIncidentRow } from './incident-rows.js';
import { instantOrNull } from './instants.js';
import { moveAll, repost } from './posting-moves.js';
import { createApprovalRecords } from './approvals.js';
import { createReadRecords } from './read-records.js';
import { createRunRecords } from './run-records.js';

export function createOperationRecords(prisma: PrismaClient): OperationRecords {
  return {
    ...createReadRecords(prisma),
    ...createApprovalRecords(prisma),
    ...createRunRecords(prisma),
    ...createActRecords(prisma),
    ...createTokenRecords(prisma),
    exportPage: (period, after, limit) => readExportPage(prisma, period, after, limit),
    reversedPage: (tenant, after, limit) => readReversedPage(prisma, tenant, after, limit),
  };
}

function createActRecords(prisma: PrismaClient): ActRecords {
  const leases = createLeases(prisma);
  const entryLease = (tenantName: TenantName, { id }: ErpReference) => `entry:${tenantName}:${id}`;
  return {
    tally: createActTally(prisma),
    security: (limit) => readSecurity(prisma, limit),
    moveAll: (act, action, moves) => prisma.$transaction((tx) => moveAll(tx, act, action, moves)),
    repost: (act, postingId, key, generation) =>
      prisma.$transaction((tx) => repost(tx, act, { postingId, key, generation })),
    takeEntry: (tenantName, reference, postingId, forMs) =>
      leases.take(entryLease(tenantName, reference), postingId, forMs),
    giveEntryBack: (tenantName, reference, postingId) =>
      leases.giveBack(entryLease(tenantName, reference), postingId),
    holderOf: async (tenantName, reference, besides) => {
      const [row] = await prisma.$queryRaw<{ id: string }[]>`
        SELECT id::text AS id FROM posting
        WHERE erp_number = ${reference.number ?? reference.id} AND tenant_name = ${tenantName} AND state <> 'reversed'
          AND id <> ${besides}::uuid AND erp_reference::jsonb ->> 'id' = ${reference.id} LIMIT 1`;
      return row?.id ?? null;
    },
    pause: (act, tenant) => prisma.$transaction((tx) => setPaused(tx, act, tenant, true)),
    resume: (act, tenant) => prisma.$transaction((tx) => setPaused(tx, act, tenant, false)),
    requestSweep: (act, tenant, full) => prisma.$transaction((tx) => requestSweep(tx, act, tenant, full)),
    cursors: (tenant) => cursors(prisma, tenant),
    setCursor: (act, tenant, kind, fromDate) =>
      prisma.$transaction((tx) => setCursor(tx, act, { tenant, kind, fromDate })),
    confirmPlan: (act, tenant, how) => prisma.$transaction((tx) => confirmPlan(tx, act, tenant, how)),
    acknowledgeIncident: (act, id, companies = null) =>
      prisma.$transaction((tx) => closeIncident(tx, act, { id, companies }, 'acknowledged')),
    resolveIncident: (act, id, companies = null) =>
      prisma.$transaction((tx) => closeIncident(tx, act, { id, companies }, 'resolved')),
    waiting: (tenant, limit) => waiting(prisma, tenant, limit),
    verifyAudit: async () => {
      const { chains, entries, breaks } = await verifyAudit(prisma);
      const shown = breaks.map(({ chain, number, entryId, what }) => ({
        chain,
        number: String(number),
        entryId: entryId === null ? null : String(entryId),
        what,
      }));
      return { whole: breaks.length === 0, chains, entries: String(entries), breaks: shown };
    },
    record: (act, entry) => prisma.$transaction((tx) => appendAudit(tx, { ...act, ...entry })),
  };
}

async function setPaused(tx: ModelTransaction, act: Act, name: string, paused: boolean): Promise<boolean> {
  const { count } = await tx.tenant.updateMany({
    where: { name, pausedAt: paused ? null : { not: null } },
    data: paused
      ? { pausedAt: new Date(), pausedBy: act.actor, pausedReason: act.reason }
      : { pausedAt: null, pausedBy: null, pausedReason: null },
  });
  if (count === 0) return false;
  await audit(tx, act, name, paused ? 'tenant.paused' : 'tenant.resumed');
  return true;
}

async function requestSweep(tx: ModelTransaction, act: Act, name: string, full: boolean): Promise<void> {
  if (full) await tx.cursor.updateMany({ where: { tenantName: name }, data: { fullSweepDue: true } });
  await wake(tx, 'sweep', name, {});
  await audit(tx, act, name, 'tenant.sweep-requested', { full });
}

async function cursors(prisma: PrismaClient, tenantName: TenantName): Promise<CursorView[]> {
  const rows = await prisma.cursor.findMany({ where: { tenantName }, orderBy: { kind: 'desc' } });
  return rows.map((row) => ({
    tenantName,
    kind: row.kind as CursorView['kind'],
    fromDate: row.fromDate,
    lastSweepAt: instantOrNull(row.lastSweepAt),
    lastFullSweepAt: instantOrNull(row.lastFullSweepAt),
    fullSweepDue: row.fullSweepDue,
  }));
}

async function setCursor(
  tx: ModelTransaction,
  act: Act,
  { tenant, kind, fromDate }: { tenant: TenantName; kind: string; fromDate: string },
): Promise<boolean> {
  const where = { tenantName: tenant, kind };
  const before = await tx.cursor.findFirst({ where });
  const { count } = await tx.cursor.updateMany({ where, data: { fromDate } });
  if (count > 0) await audit(tx, act, tenant, 'cursor.set', { kind, from: before?.fromDate, to: fromDate });
  return count > 0;
}

async function confirmPlan(
  tx: ModelTransaction,
  act: Act,
  name: string,
  how: Readonly<Record<string, boolean>>,
): Promise<boolean> {
  const { count } = await tx.tenant.updateMany({
    where: { name, planConfirmedAt: null },
    data: { planConfirmedAt: new Date(), planConfirmedBy: act.actor },
  });
  const forgiven = Object.fromEntries(Object.entries(how).filter(([, was]) => was));
  if (count > 0) await audit(tx, act, name, 'tenant.plan-confirmed', forgiven);
  return count > 0;
}

async function closeIncident(
  tx: ModelTransaction,
  act: Act,
  { id, companies }: { id: string; companies: Companies },
  to: 'acknowledged' | 'resolved',
) {
  const { count } = await tx.incident.updateMany({
    where: {
      id,
      ...(companies === null ? {} : { tenantName: { in: [...companies] } }),
      state: { in: to === 'resolved' ? ['open', 'acknowledged'] : ['open'] },
    },
    data:
      to === 'resolved'
        ? { state: to, resolvedAt: new Date(), resolvedBy: act.actor, resolution: act.reason }
        : { state: to },
  });
  const row = await tx.incident.findUnique({ where: { id } });
  if (!row || count === 0) return null;
  await appendAudit(tx, {
    ...(row.tenantName === null ? {} : { tenantName: row.tenantName }),
    ...act,
    action: `incident.${to}`,
    subject: id,
    details: { code: row.code },
  });
  return toIncidentRow(row);
}

async function waiting(prisma: PrismaClient, tenantName: TenantName, limit: number) {
  const where = {
    tenantName,
    state: { in: ['discovered', 'mapped', 'deferred', 'held'] },
    kind: { in: [...SOURCE_KINDS] },
    erpReference: null,
  };
  const [rows, total] = await Promise.all([
    prisma.posting.findMany({
      where,
      orderBy: { id: 'asc' },
      take: limit,
      select: { id: true, key: true, document: { select: { kind: true, guid: true } } },
    }),
    prisma.posting.count({ where }),
  ]);
  return {
    rows: rows.map(({ id, key, document }) => ({
      postingId: id,
      key,
      kind: document.kind as SourceKind,
      guid: document.guid,
    })),
    total,
  };
}

async function audit(
  tx: ModelTransaction,
  act: Act,
  tenantName: TenantName,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await appendAudit(tx, { tenantName, ...act, action, subject: tenantName, details });
}
