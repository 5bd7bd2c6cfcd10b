import { enveloped, done, get, noted, post, type Ask, type Endpoints } from './endpoint.js';
import { readData } from './fields.js';
import { storeFile } from './files.js';
import {
  createInvoice,
  createTemplate,
  invoiceShape,
  listInvoices,
  payInvoice,
  requireInvoice,
  updateInvoice,
} from './invoices.js';
import { createOrder, deleteOrder, requireOrder, updateOrder } from './orders.js';
import { takePage } from './paging.js';
import type { Order } from './records.js';

const INVOICES: Endpoints = {
  'get-invoices': get(({ world, query }) => {
    const found = listInvoices(world, query, 'credential');
    return enveloped(takePage(found, query).things.map((invoice) => invoiceShape(world, invoice)));
  }),
  'get-count-invoices': get(({ world, query }) => enveloped(listInvoices(world, query, 'credential').length)),
  'get-invoice': get(({ world, query }) =>
    enveloped(invoiceShape(world, requireInvoice(world, query.text('guid')))),
  ),
  'get-invoice-pdf': get(({ world, query }) => {
    const { guid, number } = requireInvoice(world, query.text('guid'));
    const file = Buffer.from(`%PDF-1.4\n% ${number}\n%%EOF\n`).toString('base64');
    return enveloped({ file, file_name: `${number}.pdf`, guid });
  }),
  'update-invoice': post(({ world, body }) =>
    enveloped(updateInvoice(world, body.text('guid'), readData(body), null).guid),
  ),
  'create-invoice': post((ask) => {
    const { guid, paymentLink } = noted(ask, createInvoice(ask.world, readData(ask.body)));
    return enveloped(guid, paymentLink === null ? {} : { payment_link: paymentLink });
  }),
  'create-recurring-invoice': post((ask) =>
    enveloped(noted(ask, createTemplate(ask.world, readData(ask.body))).guid),
  ),
  'upload-file': post(({ world, uploads }) => enveloped(storeFile(world, uploads['file']).id)),
  'do-paid-invoice': post(({ world, body }) => {
    payInvoice(world, body.text('guid'));
    return done();
  }),
};

/** Orders and drafts have the same five operations under other names. */
function orderEndpoints(word: 'order' | 'draft', of: (ask: Ask) => Order[]): Endpoints {
  return {
    [`create-${word}-invoice`]: post((ask) =>
      enveloped(noted(ask, createOrder(ask.world, of(ask), readData(ask.body))).guid),
    ),
    [`update-${word}-invoice`]: post((ask) =>
      enveloped(noted(ask, updateOrder(ask.world, of(ask), ask.body.text('guid'), readData(ask.body))).guid),
    ),
    [`delete-${word}-invoice`]: post((ask) => {
      deleteOrder(of(ask), ask.body.text('guid'));
      return done();
    }),
    [`get-invoices-from-${word}`]: post((ask) => {
      const { guid } = requireOrder(of(ask), ask.body.text('guid'));
      const found = ask.world.invoices.filter((invoice) => invoice.fromOrder === guid);
      return enveloped(takePage(found, ask.body).things.map((invoice) => invoiceShape(ask.world, invoice)));
    }),
  };
}

export const CREDENTIAL_INVOICES: Endpoints = {
  ...INVOICES,
  ...orderEndpoints('order', (ask) => ask.world.orders),
  ...orderEndpoints('draft', (ask) => ask.world.drafts),
};
