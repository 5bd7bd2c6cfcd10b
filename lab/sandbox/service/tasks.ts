// Tasks, their timer and their log. The documents show fields and calls but no transitions; here a task is open until it
// is deactivated (closed) or billed (invoiced), and its timer runs at most once at a time.
import { instantOf, daysBetween, isDateText } from '../clock.js';
import {
  TAX_CODES,
  UNITS_OF_MEASURE,
  type InvoiceCustomer,
  type Task,
  type TaskItem,
  type TaskLog,
  type DateText,
  type Hundredths,
  type Attendee,
  type ProductSale,
} from '../model.js';
import type { Account } from './account.js';
import { asInvoiceCustomer, customerOf, itemOf } from './customers.js';
import { DataObject } from './data-object.js';
import { Refusal } from './refusal.js';
import { isDecimalText, parseHundredths } from '../money.js';
import { anyAttachment } from '../http/request.js';
import type { Exchange } from '../http/exchange.js';

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

interface LogText {
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

// The times of a log entry. The documents give `h` and `p` as hours of the day in one place and as hours worked and a
// price in another; dates come as Y-m-d or d.m.Y. All of that is read here.

interface LogTimes {
  /** Hours in hundredths. */
  readonly quantity: Hundredths;
  readonly advanced: boolean;
  readonly from: DateText;
  readonly to: DateText;
  readonly hoursPerDay: number;
  readonly manual: boolean;
}

const MINUTES_PER_DAY = 24 * 60;

/** `fallback`: the day when none is given. null: "date (required), end_date (required)". */
export function readLogTimes(fields: DataObject, fallback: DateText | null): LogTimes {
  if (fallback === null) for (const name of ['date', 'end_date']) fields.required(name);
  const from = readDay(fields, 'date') ?? fallback ?? '';
  const to = readDay(fields, 'end_date') ?? from;
  if (to < from) throw new Refusal('field-format', 'end_date must not be before date');
  const advanced = fields.flag('adv');
  const perDay = minutesPerDay(fields);
  const days = advanced ? daysBetween(from, to) + 1 : 1;
  const quantity = fields.has('qty') ? hours(fields, 'qty') : Math.round((perDay * days * 100) / 60);
  return { quantity, advanced, from, to, hoursPerDay: Math.floor(perDay / 60), manual: true };
}

/** Agent end-task with adv: `h` is hours worked, as a decimal string. */
export function readWorkedHours(fields: DataObject, today: DateText): LogTimes {
  const from = readDay(fields, 'date') ?? today;
  return {
    quantity: hours(fields, 'h'),
    advanced: true,
    from,
    to: readDay(fields, 'end_date') ?? from,
    hoursPerDay: 0,
    manual: true,
  };
}

function minutesPerDay(fields: DataObject): number {
  if (!fields.has('h') || !fields.has('p')) return 0;
  const minutes = timeOfDay(fields, 'p') - timeOfDay(fields, 'h');
  if (minutes < 0) throw new Refusal('field-format', 'Field p must not be before h');
  return minutes;
}

/** HH:MM, or a whole hour. */
function timeOfDay(fields: DataObject, name: string): number {
  const match = /^(\d{1,2})(?::(\d{2}))?$/.exec(fields.text(name));
  const minutes = match === null ? NaN : Number(match[1]) * 60 + Number(match[2] ?? 0);
  if (!(minutes >= 0 && minutes <= MINUTES_PER_DAY))
    throw new Refusal('field-format', `Field ${name} must be a time, HH:MM`);
  return minutes;
}

function hours(fields: DataObject, name: string): Hundredths {
  const text = fields.required(name);
  if (!isDecimalText(text) || text.startsWith('-'))
    throw new Refusal('field-format', `Field ${name} must be hours as a decimal number`);
  return parseHundredths(text);
}

function readDay(fields: DataObject, name: string): DateText | null {
  if (!fields.has(name)) return null;
  const text = fields.text(name);
  const icelandic = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text);
  const day = icelandic === null ? text : `${icelandic[3] ?? ''}-${icelandic[2] ?? ''}-${icelandic[1] ?? ''}`;
  if (!isDateText(day)) throw new Refusal('field-format', `Field ${name} must be a date`);
  return day;
}

// Product sales are read-only, and only event sales have attendees.

export function findProductSales(account: Account, search: string): ProductSale[] {
  const wanted = search.toLowerCase();
  return [...account.productSales.values()].filter(
    (sale) => sale.description.toLowerCase().includes(wanted) || sale.name.toLowerCase().includes(wanted),
  );
}

export function attendeesOf(account: Account, guid: string): readonly Attendee[] {
  const sale = account.productSales.get(guid);
  if (sale === undefined) throw new Refusal('unknown-record', 'No product sale found');
  if (sale.type !== 'EVENT') throw new Refusal('event-sale', 'Only event sales have attendees');
  return sale.attendees;
}

// The words and the picture of a log entry, as both surfaces send them.

export function logText(account: Account, exchange: Exchange): LogText {
  const file = exchange.file('file');
  const { username } = account.profile;
  return {
    description: exchange.fields.text('description'),
    image: file === null ? '' : `/files/${username}/${account.storeFile(anyAttachment(file))}`,
  };
}
