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
} from '../service/tasks.js';
import { readLogTimes } from '../service/task-times.js';
import { pageOf } from '../http/paging.js';
import { logText } from '../http/task-log-text.js';
import { taskOnWire } from '../wire/tasks-and-sales.js';
import {
  dataField,
  guidField,
  openPage,
  succeed,
  succeedSilently,
  succeedWithList,
  type Answer,
  type Call,
} from './call.js';

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
