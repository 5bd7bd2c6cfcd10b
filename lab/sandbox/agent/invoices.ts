// Document 2, invoices, quotes, recurring invoices and the reports of scope dashboard_data.
import { addDays } from '../clock.js';
import type { Invoice } from '../model.js';
import { totalsOf } from '../money.js';
import { createInvoice, createQuote } from '../service/invoice-create.js';
import { ACCOUNTING_MESSAGE_MAX, invoiceOf, invoiceQuery, updateInvoiceStatus } from '../service/invoices.js';
import { findCustomers } from '../service/customers.js';
import { DataObject } from '../service/data-object.js';
import { createRecurring } from '../service/recurring.js';
import { Refusal } from '../service/refusal.js';
import { readPeriod, summarise } from '../service/summaries.js';
import { invoiceFilter } from '../http/paging.js';
import { json } from '../http/reply.js';
import { invoiceOnWire } from '../wire/documents.js';
import {
  agentPage,
  dataOf,
  succeed,
  succeedWithCount,
  succeedWithCreated,
  succeedWithList,
  type AgentAnswer,
  type AgentCall,
} from './call.js';

/** This list has neither date_filter nor sort: issue date, newest first, as on the other surface. */
const ORDER = { filterBy: 'issue', sortBy: 'issue', descending: true } as const;

export const listInvoices: AgentAnswer = (call) => {
  const { account } = call;
  const query = invoiceQuery(invoiceFilter(call.fields));
  const rows = account.invoices.page({ ...query, ...ORDER, ...agentPage(call) });
  return succeedWithList(call, rows, (row) => invoiceOnWire(account, row));
};

export const countInvoices: AgentAnswer = (call) =>
  succeedWithCount(
    call,
    call.account.invoices.count({ ...invoiceQuery(invoiceFilter(call.fields)), filterBy: 'issue' }),
  );

/** The guid, or the integer that create-invoice returned as invoice_id. */
function named(call: AgentCall): Invoice {
  const byId = /^\d{1,9}$/.test(call.id) ? call.account.invoices.byId(Number(call.id)) : undefined;
  return byId ?? invoiceOf(call.account, call.id);
}

export const showInvoice: AgentAnswer = (call) => succeed(call, invoiceOnWire(call.account, named(call)));

export const changeInvoice: AgentAnswer = (call) => {
  const { guid } = named(call);
  updateInvoiceStatus(call.account, guid, dataOf(call), ACCOUNTING_MESSAGE_MAX);
  return succeed(call, guid);
};

export const addInvoice: AgentAnswer = (call) => {
  const invoice = createInvoice(call.account, invoiceBody(call));
  const link = invoice.payment_link === null ? {} : { payment_link: invoice.payment_link };
  return succeedWithCreated(call, invoice.guid, { invoice_id: invoice.id, ...link });
};

export const addQuote: AgentAnswer = (call) => {
  const quote = createQuote(call.account, invoiceBody(call));
  return succeedWithCreated(call, quote.guid, { invoice_id: quote.id, system_type: 'quote' });
};

/** When both body forms are sent, `data` wins: its rules are the documented ones. */
function invoiceBody(call: AgentCall): DataObject {
  if (call.fields.has('data') || !call.fields.has('client_kennitala')) return dataOf(call);
  return fromShortForm(call);
}

/** The second form: client_kennitala, client_name, items of {item_no, qty, price}. Prices bear the item's own VAT. */
function fromShortForm(call: AgentCall): DataObject {
  const { account, fields } = call;
  const kennitala = fields.required('client_kennitala');
  const known = findCustomers(account, { kennitala })[0];
  const items = fields.list('items').map((line) => {
    const number = line.required('item_no');
    const item = [...account.items.values()].find((entry) => entry.item_number === number);
    if (item === undefined) throw new Refusal('unknown-record', `No item has the number ${number}`);
    return {
      guid: item.guid,
      qty: line.integer('qty', 1),
      unit_price: line.decimal('price', item.unit_price),
      tax: known?.tax_exempt === true ? ('Z' as const) : item.tax,
      discount: '0',
      discount_type: false,
    };
  });
  const today = account.service.clock.today();
  return new DataObject({
    type: 'invoice',
    currency: 'ISK',
    amount: totalsOf(items).amount / 100,
    issue_date: today,
    due_date: addDays(today, known?.due_date ?? 3),
    settlement_date: addDays(today, known?.settlement_date ?? 7),
    items,
    customer:
      known === undefined
        ? { name: fields.required('client_name'), registration_no: kennitala, output_select: '4' }
        : { guid: known.guid },
  });
}

export const addRecurring: AgentAnswer = (call) =>
  succeed(call, createRecurring(call.account, dataOf(call)).guid);

/** "returned bare, or inside `result` of the envelope": both, so that either reading finds it. */
export const accountStatus: AgentAnswer = (call) => {
  const { name, registration_no, username } = call.account.profile;
  const shown = { company_name: name, registration_no, username };
  return succeed(call, shown, shown);
};

export const invoiceSummaries: AgentAnswer = (call) =>
  json(200, { ...summarise(call.account, readPeriod(call.fields)), action_id: call.actionId });
