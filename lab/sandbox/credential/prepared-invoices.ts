// Document 1, Order invoices and Draft invoices: the same four calls for each.
import type { PreparedInvoice } from '../model.js';
import {
  createPrepared,
  deletePrepared,
  invoicesFrom,
  preparedOf,
  updatePrepared,
} from '../service/prepared-invoices.js';
import { pageOf } from '../http/paging.js';
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
