import { AGENT_COSTS } from './agent-costs.js';
import { AGENT_TASKS } from './agent-tasks.js';
import {
  createCustomer,
  customerShape,
  customersByKennitala,
  requireCustomer,
  searchCustomers,
  updateCustomer,
} from './customers.js';
import { enveloped, get, noted, post, put, type Ask, type Endpoints } from './endpoint.js';
import { Fields, isObject, parseObject, readData } from './fields.js';
import { createItem, itemShape, requireItem, updateItem } from './items.js';
import {
  createInvoice,
  createQuote,
  createTemplate,
  invoiceShape,
  listInvoices,
  requireInvoice,
  updateInvoice,
} from './invoices.js';
import { MESSAGE_LENGTH } from './enumerations.js';
import { takePage } from './paging.js';
import { summarise } from './reports.js';

const PAGE = 10;

/** "Flat JSON object, or nested under `data`, or `data` as a JSON-encoded string." */
function customerBody(ask: Ask): Fields {
  const data = ask.body.raw('data');
  if (data === undefined) return ask.body;
  return new Fields(isObject(data) ? data : parseObject(String(data)), 'json');
}

function foundCustomers({ world, query }: Ask) {
  const kennitala = query.maybeText('kennitala') ?? '';
  return kennitala === ''
    ? searchCustomers(world, query.maybeText('search') ?? '', 'agent')
    : customersByKennitala(world, kennitala);
}

const CUSTOMERS: Endpoints = {
  '/customers': get((ask) => {
    const { things } = takePage(foundCustomers(ask), ask.query, PAGE);
    return enveloped(things.map((customer) => customerShape(ask.world, customer)));
  }, 'manage_customers'),
  '/customers/count': get((ask) => enveloped({ count: foundCustomers(ask).length }), 'manage_customers'),
  'POST /customers': post((ask) => {
    const body = customerBody(ask);
    const customer = createCustomer(ask.world, body, 'agent');
    ask.ignore(body.unread());
    return enveloped(customerShape(ask.world, customer));
  }, 'manage_customers'),
  '/customers/{id}': get(
    ({ world, id }) => enveloped(customerShape(world, requireCustomer(world, id))),
    'manage_customers',
  ),
  'PUT /customers/{id}': put((ask) => {
    const body = customerBody(ask);
    const customer = updateCustomer(ask.world, ask.id, body, 'agent');
    ask.ignore(body.unread());
    return enveloped(customerShape(ask.world, customer));
  }, 'manage_customers'),
};

const ITEMS: Endpoints = {
  '/items': get(
    ({ world, query }) => enveloped(takePage(world.items, query, PAGE).things.map(itemShape)),
    'nav',
  ),
  '/items/count': get(({ world }) => enveloped({ count: world.items.length }), 'nav'),
  'POST /items': post((ask) => {
    const data = readData(ask.body);
    const { guid } = createItem(ask.world, data);
    ask.ignore(data.unread());
    return enveloped(guid);
  }, 'nav'),
  '/items/{id}': get(({ world, id }) => enveloped(itemShape(requireItem(world, id))), 'nav'),
  'PUT /items/{id}': put((ask) => {
    const data = readData(ask.body);
    const { guid } = updateItem(ask.world, ask.id, data);
    ask.ignore(data.unread());
    return enveloped(guid);
  }, 'nav'),
};

const INVOICES: Endpoints = {
  '/invoices': get(({ world, query }) => {
    const { things } = takePage(listInvoices(world, query, 'agent'), query, PAGE);
    return enveloped(things.map((invoice) => invoiceShape(world, invoice)));
  }, 'nav'),
  '/invoices/count': get(
    ({ world, query }) => enveloped({ count: listInvoices(world, query, 'agent').length }),
    'nav',
  ),
  '/invoices/{id}': get(({ world, id }) => enveloped(invoiceShape(world, requireInvoice(world, id))), 'nav'),
  'PUT /invoices/{id}': put(
    ({ world, body, id }) => enveloped(updateInvoice(world, id, readData(body), MESSAGE_LENGTH).guid),
    'nav',
  ),
  'POST /invoices': post((ask) => {
    const { guid, id, paymentLink } = noted(ask, createInvoice(ask.world, readData(ask.body)));
    const link = paymentLink === null ? {} : { payment_link: paymentLink };
    const asShown = ask.world.freedoms.agentCreateReply === 'as-shown';
    return asShown ? { invoice_id: id, ...link, success: true } : enveloped(guid, link);
  }, 'create_invoice'),
  'POST /quotes': post(
    (ask) => enveloped(noted(ask, createQuote(ask.world, readData(ask.body))).guid),
    'create_invoice',
  ),
  'POST /recurring-invoices': post(
    (ask) => enveloped(noted(ask, createTemplate(ask.world, readData(ask.body))).guid),
    'recurring',
  ),
  '/invoice-summaries': get(({ world, query }) => summarise(world, query), 'dashboard_data'),
  '/product-sales': get(() => enveloped([], { page: 1, total: 0 }), 'sell_product'),
  '/product-sales/count': get(() => enveloped({ count: 0 }), 'sell_product'),
};

/** Everything under `/api/v1/agent`, except `/status` and `/audit`. Keys without a method are GET. */
export const AGENT: Endpoints = { ...CUSTOMERS, ...ITEMS, ...INVOICES, ...AGENT_COSTS, ...AGENT_TASKS };
