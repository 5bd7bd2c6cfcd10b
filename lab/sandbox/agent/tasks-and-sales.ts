// Document 2, tasks with their time log, and product sales.
import {
  attendeesOf,
  findProductSales,
  createTask,
  deactivateTask,
  deleteLog,
  editLog,
  endTask,
  findTasks,
  logTask,
  startTask,
  taskOf,
  readLogTimes,
  readWorkedHours,
  logText,
} from '../service/tasks.js';
import { pageOf, readPage } from '../http/paging.js';
import { productSaleOnWire, taskOnWire, customerOnWire, itemOnWire } from '../wire/documents.js';
import {
  agentPage,
  dataOf,
  succeed,
  succeedWithCount,
  succeedWithList,
  type AgentAnswer,
  type AgentCall,
  dataOrFlat,
} from './call.js';
import type { Customer } from '../model.js';
import {
  createCustomer,
  customerOf,
  findCustomers,
  updateCustomer,
  createItem,
  itemOf,
  updateItem,
} from '../service/customers.js';
import type { DataObject } from '../service/data-object.js';

const tasks = (call: AgentCall) =>
  findTasks(call.account, call.fields.oneOf('type', ['open', 'invoice', 'older'], 'open'));

export const listTasks: AgentAnswer = (call) =>
  succeedWithList(call, pageOf(tasks(call), agentPage(call)), taskOnWire);
export const countTasks: AgentAnswer = (call) => succeedWithCount(call, tasks(call).length);
export const addTask: AgentAnswer = (call) => succeed(call, createTask(call.account, dataOf(call)).guid);
export const showTask: AgentAnswer = (call) => succeed(call, taskOnWire(taskOf(call.account, call.id)));

export const start: AgentAnswer = (call) => {
  startTask(call.account, call.id);
  return succeed(call, call.id);
};

/** With adv a dated entry is recorded instead of the running timer's time. */
export const end: AgentAnswer = (call) => {
  const { account, exchange, fields } = call;
  const text = logText(account, exchange);
  if (fields.flag('adv'))
    logTask(account, call.id, text, readWorkedHours(fields, account.service.clock.today()));
  else endTask(account, call.id, text);
  return succeed(call, call.id);
};

export const deactivate: AgentAnswer = (call) => {
  deactivateTask(call.account, call.id);
  return succeed(call, call.id);
};

export const addLog: AgentAnswer = (call) => {
  const { account, exchange, fields } = call;
  const guid = fields.required('guid');
  fields.required('qty');
  const times = readLogTimes(fields, account.service.clock.today());
  return succeed(call, logTask(account, guid, logText(account, exchange), times).guid);
};

export const changeLog: AgentAnswer = (call) => {
  const { account, exchange, fields } = call;
  editLog(account, fields.required('guid'), fields, logText(account, exchange));
  return succeed(call, fields.text('guid'));
};

export const removeLog: AgentAnswer = (call) => {
  deleteLog(call.account, call.id);
  return succeed(call, null);
};

const sales = (call: AgentCall) => findProductSales(call.account, call.fields.text('search_text'));

export const listProductSales: AgentAnswer = (call) => {
  const rows = sales(call);
  const page = agentPage(call);
  const paging = { total: rows.length, page: page.page };
  return succeedWithList(call, pageOf(rows, page), (row) => productSaleOnWire(row, 'name'), paging);
};

export const countProductSales: AgentAnswer = (call) => succeedWithCount(call, sales(call).length);

export const listAttendees: AgentAnswer = (call) => {
  const rows = attendeesOf(call.account, call.id);
  const page = agentPage(call);
  return succeedWithList(call, pageOf(rows, page), (row) => row, { total: rows.length, page: page.page });
};

// Document 2, customers and items.

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
