// What people see and do of the other direction: what would go out, what did, what waits for them and why; confirm, pause, replay, skip,
// and say which of several customers is meant. An act never sends anything itself: it moves a submission, and the keeper goes on from there.
import type { Guid, TenantName } from '../../domain/ids.js';
import { coded } from '../../language/coded.js';
import { keptText } from '../../language/say.js';
import { message, reason } from '../../language/messages.js';
import type { SubmissionKind, SubmissionState } from '../../domain/submission.js';
import type { Decisions } from '../../outbound/agree-fields.js';
import { type Act, checkedAct } from '../act.js';
import { companiesOf } from '../find-documents.js';
import type { OperationsDeps } from '../deps.js';
import { reasonView } from '../in-words.js';
import { refuseUnknownTenant } from '../known-tenant.js';
import type {
  OutgoingPlan,
  OutgoingStatus,
  OriginProblemView,
  SubmissionRow,
  SubmissionStory,
} from '../views/outgoing.js';
import { explainSubmission } from './explain-submission.js';
import { confirmOutgoing, known, moveSubmission, replayAbsent, theOne } from './for-two.js';
import { filesNamed, planOutgoing } from './plan-outgoing.js';
import type { OutgoingRecords, StoredSubmission, SubmissionMove } from './records.js';
import {
  SUBMISSION_ACT_TABLE,
  type SubmissionAct,
  submissionActs,
  submissionRefusal,
} from './submission-acts.js';

export interface SubmissionAsk {
  readonly tenant?: string | undefined;
  readonly states?: readonly SubmissionState[] | undefined;
  readonly kind?: SubmissionKind | undefined;
  readonly text?: string | undefined;
  readonly inConflict?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface OnOutgoing {
  outgoing(tenant?: string): Promise<OutgoingStatus[]>;
  submissions(ask?: SubmissionAsk): Promise<SubmissionRow[]>;
  /** By our id, its reference, its mark, or the guid or number that it has at the service. */
  submission(reference: string, tenant?: string): Promise<SubmissionStory>;
  /** What would be sent now, and what would not and why; nothing is sent and nobody is asked. */
  outgoingPlan(tenant: TenantName): Promise<OutgoingPlan>;
  outgoingProblems(tenant?: string): Promise<OriginProblemView[]>;
  confirmOutgoing(tenant: TenantName, act: Act): Promise<boolean>;
  pauseOutgoing(tenant: TenantName, act: Act): Promise<boolean>;
  resumeOutgoing(tenant: TenantName, act: Act): Promise<boolean>;
  replaySubmission(
    id: string,
    act: Act,
    /** `sends`: how often it had been sent when whoever says so looked. */
    options?: { surelyAbsent?: boolean | undefined; sends?: number | undefined },
  ): Promise<SubmissionRow>;
  skipSubmission(id: string, act: Act): Promise<SubmissionRow>;
  /** Deleted again at the service, where its rules allow that. */
  withdrawSubmission(id: string, act: Act): Promise<SubmissionRow>;
  /** Which of several customers with one kennitala is meant. */
  chooseCustomer(id: string, guid: Guid, act: Act): Promise<SubmissionRow>;
  /** Which side holds, field by field, where both have changed; of the values that were shown. */
  settleFields(id: string, decisions: Decisions, act: Act): Promise<SubmissionRow>;
}

const LIMIT = 100;
const LIMIT_MAX = 1_000;
const PROBLEMS_MAX = 500;

export function onOutgoing(deps: OperationsDeps): OnOutgoing {
  const { records } = deps.outgoing;
  return { ...reading(deps), ...steering(deps, records), ...acting(deps) };
}

function reading(deps: OperationsDeps) {
  const { records } = deps.outgoing;
  return {
    outgoing: async (tenant) => {
      await refuseUnknownTenant(deps, tenant);
      const rows = await records.switches(companiesOf(tenant));
      const known = new Map(rows.map((row) => [row.tenantName, row]));
      const names = tenant === undefined ? deps.connections.names() : [tenant];
      return names.flatMap((name): OutgoingStatus[] => {
        const outgoing = deps.connections.tenant(name)?.outgoing;
        const row = known.get(name);
        if (!outgoing && !row) return [];
        const { counts = {}, problems = 0, conflicts = 0, sentToday = 0 } = row ?? {};
        return [
          {
            ...{ tenantName: name, isOn: Boolean(outgoing), counts, problems, conflicts, sentToday },
            perDay: outgoing?.perDay ?? null,
            origins: outgoing?.origins.map((origin) => origin.name) ?? [],
            confirmed: row?.confirmedAt ? { at: row.confirmedAt, by: row.confirmedBy ?? '' } : null,
            paused: row?.pausedAt
              ? { at: row.pausedAt, by: row.pausedBy ?? '', reason: row.pausedReason ?? '' }
              : null,
          },
        ];
      });
    },
    submissions: async ({ tenant, limit, ...query } = {}) => {
      await refuseUnknownTenant(deps, tenant);
      const bounded = Math.min(Math.max(limit ?? LIMIT, 1), LIMIT_MAX);
      const rows = await records.submissions({ ...query, companies: companiesOf(tenant), limit: bounded });
      return rows.map((row) => rowView(deps, row));
    },
    submission: async (reference, tenant) => {
      const row = await theOne(deps, reference, tenant);
      const attempts = await records.attempts(row.id);
      const content = (await records.content(row.id)) ?? '{}';
      return {
        ...rowView(deps, row),
        ...(await explainSubmission(deps, row)),
        attempts: attempts.map((attempt) => ({
          ...attempt,
          message: attempt.message && keptText(deps.language, attempt.message),
        })),
        generated: [...(await records.generated(row.id))],
        files: filesNamed(content).map(({ name, bytes }) => ({ name, bytes })),
        content: JSON.parse(content) as Record<string, unknown>,
      };
    },
    outgoingPlan: (tenant) => planOutgoing(deps, known(deps, tenant)),
    outgoingProblems: async (tenant) => {
      await refuseUnknownTenant(deps, tenant);
      const rows = await records.problems(companiesOf(tenant), PROBLEMS_MAX);
      return rows.map((row) => ({ ...row, problem: keptText(deps.language, row.problem) }));
    },
  } satisfies Partial<OnOutgoing>;
}

function steering(deps: OperationsDeps, records: OutgoingRecords) {
  return {
    confirmOutgoing: (tenant, act) => confirmOutgoing(deps, tenant, act),
    pauseOutgoing: async (tenant, act) => records.pause(known(deps, tenant).name, checkedAct(act)),
    resumeOutgoing: async (tenant, act) => records.resume(known(deps, tenant).name, checkedAct(act)),
  } satisfies Partial<OnOutgoing>;
}

function acting(deps: OperationsDeps) {
  /** As the table of acts has it. */
  const acted = async (
    name: keyof typeof AUDITED,
    id: string,
    act: Act,
    how: Partial<SubmissionMove> = {},
  ) => {
    const row = await theOne(deps, id);
    const { from, to } = SUBMISSION_ACT_TABLE[name];
    refuseAct(name, row);
    return rowView(
      deps,
      await moveSubmission(deps, row, act, { action: AUDITED[name], from, to: to(row), ...how }),
    );
  };
  return {
    replaySubmission: async (id, act, { surelyAbsent = false, sends } = {}) => {
      const row = await theOne(deps, id);
      if (row.twinOf !== null) return rowView(deps, await sendInPlace(deps, row, row.twinOf, act));
      if (surelyAbsent) return rowView(deps, await replayAbsent(deps, row.id, act, sends));
      if (row.reason?.code === 'SUBMISSION_UNKNOWN' && !SEARCHED.has(row.kind))
        throw coded('ACT_NOT_POSSIBLE', message('SAY_SURELY_ABSENT', { reference: row.reference }));
      return acted('replay', id, act);
    },
    skipSubmission: (id, act) =>
      acted('skip', id, act, {
        reason: reason('SUBMISSION_SKIPPED', { why: act.reason.slice(0, 300) }),
      }),
    withdrawSubmission: (id, act) => acted('withdraw', id, act),
    chooseCustomer: (id, guid, act) => acted('use', id, act, { guid }),
    settleFields: async (id, decisions, act) => {
      const row = await theOne(deps, id);
      refuseAct('settle', row);
      if (Object.keys(decisions).length === 0)
        throw coded('ACT_NOT_POSSIBLE', message('NO_FIELD_NAMED', { reference: row.reference }));
      if (!(await deps.outgoing.records.decide(row.id, checkedAct(act), decisions)))
        throw coded('ACT_NOT_POSSIBLE', message('CONFLICT_IS_ANOTHER', { reference: row.reference }));
      return rowView(deps, await theOne(deps, row.id));
    },
  } satisfies Partial<OnOutgoing>;
}

/** A record whose reference belongs to another one goes in its place. As the first one is afterwards. */
async function sendInPlace(
  deps: OperationsDeps,
  row: StoredSubmission,
  firstMark: string,
  act: Act,
): Promise<StoredSubmission> {
  refuseAct('replay', row);
  if (!(await deps.outgoing.records.takePlace(row.id, checkedAct(act)))) {
    const { reference, place, state } = await theOne(deps, firstMark);
    throw coded('ACT_NOT_POSSIBLE', message('FIRST_KEEPS_REFERENCE', { reference, place, state }));
  }
  return theOne(deps, firstMark);
}

const AUDITED = { replay: 'replayed', skip: 'skipped', withdraw: 'withdrawn', use: 'chosen' } as const;

function refuseAct(act: SubmissionAct, row: StoredSubmission): void {
  const refused = submissionRefusal(act, row);
  if (refused !== null) throw coded('ACT_NOT_POSSIBLE', refused);
}

const SEARCHED: ReadonlySet<SubmissionKind> = new Set([
  'invoice',
  'customer',
  'item',
  'cost',
  'task',
  'hours',
]);

function rowView({ language }: OperationsDeps, row: StoredSubmission): SubmissionRow {
  return {
    ...row,
    conflicts: [...row.conflicts],
    reason: reasonView(language, row.reason),
    acts: submissionActs(row),
  };
}
