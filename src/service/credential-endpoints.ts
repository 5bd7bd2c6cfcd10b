// Document 1, "Endpoints", row by row. Parameters that the document calls required are required here; everything else may
// be left out. POST is not the same as writing on this surface: several questions are asked with it.
import * as z from 'zod';
import type { AnswerReader } from './answers.js';
import { acknowledged, bare, count, created, listOf, one, oneJudged } from './answers.js';
import {
  type EndpointOptions,
  endpoint,
  table,
  advancedCost,
  byGuid,
  costDateFilter,
  costFilter,
  paging,
  invoiceStatuses,
  period,
  summaryPeriod,
  taskList,
  text,
} from './endpoint.js';
import * as shapes from './wire-shapes.js';
import { bit, filePart, isoDate } from './wire-types.js';
import { SORTS } from './wire-values.js';
import * as bodies from './write-bodies.js';
import {
  attachmentRules,
  costRules,
  customerChangeRules,
  customerRules,
  invoiceRules,
  orderRules,
  recurringRules,
  periodRule,
} from './write-rules.js';

/** A page of costs may carry ten attachments of 5 MB in base64. */
const COST_PAGE_BYTES_MAX = 96 * 1024 * 1024;

type Options<S extends z.ZodRawShape> = EndpointOptions<z.ZodObject<S>>;

const get = <S extends z.ZodRawShape, R>(
  path: string,
  params: S,
  answer: AnswerReader<R>,
  options?: Options<S>,
) => endpoint('credential', 'GET', `/api/v1/${path}`, params, answer, options);

const post = <S extends z.ZodRawShape, R>(
  path: string,
  params: S,
  answer: AnswerReader<R>,
  options?: Options<S>,
) => endpoint('credential', 'POST', `/api/v1/${path}`, params, answer, options);

const asked = { effect: 'read' } as const;

const invoiceFilter = {
  accounting_status: invoiceStatuses.optional(),
  date_filter: z.enum(['created_date', 'issue_date']).optional(),
  ...period,
};
const datedCostFilter = { ...costFilter, date_filter: costDateFilter.optional() };
const taskLog = {
  ...byGuid,
  description: text.optional(),
  file: filePart.optional(),
  adv: bit.optional(),
  date: text,
  end_date: text,
  h: text.optional(),
  p: text.optional(),
};

export const CREDENTIAL_ENDPOINTS = table({
  hello: get('hello', {}, bare(shapes.account, 'status')),

  'get-customers': get('get-customers', { search: text.optional(), ...paging }, listOf(shapes.customer)),
  'get-count-customers': get('get-count-customers', { search: text.optional() }, count),
  'get-customers-by-kennitala': get(
    'get-customers-by-kennitala',
    { kennitala: text, ...paging },
    listOf(shapes.customer),
  ),
  'get-count-customers-by-kennitala': get('get-count-customers-by-kennitala', { kennitala: text }, count),
  'get-customer': get('get-customer', byGuid, one(shapes.customer)),
  'create-customer': post('create-customer', { data: bodies.customerBody }, created, {
    rules: ({ data }) => customerRules(data),
  }),
  'update-customer': post('update-customer', { ...byGuid, data: bodies.customerChanges }, created, {
    rules: ({ data }) => customerChangeRules(data),
  }),

  'get-items': get('get-items', paging, listOf(shapes.item)),
  'get-count-items': get('get-count-items', {}, count),
  'get-item': get('get-item', byGuid, one(shapes.item)),
  'create-item': post('create-item', { data: bodies.itemBody }, created),
  'update-item': post('update-item', { ...byGuid, data: bodies.itemChanges }, created),

  'get-invoices': get(
    'get-invoices',
    { ...invoiceFilter, sort: z.enum(SORTS).optional(), ...paging },
    listOf(shapes.invoice),
  ),
  'get-count-invoices': get('get-count-invoices', invoiceFilter, count),
  'get-invoice': get('get-invoice', byGuid, oneJudged(shapes.invoice)),
  'get-invoice-pdf': get('get-invoice-pdf', byGuid, one(shapes.invoicePdf)),
  'update-invoice': post('update-invoice', { ...byGuid, data: bodies.statusUpdate }, created),
  'create-invoice': post('create-invoice', { data: bodies.invoiceBody }, created, {
    rules: ({ data }, today) => invoiceRules(data, today),
  }),
  'create-recurring-invoice': post('create-recurring-invoice', { data: bodies.recurringBody }, created, {
    rules: ({ data }) => recurringRules(data),
  }),
  'upload-file': post('upload-file', { file: filePart }, created, {
    sends: 'multipart',
    credentials: 'query',
  }),
  'do-paid-invoice': post('do-paid-invoice', byGuid, acknowledged),

  'create-order-invoice': post('create-order-invoice', { data: bodies.orderBody }, created, {
    rules: ({ data }) => orderRules(data),
  }),
  'update-order-invoice': post('update-order-invoice', { ...byGuid, data: bodies.orderBody }, created, {
    rules: ({ data }) => orderRules(data),
  }),
  'delete-order-invoice': post('delete-order-invoice', byGuid, acknowledged),
  'get-invoices-from-order': post(
    'get-invoices-from-order',
    { ...byGuid, ...paging },
    listOf(shapes.invoice),
    asked,
  ),

  'create-draft-invoice': post('create-draft-invoice', { data: bodies.orderBody }, created, {
    rules: ({ data }) => orderRules(data),
  }),
  'update-draft-invoice': post('update-draft-invoice', { ...byGuid, data: bodies.orderBody }, created, {
    rules: ({ data }) => orderRules(data),
  }),
  'delete-draft-invoice': post('delete-draft-invoice', byGuid, acknowledged),
  'get-invoices-from-draft': post(
    'get-invoices-from-draft',
    { ...byGuid, ...paging },
    listOf(shapes.invoice),
    asked,
  ),

  'get-costs': get(
    'get-costs',
    { ...datedCostFilter, sort: z.enum(SORTS).optional(), ...paging },
    listOf(shapes.cost),
    { bodyBytesMax: COST_PAGE_BYTES_MAX },
  ),
  'get-count-costs': get('get-count-costs', datedCostFilter, count),
  'get-cost': get('get-cost', byGuid, oneJudged(shapes.cost)),
  'update-cost': post('update-cost', { ...byGuid, data: bodies.statusUpdate }, created),
  'move-cost-to-new': post('move-cost-to-new', byGuid, created),
  'delete-cost': post('delete-cost', byGuid, acknowledged),
  'create-cost': post(
    'create-cost',
    { date: isoDate.optional(), file: filePart, description: text.optional() },
    created,
    { sends: 'multipart', rules: ({ file }) => attachmentRules(file) },
  ),
  'create-cost-adv': post('create-cost-adv', advancedCost, created, { sends: 'multipart', rules: costRules }),

  'get-dashboard-data': post(
    'get-dashboard-data',
    { start_date: isoDate, end_date: isoDate, ...paging },
    listOf(shapes.dashboardInvoice),
    asked,
  ),
  'invoice-summaries': get('invoice-summaries', summaryPeriod, bare(shapes.invoiceSummaries, 'status'), {
    rules: periodRule,
  }),

  'create-task': post('create-task', { data: bodies.taskBody }, created),
  'get-task': post('get-task', byGuid, one(shapes.task), asked),
  'get-tasks': post('get-tasks', { ...taskList, ...paging }, listOf(shapes.task), asked),
  'get-count-tasks': post('get-count-tasks', taskList, count, asked),
  'start-task': post('start-task', byGuid, acknowledged),
  'end-task': post(
    'end-task',
    { ...byGuid, description: text.optional(), file: filePart.optional() },
    acknowledged,
    { sends: 'multipart' },
  ),
  'log-task': post('log-task', taskLog, acknowledged, { sends: 'multipart' }),
  'edit-log-task': post('edit-log-task', taskLog, acknowledged, { sends: 'multipart' }),
  'task-log-delete': post('task-log-delete', byGuid, acknowledged),

  'get-product-sales': get(
    'get-product-sales',
    { search_text: text.optional(), ...paging },
    listOf(shapes.productSale),
  ),
  'get-count-product-sales': get('get-count-product-sales', { search_text: text.optional() }, count),
  'get-product-sale-attends': get(
    'get-product-sale-attends',
    { ...byGuid, ...paging },
    listOf(shapes.attendee),
  ),
});
