// Document 1, Customers and Items.
import {
  createCustomer,
  customerOf,
  findCustomers,
  updateCustomer,
  createItem,
  itemOf,
  updateItem,
} from '../service/customers.js';
import { pageOf } from '../http/paging.js';
import { customerOnWire, itemOnWire } from '../wire/documents.js';
import { dataField, guidField, openPage, succeed, succeedWithList, type Answer, type Call } from './call.js';

const searched = (call: Call) => findCustomers(call.account, { search: call.fields.text('search') });
const withKennitala = (call: Call) =>
  findCustomers(call.account, { kennitala: call.fields.required('kennitala') });

function customers(call: Call, found: ReturnType<typeof searched>) {
  const page = openPage(call);
  return succeedWithList(call, pageOf(found, page), page, (row) => customerOnWire(call.account, row));
}

export const getCustomers: Answer = (call) => customers(call, searched(call));
export const getCountCustomers: Answer = (call) => succeed(searched(call).length);
export const getCustomersByKennitala: Answer = (call) => customers(call, withKennitala(call));
export const getCountCustomersByKennitala: Answer = (call) => succeed(withKennitala(call).length);
export const getCustomer: Answer = (call) =>
  succeed(customerOnWire(call.account, customerOf(call.account, guidField(call))));
export const postCreateCustomer: Answer = (call) =>
  succeed(createCustomer(call.account, dataField(call)).guid);
export const postUpdateCustomer: Answer = (call) =>
  succeed(updateCustomer(call.account, guidField(call), dataField(call)).guid);

export const getItems: Answer = (call) => {
  const page = openPage(call);
  return succeedWithList(call, pageOf([...call.account.items.values()], page), page, itemOnWire);
};
export const getCountItems: Answer = (call) => succeed(call.account.items.size);
export const getItem: Answer = (call) => succeed(itemOnWire(itemOf(call.account, guidField(call))));
export const postCreateItem: Answer = (call) => succeed(createItem(call.account, dataField(call)).guid);
export const postUpdateItem: Answer = (call) =>
  succeed(updateItem(call.account, guidField(call), dataField(call)).guid);
