// The whole credential surface of Document 1 in one table: method, endpoint, fields, answer.
import type { CredentialRoute, Answer } from './call.js';
import * as cost from './costs.js';
import * as catalogue from './customers-and-items.js';
import * as invoice from './invoices.js';
import { hello } from './hello.js';
import * as prepared from './invoices.js';
import * as sale from './tasks.js';
import * as report from './reports.js';
import * as task from './tasks.js';

const DOCUMENT_FILTER = ['accounting_status', 'date_filter', 'from_date', 'to_date'];
const COST_FILTER = [...DOCUMENT_FILTER, 'type', 'supplier_id'];
const LOG = ['guid', 'description', 'file', 'adv', 'date', 'end_date', 'h', 'p'];
const PAGE = ['limit', 'page'];

const get = (name: string, fields: readonly string[], answer: Answer): CredentialRoute => ({
  method: 'GET',
  name,
  fields,
  answer,
});
const post = (name: string, fields: readonly string[], answer: Answer): CredentialRoute => ({
  method: 'POST',
  name,
  fields,
  answer,
});

export const CREDENTIAL_ROUTES: readonly CredentialRoute[] = [
  get('hello', [], hello),

  get('get-customers', ['search', ...PAGE], catalogue.getCustomers),
  get('get-count-customers', ['search'], catalogue.getCountCustomers),
  get('get-customers-by-kennitala', ['kennitala', ...PAGE], catalogue.getCustomersByKennitala),
  get('get-count-customers-by-kennitala', ['kennitala'], catalogue.getCountCustomersByKennitala),
  get('get-customer', ['guid'], catalogue.getCustomer),
  post('create-customer', ['data'], catalogue.postCreateCustomer),
  post('update-customer', ['guid', 'data'], catalogue.postUpdateCustomer),

  get('get-items', PAGE, catalogue.getItems),
  get('get-count-items', [], catalogue.getCountItems),
  get('get-item', ['guid'], catalogue.getItem),
  post('create-item', ['data'], catalogue.postCreateItem),
  post('update-item', ['guid', 'data'], catalogue.postUpdateItem),

  get('get-invoices', [...DOCUMENT_FILTER, 'sort', ...PAGE], invoice.getInvoices),
  get('get-count-invoices', DOCUMENT_FILTER, invoice.getCountInvoices),
  get('get-invoice', ['guid'], invoice.getInvoice),
  get('get-invoice-pdf', ['guid'], invoice.getInvoicePdf),
  post('update-invoice', ['guid', 'data'], invoice.postUpdateInvoice),
  post('create-invoice', ['data'], invoice.postCreateInvoice),
  post('create-recurring-invoice', ['data'], invoice.postCreateRecurringInvoice),
  post('upload-file', ['file'], invoice.postUploadFile),
  post('do-paid-invoice', ['guid'], invoice.postDoPaidInvoice),

  post('create-order-invoice', ['data'], prepared.create('order')),
  post('update-order-invoice', ['guid', 'data'], prepared.update('order')),
  post('delete-order-invoice', ['guid'], prepared.remove('order')),
  post('get-invoices-from-order', ['guid', ...PAGE], prepared.invoices('order')),

  post('create-draft-invoice', ['data'], prepared.create('draft')),
  post('update-draft-invoice', ['guid', 'data'], prepared.update('draft')),
  post('delete-draft-invoice', ['guid'], prepared.remove('draft')),
  post('get-invoices-from-draft', ['guid', ...PAGE], prepared.invoices('draft')),

  get('get-costs', [...COST_FILTER, 'sort', ...PAGE], cost.getCosts),
  get('get-count-costs', COST_FILTER, cost.getCountCosts),
  get('get-cost', ['guid'], cost.getCost),
  post('update-cost', ['guid', 'data'], cost.postUpdateCost),
  post('move-cost-to-new', ['guid'], cost.postMoveCostToNew),
  post('delete-cost', ['guid'], cost.postDeleteCost),
  post('create-cost', ['date', 'file', 'description'], cost.postCreateCost),
  post(
    'create-cost-adv',
    [
      ...['date', 'amount', 'how_paid', 'supplier_name', 'supplier_id', 'type'],
      ...['description', 'vat_11', 'vat_24', 'credit_note', 'file'],
    ],
    cost.postCreateCostAdv,
  ),

  post('get-dashboard-data', ['start_date', 'end_date', ...PAGE], report.postGetDashboardData),
  get(
    'invoice-summaries',
    ['year', 'month', 'from_month', 'to_month', 'from_date', 'to_date'],
    report.getInvoiceSummaries,
  ),

  post('create-task', ['data'], task.postCreateTask),
  post('get-task', ['guid'], task.postGetTask),
  post('get-tasks', ['type', ...PAGE], task.postGetTasks),
  post('get-count-tasks', ['type'], task.postGetCountTasks),
  post('start-task', ['guid'], task.postStartTask),
  post('end-task', ['guid', 'description', 'file'], task.postEndTask),
  post('log-task', LOG, task.postLogTask),
  post('edit-log-task', LOG, task.postEditLogTask),
  post('task-log-delete', ['guid'], task.postTaskLogDelete),

  get('get-product-sales', ['search_text', ...PAGE], sale.getProductSales),
  get('get-count-product-sales', ['search_text'], sale.getCountProductSales),
  get('get-product-sale-attends', ['guid', ...PAGE], sale.getProductSaleAttends),
];
