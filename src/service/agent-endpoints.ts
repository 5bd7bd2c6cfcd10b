// Document 2, "Endpoints", row by row: OAuth and client management first, then the resources by scope. Bodies are JSON;
// `data` inside them is still a JSON-encoded string (Document 1, write rule 1).
import * as z from 'zod';
import type { AnswerReader } from './answers.js';
import { acknowledged, bare, count, created, listOf, one, oneJudged } from './answers.js';
import {
  type Endpoint,
  type EndpointOptions,
  endpoint,
  table,
  advancedCost,
  byGuid,
  byId,
  costDateFilter,
  costFilter,
  paging,
  invoiceStatuses,
  period,
  summaryPeriod,
  taskList,
  text,
} from './endpoint.js';
import type { AgentScope } from './source-settings.js';
import * as shapes from './wire-shapes.js';
import { bit, filePart, isoDate, money, whole } from './wire-types.js';
import * as bodies from './write-bodies.js';
import {
  attachmentRules,
  costRules,
  customerChangeRules,
  customerRules,
  invoiceRules,
  recurringRules,
  periodRule,
} from './write-rules.js';

const RESOURCES = '/api/v1/agent';

/** A resource endpoint: everything under /api/v1/agent belongs to one scope. */
const resource =
  (scope: AgentScope) =>
  <S extends z.ZodRawShape, R>(
    method: Endpoint['method'],
    path: string,
    params: S,
    answer: AnswerReader<R>,
    options?: EndpointOptions<z.ZodObject<S>>,
  ) =>
    endpoint('agent', method, RESOURCES + path, params, answer, { scope, ...options });

const nav = resource('nav');
const invoicing = resource('create_invoice');
const recurring = resource('recurring');
const customers = resource('manage_customers');
const costs = resource('cost');
const tasks = resource('task');
const sales = resource('sell_product');
const dashboard = resource('dashboard_data');

const invoiceFilter = { accounting_status: invoiceStatuses.optional(), ...period };
const client = { client_id: text.min(1), client_secret: text.optional() };

/** The browser follows it, not we; the row is here so that the table is the whole document. */
const redirect: AnswerReader<null> = { says: 'redirect to redirect_uri', success: 'shape', read: () => null };

/** The documents show no body for this answer: a JSON object that does not say failure is all there is to go by. */
const notShown: AnswerReader<null> = { ...acknowledged, success: 'shape' };

export const AGENT_ENDPOINTS = table({
  register: endpoint(
    'agent',
    'POST',
    '/agent/register',
    {
      username: text.optional(),
      api_key: text.optional(),
      name: text.min(1),
      description: text.optional(),
      redirect_uri: text.startsWith('https://', 'must be an https address'),
      rotate_secret: bit.optional(),
    },
    bare(shapes.agentClient, 'status'),
    { credentials: 'basic' },
  ),
  authorize: endpoint(
    'agent',
    'GET',
    '/strax/agent/authorize',
    { client_id: text, scope: text, redirect_uri: text, state: text, code_challenge: text.optional() },
    redirect,
    { credentials: 'body' },
  ),
  'exchange-code': endpoint(
    'agent',
    'POST',
    '/strax/agent/token',
    {
      grant_type: z.literal('authorization_code'),
      ...client,
      code: text,
      redirect_uri: text,
      code_verifier: text.optional(),
    },
    bare(shapes.tokens),
    { credentials: 'body' },
  ),
  'refresh-token': endpoint(
    'agent',
    'POST',
    '/strax/agent/token',
    { grant_type: z.literal('refresh_token'), ...client, refresh_token: text },
    bare(shapes.tokens),
    { credentials: 'body' },
  ),
  'list-agents': endpoint('agent', 'GET', '/api/v1/agents', {}, listOf(shapes.agentGrant, 'shape'), {
    credentials: 'basic',
  }),
  'grant-agent': endpoint('agent', 'POST', '/api/v1/agents', { client_id: text, scopes: text }, notShown, {
    credentials: 'basic',
  }),
  'revoke-agent': endpoint(
    'agent',
    'DELETE',
    '/api/v1/agents/{agent_id}',
    { agent_id: text },
    bare(shapes.revoked),
    { credentials: 'basic' },
  ),
  audit: endpoint(
    'agent',
    'GET',
    `${RESOURCES}/audit`,
    {
      agent_id: text.optional(),
      limit: whole.refine((limit) => limit >= 1 && limit <= 200, 'must be 1 to 200').optional(),
      page: whole.optional(),
    },
    listOf(shapes.auditRecord, 'shape'),
  ),

  status: dashboard('GET', '/status', {}, bare(shapes.accountStatus)),
  'invoice-summaries': dashboard(
    'GET',
    '/invoice-summaries',
    summaryPeriod,
    bare(shapes.invoiceSummaries, 'status'),
    { rules: periodRule },
  ),

  'list-invoices': nav('GET', '/invoices', { ...invoiceFilter, ...paging }, listOf(shapes.invoice)),
  'count-invoices': nav('GET', '/invoices/count', invoiceFilter, count),
  'get-invoice': nav('GET', '/invoices/{id}', byId, oneJudged(shapes.invoice)),
  'update-invoice': nav('PUT', '/invoices/{id}', { ...byId, data: bodies.statusUpdate }, acknowledged),
  'list-items': nav('GET', '/items', paging, listOf(shapes.item)),
  'count-items': nav('GET', '/items/count', {}, count),
  'get-item': nav('GET', '/items/{id}', byId, one(shapes.item)),
  'create-item': nav('POST', '/items', { data: bodies.itemBody }, created),
  'update-item': nav('PUT', '/items/{id}', { ...byId, data: bodies.itemChanges }, acknowledged),

  'create-invoice': invoicing('POST', '/invoices', { data: bodies.invoiceBody }, created, {
    rules: ({ data }, today) => invoiceRules(data, today),
  }),
  'create-quote': invoicing('POST', '/quotes', { data: bodies.invoiceBody }, created, {
    rules: ({ data }, today) => invoiceRules(data, today),
  }),
  'create-recurring-invoice': recurring(
    'POST',
    '/recurring-invoices',
    { data: bodies.recurringBody },
    created,
    {
      rules: ({ data }) => recurringRules(data),
    },
  ),

  'list-customers': customers(
    'GET',
    '/customers',
    { search: text.optional(), kennitala: text.optional(), ...paging },
    listOf(shapes.customer),
  ),
  'count-customers': customers(
    'GET',
    '/customers/count',
    { search: text.optional(), kennitala: text.optional() },
    count,
  ),
  'create-customer': customers('POST', '/customers', { data: bodies.agentCustomerBody }, created, {
    rules: ({ data }) => customerRules(data),
  }),
  'get-customer': customers('GET', '/customers/{guid}', byGuid, one(shapes.customer)),
  'update-customer': customers(
    'PUT',
    '/customers/{guid}',
    { ...byGuid, data: bodies.agentCustomerChanges },
    acknowledged,
    { rules: ({ data }) => customerChangeRules(data) },
  ),

  'list-costs': costs(
    'GET',
    '/costs',
    { ...costFilter, date_filter: costDateFilter.optional(), ...paging },
    listOf(shapes.cost),
  ),
  'count-costs': costs('GET', '/costs/count', costFilter, count),
  'create-cost': costs(
    'POST',
    '/costs',
    { date: isoDate, description: text.optional(), file: filePart },
    created,
    { sends: 'multipart', rules: ({ file }) => attachmentRules(file) },
  ),
  'create-cost-advanced': costs('POST', '/costs/advanced', advancedCost, created, {
    sends: 'multipart',
    rules: costRules,
  }),
  'get-cost': costs('GET', '/costs/{id}', byId, oneJudged(shapes.cost)),
  'update-cost': costs('PUT', '/costs/{id}', { ...byId, data: bodies.statusUpdate }, acknowledged),
  'delete-cost': costs('DELETE', '/costs/{id}', byId, acknowledged),
  'move-cost-to-new': costs('POST', '/costs/{id}/move-to-new', byId, acknowledged),

  'list-tasks': tasks('GET', '/tasks', { ...taskList, ...paging }, listOf(shapes.task)),
  'count-tasks': tasks('GET', '/tasks/count', taskList, count),
  'create-task': tasks('POST', '/tasks', { data: bodies.taskBody }, created),
  'get-task': tasks('GET', '/tasks/{guid}', byGuid, one(shapes.task)),
  'start-task': tasks('POST', '/tasks/{guid}/start', byGuid, acknowledged),
  'end-task': tasks(
    'POST',
    '/tasks/{guid}/end',
    {
      ...byGuid,
      description: text.optional(),
      adv: bit.optional(),
      date: text.optional(),
      end_date: text.optional(),
      h: text.optional(),
      p: text.optional(),
    },
    acknowledged,
  ),
  'deactivate-task': tasks('POST', '/tasks/{guid}/deactivate', byGuid, acknowledged),
  'log-work': tasks(
    'POST',
    '/tasks/log',
    {
      ...byGuid,
      qty: money,
      date: text.regex(/^\d{2}\.\d{2}\.\d{4}$/, 'must be written d.m.Y').optional(),
      adv: bit.optional(),
      h: text.optional(),
      p: text.optional(),
    },
    acknowledged,
  ),
  'edit-log': tasks(
    'PUT',
    '/tasks/log',
    {
      ...byGuid,
      description: text.optional(),
      date: text.optional(),
      end_date: text.optional(),
      h: text.optional(),
      p: text.optional(),
    },
    acknowledged,
  ),
  'delete-log': tasks('DELETE', '/tasks/log/{id}', byId, acknowledged),

  'list-product-sales': sales(
    'GET',
    '/product-sales',
    { search_text: text.optional(), ...paging },
    listOf(shapes.productSale),
  ),
  'count-product-sales': sales('GET', '/product-sales/count', { search_text: text.optional() }, count),
  'list-attendees': sales(
    'GET',
    '/product-sales/{id}/attendees',
    { ...byId, ...paging },
    listOf(shapes.attendee),
  ),
});
