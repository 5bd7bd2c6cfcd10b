import { Decimal } from 'decimal.js';
import { day } from './dates.js';
import type { Fields, Json } from './fields.js';
import { float } from './json-text.js';
import { isWithin, readPeriod, type Period } from './paging.js';
import type { Invoice } from './records.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

/** The dashboard writes its totals as text. */
export function dashboardShape(invoice: Invoice): Json {
  return {
    items: [],
    invoice_total_including_vat: invoice.amount.toFixed(2),
    invoice_order_reference: '',
    invoice_cost_location: invoice.costProvide ?? '',
    invoice_booking_information: invoice.booking ?? '',
    document_type: invoice.type === 'credit' ? 'Credit Note' : 'Invoice',
    invoice_description: invoice.description ?? '',
    customer_guid: invoice.customer.guid,
    customer_name: invoice.customer.name,
    customer_number: '',
    invoice_status: invoice.status === 'Paid' ? 'Paid' : 'Not Paid',
    invoice_number: invoice.number,
    invoice_issue_date: invoice.issueDate,
  };
}

/** "exactly one period mode". */
function readMode(query: Fields): Required<{ from: string; to: string }> {
  const [year, month] = [query.maybeWhole('year'), query.maybeWhole('month')];
  const [first, last] = [query.maybeWhole('from_month'), query.maybeWhole('to_month')];
  const period = readPeriod(query);
  if (year === null) {
    if (period.from === null || period.to === null || month !== null)
      throw new Refusal('Exactly one period is required');
    return { from: period.from, to: period.to };
  }
  const mixed =
    period.from !== null || (month !== null && first !== null) || (first === null) !== (last === null);
  if (mixed) throw new Refusal('Exactly one period is required');
  const [from, to] = [month ?? first ?? 1, month ?? last ?? 12];
  return { from: day(new Date(Date.UTC(year, from - 1, 1))), to: day(new Date(Date.UTC(year, to, 0))) };
}

export function summarise(world: World, query: Fields): Json {
  const period: Period & { from: string; to: string } = readMode(query);
  const found = world.invoices.filter((invoice) => isWithin(invoice.issueDate, period));
  const today = day(world.now());
  const bucket = (invoice: Invoice) =>
    invoice.status === 'Paid' ? 'paid' : invoice.dueDate < today ? 'overdue' : 'sent';
  const summaries = ['paid', 'sent', 'overdue']
    .map((status) =>
      summary(
        status,
        found.filter((invoice) => bucket(invoice) === status),
      ),
    )
    .filter(({ count }) => count > 0);
  return { summaries: [summary('total', found), ...summaries], period, status: true };
}

function summary(status: string, invoices: readonly Invoice[]) {
  const currencies = [...new Set(invoices.map((invoice) => invoice.currency))];
  const amounts = currencies.map((currency) => {
    const ours = invoices.filter((invoice) => invoice.currency === currency);
    const total = ours.reduce((sum, invoice) => sum.plus(signed(invoice)), new Decimal(0));
    return { total: float(total.toNumber()), currency };
  });
  return { amounts, count: invoices.length, status };
}

const signed = (invoice: Invoice): number =>
  invoice.type === 'credit' ? -Math.abs(invoice.amount) : invoice.amount;
