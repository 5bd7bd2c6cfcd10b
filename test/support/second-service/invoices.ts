import { addDays, day } from './dates.js';
import { INVOICE_ACCOUNTING, MESSAGE_LENGTH, SETTABLE_ACCOUNTING } from './enumerations.js';
import type { Fields, Json } from './fields.js';
import { readInvoiceBody } from './invoice-body.js';
import { float } from './json-text.js';
import { lineShape, totalsByVat } from './lines.js';
import { isWithin, readPeriod, readStatuses } from './paging.js';
import type { Invoice, InvoiceBody, Quote, Template } from './records.js';
import { Refusal } from './refusal.js';
import { find, type World } from './world.js';

export interface Made<Thing> {
  readonly made: Thing;
  readonly ignored: string[];
}

export function createInvoice(world: World, data: Fields): Made<Invoice> {
  const { body, ignored } = readInvoiceBody(world, data, 'invoice');
  const made = keepInvoice(world, body, {});
  if (body.refers !== null) requireInvoice(world, body.refers).credited = true;
  return { made, ignored: [...ignored, ...data.unread()] };
}

/** Where an invoice of an order, a draft or a template comes from. */
interface Descent {
  readonly fromOrder?: string;
  readonly fromTemplate?: string;
}

export function keepInvoice(world: World, body: InvoiceBody, descent: Descent): Invoice {
  const kept = world.newKept();
  const invoice: Invoice = {
    ...kept,
    ...body,
    number: `R${String(world.invoices.length + 1).padStart(6, '0')}`,
    created: world.now(),
    status: body.paid ? 'Paid' : 'Sent',
    credited: false,
    accountingStatus: 'Created',
    accountingMessage: null,
    fromOrder: descent.fromOrder ?? null,
    fromTemplate: descent.fromTemplate ?? null,
  };
  world.invoices.push(invoice);
  return invoice;
}

export function createQuote(world: World, data: Fields): Made<Quote> {
  const { body, ignored } = readInvoiceBody(world, data, 'quote');
  const made: Quote = { ...world.newKept(), ...body };
  world.quotes.push(made);
  return { made, ignored: [...ignored, ...data.unread()] };
}

export function createTemplate(world: World, data: Fields): Made<Template> {
  const { body, ignored } = readInvoiceBody(world, data, 'recurring');
  const link = data.whole('recurring_link_national');
  if (link !== 0 && link !== 1) throw new Refusal('recurring_link_national must be 0 or 1');
  const made: Template = {
    ...world.newKept(),
    ...body,
    name: data.text('recurring_name'),
    interval: data.oneOf('recurring_interval', [
      'weekly',
      'monthly',
      'quarterly',
      ...world.freedoms.yearlySpellings,
    ]),
    start: data.date('recurring_start_date'),
    most: data.maybeWhole('recurring_max_invoice'),
  };
  world.templates.push(made);
  return { made, ignored: [...ignored, ...data.unread()] };
}

/** "The service generates the invoices automatically"; nothing on them names the template. */
export function generateInvoice(world: World, template: Template, date: string): Invoice {
  const made = world.invoices.filter((invoice) => invoice.fromTemplate === template.guid).length;
  if (template.most !== null && made >= template.most)
    throw new Error('the template has made all of its invoices');
  const dates = { issueDate: date, dueDate: addDays(date, 3), settlementDate: addDays(date, 7) };
  return keepInvoice(world, { ...template, ...dates }, { fromTemplate: template.guid });
}

export function requireInvoice(world: World, key: string): Invoice {
  const invoice = find(world.invoices, key);
  if (invoice === undefined) throw new Refusal('No invoice found');
  return invoice;
}

/** "data {accounting_status, accounting_message} only"; Posted is terminal and locked. */
export function updateInvoice(world: World, guid: string, data: Fields, longest: number | null): Invoice {
  const invoice = requireInvoice(world, guid);
  const status = data.oneOf('accounting_status', SETTABLE_ACCOUNTING);
  const message = data.maybeText('accounting_message');
  const others = data.unread();
  if (others.length > 0) throw new Refusal(`Fields that cannot be edited: ${others.join(', ')}`);
  if (longest !== null && (message ?? '').length > longest)
    throw new Refusal(`accounting_message is longer than ${MESSAGE_LENGTH}`);
  if (invoice.accountingStatus !== 'Created')
    throw new Refusal(`The invoice is locked: ${invoice.accountingStatus}`);
  invoice.accountingStatus = status;
  invoice.accountingMessage = message;
  invoice.updated = world.now();
  return invoice;
}

export function payInvoice(world: World, guid: string): void {
  const invoice = requireInvoice(world, guid);
  if (invoice.type === 'credit' || invoice.credited) throw new Refusal('This invoice cannot be changed');
  invoice.status = 'Paid';
  invoice.updated = world.now();
}

/** Newest issue date first unless asked otherwise; the agent's list has no sort and one status only. */
export function listInvoices(world: World, query: Fields, surface: 'credential' | 'agent'): Invoice[] {
  const statuses = readStatuses(query, INVOICE_ACCOUNTING, surface === 'credential');
  const period = readPeriod(query);
  const both = surface === 'credential';
  const filter = both
    ? (query.maybeOneOf('date_filter', ['created_date', 'issue_date']) ?? 'issue_date')
    : 'issue_date';
  const sorts = ['date_desc', 'date_asc', 'created_desc', 'created_asc'];
  const sort = (both ? query.maybeOneOf('sort', sorts) : null) ?? 'date_desc';
  const dateOf = (invoice: Invoice) => (filter === 'created_date' ? day(invoice.created) : invoice.issueDate);
  const rank = (invoice: Invoice) =>
    sort.startsWith('date') ? invoice.issueDate : invoice.created.toISOString();
  const found = world.invoices.filter(
    (invoice) => isWithin(dateOf(invoice), period) && (statuses?.includes(invoice.accountingStatus) ?? true),
  );
  found.sort((one, other) => rank(one).localeCompare(rank(other)) || one.id - other.id);
  return sort.endsWith('desc') ? found.reverse() : found;
}

export function invoiceShape(world: World, invoice: Invoice): Json {
  const { customer } = invoice;
  return {
    items: invoice.lines.map(lineShape),
    customer: {
      email: customer.email ?? '',
      registration_no: customer.registrationNo,
      city: customer.city ?? '',
      zip: customer.zip ?? '',
      address: customer.address ?? '',
      name: customer.name,
      guid: customer.guid,
    },
    ...totalsByVat(world, invoice.lines),
    claim_id: null,
    claim_status: null,
    xml_status: null,
    ...(invoice.currency === 'ISK' ? {} : { exchange_rate: float(140.5) }),
    updated_timestamp: String(invoice.updated.getTime()),
    accounting_message: invoice.accountingMessage,
    accounting_status: invoice.accountingStatus,
    ...(invoice.refers === null ? {} : { refer_guid: invoice.refers }),
    type: invoice.type,
    terms: invoice.terms,
    cost_provide: invoice.costProvide,
    booking: invoice.booking,
    description: invoice.description,
    delivery_date: invoice.deliveryDate,
    settlement_date: invoice.settlementDate,
    due_date: invoice.dueDate,
    issue_date: invoice.issueDate,
    created_date: day(invoice.created),
    status: invoice.status,
    currency: invoice.currency,
    amount: float(invoice.amount),
    number: invoice.number,
    guid: invoice.guid,
  };
}
