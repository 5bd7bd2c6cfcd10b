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
import { wake } from '../incidents.js';
import { readSecurity } from '../notification-store.js';
import { createTokenRecords } from './api-records.js';
import { readExportPage, readReversedPage } from '../closing-store.js';
import { toIncidentRow } from './incident-rows.js';
import { instantOrNull } from '../storable.js';
import { moveAll, repost } from './posting-moves.js';
import { createApprovalRecords } from './approvals.js';
import { createReadRecords } from './read-records.js';
import { createRunRecords } from './run-records.js';
import type { Records } from '../database.js';
import { type Models, modelTx, type ModelTx } from '../prisma.js';

export function createOperationRecords(records: Records): OperationRecords {
  const { db } = records;
  return {
    ...createReadRecords(db),
    ...createApprovalRecords(records),
    ...createRunRecords(records),
    ...createActRecords(records),
    ...createTokenRecords(records),
    exportPage: (period, after, limit) => readExportPage(db, period, after, limit),
    reversedPage: (tenant, after, limit) => readReversedPage(db, tenant, after, limit),
  };
}

function createActRecords({ db, models }: Records): ActRecords {
  const leases = createLeases(db);
  const entryLease = (tenantName: TenantName, { id }: ErpReference) => `entry:${tenantName}:${id}`;
  return {
    tally: createActTally(db),
    security: (limit) => readSecurity(db, limit),
    moveAll: (act, action, moves) => modelTx(models, (tx) => moveAll(tx, act, action, moves)),
    repost: (act, postingId, key, generation) =>
      db.tx((tx) => repost(tx, act, { postingId, key, generation })),
    takeEntry: (tenantName, reference, postingId, forMs) =>
      leases.take(entryLease(tenantName, reference), postingId, forMs),
    giveEntryBack: (tenantName, reference, postingId) =>
      leases.giveBack(entryLease(tenantName, reference), postingId),
    holderOf: async (tenantName, reference, besides) => {
      const [row] = await db.rows<{ id: string }>`
        SELECT id::text AS id FROM posting
        WHERE erp_number = ${reference.number ?? reference.id} AND tenant_name = ${tenantName} AND state <> 'reversed'
          AND id <> ${besides}::uuid AND erp_reference::jsonb ->> 'id' = ${reference.id} LIMIT 1`;
      return row?.id ?? null;
    },
    pause: (act, tenant) => modelTx(models, (tx) => setPaused(tx, act, tenant, true)),
    resume: (act, tenant) => modelTx(models, (tx) => setPaused(tx, act, tenant, false)),
    requestSweep: (act, tenant, full) => modelTx(models, (tx) => requestSweep(tx, act, tenant, full)),
    cursors: (tenant) => cursors(models, tenant),
    setCursor: (act, tenant, kind, fromDate) =>
      modelTx(models, (tx) => setCursor(tx, act, { tenant, kind, fromDate })),
    confirmPlan: (act, tenant, how) => modelTx(models, (tx) => confirmPlan(tx, act, tenant, how)),
    acknowledgeIncident: (act, id, companies = null) =>
      modelTx(models, (tx) => closeIncident(tx, act, { id, companies }, 'acknowledged')),
    resolveIncident: (act, id, companies = null) =>
      modelTx(models, (tx) => closeIncident(tx, act, { id, companies }, 'resolved')),
    waiting: (tenant, limit) => waiting(models, tenant, limit),
    verifyAudit: async () => {
      const { chains, entries, breaks } = await verifyAudit(db);
      const shown = breaks.map(({ chain, number, entryId, what }) => ({
        chain,
        number: String(number),
        entryId: entryId === null ? null : String(entryId),
        what,
      }));
      return { whole: breaks.length === 0, chains, entries: String(entries), breaks: shown };
    },
    record: (act, entry) => db.tx((tx) => appendAudit(tx, { ...act, ...entry })),
  };
}

async function setPaused(tx: ModelTx, act: Act, name: string, paused: boolean): Promise<boolean> {
  const { count } = await tx.model.tenant.updateMany({
    where: { name, pausedAt: paused ? null : { not: null } },
    data: paused
      ? { pausedAt: new Date(), pausedBy: act.actor, pausedReason: act.reason }
      : { pausedAt: null, pausedBy: null, pausedReason: null },
  });
  if (count === 0) return false;
  await audit(tx, act, name, paused ? 'tenant.paused' : 'tenant.resumed');
  return true;
}

async function requestSweep(tx: ModelTx, act: Act, name: string, full: boolean): Promise<void> {
  if (full) await tx.model.cursor.updateMany({ where: { tenantName: name }, data: { fullSweepDue: true } });
  await wake(tx, 'sweep', name, {});
  await audit(tx, act, name, 'tenant.sweep-requested', { full });
}

async function cursors(models: Models, tenantName: TenantName): Promise<CursorView[]> {
  const rows = await (await models()).cursor.findMany({ where: { tenantName }, orderBy: { kind: 'desc' } });
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
  tx: ModelTx,
  act: Act,
  { tenant, kind, fromDate }: { tenant: TenantName; kind: string; fromDate: string },
): Promise<boolean> {
  const where = { tenantName: tenant, kind };
  const before = await tx.model.cursor.findFirst({ where });
  const { count } = await tx.model.cursor.updateMany({ where, data: { fromDate } });
  if (count > 0) await audit(tx, act, tenant, 'cursor.set', { kind, from: before?.fromDate, to: fromDate });
  return count > 0;
}

async function confirmPlan(
  tx: ModelTx,
  act: Act,
  name: string,
  how: Readonly<Record<string, boolean>>,
): Promise<boolean> {
  const { count } = await tx.model.tenant.updateMany({
    where: { name, planConfirmedAt: null },
    data: { planConfirmedAt: new Date(), planConfirmedBy: act.actor },
  });
  const forgiven = Object.fromEntries(Object.entries(how).filter(([, was]) => was));
  if (count > 0) await audit(tx, act, name, 'tenant.plan-confirmed', forgiven);
  return count > 0;
}

async function closeIncident(
  tx: ModelTx,
  act: Act,
  { id, companies }: { id: string; companies: Companies },
  to: 'acknowledged' | 'resolved',
) {
  const { count } = await tx.model.incident.updateMany({
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
  const row = await tx.model.incident.findUnique({ where: { id } });
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

async function waiting(models: Models, tenantName: TenantName, limit: number) {
  const where = {
    tenantName,
    state: { in: ['discovered', 'mapped', 'deferred', 'held'] },
    kind: { in: [...SOURCE_KINDS] },
    erpReference: null,
  };
  const [rows, total] = await Promise.all([
    (await models()).posting.findMany({
      where,
      orderBy: { id: 'asc' },
      take: limit,
      select: { id: true, key: true, document: { select: { kind: true, guid: true } } },
    }),
    (await models()).posting.count({ where }),
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
  tx: ModelTx,
  act: Act,
  tenantName: TenantName,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await appendAudit(tx, { tenantName, ...act, action, subject: tenantName, details });
}
