// What can be seen, as plain functions: nothing here changes anything, or needs more than the records and the tenants' files.
import type { Page } from './views/common.js';
import { PAGE_DEFAULT } from './page-size.js';
import { withSuggestions } from './suggestions.js';
import type { ConditionCode } from '../domain/condition.js';
import { groupProblems, inboxRows, worstFirst } from './causes.js';
import { connectionProblems, queuesProblem } from './connections-down.js';
import type { ReadingDeps } from './deps.js';
import type { DocumentQuery } from './document-query.js';
import { explainPosting } from './explain.js';
import { companiesOf, identify, searchDocuments } from './find-documents.js';
import { incidentView } from './in-words.js';
import { refuseUnknownTenant } from './known-tenant.js';
import { withoutStale } from './broken-files.js';
import { alarmProblem, untold } from './open-alarms.js';
import { outgoingProblems } from './outgoing/waits.js';
import { readOverview, readSchedules } from './overview.js';
import type { AuditQuery, IncidentQuery } from './records.js';
import type { AuditEntryView } from './views/audit.js';
import type { DocumentPage, Story } from './views/document.js';
import type { IncidentRow } from './views/incident.js';
import type { Overview, ScheduleView, Throughput } from './views/overview.js';
import type { InboxRow, Problem } from './views/problem.js';

type OfTenant<Query> = Omit<Query, 'companies'> & { readonly tenant?: string | undefined };

export interface Reading {
  /** Of all tenants, or of one as whoever sees only that one has it. */
  overview(tenant?: string): Promise<Overview>;
  /** Somebody hands out work on these records at this moment. */
  isBridgeRunning(): Promise<boolean>;
  throughput(tenant: string | null, hours?: number): Promise<Throughput>;
  schedules(): Promise<ScheduleView[]>;
  documents(query: DocumentQuery): Promise<DocumentPage>;
  /** By our id, a guid or its first eight digits, a number, a key or the number of its entry. `askSource` also reads the document at the source. */
  explain(
    reference: string,
    options?: { tenant?: string | undefined; askSource?: boolean | undefined },
  ): Promise<Story>;
  /** The one posting that a person means. */
  identify(reference: string, tenant?: string): Promise<string>;
  problems(tenant?: string): Promise<Problem[]>;
  inbox(tenant?: string): Promise<InboxRow[]>;
  incidents(query?: Partial<OfTenant<IncidentQuery>>): Promise<Page<IncidentRow>>;
  audit(
    query?: Partial<Omit<AuditQuery, 'chains'>> & { chain?: string | undefined },
  ): Promise<Page<AuditEntryView>>;
}

/** Conditions that have rows of their own among the problems. */
const TOLD_AS_ROWS: readonly ConditionCode[] = [
  ...(['CONNECTION_DOWN', 'CONNECTION_REFUSED', 'QUEUES_AWAY'] as const),
  ...(['DOCUMENTS_REST', 'SUBMISSIONS_NEED_A_PERSON', 'OUTGOING_UNCONFIRMED'] as const),
];

const HOURS_MAX = 24 * 14;

export function createReading(deps: ReadingDeps): Reading {
  const { records, connections, language } = deps;
  const causes = async (tenant: string | undefined) => {
    await refuseUnknownTenant(deps, tenant);
    return records.causes(companiesOf(tenant));
  };
  const isOutgoing = (name: string) => {
    const known = connections.tenant(name);
    return known === null ? null : known.outgoing !== null;
  };
  return {
    overview: async (tenant) => {
      await refuseUnknownTenant(deps, tenant);
      return readOverview(deps, tenant);
    },
    isBridgeRunning: () => records.isBridgeRunning(),
    throughput: async (tenant, hours = 24) => {
      await refuseUnknownTenant(deps, tenant ?? undefined);
      const bounded = Math.min(Math.max(Math.round(hours), 1), HOURS_MAX);
      return { tenantName: tenant, buckets: await records.throughput(companiesOf(tenant), bounded) };
    },
    schedules: () => readSchedules(deps),
    documents: (query) => searchDocuments(deps, query),
    explain: async (reference, { tenant, askSource = false } = {}) =>
      explainPosting(deps, await identify(deps, reference, tenant), { askSource }),
    identify: (reference, tenant) => identify(deps, reference, tenant),
    problems: async (tenant) => {
      const resting = groupProblems(await causes(tenant), language);
      const outgoing = (await records.outgoingWaits())
        .filter(({ tenantName }) => tenant === undefined || tenantName === tenant)
        .flatMap((waits) => outgoingProblems(waits, isOutgoing(waits.tenantName), language));
      const away = (await deps.queuesAway?.()) ?? null;
      const down = connectionProblems(await records.tenantsDown(), tenant, language);
      const rows = [...(away ? [queuesProblem(away, language)] : []), ...down, ...resting, ...outgoing];
      const critical = rows.filter(({ severity }) => severity === 'critical');
      const told = critical.flatMap(({ code, tenants }) =>
        tenants.map(({ name }) => ({ tenant: name, code })),
      );
      const titleOf = (name: string) => connections.tenant(name)?.title ?? name;
      const open = withoutStale(await records.alarms(companiesOf(tenant)), await records.isBridgeRunning());
      const alarms = untold(open, TOLD_AS_ROWS, told);
      return [...alarms.map((alarm) => alarmProblem(alarm, titleOf, language)), ...rows.toSorted(worstFirst)];
    },
    inbox: async (tenant) =>
      withSuggestions(
        records,
        inboxRows(await causes(tenant), (name) => connections.tenant(name), language),
      ),
    incidents: async ({ tenant, ...query } = {}) => {
      await refuseUnknownTenant(deps, tenant);
      const asked = { limit: PAGE_DEFAULT, ...query, companies: companiesOf(tenant) };
      const { items, next } = await records.incidents(asked);
      return { items: items.map((row) => incidentView(language, row)), next };
    },
    audit: async ({ chain, ...query } = {}) => {
      // The bridge has a chain of its own, which is no tenant's.
      if (!chain?.startsWith('(')) await refuseUnknownTenant(deps, chain);
      return records.audit({ limit: PAGE_DEFAULT, ...query, chains: companiesOf(chain) });
    },
  };
}
