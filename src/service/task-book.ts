// The tasks of an account with their hours, as whoever made one looks for it again: a task by the mark in its name, hours by the mark in
// their description. The documents show neither the item nor the customer of a task in full, so they are read with care.
import * as z from 'zod';
import { isCoded } from '../domain/errors/coded-error.js';
import type { Guid } from '../domain/ids.js';
import type { IsoDate } from '../domain/source-document.js';
import { marksIn } from '../domain/submission.js';
import { told, type Words } from '../language/messages.js';
import { AGENT_ENDPOINTS as agent } from './agent-endpoints.js';
import type { ApiClient } from './api-client.js';
import type { CREDENTIAL_ENDPOINTS as credential } from './credential-endpoints.js';
import type { CallResult } from './endpoint.js';
import type { FoundTask, Search } from './invoicing-target.js';
import type { Surface } from './source-settings.js';
import { everyPage, heldAgainst, type Listed, valueOf } from './whole-lists.js';
import { isJsonObject } from './wire-json.js';
import { asText, decimal, firstIssue, requiredText, text } from './wire-types.js';
import { TASK_LISTS } from './wire-values.js';
import { guid as wireGuid } from './write-bodies.js';
import { OPERATIONS } from './operations.js';

const PAGE_SIZE = 100;
/** More on one task are not read one by one. */
const INVOICES_MAX = 50;
const DAYS_KEPT_MAX = 10_000;
const ANY_DAY = '9999-12-31';
type TaskList = (typeof TASK_LISTS)[number];
type WireTask = CallResult<(typeof credential)['get-task']>;

const item = z.object({ description: text, uom: text, tax: text, unit_price: decimal }).nullish();
const customer = z.object({ guid: text, name: text, registration_no: text }).nullish();
const logs = z
  .array(
    z.object({
      ...{ guid: requiredText, description: text, from_date: text, quantity: decimal },
      creation_date: text,
    }),
  )
  .nullish();

export class TaskBook {
  readonly #client: ApiClient;
  readonly #surface: Surface;
  /** Of invoices that tasks name, by guid; the day on which one was made does not change. */
  readonly #invoiceDays = new Map<string, IsoDate>();

  constructor(client: ApiClient, surface: Surface) {
    this.#client = client;
    this.#surface = surface;
  }

  /**
   * Document 2, "Time billing": the tasks of the list `invoice`. With their hours and the kennitala of their customers, wherever the service
   * shows those.
   */
  async listToBill(): Promise<Search<FoundTask>> {
    const listed = await this.#listed('invoice');
    if (listed.outcome === 'incomplete') return listed;
    const kennitalas = new Map<Guid, string>();
    const tasks: FoundTask[] = [];
    for (const task of listed.records.values()) {
      const found = await this.#whole(task, kennitalas);
      if ('said' in found) return { outcome: 'incomplete', ...found };
      tasks.push({ ...found, invoicedUntil: await this.#invoicedUntil(task) });
    }
    return { outcome: 'complete', found: tasks };
  }

  async find(mark: string): Promise<Search<FoundTask>> {
    const listed = await this.#everyTask();
    if (listed.outcome === 'incomplete') return listed;
    const tasks: FoundTask[] = [];
    for (const task of listed.records.values()) {
      const found = asFound(task);
      if ('said' in found) return { outcome: 'incomplete', ...found };
      if (marksIn(found.name).includes(mark)) tasks.push(found);
    }
    return { outcome: 'complete', found: tasks };
  }

  /** `open` before `older`: one that is ended meanwhile is seen twice rather than not at all. */
  async #everyTask(): Promise<Listed<WireTask>> {
    const tasks = new Map<string, WireTask>();
    for (const type of TASK_LISTS) {
      const listed = await this.#listed(type);
      if (listed.outcome === 'incomplete') return listed;
      for (const [guid, task] of listed.records) tasks.set(guid, task);
    }
    return { outcome: 'whole', records: tasks };
  }

  async #listed(type: TaskList): Promise<Listed<WireTask>> {
    const counted = valueOf(await OPERATIONS.countTasks[this.#surface](this.#client, { type }));
    const pages = await everyPage(
      (page) => this.#page(type, page),
      ({ guid }) => guid,
    );
    return heldAgainst(counted, pages, 'tasks');
  }

  /** The day of the latest invoice that the task names. What cannot be read, or is one too many, may be of any day. */
  async #invoicedUntil({ invoices }: WireTask): Promise<IsoDate | null> {
    const named = Array.isArray(invoices)
      ? invoices
      : (asText(invoices) ?? 'unread') === ''
        ? []
        : [invoices];
    const guids = named.map((one: unknown) => asText(isJsonObject(one) ? one['guid'] : one) ?? '');
    if (guids.length > INVOICES_MAX) return ANY_DAY;
    let until: IsoDate | null = null;
    for (const guid of guids) {
      const day = await this.#invoiceDay(guid);
      if (until === null || day > until) until = day;
    }
    return until;
  }

  async #invoiceDay(guid: string): Promise<IsoDate> {
    const known = this.#invoiceDays.get(guid);
    if (known !== undefined) return known;
    if (!wireGuid.safeParse(guid).success) return ANY_DAY;
    try {
      const answer = await OPERATIONS.readInvoice[this.#surface](this.#client, guid);
      if (answer.outcome !== 'ok' || !answer.value.readable) return ANY_DAY;
      const { document } = answer.value.record;
      if (document.createdDate === '') return ANY_DAY;
      if (this.#invoiceDays.size >= DAYS_KEPT_MAX) this.#invoiceDays.clear();
      this.#invoiceDays.set(guid, document.createdDate);
      return document.createdDate;
    } catch (error) {
      if (isCoded(error, 'SOURCE_FORBIDDEN')) return ANY_DAY;
      throw error;
    }
  }

  /**
   * Document 2 promises log entries of a single task only, and neither document shows the customer of a task: what a list leaves out is
   * asked for, and of tasks without hours nothing is.
   */
  async #whole(listed: WireTask, kennitalas: Map<Guid, string>): Promise<FoundTask | Words> {
    const first = asFound(listed);
    if ('said' in first) return first;
    const isCut = first.logs.length === 0 && !listed.total_time.isZero();
    const task = isCut ? valueOf(await this.#get(first.guid)) : listed;
    const found = isCut ? asFound(task) : first;
    if ('said' in found || found.kennitala !== '' || found.logs.length === 0) return found;
    const { guid = '' } = customer.safeParse(task.customer).data ?? {};
    const known = kennitalas.get(guid) ?? (guid === '' ? '' : await this.#kennitala(guid));
    kennitalas.set(guid, known);
    return { ...found, kennitala: known };
  }

  /** Empty where the service shows none, or the grant does not reach to customers. */
  async #kennitala(guid: Guid): Promise<string> {
    try {
      const answer = await OPERATIONS.readCustomer[this.#surface](this.#client, guid);
      return answer.outcome === 'ok' ? answer.value.registration_no.replace(/\D/g, '') : '';
    } catch (error) {
      if (isCoded(error, 'SOURCE_FORBIDDEN')) return '';
      throw error;
    }
  }

  #get(guid: Guid) {
    return OPERATIONS.readTask[this.#surface](this.#client, guid);
  }

  async read(guid: Guid): Promise<FoundTask | null> {
    const answer = await this.#get(guid);
    if (answer.outcome === 'ok') {
      const found = asFound(answer.value);
      return 'said' in found ? null : found;
    }
    // Refused credentials look alike (Document 1, "Authentication" 5).
    valueOf(await OPERATIONS.countTasks[this.#surface](this.#client, {}));
    return null;
  }

  /** Stops its timer where it runs, and ends it where this surface can. */
  async end(guid: Guid): Promise<void> {
    const task = await this.read(guid);
    if (task?.canStop) valueOf(await OPERATIONS.stopTask[this.#surface](this.#client, guid));
    if (task && this.#surface === 'agent' && (task.canDeactivate || task.canStop))
      valueOf(await this.#client.call(agent['deactivate-task'], { guid }));
  }

  async #page(type: TaskList, page: number) {
    const asked = { type, page, limit: PAGE_SIZE };
    return valueOf(await OPERATIONS.listTasks[this.#surface](this.#client, asked));
  }
}

/** Words: it cannot be read. */
function asFound(task: WireTask): FoundTask | Words {
  const read = z.object({ item, customer, logs }).safeParse(task);
  if (!read.success)
    return told('TASK_UNREADABLE', { number: task.number.slice(0, 60), problem: firstIssue(read.error) });
  const { guid, number, name, status, canStop, canDeactive: canDeactivate } = task;
  return {
    ...{ guid, number, name, status, canStop, canDeactivate },
    isInvoiced: status.trim().toLowerCase() === 'invoiced',
    invoicedUntil: null,
    kennitala: (read.data.customer?.registration_no ?? '').replace(/\D/g, ''),
    customerName: read.data.customer?.name ?? '',
    description: read.data.item?.description ?? '',
    unitPrice: read.data.item?.unit_price.toFixed() ?? '0',
    tax: read.data.item?.tax ?? '',
    logs: (read.data.logs ?? []).map((log) => ({
      ...{ guid: log.guid, description: log.description, date: log.from_date.slice(0, 10) },
      hours: log.quantity.toFixed(),
      writtenOn: log.creation_date.slice(0, 10),
    })),
  };
}
