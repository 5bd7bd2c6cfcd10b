// invoice-summaries: the four buckets of Document 1 and their total, per currency.
import { addDays, addMonths } from '../clock.js';
import type { Hundredths, Invoice } from '../model.js';
import { wireMoney } from '../money.js';
import type { Account } from './account.js';
import type { DataObject } from './data-object.js';
import { Refusal } from './refusal.js';

const BUCKETS = ['paid', 'sent', 'overdue', 'collection'] as const;
type Bucket = (typeof BUCKETS)[number];

export interface Period {
  readonly from: string;
  readonly to: string;
}

/** "exactly one period mode" */
export function readPeriod(fields: DataObject): Period {
  const given = ['year', 'month', 'from_month', 'to_month', 'from_date', 'to_date'].filter((name) =>
    fields.has(name),
  );
  switch (given.join(' ')) {
    case 'year':
      return months(fields, 1, 12);
    case 'year month':
      return months(fields, monthOf(fields, 'month'), monthOf(fields, 'month'));
    case 'year from_month to_month':
      return months(fields, monthOf(fields, 'from_month'), monthOf(fields, 'to_month'));
    case 'from_date to_date':
      return inOrder({ from: fields.date('from_date') ?? '', to: fields.date('to_date') ?? '' });
    default:
      throw new Refusal(
        'summary-period',
        'Give exactly one period: year, year and month, year with from_month and to_month, or from_date and to_date',
      );
  }
}

function months(fields: DataObject, first: number, last: number): Period {
  const year = fields.integer('year', 0);
  if (year < 1900 || year > 9999) throw new Refusal('summary-period', 'Field year must be a year');
  const from = `${year}-${String(first).padStart(2, '0')}-01`;
  const lastMonth = `${year}-${String(last).padStart(2, '0')}-01`;
  return inOrder({ from, to: addDays(addMonths(lastMonth, 1), -1) });
}

function monthOf(fields: DataObject, name: string): number {
  const month = fields.integer(name, 0);
  if (month < 1 || month > 12) throw new Refusal('summary-period', `Field ${name} must be between 1 and 12`);
  return month;
}

function inOrder(period: Period): Period {
  if (period.to < period.from) throw new Refusal('summary-period', 'The period ends before it begins');
  return period;
}

interface Sum {
  count: number;
  readonly amounts: Map<string, Hundredths>;
}

export function summarise(account: Account, period: Period) {
  const today = account.service.clock.today();
  const sums = new Map<Bucket, Sum>();
  const invoices = account.invoices.page({
    ...{ statuses: null, filterBy: 'issue', sortBy: 'issue', descending: false, offset: 0, limit: null },
    ...period,
  });
  for (const invoice of invoices) {
    const bucket = bucketOf(invoice, today);
    if (bucket !== null) count(sums, bucket, invoice);
  }
  const total: Sum = { count: 0, amounts: new Map() };
  for (const sum of sums.values()) {
    total.count += sum.count;
    for (const [currency, amount] of sum.amounts) add(total.amounts, currency, amount);
  }
  const found = BUCKETS.flatMap((bucket) => {
    const sum = sums.get(bucket);
    return sum === undefined ? [] : [entry(bucket, sum)];
  });
  return { status: true, period, summaries: [entry('total', total), ...found] };
}

function bucketOf(invoice: Invoice, today: string): Bucket | null {
  switch (invoice.status) {
    case 'Paid':
      return invoice.type === 'credit' ? null : 'paid';
    case 'Collection':
      return 'collection';
    case 'Sent':
      return invoice.due_date < today ? 'overdue' : 'sent';
    case 'Draft':
    case 'Cancelled':
      return null;
  }
}

function count(sums: Map<Bucket, Sum>, bucket: Bucket, invoice: Invoice): void {
  const sum = sums.get(bucket) ?? { count: 0, amounts: new Map<string, Hundredths>() };
  sums.set(bucket, sum);
  sum.count += 1;
  add(sum.amounts, invoice.currency, invoice.type === 'credit' ? -invoice.amount : invoice.amount);
}

function add(amounts: Map<string, Hundredths>, currency: string, amount: Hundredths): void {
  amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
}

function entry(status: string, sum: Sum) {
  const amounts = [...sum.amounts].map(([currency, amount]) => ({ currency, total: wireMoney(amount) }));
  return { status, count: sum.count, amounts };
}
