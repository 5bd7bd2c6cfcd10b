// The whole credential surface of Document 1 in one table: method, endpoint, fields, answer.
import type { CredentialRoute, Answer } from './call.js';
import * as cost from './costs.js';
import * as catalogue from './customers-and-items.js';
import * as invoice from './invoices.js';
import { hello } from './hello.js';

const DOCUMENT_FILTER = ['accounting_status', 'date_filter', 'from_date', 'to_date'];
const COST_FILTER = [...DOCUMENT_FILTER, 'type', 'supplier_id'];
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
];
