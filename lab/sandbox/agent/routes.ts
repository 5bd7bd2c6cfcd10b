// The whole agent surface of Document 2 in one table: method, path under /api/v1/agent, scope, fields, answer.
import { audit } from './management.js';
import type { AgentAnswer, AgentRoute } from './call.js';
import * as cost from './costs.js';
import * as catalogue from './tasks-and-sales.js';
import * as invoice from './invoices.js';
import * as work from './tasks-and-sales.js';

const PAGE = ['limit', 'page'];
const INVOICE_FILTER = ['accounting_status', 'from_date', 'to_date'];
const COST_COUNT = [...INVOICE_FILTER, 'type', 'supplier_id'];
const CUSTOMER = [
  ...['data', 'kennitala', 'name', 'output_select', 'lang', 'currency', 'email', 'trading_partner_id'],
  ...['address', 'zip', 'city', 'phone_number', 'vat', 'due_date', 'settlement_date', 'tax_exempt'],
];
const INVOICE = ['data', 'client_kennitala', 'client_name', 'items'];
const ADVANCED = [
  ...['date', 'amount', 'how_paid', 'supplier_name', 'supplier_id', 'type'],
  ...['description', 'vat_11', 'vat_24', 'credit_note', 'file'],
];
const LOG = ['guid', 'qty', 'date', 'adv', 'h', 'p', 'description'];
const PERIOD = ['year', 'month', 'from_month', 'to_month', 'from_date', 'to_date'];

type Row = readonly [
  method: AgentRoute['method'],
  path: string,
  action: string,
  fields: readonly string[],
  answer: AgentAnswer,
];

const withScope = (scope: string | null, rows: readonly Row[]): AgentRoute[] =>
  rows.map(([method, path, action, fields, answer]) => ({ method, path, scope, action, fields, answer }));

export const AGENT_ROUTES: readonly AgentRoute[] = [
  ...withScope('nav', [
    ['GET', '/invoices', 'list-invoices', [...INVOICE_FILTER, ...PAGE], invoice.listInvoices],
    ['GET', '/invoices/count', 'count-invoices', INVOICE_FILTER, invoice.countInvoices],
    ['GET', '/invoices/{id}', 'get-invoice', [], invoice.showInvoice],
    ['PUT', '/invoices/{id}', 'update-invoice', ['data'], invoice.changeInvoice],
    ['GET', '/items', 'list-items', PAGE, catalogue.listItems],
    ['GET', '/items/count', 'count-items', [], catalogue.countItems],
    ['GET', '/items/{id}', 'get-item', [], catalogue.showItem],
    ['POST', '/items', 'create-item', ['data'], catalogue.addItem],
    ['PUT', '/items/{id}', 'update-item', ['data'], catalogue.changeItem],
  ]),
  ...withScope('create_invoice', [
    ['POST', '/invoices', 'create-invoice', INVOICE, invoice.addInvoice],
    ['POST', '/quotes', 'create-quote', INVOICE, invoice.addQuote],
  ]),
  ...withScope('recurring', [
    ['POST', '/recurring-invoices', 'create-recurring-invoice', ['data'], invoice.addRecurring],
  ]),
  ...withScope('manage_customers', [
    ['GET', '/customers', 'list-customers', ['search', 'kennitala', ...PAGE], catalogue.listCustomers],
    ['GET', '/customers/count', 'count-customers', ['search', 'kennitala'], catalogue.countCustomers],
    ['POST', '/customers', 'create-customer', CUSTOMER, catalogue.addCustomer],
    ['GET', '/customers/{guid}', 'get-customer', [], catalogue.showCustomer],
    ['PUT', '/customers/{guid}', 'update-customer', CUSTOMER, catalogue.changeCustomer],
  ]),
  ...withScope('cost', [
    ['GET', '/costs', 'list-costs', [...COST_COUNT, 'date_filter', ...PAGE], cost.listCosts],
    ['GET', '/costs/count', 'count-costs', COST_COUNT, cost.countCosts],
    ['POST', '/costs', 'create-cost', ['date', 'description', 'file', 'amount'], cost.addCost],
    ['POST', '/costs/advanced', 'create-cost-advanced', ADVANCED, cost.addCostAdvanced],
    ['GET', '/costs/{id}', 'get-cost', [], cost.showCost],
    ['PUT', '/costs/{id}', 'update-cost', ['data'], cost.changeCost],
    ['DELETE', '/costs/{id}', 'delete-cost', [], cost.removeCost],
    ['POST', '/costs/{id}/move-to-new', 'move-cost-to-new', [], cost.reopenCost],
  ]),
  ...withScope('task', [
    ['GET', '/tasks', 'list-tasks', ['type', ...PAGE], work.listTasks],
    ['GET', '/tasks/count', 'count-tasks', ['type'], work.countTasks],
    ['POST', '/tasks', 'create-task', ['data'], work.addTask],
    ['GET', '/tasks/{guid}', 'get-task', [], work.showTask],
    ['POST', '/tasks/{guid}/start', 'start-task', [], work.start],
    ['POST', '/tasks/{guid}/end', 'end-task', ['description', 'adv', 'date', 'end_date', 'h', 'p'], work.end],
    ['POST', '/tasks/{guid}/deactivate', 'deactivate-task', [], work.deactivate],
    ['POST', '/tasks/log', 'log-task', LOG, work.addLog],
    ['PUT', '/tasks/log', 'edit-task-log', [...LOG, 'end_date'], work.changeLog],
    ['DELETE', '/tasks/log/{id}', 'delete-task-log', [], work.removeLog],
  ]),
  ...withScope('sell_product', [
    ['GET', '/product-sales', 'list-product-sales', ['search_text', ...PAGE], work.listProductSales],
    ['GET', '/product-sales/count', 'count-product-sales', ['search_text'], work.countProductSales],
    ['GET', '/product-sales/{id}/attendees', 'list-attendees', PAGE, work.listAttendees],
  ]),
  ...withScope('dashboard_data', [
    ['GET', '/status', 'account-status', [], invoice.accountStatus],
    ['GET', '/invoice-summaries', 'invoice-summaries', PERIOD, invoice.invoiceSummaries],
  ]),
  ...withScope(null, [['GET', '/audit', 'audit', ['agent_id', ...PAGE], audit]]),
];
