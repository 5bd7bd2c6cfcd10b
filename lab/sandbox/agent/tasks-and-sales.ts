// Document 2, tasks with their time log, and product sales.
import { attendeesOf, findProductSales } from '../service/product-sales.js';
import {
  createTask,
  deactivateTask,
  deleteLog,
  editLog,
  endTask,
  findTasks,
  logTask,
  startTask,
  taskOf,
} from '../service/tasks.js';
import { readLogTimes, readWorkedHours } from '../service/task-times.js';
import { pageOf } from '../http/paging.js';
import { logText } from '../http/task-log-text.js';
import { productSaleOnWire, taskOnWire } from '../wire/tasks-and-sales.js';
import {
  agentPage,
  dataOf,
  succeed,
  succeedWithCount,
  succeedWithList,
  type AgentAnswer,
  type AgentCall,
} from './call.js';

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
