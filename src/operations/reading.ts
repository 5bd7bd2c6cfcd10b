// What can be seen, as plain functions: nothing here changes anything, or needs more than the records and the tenants' files.
import type { Page } from './views/common.js';
import { PAGE_DEFAULT } from './page-size.js';
import type { ConditionCode } from '../domain/condition.js';
import { groupProblems, inboxRows, worstFirst, causeFilter } from './causes.js';
import { connectionProblems, queuesProblem } from './connections-down.js';
import type { ReadingDeps, OperationsDeps } from './deps.js';
import type { DocumentQuery } from './document-query.js';
import { explainPosting } from './explain.js';
import { companiesOf, identify, searchDocuments } from './find-documents.js';
import { incidentView } from './in-words.js';
import { refuseUnknownTenant } from './known-tenant.js';
import { withoutStale } from './broken-files.js';
import { alarmProblem, untold } from './conditions.js';
import { outgoingProblems } from './outgoing/waits.js';
import { readOverview, readSchedules } from './overview.js';
import type { AuditQuery, IncidentQuery } from './records.js';
import type { AuditEntryView } from './views/audit.js';
import type { DocumentPage, Story } from './views/document.js';
import type { IncidentRow } from './views/incident.js';
import type { Overview, ScheduleView, Throughput } from './views/overview.js';
import type { InboxRow, Problem } from './views/problem.js';
import type { Suggestion, SuggestionRecords } from './suggestion-records.js';
import type { ActTally } from './exports.js';
import type { OnOutgoing } from './outgoing/on-outgoing.js';

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
    query?: Partial<Omit<AuditQuery, 'chains' | 'limit'>> & {
      chain?: string | undefined;
      limit?: number | undefined;
    },
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
    audit: async ({ chain, limit = PAGE_DEFAULT, ...query } = {}) => {
      // The bridge has a chain of its own, which is no tenant's.
      if (!chain?.startsWith('(')) await refuseUnknownTenant(deps, chain);
      return records.audit({ ...query, limit, chains: companiesOf(chain) });
    },
  };
}

// Suggestions, never guesses: where an account or the value of a dimension is missing, how documents of the same supplier or customer,
// with the same item or the same text were booked before. What it rests on is shown with it, and a person takes it or not.

/** Rows that are looked up; beyond them the page shows none. */
const LOOKED_UP_MAX = 50;

async function withSuggestions(records: SuggestionRecords, rows: readonly InboxRow[]): Promise<InboxRow[]> {
  const wanted = rows
    .filter(({ mend }) => mend.fill === 'account' || mend.fill === 'value')
    .slice(0, LOOKED_UP_MAX);
  const found = new Map<InboxRow, readonly Suggestion[]>();
  for (const row of wanted) {
    const { reason, subject } = causeFilter(row.id);
    found.set(row, await records.bookedBefore(row.tenantName, reason, subject ?? ''));
  }
  return rows.map((row) => ({ ...row, mend: { ...row.mend, suggestions: [...(found.get(row) ?? [])] } }));
}

// Who looked at which document: told once an hour, where whoever runs the bridge wants that. What cannot be put on record is not shown.

export interface Reader {
  readonly actor: string;
  /** `dashboard` or `api`, and what else tells who it was. */
  readonly by: Readonly<Record<string, unknown>>;
}

type Reads = Pick<Reading, 'explain'> & Pick<OnOutgoing, 'submission'>;

export function watchReads<Seen extends Reads>(
  operations: Seen,
  { clock, records }: Pick<OperationsDeps, 'clock'> & { readonly records: { readonly tally: ActTally } },
  { actor, by }: Reader,
): Seen {
  const read = (action: string, tenantName: string, subject: string) =>
    records.tally.once({ tenantName, actor, action, subject, details: by, at: clock.now() });
  return {
    ...operations,
    explain: async (...asked: Parameters<Reads['explain']>) => {
      const story = await operations.explain(...asked);
      const { tenantName, postingId } = story.document;
      await read('document.read', tenantName, postingId);
      return story;
    },
    submission: async (...asked: Parameters<Reads['submission']>) => {
      const story = await operations.submission(...asked);
      const { tenantName, id } = story;
      await read('submission.read', tenantName, id);
      return story;
    },
  };
}
