// Tasks, their timer and their log. The documents show fields and calls but no transitions; here a task is open until it
// is deactivated (closed) or billed (invoiced), and its timer runs at most once at a time.
import { instantOf } from '../clock.js';
import {
  TAX_CODES,
  UNITS_OF_MEASURE,
  type InvoiceCustomer,
  type Task,
  type TaskItem,
  type TaskLog,
} from '../model.js';
import type { Account } from './account.js';
import { asInvoiceCustomer, customerOf } from './customers.js';
import { DataObject } from './data-object.js';
import { itemOf } from './items.js';
import { Refusal } from './refusal.js';
import { readLogTimes, type LogTimes } from './task-times.js';

const HOUR_MS = 3_600_000;

export function createTask(account: Account, data: DataObject): Task {
  const task: Task = {
    guid: account.guid(),
    number: String(account.tasks.size + 1),
    name: data.required('name'),
    status: 'open',
    item: readItem(account, data),
    customer: readCustomer(account, data),
    running_since: null,
    created_at: account.service.clock.timestamp(),
    invoices: [],
    logs: [],
    project_name: '',
  };
  account.tasks.set(task.guid, task);
  return task;
}

/** Document 1: an item object. Document 2 also: item_no. */
function readItem(account: Account, data: DataObject): TaskItem {
  const item = data.object('item') ?? new DataObject({});
  const number = data.text('item_no');
  const known = item.has('guid')
    ? itemOf(account, item.text('guid'))
    : [...account.items.values()].find((entry) => number !== '' && entry.item_number === number);
  if (number !== '' && known === undefined) throw new Refusal('unknown-record', 'No item found');
  return {
    guid: known?.guid ?? '',
    description: item.text('description', known?.description ?? ''),
    uom: item.oneOf('uom', UNITS_OF_MEASURE, 'HUR'),
    tax: item.oneOf('tax', TAX_CODES, known?.tax ?? 'Z'),
    unit_price: item.decimal('unit_price', known?.unit_price ?? '0'),
    category: item.text('category', known?.category ?? ''),
  };
}

function readCustomer(account: Account, data: DataObject): InvoiceCustomer | null {
  if (data.has('customer_guid')) return asInvoiceCustomer(customerOf(account, data.text('customer_guid')));
  const number = data.text('customer_no');
  if (number === '') return null;
  for (const customer of account.customers.values())
    if (customer.customer_number === number || customer.registration_no === number)
      return asInvoiceCustomer(customer);
  throw new Refusal('unknown-record', 'No customer found');
}

export function taskOf(account: Account, guid: string): Task {
  const task = account.tasks.get(guid);
  if (task === undefined) throw new Refusal('unknown-record', 'No task found');
  return task;
}

/** `invoice`: has hours that were not billed; `older`: closed or billed. */
export function findTasks(account: Account, type: 'open' | 'invoice' | 'older'): Task[] {
  const accepts: Record<typeof type, (task: Task) => boolean> = {
    open: (task) => task.status === 'open',
    invoice: (task) => task.status !== 'invoiced' && task.logs.some((log) => log.quantity > 0),
    older: (task) => task.status !== 'open',
  };
  return [...account.tasks.values()].filter(accepts[type]);
}

export const canStart = (task: Task): boolean => task.status === 'open' && task.running_since === null;
export const canStop = (task: Task): boolean => task.running_since !== null;
export const canDeactivate = (task: Task): boolean => task.status === 'open' && task.running_since === null;

export function startTask(account: Account, guid: string): void {
  const task = taskOf(account, guid);
  if (!canStart(task)) throw new Refusal('task-state', 'This task cannot be started');
  task.running_since = account.service.clock.timestamp();
}

export interface LogText {
  readonly description: string;
  readonly image: string;
}

export function endTask(account: Account, guid: string, text: LogText): void {
  const task = taskOf(account, guid);
  if (task.running_since === null) throw new Refusal('task-state', 'This task is not running');
  const { clock } = account.service;
  const hours = (clock.nowMs() - instantOf(task.running_since)) / HOUR_MS;
  addLog(account, task, text, {
    quantity: Math.max(0, Math.round(hours * 100)),
    advanced: false,
    from: task.running_since.slice(0, 10),
    to: clock.today(),
    hoursPerDay: 0,
    manual: false,
  });
  task.running_since = null;
}

export function deactivateTask(account: Account, guid: string): void {
  const task = taskOf(account, guid);
  if (!canDeactivate(task)) throw new Refusal('task-state', 'This task cannot be deactivated');
  task.status = 'closed';
}

export function logTask(account: Account, guid: string, text: LogText, times: LogTimes): TaskLog {
  const task = taskOf(account, guid);
  if (task.status === 'invoiced') throw new Refusal('task-state', 'This task is invoiced');
  return addLog(account, task, text, times);
}

export function editLog(account: Account, logGuid: string, fields: DataObject, text: LogText): void {
  const { task, log } = logOf(account, logGuid);
  const times = readLogTimes(fields, log.from_date);
  const changed: TaskLog = {
    ...log,
    description: text.description || log.description,
    image: text.image || log.image,
    advanced: times.advanced,
    quantity: fields.has('h') || fields.has('qty') ? times.quantity : log.quantity,
    hours_worked_per_day: times.hoursPerDay,
    from_date: times.from,
    to_date: fields.has('end_date') ? times.to : log.to_date,
  };
  task.logs = task.logs.map((entry) => (entry.guid === logGuid ? changed : entry));
}

export function deleteLog(account: Account, logGuid: string): void {
  const { task } = logOf(account, logGuid);
  task.logs = task.logs.filter((entry) => entry.guid !== logGuid);
}

function addLog(account: Account, task: Task, text: LogText, times: LogTimes): TaskLog {
  const log: TaskLog = {
    guid: account.guid(),
    manual: times.manual,
    creation_date: account.service.clock.timestamp(),
    quantity: times.quantity,
    description: text.description,
    advanced: times.advanced,
    count_of_workers: 1,
    hours_worked_per_day: times.hoursPerDay,
    from_date: times.from,
    to_date: times.to,
    image: text.image,
  };
  task.logs = [...task.logs, log];
  return log;
}

function logOf(account: Account, guid: string): { task: Task; log: TaskLog } {
  for (const task of account.tasks.values()) {
    const log = task.logs.find((entry) => entry.guid === guid);
    if (log !== undefined) return { task, log };
  }
  throw new Refusal('unknown-record', 'No log entry found');
}
