// Records in the shape both documents show, money as exact JSON numbers.
import { Buffer } from 'node:buffer';
import type { Cost, Customer, Invoice, InvoiceLine, Item } from '../model.js';
import { totalsOf, wireDecimal, wireMoney, type TaxTotals } from '../money.js';
import type { Account } from '../service/account.js';

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
