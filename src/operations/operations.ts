// What an operator can see and do, as plain functions: the command line, the API and the dashboard call exactly these.
// Promises: reading changes nothing; every act names a person and a reason, is refused with a coded error that says what
// to do instead, never races a worker, and leaves its audit entry in the same transaction.
import type { TenantName } from '../domain/ids.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { isCalendarDay } from '../domain/local-time.js';
import type { Language } from '../language/say.js';
import type { SourceKind } from '../domain/source-document.js';
import type { ReconciliationReport } from '../sync/reconcile.js';
import { confineDeps } from './access/confine.js';
import type { Reach } from './access/reach.js';
import { type Act, checkedAct } from './act.js';
import type { Action, ActInput } from './acts.js';
import { confirmPlan, type ConfirmOptions } from './confirm-plan.js';
import type { OperationsDeps, Period } from './deps.js';
import { companiesOf } from './find-documents.js';
import { exportLines, type ExportRequest } from './export.js';
import { createExports, type Exports } from './exports.js';
import { refuseUnknownTenant, unknownTenant } from './known-tenant.js';
import { type Fills, mend, previewMend } from './mend-file.js';
import { type PlanOptions, planTenant } from './plan.js';
import { incidentView } from './in-words.js';
import type { Selection } from './run-records.js';
import { previewReplay, type ReplayOptions, readRun, runView, startReplay, workOffRuns } from './replay.js';
import { createReading, type Reading, type Reader, watchReads } from './reading.js';
import { previewAct, runAct } from './run-act.js';
import { uuid } from './uuid.js';
import { vatReport, type VatRequest } from './vat/report.js';
import type * as acts from './views/act.js';
import type { ApprovalView } from './views/approval.js';
import type { AuditCheck } from './views/audit.js';
import { PAGE_DEFAULT } from './page-size.js';
import type { SecurityRow } from './records.js';
import type { IncidentRow } from './views/incident.js';
import type { MendPreview } from './views/problem.js';
import type { VatReport } from './views/vat.js';
import { type OnPeriods, onPeriods } from './closing/on-periods.js';
import { type OnTokens, onTokens } from './tokens.js';
import { type OnReports, onReports } from './reports/service-report.js';
import { type OnOutgoing, onOutgoing } from './outgoing/on-outgoing.js';
import type { CodedError } from '../domain/errors/coded-error.js';
import { confirmOutgoing, replayAbsent } from './outgoing/for-two.js';
import type { StoredApproval } from './four-eyes/approval-records.js';
import { findPerson } from './four-eyes/second-person.js';

/** Nobody reads more of it on the page of people. */
const SECURITY_SHOWN = 10;

export interface Operations extends Reading, Beside {
  /** The same for one person or program: where reading is in the audit, it is theirs. */
  readBy(reader: Reader): Operations;
  /** The same for somebody who may see only these companies: the others are not there. */
  within(reach: Reach): Operations;
  /** What the tenant file would be with what is missing; nothing is written. */
  previewMend(tenant: TenantName, fills: Fills): Promise<MendPreview>;
  /** Writes it, if the file still is what the preview was made from. */
  mend(tenant: TenantName, fills: Fills, base: string, act: Act): Promise<void>;
  acknowledgeIncident(id: string, act: Act): Promise<IncidentRow>;
  resolveIncident(id: string, act: Act): Promise<IncidentRow>;
  verifyAudit(): Promise<AuditCheck>;

  previewReplay(selection: Selection, options?: ReplayOptions): Promise<acts.ReplayPreview>;
  /** Puts the run on record and returns at once; `workOff` does it, here or elsewhere. */
  startReplay(selection: Selection, act: Act, options?: ReplayOptions): Promise<acts.RunView>;
  /** Works off one run, or every unfinished one. */
  workOff(options?: {
    runId?: string;
    signal?: AbortSignal;
    onBatch?: (done: number) => void;
  }): Promise<void>;
  run(id: string): Promise<acts.RunView>;
  runs(limit?: number): Promise<acts.RunView[]>;

  /** Does an act that the table of acts declares, on these documents. */
  act<Name extends Action>(
    name: Name,
    postingIds: readonly string[],
    input: ActInput<Name>,
    act: Act,
  ): Promise<acts.ActResults[Name]>;
  /** What it would do, and what it would refuse; nothing changes. */
  previewAct<Name extends Action>(
    name: Name,
    postingIds: readonly string[],
    input: ActInput<Name>,
    act: Act,
  ): Promise<acts.ActResults[Name] | acts.ActResult>;

  /** What waits for a second person. */
  approvals(tenant?: string): Promise<ApprovalView[]>;
  /** Agrees to what somebody else asked for, and does it. */
  agree(approvalId: string, act: Act): Promise<ApprovalView>;
  withdraw(approvalId: string, act: Act): Promise<ApprovalView>;

  plan(tenant: TenantName, options?: PlanOptions): Promise<acts.PlanView>;
  /** false: it was confirmed before. Refused while the ERP cannot be asked, has other books or lacks something, unless that is said. */
  confirmPlan(tenant: TenantName, act: Act, options?: ConfirmOptions): Promise<boolean>;
  pause(tenant: TenantName, act: Act): Promise<boolean>;
  resume(tenant: TenantName, act: Act): Promise<boolean>;
  sweep(tenant: TenantName, act: Act, options?: { full?: boolean | undefined }): Promise<void>;
  cursors(tenant: TenantName): Promise<acts.CursorView[]>;
  setCursor(tenant: TenantName, kind: SourceKind, fromDate: string, act: Act): Promise<void>;
  reconcile(tenant: TenantName, period: Period): Promise<ReconciliationReport>;
  export(request: ExportRequest): AsyncGenerator<string>;
  /** What concerns who may come in, the latest first. */
  security(): Promise<readonly SecurityRow[]>;
  /** Who takes what out, for the audit. */
  readonly exports: Exports;
  /** Sends a test message to the channels of a tenant; null: to those that hear of all. */
  testNotifications(tenant: TenantName | null): Promise<readonly acts.ChannelTrial[]>;
  vatReport(request: VatRequest): Promise<VatReport>;
}

export function createOperations(given: OperationsDeps): Operations {
  const deps = { ...given, plans: given.plans ?? new Map() };
  const operations: Operations = {
    within: (reach) => createOperations(confineDeps(deps, reach)),
    readBy: (reader) => (deps.auditsReads === true ? watchReads(operations, deps, reader) : operations),
    ...createReading(deps),
    ...onRecords(deps),
    ...onDocuments(deps),
    ...onTenants(deps),
    ...beside(deps),
  };
  return operations;
}

/** The same operations in each language: what they tell is told in it. */
export type SpokenOperations = Readonly<Record<Language, Operations>>;

export function createSpokenOperations(deps: Omit<OperationsDeps, 'language'>): SpokenOperations {
  return {
    en: createOperations({ ...deps, language: 'en' }),
    is: createOperations({ ...deps, language: 'is' }),
  };
}

function onRecords(deps: OperationsDeps) {
  const { records, language } = deps;
  return {
    acknowledgeIncident: async (id, act) =>
      incidentView(language, incidentOr(await records.acknowledgeIncident(checkedAct(act), uuid(id)), id)),
    resolveIncident: async (id, act) =>
      incidentView(language, incidentOr(await records.resolveIncident(checkedAct(act), uuid(id)), id)),
    verifyAudit: () => records.verifyAudit(),
    export: (request) => exportLines(deps, request),
    security: () => records.security(SECURITY_SHOWN),
    exports: createExports(records.tally, deps.clock),
    vatReport: (request) => vatReport(deps, request),
  } satisfies Partial<Operations>;
}

function onDocuments(deps: OperationsDeps) {
  return {
    previewReplay: async (selection, options = {}) => {
      await refuseUnknownTenant(deps, selection.tenant);
      return previewReplay(deps, selection, options);
    },
    startReplay: async (selection, act, options = {}) => {
      await refuseUnknownTenant(deps, selection.tenant);
      return startReplay(deps, selection, act, options);
    },
    workOff: (options = {}) => workOffRuns(deps, deps.owner, options),
    run: (id) => readRun(deps, id),
    runs: async (limit = PAGE_DEFAULT) =>
      (await deps.records.runs(limit)).map((run) => runView(deps.language, run)),
    act: (name, postingIds, input, act) => runAct(deps, name, postingIds, input, act),
    previewAct: (name, postingIds, input, act) => previewAct(deps, name, postingIds, input, act),
  } satisfies Partial<Operations>;
}

function onTenants(deps: OperationsDeps) {
  const { records } = deps;
  const known = (name: string) => {
    if (!deps.connections.tenant(name)) throw unknownTenant(name, deps.connections.names());
    return name;
  };
  return {
    approvals: async (tenant) => {
      await refuseUnknownTenant(deps, tenant);
      return (await records.approvals(companiesOf(tenant))).map(viewOf);
    },
    agree: (id, act) => agree(deps, id, act),
    withdraw: (id, act) => withdraw(deps, id, act),
    plan: (tenant, options = {}) => planTenant(deps, tenant, options),
    confirmPlan: async (tenant, act, options = {}) => confirmPlan(deps, known(tenant), act, options),
    pause: async (tenant, act) => records.pause(checkedAct(act), known(tenant)),
    resume: async (tenant, act) => {
      const done = await records.resume(checkedAct(act), known(tenant));
      deps.poke();
      return done;
    },
    sweep: async (tenant, act, { full = false } = {}) => {
      await records.requestSweep(checkedAct(act), known(tenant), full);
      deps.poke();
    },
    cursors: async (tenant) => records.cursors(known(tenant)),
    setCursor: async (tenant, kind, fromDate, act) => {
      if (!isCalendarDay(fromDate))
        throw coded('QUERY_INVALID', message('NO_SUCH_DAY', { written: fromDate }));
      if (!(await records.setCursor(checkedAct(act), known(tenant), kind, fromDate)))
        throw coded('ACT_NOT_POSSIBLE', message('NO_CURSOR_YET', { tenant, kind }));
    },
    previewMend: async (tenant, fills) => previewMend(deps, known(tenant), fills),
    mend: async (tenant, fills, base, act) => mend(deps, known(tenant), fills, base, act),
    reconcile: async (tenant, period) => deps.reconcile(known(tenant), checkedPeriod(period)),
    testNotifications: async (tenant) => deps.tryChannels(tenant === null ? null : known(tenant)),
  } satisfies Partial<Operations>;
}

function incidentOr(row: IncidentRow | null, id: string): IncidentRow {
  if (row) return row;
  throw coded('INCIDENT_NOT_FOUND', message('INCIDENT_UNKNOWN', { id }));
}

function checkedPeriod({ from, to }: Period): Period {
  if (isCalendarDay(from) && isCalendarDay(to) && from <= to) return { from, to };
  throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
}

// What operations offer beside documents and tenants: periods, tokens, the other direction, and reports of the service.

interface Beside extends OnPeriods, OnTokens, OnOutgoing, OnReports {}

function beside(deps: OperationsDeps): Beside {
  return { ...onPeriods(deps), ...onTokens(deps), ...onOutgoing(deps), ...onReports(deps) };
}

// Agreeing to what somebody else asked for: the act is done, exactly as it was asked.

async function agree(deps: OperationsDeps, id: string, said: Act): Promise<ApprovalView> {
  const act = checkedAct(said);
  const found = await openApproval(deps, id);
  const person = await findPerson(deps, act);
  if (person === null) throw coded('SECOND_PERSON_NEEDED', message('PERSON_UNKNOWN'));
  if (found.person === person) throw coded('SECOND_PERSON_NEEDED', message('ASKED_BY_YOURSELF'));
  if (found.act === 'plan' && act.role !== undefined && act.role !== 'admin')
    throw coded('COMPANY_ROLE', message('ADMIN_AGREES'));
  const how = JSON.parse(found.asked) as Record<string, never>;
  switch (found.act) {
    case 'plan':
      await confirmPlan(deps, found.subject, act, how);
      break;
    case 'reversal':
      await runAct(deps, 'reverse', [found.subject], inputOf(how), act);
      break;
    case 'outgoing-plan':
      await confirmOutgoing(deps, found.subject, act);
      break;
    case 'outgoing-absent':
      await replayAbsent(deps, found.subject, act, Number(how['sends']));
      break;
    case 'surely-absent':
      await startReplay(deps, { postingIds: [found.subject] }, act, { surelyAbsent: true });
      break;
  }
  return viewOf(found);
}

/** The approval also names the generation of the entry, which is no input. */
function inputOf({ generation: _generation, ...input }: Record<string, unknown>) {
  return input as ActInput<'reverse'>;
}

async function withdraw(deps: OperationsDeps, id: string, said: Act): Promise<ApprovalView> {
  const act = checkedAct(said);
  const found = await openApproval(deps, id);
  if (!(await deps.records.withdrawApproval(act, found.id))) throw gone(id);
  return viewOf(found);
}

async function openApproval(deps: OperationsDeps, id: string): Promise<StoredApproval> {
  const found = /^[0-9a-f-]{36}$/i.test(id) ? await deps.records.approval(id) : null;
  if (!found) throw gone(id);
  return found;
}

function gone(id: string): CodedError {
  return coded('APPROVAL_NOT_FOUND', message('NO_SUCH_APPROVAL', { id }));
}

/** Neither how it was asked nor who proved to be whom is anybody else's business. */
function viewOf({ asked: _asked, person: _person, ...view }: StoredApproval): ApprovalView {
  return view;
}
