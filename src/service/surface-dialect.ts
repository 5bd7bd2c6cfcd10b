// What differs between the two surfaces for the calls the pipeline needs, and nothing else: paths, names, page sizes,
// which filters exist. Everything that must behave alike is in api-source.ts.
import type { Guid } from '../domain/ids.js';
import type { SourceDocument, SourceKind } from '../domain/source-document.js';
import type { Created, JudgedRecord, RecordList } from './answers.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { ApiClient, CallOutcome } from './api-client.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import type { ListQuery } from './invoicing-source.js';
import type { DocumentRecord } from './wire-shapes.js';

type Answer<T> = Promise<CallOutcome<T>>;

export interface StatusChange {
  readonly accounting_status: 'Posted' | 'Skipped' | 'Error';
  readonly accounting_message: string;
}

export interface Identity {
  readonly name: string;
  readonly registrationNo: string;
  readonly vatNo: string;
}

export interface SurfaceDialect {
  readonly pageSize: Readonly<Record<SourceKind, number>>;
  hello(client: ApiClient): Answer<Identity>;
  /** A question that every grant of the bridge may ask; tells a refusal from refused credentials. */
  probe(client: ApiClient): Answer<unknown>;
  list(
    client: ApiClient,
    query: ListQuery,
    page: { page: number; limit: number },
  ): Answer<RecordList<DocumentRecord<SourceDocument>>>;
  count(client: ApiClient, query: ListQuery): Answer<number>;
  get(client: ApiClient, kind: SourceKind, guid: Guid): Answer<JudgedRecord<DocumentRecord<SourceDocument>>>;
  update(client: ApiClient, kind: SourceKind, guid: Guid, data: StatusChange): Answer<Created | null>;
  moveCostToNew(client: ApiClient, guid: Guid): Answer<Created | null>;
  customer(
    client: ApiClient,
    guid: Guid,
  ): Answer<{ guid: Guid; name: string; registration_no: string; tax_exempt: boolean }>;
  item(client: ApiClient, guid: Guid): Answer<{ guid: Guid; item_number: string; category: string }>;
  /** null: the agent surface has no PDF of an invoice. */
  pdf(client: ApiClient, guid: Guid): Answer<{ file_name: string; file: string }> | null;
}

function filters(query: ListQuery) {
  return {
    accounting_status: query.accountingStatus,
    ...(query.fromDate !== undefined && { from_date: query.fromDate }),
    ...(query.toDate !== undefined && { to_date: query.toDate }),
  };
}

/** Document 1. Cost lists carry `file` and `xml` in base64, hence the small page. */
export const credentialDialect: SurfaceDialect = {
  pageSize: { invoice: 100, cost: 10 },
  hello: async (client) =>
    mapOk(await client.call(credential.hello, {}), (account) => ({
      name: account.name,
      registrationNo: account.registration_no,
      vatNo: account.vat_no,
    })),
  probe: (client) => client.call(credential.hello, {}),
  list: (client, query, page) =>
    query.kind === 'invoice'
      ? client.call(credential['get-invoices'], {
          ...filters(query),
          ...page,
          date_filter: 'issue_date',
          sort: 'date_asc',
        })
      : client.call(credential['get-costs'], {
          ...filters(query),
          ...page,
          date_filter: 'date',
          sort: 'date_asc',
        }),
  count: (client, query) =>
    query.kind === 'invoice'
      ? client.call(credential['get-count-invoices'], { ...filters(query), date_filter: 'issue_date' })
      : client.call(credential['get-count-costs'], { ...filters(query), date_filter: 'date' }),
  get: (client, kind, guid) =>
    client.call(credential[kind === 'invoice' ? 'get-invoice' : 'get-cost'], { guid }),
  update: (client, kind, guid, data) =>
    client.call(credential[kind === 'invoice' ? 'update-invoice' : 'update-cost'], { guid, data }),
  moveCostToNew: (client, guid) => client.call(credential['move-cost-to-new'], { guid }),
  customer: (client, guid) => client.call(credential['get-customer'], { guid }),
  item: (client, guid) => client.call(credential['get-item'], { guid }),
  pdf: (client, guid) => client.call(credential['get-invoice-pdf'], { guid }),
};

/**
 * Document 2: no sort, no date_filter on invoices and counts (the issue date is the default of both lists), lists without
 * `file` and `xml`. `audit` would prove a token without a scope, but it is not stated to; the scope nav is always asked for.
 */
export const agentDialect: SurfaceDialect = {
  pageSize: { invoice: 100, cost: 100 },
  hello: async (client) =>
    mapOk(await client.call(agent.status, {}), (account) => ({
      name: account.company_name,
      registrationNo: account.registration_no,
      vatNo: '',
    })),
  probe: (client) => client.call(agent['count-invoices'], { accounting_status: 'Created' }),
  list: (client, query, page) =>
    client.call(agent[query.kind === 'invoice' ? 'list-invoices' : 'list-costs'], {
      ...filters(query),
      ...page,
    }),
  count: (client, query) =>
    client.call(agent[query.kind === 'invoice' ? 'count-invoices' : 'count-costs'], filters(query)),
  get: (client, kind, guid) =>
    client.call(agent[kind === 'invoice' ? 'get-invoice' : 'get-cost'], { id: guid }),
  update: (client, kind, guid, data) =>
    client.call(agent[kind === 'invoice' ? 'update-invoice' : 'update-cost'], { id: guid, data }),
  moveCostToNew: (client, guid) => client.call(agent['move-cost-to-new'], { id: guid }),
  customer: (client, guid) => client.call(agent['get-customer'], { guid }),
  item: (client, guid) => client.call(agent['get-item'], { id: guid }),
  pdf: () => null,
};

function mapOk<T, U>(outcome: CallOutcome<T>, change: (value: T) => U): CallOutcome<U> {
  return outcome.outcome === 'ok' ? { ...outcome, value: change(outcome.value) } : outcome;
}
