// What the bridge asks of the service and tells it: each operation once, with the spelling of both surfaces beside each other. The endpoint
// tables are the two API documents; this table says which endpoint of each does the same, and how each names what goes into it.
import type { Guid, IsoDate } from '../domain/ids.js';
import type { SourceDocument, SourceKind } from '../domain/source-document.js';
import type { SubmissionKind } from '../domain/submission.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { Created, JudgedRecord, RecordList } from './answers.js';
import type { ApiClient, CallOutcome } from './api-client.js';
import { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import type { AnyEndpoint, CallResult } from './endpoint.js';
import type { ListQuery } from './invoicing-source.js';
import type { Surface } from './source-settings.js';
import type { DocumentRecord } from './wire-shapes.js';
import type { TASK_LISTS } from './wire-values.js';

type Call<Input, Result> = (client: ApiClient, input: Input) => Promise<CallOutcome<Result>>;
export type Operation<Input, Result> = Readonly<Record<Surface, Call<Input, Result>>>;

export interface StatusChange {
  readonly accounting_status: 'Posted' | 'Skipped' | 'Error';
  readonly accounting_message: string;
}

export interface Identity {
  readonly name: string;
  readonly registrationNo: string;
  readonly vatNo: string;
}

export interface Page {
  readonly page: number;
  readonly limit: number;
}

interface Period {
  readonly from_date: IsoDate;
  readonly to_date?: IsoDate;
}

interface CostPeriod {
  readonly filter: 'date' | 'created_date';
  readonly period: Partial<Period>;
}

type Document = DocumentRecord<SourceDocument>;
type Of<Name extends keyof typeof credential> = CallResult<(typeof credential)[Name]>;
type TaskList = { readonly type?: (typeof TASK_LISTS)[number] };

/** Cost lists of Document 1 carry `file` and `xml` in base64, hence the small page. */
export const DOCUMENTS_PER_PAGE: Readonly<Record<Surface, Readonly<Record<SourceKind, number>>>> = {
  credential: { invoice: 100, cost: 10 },
  agent: { invoice: 100, cost: 100 },
};

function filters(query: ListQuery) {
  return {
    accounting_status: query.accountingStatus,
    ...(query.fromDate !== undefined && { from_date: query.fromDate }),
    ...(query.toDate !== undefined && { to_date: query.toDate }),
  };
}

/** Whose account it is. */
const account: Operation<object, Identity> = {
  credential: async (client) =>
    mapOk(await client.call(credential.hello, {}), (shown) => ({
      name: shown.name,
      registrationNo: shown.registration_no,
      vatNo: shown.vat_no,
    })),
  agent: async (client) =>
    mapOk(await client.call(agent.status, {}), (shown) => ({
      name: shown.company_name,
      registrationNo: shown.registration_no,
      vatNo: '',
    })),
};

/**
 * A question that every grant of the bridge may ask; tells a refusal from refused credentials. `audit` of Document 2 would prove a token
 * without a scope, but it is not stated to; the scope nav is always asked for.
 */
const probe: Operation<object, unknown> = {
  credential: (client) => client.call(credential.hello, {}),
  agent: (client) => client.call(agent['count-invoices'], { accounting_status: 'Created' }),
};

/** Document 2 has no sort and no date_filter on invoices and counts: the issue date is the default of both lists. */
const listDocuments: Operation<{ query: ListQuery; page: Page }, RecordList<Document>> = {
  credential: (client, { query, page }) =>
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
  agent: (client, { query, page }) =>
    client.call(agent[query.kind === 'invoice' ? 'list-invoices' : 'list-costs'], {
      ...filters(query),
      ...page,
    }),
};

const countDocuments: Operation<ListQuery, number> = {
  credential: (client, query) =>
    query.kind === 'invoice'
      ? client.call(credential['get-count-invoices'], { ...filters(query), date_filter: 'issue_date' })
      : client.call(credential['get-count-costs'], { ...filters(query), date_filter: 'date' }),
  agent: (client, query) =>
    client.call(agent[query.kind === 'invoice' ? 'count-invoices' : 'count-costs'], filters(query)),
};

const readDocument: Operation<{ kind: SourceKind; guid: Guid }, JudgedRecord<Document>> = {
  credential: (client, { kind, guid }) =>
    client.call(credential[kind === 'invoice' ? 'get-invoice' : 'get-cost'], { guid }),
  agent: (client, { kind, guid }) =>
    client.call(agent[kind === 'invoice' ? 'get-invoice' : 'get-cost'], { id: guid }),
};

const setStatus: Operation<{ kind: SourceKind; guid: Guid; data: StatusChange }, Created | null> = {
  credential: (client, { kind, guid, data }) =>
    client.call(credential[kind === 'invoice' ? 'update-invoice' : 'update-cost'], { guid, data }),
  agent: (client, { kind, guid, data }) =>
    client.call(agent[kind === 'invoice' ? 'update-invoice' : 'update-cost'], { id: guid, data }),
};

const moveCostToNew: Operation<Guid, Created | null> = {
  credential: (client, guid) => client.call(credential['move-cost-to-new'], { guid }),
  agent: (client, guid) => client.call(agent['move-cost-to-new'], { id: guid }),
};

/** null: Document 2 has no PDF of an invoice. */
const readInvoicePdf: Readonly<Record<Surface, Call<Guid, Of<'get-invoice-pdf'>> | null>> = {
  credential: (client, guid) => client.call(credential['get-invoice-pdf'], { guid }),
  agent: null,
};

// What outbound looks for. An invoice may be named by the number that Document 2 shows in place of its guid.

const readInvoice: Operation<string, Of<'get-invoice'>> = {
  credential: (client, guid) => client.call(credential['get-invoice'], { guid }),
  agent: (client, id) => client.call(agent['get-invoice'], { id }),
};

const countInvoices: Operation<Period, number> = {
  credential: (client, period) =>
    client.call(credential['get-count-invoices'], { ...period, date_filter: 'issue_date' }),
  agent: (client, period) => client.call(agent['count-invoices'], period),
};

const listInvoices: Operation<Period & Page, Of<'get-invoices'>> = {
  credential: (client, paged) =>
    client.call(credential['get-invoices'], { ...paged, date_filter: 'issue_date', sort: 'created_asc' }),
  agent: (client, paged) => client.call(agent['list-invoices'], paged),
};

const readCost: Operation<Guid, Of<'get-cost'>> = {
  credential: (client, guid) => client.call(credential['get-cost'], { guid }),
  agent: (client, id) => client.call(agent['get-cost'], { id }),
};

/** Document 2 has no `date_filter` here. */
const countCosts: Operation<CostPeriod, number> = {
  credential: (client, { filter, period }) =>
    client.call(credential['get-count-costs'], { ...period, date_filter: filter }),
  agent: (client, { period }) => client.call(agent['count-costs'], period),
};

const listCosts: Operation<CostPeriod & Page, Of<'get-costs'>> = {
  credential: (client, { filter, period, ...page }) =>
    client.call(credential['get-costs'], {
      ...period,
      date_filter: filter,
      ...page,
      sort: 'created_asc',
    }),
  agent: (client, { filter, period, ...page }) =>
    client.call(agent['list-costs'], { ...period, date_filter: filter, ...page }),
};

const readCustomer: Operation<Guid, Of<'get-customer'>> = {
  credential: (client, guid) => client.call(credential['get-customer'], { guid }),
  agent: (client, guid) => client.call(agent['get-customer'], { guid }),
};

/** One form of the list of Document 2 matches partially. */
const customersOf: Operation<{ kennitala: string } & Page, Of<'get-customers-by-kennitala'>> = {
  credential: (client, asked) => client.call(credential['get-customers-by-kennitala'], asked),
  agent: (client, asked) => client.call(agent['list-customers'], asked),
};

const countCustomers: Operation<object, number> = {
  credential: (client) => client.call(credential['get-count-customers'], {}),
  agent: (client) => client.call(agent['count-customers'], {}),
};

const listCustomers: Operation<Page, Of<'get-customers'>> = {
  credential: (client, page) => client.call(credential['get-customers'], page),
  agent: (client, page) => client.call(agent['list-customers'], page),
};

const readItem: Operation<Guid, Of<'get-item'>> = {
  credential: (client, guid) => client.call(credential['get-item'], { guid }),
  agent: (client, id) => client.call(agent['get-item'], { id }),
};

const countItems: Operation<object, number> = {
  credential: (client) => client.call(credential['get-count-items'], {}),
  agent: (client) => client.call(agent['count-items'], {}),
};

const listItems: Operation<Page, Of<'get-items'>> = {
  credential: (client, page) => client.call(credential['get-items'], page),
  agent: (client, page) => client.call(agent['list-items'], page),
};

const readTask: Operation<Guid, Of<'get-task'>> = {
  credential: (client, guid) => client.call(credential['get-task'], { guid }),
  agent: (client, guid) => client.call(agent['get-task'], { guid }),
};

const countTasks: Operation<TaskList, number> = {
  credential: (client, list) => client.call(credential['get-count-tasks'], list),
  agent: (client, list) => client.call(agent['count-tasks'], list),
};

const listTasks: Operation<TaskList & Page, Of<'get-tasks'>> = {
  credential: (client, asked) => client.call(credential['get-tasks'], asked),
  agent: (client, asked) => client.call(agent['list-tasks'], asked),
};

/** Stops its timer. */
const stopTask: Operation<Guid, null> = {
  credential: (client, guid) => client.call(credential['end-task'], { guid }),
  agent: (client, guid) => client.call(agent['end-task'], { guid }),
};

// What is worth a file.

const listProductSales: Operation<Page, Of<'get-product-sales'>> = {
  credential: (client, page) => client.call(credential['get-product-sales'], page),
  agent: (client, page) => client.call(agent['list-product-sales'], page),
};

const listAttendees: Operation<{ sale: Guid } & Page, Of<'get-product-sale-attends'>> = {
  credential: (client, { sale, ...page }) =>
    client.call(credential['get-product-sale-attends'], { guid: sale, ...page }),
  agent: (client, { sale, ...page }) => client.call(agent['list-attendees'], { id: sale, ...page }),
};

const invoiceSummaries: Operation<Period, Of<'invoice-summaries'>> = {
  credential: (client, period) => client.call(credential['invoice-summaries'], period),
  agent: (client, period) => client.call(agent['invoice-summaries'], period),
};

export const OPERATIONS = {
  ...{
    account,
    probe,
    listDocuments,
    countDocuments,
    readDocument,
    setStatus,
    moveCostToNew,
    readInvoicePdf,
  },
  ...{ readInvoice, countInvoices, listInvoices, readCost, countCosts, listCosts },
  ...{ readCustomer, customersOf, countCustomers, listCustomers, readItem, countItems, listItems },
  ...{ readTask, countTasks, listTasks, stopTask, listProductSales, listAttendees, invoiceSummaries },
};

function mapOk<T, U>(outcome: CallOutcome<T>, change: (value: T) => U): CallOutcome<U> {
  return outcome.outcome === 'ok' ? { ...outcome, value: change(outcome.value) } : outcome;
}

// What outbound writes: the endpoint of each surface by kind; left out where the surface cannot do it.

type Writing = Readonly<Partial<Record<Surface, AnyEndpoint>>>;

interface Writes {
  readonly create: Writing;
  readonly update?: Writing;
  readonly delete?: Writing;
}

export const WRITES: Readonly<Record<SubmissionKind, Writes>> = {
  invoice: { create: { credential: credential['create-invoice'], agent: agent['create-invoice'] } },
  draft: {
    create: { credential: credential['create-draft-invoice'] },
    update: { credential: credential['update-draft-invoice'] },
    delete: { credential: credential['delete-draft-invoice'] },
  },
  order: {
    create: { credential: credential['create-order-invoice'] },
    update: { credential: credential['update-order-invoice'] },
    delete: { credential: credential['delete-order-invoice'] },
  },
  quote: { create: { agent: agent['create-quote'] } },
  customer: {
    create: { credential: credential['create-customer'], agent: agent['create-customer'] },
    update: { credential: credential['update-customer'], agent: agent['update-customer'] },
  },
  item: {
    create: { credential: credential['create-item'], agent: agent['create-item'] },
    update: { credential: credential['update-item'], agent: agent['update-item'] },
  },
  cost: {
    create: { credential: credential['create-cost'], agent: agent['create-cost'] },
    delete: { credential: credential['delete-cost'], agent: agent['delete-cost'] },
  },
  task: { create: { credential: credential['create-task'], agent: agent['create-task'] } },
  hours: {
    // The call of Document 2 that logs work (POST /tasks/log) takes no text, and so no mark: what it made could not be told from what people log.
    create: { credential: credential['log-task'], agent: agent['end-task'] },
    update: { credential: credential['edit-log-task'], agent: agent['edit-log'] },
    delete: { credential: credential['task-log-delete'], agent: agent['delete-log'] },
  },
  subscription: {
    create: {
      credential: credential['create-recurring-invoice'],
      agent: agent['create-recurring-invoice'],
    },
  },
};

/** Everything that is known of a cost goes another way than a receipt alone. */
export const CREATE_WHOLE_COST: Writing = {
  credential: credential['create-cost-adv'],
  agent: agent['create-cost-advanced'],
};

/** Document 2 has no way to say that an invoice is paid. */
export const PAY_INVOICE: Writing = { credential: credential['do-paid-invoice'] };
