import { done, enveloped, post, type Endpoints } from './endpoint.js';
import { readData } from './fields.js';
import { takePage } from './paging.js';
import {
  addLog,
  createTask,
  deleteLog,
  endTask,
  listTasks,
  readTime,
  requireLog,
  requireTask,
  startTask,
  taskShape,
} from './tasks.js';

/** All of them POST, also those that only read. */
export const CREDENTIAL_TASKS: Endpoints = {
  'create-task': post((ask) => {
    const data = readData(ask.body);
    const { guid } = createTask(ask.world, data);
    ask.ignore(data.unread());
    return enveloped(guid);
  }),
  'get-task': post(({ world, body }) => enveloped(taskShape(requireTask(world, body.text('guid')), true))),
  'get-tasks': post(({ world, body }) =>
    enveloped(takePage(listTasks(world, body), body).things.map((task) => taskShape(task, true))),
  ),
  'get-count-tasks': post(({ world, body }) => enveloped(listTasks(world, body).length)),
  'start-task': post(({ world, body }) => {
    startTask(world, body.text('guid'));
    return done();
  }),
  'end-task': post(({ world, body }) => {
    endTask(world, body.text('guid'), body.maybeText('description'));
    return done();
  }),
  'log-task': post((ask) => {
    const task = requireTask(ask.world, ask.body.text('guid'));
    addLog(ask.world, task, { ...readTime(ask.body), manual: true });
    ask.ignore(ask.body.unread());
    return done();
  }),
  'edit-log-task': post((ask) => {
    const { log } = requireLog(ask.world, ask.body.text('guid'));
    const { description, ...time } = readTime(ask.body);
    Object.assign(log, time, { description: description ?? log.description, updated: ask.world.now() });
    ask.ignore(ask.body.unread());
    return done();
  }),
  'task-log-delete': post(({ world, body }) => {
    deleteLog(world, body.text('guid'));
    return done();
  }),
};
