// Recurring templates: "the service generates the invoices automatically", here whenever the clock has passed a due day.
import { addDays, addMonths, daysBetween } from '../clock.js';
import { CURRENCIES, type Invoice, type RecurringInterval, type RecurringInvoice } from '../model.js';
import type { Account } from './account.js';
import { asInvoiceCustomer, createCustomer, customerOf } from './customers.js';
import type { DataObject } from './data-object.js';
import { iskPerUnit } from './exchange-rates.js';
import {
  blankInvoice,
  checkedAmount,
  datesFrom,
  readBuyer,
  readDates,
  textsOf,
  commitLines,
  draftLines,
  withoutVat,
} from './invoice-create.js';
import { Refusal } from './refusal.js';

/** Enough for a year of weeks of many templates; the rest follows with the next request. */
const ISSUED_AT_ONCE_MAX = 1_000;
const NEVER = '9999-12-31';

/** The yearly value is spelled `yearly` in one place and `annuall` in another: both are taken. */
const INTERVALS: Readonly<Record<string, RecurringInterval>> = {
  weekly: 'weekly',
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  annuall: 'yearly',
};

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;

export function createRecurring(account: Account, data: DataObject): RecurringInvoice {
  const interval = INTERVALS[data.required('recurring_interval')];
  if (interval === undefined)
    throw new Refusal(
      'field-format',
      'Field recurring_interval must be one of: weekly, monthly, quarterly, yearly',
    );
  data.required('recurring_start_date');
  const dates = readDates(account, data);
  const drafts = draftLines(account, data.list('items'));
  const customer = data.object('customer');
  if (customer === null) throw new Refusal('required-field', 'Field customer is required');
  const { exempt } = readBuyer(account, data);
  const amount = checkedAmount(
    account,
    data,
    drafts.map(({ line }) => line),
    exempt,
  );
  const max = data.integer('recurring_max_invoice', 0);
  const template: RecurringInvoice = {
    guid: account.guid(),
    recurring_name: data.required('recurring_name'),
    recurring_max_invoice: max > 0 ? max : null,
    recurring_interval: interval,
    recurring_start_date: data.date('recurring_start_date') ?? '',
    recurring_link_national: data.flag('recurring_link_national') ? 1 : 0,
    amount,
    currency: data.oneOf('currency', CURRENCIES, null),
    ...textsOf(data),
    due_days: daysBetween(dates.issue_date, dates.due_date),
    settlement_days: daysBetween(dates.issue_date, dates.settlement_date),
    items: withoutVat(commitLines(account, drafts), exempt),
    customer: asInvoiceCustomer(
      customer.has('guid') ? customerOf(account, customer.text('guid')) : createCustomer(account, customer),
    ),
    issued: 0,
  };
  account.recurring.set(template.guid, template);
  account.recurringDue = '';
  return template;
}

/** Issues what is due, and notes when the next one will be, so that other requests need not look. */
export function issueRecurring(account: Account): void {
  const today = account.service.clock.today();
  if (today < account.recurringDue) return;
  account.recurringDue = NEVER;
  let issued = 0;
  for (const template of account.recurring.values()) {
    while (issued < ISSUED_AT_ONCE_MAX && dueDate(template) <= today) {
      account.invoices.add(invoiceFrom(account, template));
      template.issued += 1;
      issued += 1;
    }
    if (dueDate(template) < account.recurringDue) account.recurringDue = dueDate(template);
  }
}

function dueDate(template: RecurringInvoice): string {
  const max = template.recurring_max_invoice;
  return max === null || template.issued < max ? nextDate(template) : NEVER;
}

function nextDate(template: RecurringInvoice): string {
  const { recurring_start_date: start, recurring_interval: interval, issued } = template;
  return interval === 'weekly' ? addDays(start, 7 * issued) : addMonths(start, MONTHS[interval] * issued);
}

function invoiceFrom(account: Account, template: RecurringInvoice): Invoice {
  const { description, booking, cost_provide, terms, amount, currency, items, customer } = template;
  return {
    ...blankInvoice(account, 'invoice', null),
    ...datesFrom(nextDate(template), template.due_days, template.settlement_days),
    ...{ description, booking, cost_provide, terms, amount, currency, items, customer },
    number: account.nextInvoiceNumber(),
    exchange_rate: iskPerUnit(currency),
    origin: { kind: 'recurring', guid: template.guid },
  };
}
