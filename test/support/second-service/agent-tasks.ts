import { day, daysBetween, readIcelandicDay } from './dates.js';
import { done, enveloped, get, post, put, remove, type Ask, type Endpoints } from './endpoint.js';
import { readData, type Json } from './fields.js';
import { takePage } from './paging.js';
import { Refusal } from './refusal.js';
import {
  addLog,
  createTask,
  deactivateTask,
  deleteLog,
  endTask,
  listTasks,
  readHours,
  requireLog,
  requireTask,
  startTask,
  taskShape,
} from './tasks.js';

/** `POST /tasks/log` lists guid, qty, date, adv, h and p; a description only PUT takes. */
function logTime(ask: Ask): Json {
  const { world, body } = ask;
  const task = requireTask(world, body.text('guid'));
  const quantity = body.number('qty');
  const text = body.maybeText('date');
  const date = text === null ? day(world.now()) : readIcelandicDay(text);
  if (date === null) throw new Refusal('Field date must be a date (d.m.Y)');
  const advanced = body.flag('adv');
  readHours(body, 1);
  addLog(world, task, { quantity, description: null, from: date, to: date, advanced, manual: true });
  ask.ignore(body.unread());
  return { status: true };
}

/** Corrects what is sent and leaves the rest. */
function correctTime(ask: Ask): Json {
  const { world, body } = ask;
  const { log } = requireLog(world, body.text('guid'));
  log.description = body.maybeText('description') ?? log.description;
  log.from = body.maybeDate('date') ?? log.from;
  log.to = body.maybeDate('end_date') ?? (log.to < log.from ? log.from : log.to);
  log.quantity = readHours(body, daysBetween(log.from, log.to) + 1) ?? log.quantity;
  log.updated = world.now();
  ask.ignore(body.unread());
  return { status: true };
}

/** "`adv` (1 to record a dated entry instead), … `h` (hours as decimal string)". */
function end(ask: Ask): Json {
  const { world, body, id } = ask;
  const description = body.maybeText('description');
  if (body.flag('adv')) {
    const from = body.date('date');
    const quantity = Number(body.text('h'));
    if (!(quantity >= 0)) throw new Refusal('Field h must be hours');
    addLog(world, requireTask(world, id), {
      quantity,
      description,
      from,
      to: body.maybeDate('end_date') ?? from,
      manual: true,
      advanced: true,
    });
  } else endTask(world, id, description);
  return done();
}

export const AGENT_TASKS: Endpoints = {
  '/tasks': get(({ world, query }) => {
    const { things } = takePage(listTasks(world, query), query, 10);
    return enveloped(things.map((task) => taskShape(task, false)));
  }, 'task'),
  '/tasks/count': get(({ world, query }) => enveloped({ count: listTasks(world, query).length }), 'task'),
  'POST /tasks': post((ask) => {
    const data = readData(ask.body);
    const { guid } = createTask(ask.world, data);
    ask.ignore(data.unread());
    return { result: guid, status: true };
  }, 'task'),
  'POST /tasks/log': post(logTime, 'task'),
  'PUT /tasks/log': put(correctTime, 'task'),
  'DELETE /tasks/log/{id}': remove(({ world, id }) => {
    deleteLog(world, id);
    return done();
  }, 'task'),
  '/tasks/{id}': get(({ world, id }) => enveloped(taskShape(requireTask(world, id), true)), 'task'),
  'POST /tasks/{id}/start': post(({ world, id }) => {
    startTask(world, id);
    return done();
  }, 'task'),
  'POST /tasks/{id}/end': post(end, 'task'),
  'POST /tasks/{id}/deactivate': post(({ world, id }) => {
    deactivateTask(world, id);
    return done();
  }, 'task'),
};
