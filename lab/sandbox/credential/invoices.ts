// Document 1, Invoices.
import { createInvoice } from '../service/invoice-create.js';
import { invoiceOf, invoiceQuery, payInvoice, updateInvoiceStatus } from '../service/invoices.js';
import { createRecurring } from '../service/recurring.js';
import { Refusal } from '../service/refusal.js';
import { anyAttachment } from '../http/request.js';
import { invoiceFilter, sortOrder, pageOf } from '../http/paging.js';
import { invoiceOnWire } from '../wire/documents.js';
import {
  dataField,
  guidField,
  openPage,
  succeed,
  succeedSilently,
  succeedWithList,
  type Answer,
} from './call.js';
import type { PreparedInvoice } from '../model.js';
import {
  createPrepared,
  deletePrepared,
  invoicesFrom,
  preparedOf,
  updatePrepared,
} from '../service/prepared-invoices.js';

export const getInvoices: Answer = (call) => {
  const page = openPage(call);
  const rows = call.account.invoices.page({
    ...invoiceQuery(invoiceFilter(call.fields)),
    ...sortOrder(call.fields),
    ...page,
  });
  return succeedWithList(call, rows, page, (row) => invoiceOnWire(call.account, row));
};

export const getCountInvoices: Answer = (call) =>
  succeed(call.account.invoices.count(invoiceQuery(invoiceFilter(call.fields))));

export const getInvoice: Answer = (call) =>
  succeed(invoiceOnWire(call.account, invoiceOf(call.account, guidField(call))));

export const getInvoicePdf: Answer = async (call) => {
  const { account } = call;
  const invoice = invoiceOf(account, guidField(call));
  const file = await account.service.render.invoicePdf(account.profile, invoice);
  return succeed({
    guid: invoice.guid,
    file_name: `${invoice.type}-${invoice.number || invoice.id}.pdf`,
    file: file.toString('base64'),
  });
};

/** No length is documented for an invoice's message on this surface. */
export const postUpdateInvoice: Answer = (call) =>
  succeed(updateInvoiceStatus(call.account, guidField(call), dataField(call), Infinity).guid);

export const postCreateInvoice: Answer = (call) => {
  const invoice = createInvoice(call.account, dataField(call));
  return succeed(invoice.guid, invoice.payment_link === null ? {} : { payment_link: invoice.payment_link });
};

export const postCreateRecurringInvoice: Answer = (call) =>
  succeed(createRecurring(call.account, dataField(call)).guid);

export const postUploadFile: Answer = (call) => {
  const file = call.exchange.file('file');
  if (file === null) throw new Refusal('required-field', 'Field file is required');
  return succeed(call.account.storeFile(anyAttachment(file)));
};

export const postDoPaidInvoice: Answer = (call) => {
  payInvoice(call.account, guidField(call), call.exchange.fault('claim-cancellation') !== undefined);
  return succeedSilently('Invoice marked as paid');
};

// Document 1, Order invoices and Draft invoices: the same four calls for each.

type Kind = PreparedInvoice['kind'];

export const create =
  (kind: Kind): Answer =>
  (call) =>
    succeed(createPrepared(call.account, kind, dataField(call)).guid);

export const update =
  (kind: Kind): Answer =>
  (call) =>
    succeed(updatePrepared(call.account, kind, guidField(call), dataField(call)).guid);

export const remove =
  (kind: Kind): Answer =>
  (call) => {
    deletePrepared(call.account, kind, guidField(call));
    return succeedSilently();
  };

export const invoices =
  (kind: Kind): Answer =>
  (call) => {
    const page = openPage(call);
    const found = invoicesFrom(call.account, preparedOf(call.account, kind, guidField(call)).guid);
    return succeedWithList(call, pageOf(found, page), page, (row) => invoiceOnWire(call.account, row));
  };
