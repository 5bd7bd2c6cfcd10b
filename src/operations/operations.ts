// What an operator can see and do, as plain functions: the command line, the API and the dashboard call exactly these.
// Promises: reading changes nothing; every act names a person and a reason, is refused with a coded error that says what
// to do instead, never races a worker, and leaves its audit entry in the same transaction.
import { CodedError } from '../domain/errors/coded-error.js';
import type { Clock } from '../domain/runtime.js';
import type { TenantContext } from '../pipeline/tenant-context.js';
import type { Tenant } from '../tenants/tenant.js';
import { groupProblems, inboxRows } from './causes.js';
import { type DocumentQuery, documentQuery, meaningsOf } from './document-query.js';
import { explainPosting } from './explain.js';
import { overviewOf, schedulesOf } from './overview.js';
import { documentView } from './reason-tables.js';
import type { AuditQuery, IncidentQuery, ReadRecords } from './records.js';
import type { AuditEntryView } from './views/audit.js';
import { type Page, PAGE_DEFAULT } from './views/common.js';
import type { DocumentPage, Story } from './views/document.js';
import type { IncidentRow } from './views/incident.js';
import type { Overview, ScheduleView, Throughput } from './views/overview.js';
import type { InboxRow, Problem } from './views/problem.js';

/** The tenants as this process has them; worker/connections.ts is one. */
export interface ConnectedTenants {
  names(): readonly string[];
  tenant(name: string): Tenant | null;
  get(name: string): Promise<TenantContext>;
}

export interface OperationsDeps {
  readonly records: ReadRecords;
  readonly connections: ConnectedTenants;
  readonly clock: Clock;
  /** Something became due: the dispatcher of this process, if there is one, looks at once. */
  readonly poke: () => void;
}

export interface Operations {
  overview(): Promise<Overview>;
  throughput(tenant: string | null, hours?: number): Promise<Throughput>;
  schedules(): Promise<ScheduleView[]>;
  documents(query: DocumentQuery): Promise<DocumentPage>;
  /** By our id, a guid, a number or a key. `askSource` also reads the document at the source. */
  explain(reference: string, options?: { tenant?: string; askSource?: boolean }): Promise<Story>;
  /** The one posting that a person means. */
  identify(reference: string, tenant?: string): Promise<string>;
  problems(tenant?: string): Promise<Problem[]>;
  inbox(tenant?: string): Promise<InboxRow[]>;
  incidents(query?: Partial<IncidentQuery>): Promise<Page<IncidentRow>>;
  audit(query?: Partial<AuditQuery>): Promise<Page<AuditEntryView>>;
}

const HOURS_MAX = 24 * 14;

export function createOperations(deps: OperationsDeps): Operations {
  const { records, connections } = deps;
  return {
    overview: () => overviewOf(deps),
    throughput: async (tenant, hours = 24) => ({
      tenantName: tenant,
      buckets: await records.throughput(tenant, Math.min(Math.max(hours, 1), HOURS_MAX)),
    }),
    schedules: () => schedulesOf(deps),
    documents: (query) => searchDocuments(deps, query),
    explain: async (reference, { tenant, askSource = false } = {}) =>
      explainPosting(deps, await identify(deps, reference, tenant ?? null), { askSource }),
    identify: (reference, tenant) => identify(deps, reference, tenant ?? null),
    problems: async (tenant) => groupProblems(await records.causes(tenant ?? null)),
    inbox: async (tenant) =>
      inboxRows(await records.causes(tenant ?? null), (name) => connections.tenant(name)),
    incidents: (query = {}) => records.incidents({ limit: PAGE_DEFAULT, ...query }),
    audit: (query = {}) => records.audit({ limit: PAGE_DEFAULT, ...query }),
  };
}

async function searchDocuments({ records }: OperationsDeps, query: DocumentQuery): Promise<DocumentPage> {
  const judged = documentQuery.safeParse(query);
  if (!judged.success) {
    const [issue] = judged.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new CodedError('QUERY_INVALID', `The search cannot be used: ${where}: ${issue?.message ?? ''}`);
  }
  const { text, ...filters } = judged.data;
  const dated = filters.issuedFrom !== undefined || filters.issuedTo !== undefined;
  const order = filters.order ?? (dated ? 'issued' : 'found');
  const meanings = text === undefined || text === '' ? null : meaningsOf(text);
  const { rows, next, tooMany } = await records.search({ ...filters, order }, meanings);
  return { items: rows.map(documentView), next, order, tooMany };
}

const NAMED_MAX = 5;

async function identify(
  { records }: OperationsDeps,
  reference: string,
  tenant: string | null,
): Promise<string> {
  const found = await records.identify(reference.trim(), tenant, NAMED_MAX);
  const [only, another] = found;
  if (only === undefined)
    throw new CodedError('DOCUMENT_NOT_FOUND', `No document has the id, guid, number or key "${reference}".`);
  if (another !== undefined)
    throw new CodedError(
      'DOCUMENT_AMBIGUOUS',
      `"${reference}" names more than one document. Use one of these ids: ${found.join(', ')}.`,
    );
  return only;
}
