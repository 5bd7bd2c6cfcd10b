// Records in the shape both documents show, money as exact JSON numbers.
import { Buffer } from 'node:buffer';
import {
  type Cost,
  type Customer,
  type Invoice,
  type InvoiceLine,
  type Item,
  TAX_PERCENT,
  type Hundredths,
  PRODUCT_SALE_TYPES,
  type ProductSale,
  type Task,
  type TaskLog,
} from '../model.js';
import { totalsOf, wireDecimal, wireMoney, type TaxTotals, lineNet, parseHundredths } from '../money.js';
import type { Account } from '../service/account.js';
import { instantOf } from '../clock.js';
import { canDeactivate, canStart, canStop } from '../service/tasks.js';

export function customerOnWire(account: Account, customer: Customer) {
  const { active: _active, customer_number: _number, is_claim, is_discount, ...shown } = customer;
  return {
    ...shown,
    ...(account.profile.claim_subscription ? { is_claim } : {}),
    ...(account.profile.discount_subscription ? { is_discount } : {}),
  };
}

export function itemOnWire(item: Item) {
  const { product_cost: _cost, ...shown } = item;
  return { ...shown, unit_price: wireDecimal(item.unit_price) };
}

export function lineOnWire(line: InvoiceLine, sign: 1 | -1) {
  return {
    guid: line.guid,
    item_number: line.item_number,
    description: line.description,
    qty: sign * line.qty,
    uom: line.uom,
    tax: line.tax,
    unit_price: wireDecimal(line.unit_price),
    discount: wireDecimal(line.discount),
    discount_type: line.discount_type,
  };
}

/** Lines never change in place, so their sums are counted once; they go when their invoice goes. */
const knownTotals = new WeakMap<readonly InvoiceLine[], TaxTotals>();

function totalsOnce(lines: readonly InvoiceLine[]): TaxTotals {
  const known = knownTotals.get(lines);
  if (known !== undefined) return known;
  const totals = totalsOf(lines);
  knownTotals.set(lines, totals);
  return totals;
}

export function invoiceOnWire(account: Account, invoice: Invoice) {
  const { choices } = account.service;
  const sign = invoice.type === 'credit' && choices.creditSign === 'negative' ? -1 : 1;
  const { net, vat } = totalsOnce(invoice.items);
  const total = (tax: 'S' | 'AA' | 'Z') =>
    sign * wireMoney({ net: net[tax], vat: vat[tax], gross: net[tax] + vat[tax] }[choices.vatTotals]);
  return {
    guid: invoice.guid,
    number: invoice.number,
    amount: sign * wireMoney(invoice.amount),
    currency: invoice.currency,
    status: invoice.status,
    created_date: invoice.created_date,
    issue_date: invoice.issue_date,
    due_date: invoice.due_date,
    settlement_date: invoice.settlement_date,
    delivery_date: invoice.delivery_date,
    description: invoice.description,
    booking: invoice.booking,
    cost_provide: invoice.cost_provide,
    terms: invoice.terms,
    type: invoice.type,
    refer_guid: invoice.refer_guid,
    // A string in both documents, so nothing to say is an empty one.
    accounting_status: invoice.accounting_status ?? '',
    accounting_message: invoice.accounting_message,
    updated_timestamp: invoice.updated_timestamp,
    xml_status: invoice.xml_status,
    claim_id: invoice.claim_id,
    claim_status: invoice.claim_status,
    capital_gains_tax: wireMoney(invoice.capital_gains_tax),
    other_default_costs_amount: wireMoney(invoice.other_default_costs_amount),
    default_charge_amount: wireMoney(invoice.default_charge_amount),
    default_interest_amount: wireMoney(invoice.default_interest_amount),
    bank_transaction_amount: wireMoney(invoice.bank_transaction_amount),
    total_24vat: total('S'),
    total_11vat: total('AA'),
    total_0vat: total('Z'),
    exchange_rate: wireDecimal(invoice.exchange_rate),
    items: invoice.items.map((line) => lineOnWire(line, sign)),
    customer: invoice.customer,
  };
}

/** Without the heavy `file` and `xml`, as the agent surface lists costs. */
export function costSummaryOnWire(cost: Cost) {
  return {
    guid: cost.guid,
    description: cost.description,
    supplier_id: cost.supplier_id,
    amount: wireMoney(cost.amount),
    currency: cost.currency,
    vat_AA: wireMoney(cost.vat_AA),
    vat_S: wireMoney(cost.vat_S),
    cost_code: cost.cost_code,
    how_paid: cost.how_paid,
    file_name: cost.attachment?.file_name ?? '',
    file_extension: cost.attachment?.file_extension ?? '',
    issue_date: cost.issue_date,
    created_date: cost.created_date,
    accounting_status: cost.accounting_status,
    updated_timestamp: cost.updated_timestamp,
    project_name: cost.project_name,
  };
}

export function costOnWire(account: Account, cost: Cost) {
  return {
    ...costSummaryOnWire(cost),
    file: fileOf(account, cost),
    xml: hasXml(account, cost)
      ? Buffer.from(account.service.render.costUbl(account.profile, cost)).toString('base64')
      : null,
  };
}

function fileOf(account: Account, cost: Cost): string | null {
  if (cost.attachment === null) return null;
  const content = cost.attachment.content ?? account.service.render.costReceipt(account.profile, cost);
  return content.toString('base64');
}

function hasXml(account: Account, cost: Cost): boolean {
  return cost.xml_written_at !== null && cost.xml_written_at <= account.service.clock.timestamp();
}

// Dashboard invoice (read): the invoice as a report sees it, its totals as text.

export function dashboardInvoiceOnWire(account: Account, invoice: Invoice) {
  const { net, vat } = totalsOf(invoice.items);
  const excluding = net.S + net.AA + net.Z;
  const vatTotal = vat.S + vat.AA + vat.Z;
  const discount = invoice.items.reduce((sum, line) => sum + discountOf(line), 0);
  return {
    invoice_creator_username: account.profile.username,
    invoice_issue_date: invoice.issue_date,
    invoice_number: invoice.number,
    invoice_status: invoice.status === 'Paid' ? 'Paid' : 'Not Paid',
    customer_number: account.customers.get(invoice.customer.guid)?.customer_number ?? '',
    customer_name: invoice.customer.name,
    customer_guid: invoice.customer.guid,
    invoice_description: invoice.description,
    document_type: invoice.type === 'credit' ? 'Credit Note' : 'Invoice',
    invoice_booking_information: invoice.booking,
    invoice_order_reference: invoice.origin?.kind === 'order' ? invoice.origin.guid : '',
    invoice_cost_location: invoice.cost_provide,
    invoice_total_excluding_vat: text(excluding),
    invoice_vat_total: text(vatTotal),
    invoice_total_discount: text(discount),
    invoice_total_including_vat: text(invoice.amount),
    items: invoice.items.map((line) => dashboardItem(account, line)),
  };
}

function dashboardItem(account: Account, line: InvoiceLine) {
  const item = account.items.get(line.guid);
  const net = lineNet(line);
  const vat = Math.round((net * TAX_PERCENT[line.tax]) / 100);
  const cost = parseHundredths(item?.product_cost ?? '0') * line.qty;
  return {
    number: line.item_number,
    name: item?.description ?? line.description,
    description: line.description,
    qty: line.qty,
    uom: line.uom,
    vat_code: line.tax,
    category_code: item?.category ?? '',
    guid: line.guid,
    product_cost: text(cost),
    total_excluding_vat: wireMoney(net),
    total_vat: wireMoney(vat),
    total_including_vat: wireMoney(net + vat),
    total_discount: wireMoney(discountOf(line)),
    profit: wireMoney(net - cost),
    margin: net === 0 ? 0 : Math.round((cost / net) * 10_000) / 10_000,
  };
}

/** "discount incl. VAT" */
function discountOf(line: InvoiceLine): Hundredths {
  const discount = lineNet({ ...line, discount: '0' }) - lineNet(line);
  return Math.round((discount * (100 + TAX_PERCENT[line.tax])) / 100);
}

function text(amount: Hundredths): string {
  return (amount / 100).toFixed(2);
}

// Tasks, their logs and product sales in the shapes of Document 1.

export function taskOnWire(task: Task) {
  const hours = task.logs.reduce((sum, log) => sum + log.quantity, 0);
  return {
    guid: task.guid,
    number: task.number,
    name: task.name,
    status: task.status,
    item: { ...task.item, unit_price: wireDecimal(task.item.unit_price) },
    customer: task.customer,
    start_time: icelandicTime(task.running_since ?? task.created_at),
    total_time: wireMoney(hours),
    invoices: task.invoices,
    logs: task.logs.map(logOnWire),
    canStart: canStart(task),
    canStop: canStop(task),
    canDeactive: canDeactivate(task),
    project_name: task.project_name,
  };
}

function logOnWire(log: TaskLog) {
  return { ...log, quantity: wireMoney(log.quantity) };
}

/** d.m.Y H:i */
function icelandicTime(timestamp: string): string {
  const [year, month, day, time] = new Date(instantOf(timestamp)).toISOString().split(/[-T]/);
  return `${day ?? ''}.${month ?? ''}.${year ?? ''} ${(time ?? '').slice(0, 5)}`;
}

/** Document 1 shows an integer code without its values; here STAND, SUB, DONA, EVENT are 1 to 4. */
export function productSaleOnWire(sale: ProductSale, typeAs: 'code' | 'name') {
  const { attendees: _attendees, amount, type, ...shown } = sale;
  return {
    ...shown,
    is_open: sale.status === 1,
    type: typeAs === 'name' ? type : PRODUCT_SALE_TYPES.indexOf(type) + 1,
    amount: wireMoney(amount),
  };
}
