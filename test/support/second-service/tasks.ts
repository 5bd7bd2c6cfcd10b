import { Decimal } from 'decimal.js';
import { requireCustomer } from './customers.js';
import { day, daysBetween, icelandicMinute, moment, readHour } from './dates.js';
import { TAXES, UNITS } from './enumerations.js';
import { Fields, type Json } from './fields.js';
import { createItem, itemShape, requireItem } from './items.js';
import { float } from './json-text.js';
import type { Item, Task, TaskLog } from './records.js';
import { Refusal } from './refusal.js';
import { find, type World } from './world.js';

export function createTask(world: World, data: Fields): Task {
  const customer = requireCustomer(world, data.text('customer_guid'));
  const name = data.text('name');
  const item = readItem(world, new Fields(data.object('item'), 'json'));
  const kept = world.newKept();
  const task: Task = {
    ...kept,
    number: String(kept.id),
    name,
    item,
    customer,
    begun: world.now(),
    status: 'open',
    running: null,
    logs: [],
  };
  world.tasks.push(task);
  return task;
}

/** "item (object: guid (empty for a new item), description, uom, tax, unit_price, category)". */
function readItem(world: World, fields: Fields): Item {
  const guid = fields.maybeText('guid') ?? '';
  if (guid !== '') return requireItem(world, guid);
  fields.oneOf('uom', UNITS);
  fields.oneOf('tax', TAXES);
  return createItem(world, fields);
}

export function requireTask(world: World, guid: string): Task {
  const task = find(world.tasks, guid);
  if (task === undefined) throw new Refusal('No task found');
  return task;
}

export function requireLog(world: World, guid: string): { task: Task; log: TaskLog } {
  for (const task of world.tasks) {
    const log = find(task.logs, guid);
    if (log !== undefined) return { task, log };
  }
  throw new Refusal('No task log found');
}

function requireOpen(task: Task): void {
  if (task.status !== 'open') throw new Refusal('The task is not open');
}

export function startTask(world: World, guid: string): void {
  const task = requireTask(world, guid);
  requireOpen(task);
  if (task.running !== null) throw new Refusal('The task is already running');
  task.running = world.now();
}

/** "Stops the running timer": there must be one. */
export function endTask(world: World, guid: string, description: string | null): void {
  const task = requireTask(world, guid);
  if (task.running === null) throw new Refusal('The task is not running');
  const hours = (world.now().getTime() - task.running.getTime()) / 3_600_000;
  const today = day(world.now());
  addLog(world, task, { quantity: roundHours(hours), description, from: today, to: today, manual: false });
  task.running = null;
}

export function deactivateTask(world: World, guid: string): void {
  const task = requireTask(world, guid);
  requireOpen(task);
  if (task.running !== null) throw new Refusal('The task is running');
  task.status = 'closed';
}

interface Logged {
  readonly quantity: number;
  readonly description: string | null;
  readonly from: string;
  readonly to: string;
  readonly manual: boolean;
  readonly advanced?: boolean;
}

export function addLog(world: World, task: Task, logged: Logged): TaskLog {
  requireOpen(task);
  const log: TaskLog = { ...world.newKept(), created: world.now(), advanced: false, ...logged };
  task.logs.push(log);
  return log;
}

/** `log-task` and `edit-log-task`: date and end_date required, the hours from `h` to `p` of each of their days. */
export function readTime(form: Fields) {
  const [from, to] = [form.date('date'), form.date('end_date')];
  if (from > to) throw new Refusal('end_date must not be before date');
  return {
    from,
    to,
    advanced: form.flag('adv'),
    description: form.maybeText('description'),
    quantity: readHours(form, daysBetween(from, to) + 1) ?? 0,
  };
}

export function readHours(form: Fields, days: number): number | null {
  const [start, end] = [readClock(form, 'h'), readClock(form, 'p')];
  if (start === null || end === null) return null;
  if (end < start) throw new Refusal('p must not be before h');
  return roundHours(((end - start) / 60) * days);
}

/** "h (integer start hour, HH:MM)": a whole hour or a clock. */
function readClock(form: Fields, key: string): number | null {
  const raw = form.raw(key);
  if (raw === undefined || raw === '') return null;
  const minutes = typeof raw === 'number' || typeof raw === 'string' ? readHour(String(raw)) : null;
  if (minutes === null) throw new Refusal(`Field ${key} must be HH:MM`);
  return minutes;
}

const roundHours = (hours: number): number => new Decimal(hours).toDecimalPlaces(4).toNumber();

export function deleteLog(world: World, guid: string): void {
  const { task, log } = requireLog(world, guid);
  task.logs.splice(task.logs.indexOf(log), 1);
}

const totalTime = (task: Task): number =>
  task.logs.reduce((total, log) => total.plus(log.quantity), new Decimal(0)).toNumber();

/** `invoice`: has time that nobody at the service has invoiced, whether open or closed; `older`: the rest that is over. */
export function listTasks(world: World, query: Fields): Task[] {
  const type = query.maybeOneOf('type', ['open', 'invoice', 'older']) ?? 'open';
  return world.tasks.filter((task) => {
    const billable = task.status !== 'invoiced' && totalTime(task) > 0;
    if (type === 'invoice') return billable;
    return type === 'open' ? task.status === 'open' : task.status !== 'open' && !billable;
  });
}

export function taskShape(task: Task, withLogs: boolean): Json {
  const running = task.running !== null;
  return {
    project_name: '',
    canDeactive: task.status === 'open' && !running,
    canStop: running,
    canStart: task.status === 'open' && !running,
    ...(withLogs ? { logs: task.logs.map(logShape) } : {}),
    invoices: [],
    total_time: float(totalTime(task)),
    start_time: icelandicMinute(task.begun),
    customer: { name: task.customer.name, guid: task.customer.guid },
    item: itemShape(task.item),
    status: task.status,
    name: task.name,
    number: task.number,
    guid: task.guid,
  };
}

function logShape(log: TaskLog): Json {
  return {
    image: null,
    to_date: log.to,
    from_date: log.from,
    hours_worked_per_day: 0,
    count_of_workers: 1,
    advanced: log.advanced,
    description: log.description,
    quantity: float(log.quantity),
    creation_date: moment(log.created),
    manual: log.manual,
    guid: log.guid,
  };
}
