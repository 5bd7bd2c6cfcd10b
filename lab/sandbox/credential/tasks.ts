// Document 1, Tasks: every call is a POST, the reading ones too.
import {
  createTask,
  deleteLog,
  editLog,
  endTask,
  findTasks,
  logTask,
  startTask,
  taskOf,
  readLogTimes,
  logText,
  attendeesOf,
  findProductSales,
} from '../service/tasks.js';
import { pageOf, readPage } from '../http/paging.js';
import { taskOnWire, productSaleOnWire } from '../wire/documents.js';
import {
  dataField,
  guidField,
  openPage,
  succeed,
  succeedSilently,
  succeedWithList,
  type Answer,
  type Call,
  SUCCESS,
} from './call.js';
import { list, type Reply } from '../http/reply.js';

const tasks = (call: Call) =>
  findTasks(call.account, call.fields.oneOf('type', ['open', 'invoice', 'older'], 'open'));

export const postCreateTask: Answer = (call) => succeed(createTask(call.account, dataField(call)).guid);
export const postGetTask: Answer = (call) => succeed(taskOnWire(taskOf(call.account, guidField(call))));

export const postGetTasks: Answer = (call) => {
  const page = openPage(call);
  return succeedWithList(call, pageOf(tasks(call), page), page, taskOnWire);
};

export const postGetCountTasks: Answer = (call) => succeed(tasks(call).length);

export const postStartTask: Answer = (call) => {
  startTask(call.account, guidField(call));
  return succeedSilently();
};

export const postEndTask: Answer = (call) => {
  endTask(call.account, guidField(call), logText(call.account, call.exchange));
  return succeedSilently();
};

export const postLogTask: Answer = (call) => {
  const times = readLogTimes(call.fields, null);
  logTask(call.account, guidField(call), logText(call.account, call.exchange), times);
  return succeedSilently();
};

export const postEditLogTask: Answer = (call) => {
  editLog(call.account, guidField(call), call.fields, logText(call.account, call.exchange));
  return succeedSilently();
};

export const postTaskLogDelete: Answer = (call) => {
  deleteLog(call.account, guidField(call));
  return succeedSilently();
};

// Document 1, Product sales: lists with `total` and `page` beside them.

const sales = (call: Call) => findProductSales(call.account, call.fields.text('search_text'));

function pageWithTotal<T>(call: Call, rows: readonly T[], toWire: (row: T) => unknown): Reply {
  const { productSalePageSize, pageSizeMax } = call.account.service.choices;
  const page = readPage(call.exchange, productSalePageSize, pageSizeMax);
  const paging = { total: rows.length, page: page.page };
  return list({ status: true, message: SUCCESS }, pageOf(rows, page), toWire, paging);
}

export const getProductSales: Answer = (call) =>
  pageWithTotal(call, sales(call), (row) => productSaleOnWire(row, 'code'));

export const getCountProductSales: Answer = (call) => succeed(sales(call).length);

export const getProductSaleAttends: Answer = (call) =>
  pageWithTotal(call, attendeesOf(call.account, guidField(call)), (row) => row);
