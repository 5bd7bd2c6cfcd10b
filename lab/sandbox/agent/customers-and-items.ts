// Document 2, customers and items.
import type { Customer } from '../model.js';
import { createCustomer, customerOf, findCustomers, updateCustomer } from '../service/customers.js';
import { createItem, itemOf, updateItem } from '../service/items.js';
import type { DataObject } from '../service/data-object.js';
import { pageOf, readPage } from '../http/paging.js';
import { customerOnWire, itemOnWire } from '../wire/documents.js';
import {
  agentPage,
  dataOf,
  dataOrFlat,
  succeed,
  succeedWithCount,
  succeedWithList,
  type AgentAnswer,
  type AgentCall,
} from './call.js';

const REQUIRED_ON_CREATE = ['kennitala', 'name', 'output_select', 'lang', 'currency'] as const;

const found = (call: AgentCall): Customer[] => {
  const { fields, account, state } = call;
  if (state.choices.agentCustomers === 'by-kennitala') {
    const part = fields.required('kennitala');
    return findCustomers(account, { searchEverywhere: true }).filter((customer) =>
      customer.registration_no.includes(part),
    );
  }
  return findCustomers(account, {
    search: fields.text('search'),
    searchEverywhere: true,
    ...(fields.has('kennitala') ? { kennitala: fields.text('kennitala') } : {}),
  });
};

export const listCustomers: AgentAnswer = (call) => {
  const { state, account } = call;
  const all = state.choices.agentCustomers === 'by-kennitala';
  const page = all ? readPage(call.exchange, null, state.choices.pageSizeMax) : agentPage(call);
  return succeedWithList(call, pageOf(found(call), page), (row) => customerOnWire(account, row));
};

export const countCustomers: AgentAnswer = (call) => succeedWithCount(call, found(call).length);

export const showCustomer: AgentAnswer = (call) =>
  succeed(call, customerOnWire(call.account, customerOf(call.account, call.id)));

export const addCustomer: AgentAnswer = (call) => {
  const data: DataObject = dataOrFlat(call);
  for (const name of REQUIRED_ON_CREATE) data.required(name);
  return succeed(call, customerOnWire(call.account, createCustomer(call.account, data)));
};

export const changeCustomer: AgentAnswer = (call) =>
  succeed(call, customerOnWire(call.account, updateCustomer(call.account, call.id, dataOrFlat(call))));

export const listItems: AgentAnswer = (call) =>
  succeedWithList(call, pageOf([...call.account.items.values()], agentPage(call)), itemOnWire);

export const countItems: AgentAnswer = (call) => succeedWithCount(call, call.account.items.size);
export const showItem: AgentAnswer = (call) => succeed(call, itemOnWire(itemOf(call.account, call.id)));
export const addItem: AgentAnswer = (call) => succeed(call, createItem(call.account, dataOf(call)).guid);
export const changeItem: AgentAnswer = (call) =>
  succeed(call, updateItem(call.account, call.id, dataOf(call)).guid);
