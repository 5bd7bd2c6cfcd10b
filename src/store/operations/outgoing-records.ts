// The other direction for people, on PostgreSQL: lists, what was sent, and acts with their audit entry.
import type { TenantName } from '../../domain/ids.js';
import { keptWords } from '../../domain/message.js';
import type { SubmissionKind, SubmissionState } from '../../domain/submission.js';
import { storableText } from '../../domain/text.js';
import { say } from '../../language/say.js';
import type { Companies } from '../../operations/access/reach.js';
import type { Act } from '../../operations/act.js';
import type {
  OutgoingRecords,
  OutgoingSwitches,
  StoredProblem,
  StoredSubmission,
  SubmissionMove,
  SubmissionQuery,
} from '../../operations/outgoing/records.js';
import type { Decisions, FieldConflict } from '../../outbound/agree-fields.js';
import { appendAudit } from '../audit.js';
import type { Prisma } from '../generated/client.js';
import { paramsText, type ReasonColumns, storable, toReason } from '../storable.js';
import { takePlace } from '../shared-references.js';
import type { Records } from '../database.js';
import { type Db, sql, type Tx } from '../db.js';
import { type Models, modelTx } from '../prisma.js';
import { endLease } from '../lease.js';

const GENERATED_MAX = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createOutgoingRecords({ db, models }: Records): OutgoingRecords {
  return {
    switches: (companies) => switches(db, companies),
    submissions: (query) => submissions(models, query),
    attempts: async (submissionId) => {
      const prisma = await models();
      const rows = await prisma.submissionAttempt.findMany({
        where: { submissionId },
        orderBy: { number: 'asc' },
      });
      return rows.map(({ number, startedAt, finishedAt, outcome, message, request }) => ({
        ...{ number, outcome, message, request },
        startedAt: startedAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
      }));
    },
    content: async (id) =>
      (await (await models()).submission.findUnique({ where: { id }, select: { content: true } }))?.content ??
      null,
    generated: async (submissionId) =>
      (await models()).subscriptionInvoice.findMany({
        where: { submissionId },
        orderBy: { seenAt: 'desc' },
        take: GENERATED_MAX,
        select: { guid: true, number: true },
      }),
    problems: (companies, limit) => problems(db, companies, limit),
    confirm: (tenant, act) => steer(models, tenant, act, 'confirmed'),
    pause: (tenant, act) => steer(models, tenant, act, 'paused'),
    resume: (tenant, act) => steer(models, tenant, act, 'resumed'),
    move: (id, act, move) => db.tx((tx) => moveOne(tx, id, act, move)),
    takePlace: (id, act) => db.tx((tx) => takePlace(tx, id, act)),
    decide: (id, act, decisions) => db.tx((tx) => decideFields(tx, id, act, decisions)),
  };
}

const within = (companies: Companies) =>
  companies === null ? sql`true` : sql`tenant_name = ANY(${[...companies]})`;

interface SwitchRow extends Omit<OutgoingSwitches, 'counts' | 'confirmedAt' | 'pausedAt'> {
  readonly confirmedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

async function switches(db: Db, companies: Companies): Promise<OutgoingSwitches[]> {
  const rows = await db.rows<SwitchRow>`
    WITH named AS (SELECT tenant_name FROM outgoing_tenant WHERE ${within(companies)}
                   UNION SELECT DISTINCT tenant_name FROM submission WHERE ${within(companies)}
                   UNION SELECT DISTINCT tenant_name FROM origin_problem WHERE ${within(companies)})
    SELECT n.tenant_name AS "tenantName", o.confirmed_at AS "confirmedAt", o.confirmed_by AS "confirmedBy", o.paused_at AS "pausedAt",
           o.paused_by AS "pausedBy", o.paused_reason AS "pausedReason",
           (SELECT count(*)::int FROM submission s WHERE s.tenant_name = n.tenant_name AND s.last_sent_at > now() - interval '24 hours') AS "sentToday",
           (SELECT count(*)::int FROM origin_problem p WHERE p.tenant_name = n.tenant_name)
             + (SELECT count(*)::int FROM submission s WHERE s.tenant_name = n.tenant_name AND s.twin_of IS NOT NULL AND s.state = 'refused') AS problems,
           (SELECT count(*)::int FROM submission s WHERE s.tenant_name = n.tenant_name AND s.conflicts IS NOT NULL) AS conflicts,
           (SELECT json_object_agg(state, c) FROM (SELECT state, count(*)::int AS c FROM submission s
              WHERE s.tenant_name = n.tenant_name GROUP BY state) AS by_state) AS counts
    FROM named n LEFT JOIN outgoing_tenant o USING (tenant_name) ORDER BY n.tenant_name`;
  return rows.map(({ counts, confirmedAt, pausedAt, ...row }) => ({
    ...row,
    counts: counts ?? {},
    confirmedAt: confirmedAt?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
  }));
}

async function submissions(models: Models, query: SubmissionQuery): Promise<StoredSubmission[]> {
  const { companies, states, kind, text, inConflict, limit } = query;
  const named =
    text === undefined ? [] : [{ reference: text }, { key: text }, { guid: text }, { number: text }];
  const prisma = await models();
  const rows = await prisma.submission.findMany({
    where: {
      ...(companies === null ? {} : { tenantName: { in: [...companies] } }),
      ...(states === undefined ? {} : { state: { in: [...states] } }),
      ...(kind === undefined ? {} : { kind }),
      ...(inConflict === true ? { conflicts: { not: null } } : {}),
      ...(text === undefined ? {} : { OR: UUID.test(text) ? [...named, { id: text }] : named }),
    },
    orderBy: [{ stateSince: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map((row) => ({
    ...{
      id: row.id,
      tenantName: row.tenantName,
      origin: row.origin,
      reference: row.reference,
      mark: row.key,
      twinOf: row.twinOf,
    },
    ...{
      place: row.place,
      counterparty: row.counterparty,
      guid: row.guid,
      number: row.number,
      sends: row.sends,
    },
    ...{ currency: row.currency, issueDate: row.issueDate, paymentLink: row.paymentLink },
    kind: row.kind as SubmissionKind,
    state: row.state as SubmissionState,
    since: row.stateSince.toISOString(),
    amount: row.amount?.toFixed(2) ?? null,
    dueAt: row.dueAt?.toISOString() ?? null,
    receivedAt: row.receivedAt.toISOString(),
    conflicts: row.conflicts === null ? [] : (JSON.parse(row.conflicts) as FieldConflict[]),
    agreedAt: row.agreedAt?.toISOString() ?? null,
    reason: toReason({
      ...{ reason: row.reason, reason_subject: row.reasonSubject },
      ...{ reason_params: row.reasonParams, reason_sentence: null },
    }),
  }));
}

/** What cannot be read, and what shares its reference with another record. */
async function problems(db: Db, companies: Companies, limit: number): Promise<StoredProblem[]> {
  const rows = await db.rows<Omit<StoredProblem, 'seenAt'> & ReasonColumns & { seenAt: Date }>`
    SELECT tenant_name AS "tenantName", origin, place, problem, seen_at AS "seenAt", NULL AS reason, NULL AS reason_subject,
           NULL AS reason_params, NULL AS reason_sentence
    FROM origin_problem WHERE ${within(companies)}
    UNION ALL
    SELECT tenant_name, origin, place, '', state_since, reason, reason_subject, reason_params, NULL
    FROM submission WHERE twin_of IS NOT NULL AND state = 'refused' AND ${within(companies)}
    ORDER BY 1, 2, 3 LIMIT ${limit}`;
  return rows.map(({ tenantName, origin, place, problem, seenAt, ...row }) => {
    const why = toReason(row);
    const text = why === null ? problem : keptWords({ message: say('en', why), said: why }, 1_000);
    return { tenantName, origin, place, problem: text, seenAt: seenAt.toISOString() };
  });
}

type Steered = 'confirmed' | 'paused' | 'resumed';

function steer(
  models: Models,
  tenantName: TenantName,
  { actor, reason }: Act,
  how: Steered,
): Promise<boolean> {
  return modelTx(models, async (tx) => {
    await tx.run`INSERT INTO outgoing_tenant (tenant_name) VALUES (${tenantName}) ON CONFLICT DO NOTHING`;
    const { where, data } = changeOf(actor, reason, how);
    const { count } = await tx.model.outgoingTenant.updateMany({ where: { tenantName, ...where }, data });
    if (count === 0) return false;
    await appendAudit(tx, { tenantName, actor, action: `outgoing.${how}`, subject: tenantName, reason });
    return true;
  });
}

interface Steering {
  readonly where: Prisma.OutgoingTenantWhereInput;
  readonly data: Prisma.OutgoingTenantUpdateManyMutationInput;
}

function changeOf(actor: string, reason: string, how: Steered): Steering {
  switch (how) {
    case 'confirmed':
      return {
        where: { confirmedAt: null },
        data: { confirmedAt: new Date(), confirmedBy: actor },
      };
    case 'paused':
      return {
        where: { pausedAt: null },
        data: { pausedAt: new Date(), pausedBy: actor, pausedReason: storableText(reason) },
      };
    case 'resumed':
      return {
        where: { pausedAt: { not: null } },
        data: { pausedAt: null, pausedBy: null, pausedReason: null },
      };
  }
}

/** With a new fence: whoever is at work on it cannot put anything on record any more. */
async function moveOne(tx: Tx, id: string, act: Act, move: SubmissionMove): Promise<boolean> {
  const { action, from, to, reason, guid, surelyAbsent, sends = null } = move;
  const moved = await tx.rows<{ tenantName: TenantName; before: string }>`
    UPDATE submission s SET state = ${to}, state_since = now(), ${endLease('s')}, tries = 0, deaths = 0,
      due_at = now(), reason = ${reason?.code ?? null}, reason_subject = ${reason?.subject ?? null},
      reason_params = ${reason ? storableText(paramsText(reason.params)) : null}, guid = coalesce(${guid ?? null}, s.guid),
      surely_absent = s.surely_absent OR ${surelyAbsent === true}
    FROM (SELECT id, state FROM submission WHERE id = ${id}::uuid FOR UPDATE) AS old
    WHERE s.id = old.id AND old.state = ANY(${[...from]}) AND (${sends}::int IS NULL OR s.sends = ${sends}::int)
    RETURNING s.tenant_name AS "tenantName", old.state AS before`;
  const [row] = moved;
  if (!row) return false;
  const { tenantName, before } = row;
  const details = {
    from: before,
    to,
    ...(guid === undefined ? {} : { guid }),
    ...(surelyAbsent ? { surelyAbsent } : {}),
  };
  await appendAudit(tx, {
    ...{
      tenantName,
      actor: act.actor,
      action: `submission.${action}`,
      subject: id,
      reason: act.reason,
      details,
    },
  });
  return true;
}

// What a person says of fields that an origin and the service have both changed: of the values that were shown, and no others.

interface InConflict {
  readonly tenantName: TenantName;
  readonly reference: string;
  readonly conflicts: string;
  readonly decided: string | null;
}

/** The keeper does what was said; it is taken up again with a new fence, from where it rests. */
export async function decideFields(
  tx: Tx,
  id: string,
  { actor, reason }: Act,
  decisions: Decisions,
): Promise<boolean> {
  const [row] = await tx.rows<InConflict>`
    SELECT tenant_name AS "tenantName", reference, conflicts, decided FROM submission
    WHERE id = ${id}::uuid AND conflicts IS NOT NULL AND state IN ('created', 'acknowledged', 'received') FOR UPDATE`;
  if (!row) return false;
  const conflicts = JSON.parse(row.conflicts) as readonly FieldConflict[];
  const isAbout = ([field, { origin, service }]: [string, Decisions[string]]) =>
    conflicts.some((one) => one.field === field && one.origin === origin && one.service === service);
  if (!Object.entries(decisions).every(isAbout)) return false;
  const before = row.decided === null ? {} : (JSON.parse(row.decided) as Decisions);
  const said = JSON.stringify(storable({ ...before, ...decisions }));
  await tx.run`
    UPDATE submission SET decided = ${said}, ${endLease('submission')}, tries = 0, deaths = 0, due_at = now(),
      state_since = CASE WHEN state = 'received' THEN state_since ELSE now() END, state = 'received'
    WHERE id = ${id}::uuid`;
  const details = { reference: row.reference, decisions: storable(decisions) };
  const action = 'submission.fields-decided';
  await appendAudit(tx, { tenantName: row.tenantName, actor, action, subject: id, reason, details });
  return true;
}
