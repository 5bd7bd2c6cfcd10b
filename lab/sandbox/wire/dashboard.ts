// Dashboard invoice (read): the invoice as a report sees it, its totals as text.
import { TAX_PERCENT, type Hundredths, type Invoice, type InvoiceLine } from '../model.js';
import { lineNet, parseHundredths, totalsOf, wireMoney } from '../money.js';
import type { Account } from '../service/account.js';

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
