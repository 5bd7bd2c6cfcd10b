import { CREDENTIAL_COSTS } from './credential-costs.js';
import { CREDENTIAL_INVOICES } from './credential-invoices.js';
import { CREDENTIAL_REPORTS } from './credential-reports.js';
import { CREDENTIAL_TASKS } from './credential-tasks.js';
import {
  createCustomer,
  customerShape,
  customersByKennitala,
  requireCustomer,
  searchCustomers,
  updateCustomer,
} from './customers.js';
import { enveloped, get, post, type Ask, type Endpoints } from './endpoint.js';
import { readData } from './fields.js';
import { createItem, itemShape, requireItem, updateItem } from './items.js';
import { takePage } from './paging.js';

const found = ({ world, query }: Ask) =>
  searchCustomers(world, query.maybeText('search') ?? '', 'credential');
const foundByKennitala = ({ world, query }: Ask) => customersByKennitala(world, query.text('kennitala'));

const CUSTOMERS: Endpoints = {
  'get-customers': get((ask) =>
    enveloped(takePage(found(ask), ask.query).things.map((one) => customerShape(ask.world, one))),
  ),
  'get-count-customers': get((ask) => enveloped(found(ask).length)),
  'get-customers-by-kennitala': get((ask) =>
    enveloped(takePage(foundByKennitala(ask), ask.query).things.map((one) => customerShape(ask.world, one))),
  ),
  'get-count-customers-by-kennitala': get((ask) => enveloped(foundByKennitala(ask).length)),
  'get-customer': get(({ world, query }) =>
    enveloped(customerShape(world, requireCustomer(world, query.text('guid')))),
  ),
  'create-customer': post((ask) => {
    const data = readData(ask.body);
    const { guid } = createCustomer(ask.world, data, 'credential');
    ask.ignore(data.unread());
    return enveloped(guid);
  }),
  'update-customer': post((ask) => {
    const data = readData(ask.body);
    const { guid } = updateCustomer(ask.world, ask.body.text('guid'), data, 'credential');
    ask.ignore(data.unread());
    return enveloped(guid);
  }),
};

const ITEMS: Endpoints = {
  'get-items': get(({ world, query }) => enveloped(takePage(world.items, query).things.map(itemShape))),
  'get-count-items': get(({ world }) => enveloped(world.items.length)),
  'get-item': get(({ world, query }) => enveloped(itemShape(requireItem(world, query.text('guid'))))),
  'create-item': post((ask) => {
    const data = readData(ask.body);
    const { guid } = createItem(ask.world, data);
    ask.ignore(data.unread());
    return enveloped(guid);
  }),
  'update-item': post((ask) => {
    const data = readData(ask.body);
    const { guid } = updateItem(ask.world, ask.body.text('guid'), data);
    ask.ignore(data.unread());
    return enveloped(guid);
  }),
};

/** Everything under `{base_url}/api/v1/` except `hello`, which also says who the account is. */
export const CREDENTIAL: Endpoints = {
  ...CUSTOMERS,
  ...ITEMS,
  ...CREDENTIAL_INVOICES,
  ...CREDENTIAL_COSTS,
  ...CREDENTIAL_TASKS,
  ...CREDENTIAL_REPORTS,
};
