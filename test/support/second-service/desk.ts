import { createCustomer } from './customers.js';
import { day } from './dates.js';
import { Fields, type Json } from './fields.js';
import { createInvoice, generateInvoice } from './invoices.js';
import { invoiceOrder, requireOrder } from './orders.js';
import type { Cost, Customer, Invoice, Task, TaskLog } from './records.js';
import { addLog, createTask } from './tasks.js';
import { createCostAdvanced, requireCost } from './costs.js';
import { ublOf } from './ubl.js';
import { find, type World } from './world.js';

/** What people (and the clock) do at the service itself, without any API: the events that a bridge must then notice. */
export class Desk {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  customer(fields: Json): Customer {
    return createCustomer(this.#world, new Fields(fields, 'json'), 'credential');
  }

  deactivate(customer: Customer): void {
    customer.active = false;
  }

  /** An invoice that somebody made by hand. */
  invoice(data: Json): Invoice {
    return createInvoice(this.#world, new Fields(data, 'json')).made;
  }

  invoiceOrder(guid: string): Invoice {
    return invoiceOrder(this.#world, requireOrder(this.#world.orders, guid));
  }

  invoiceDraft(guid: string): Invoice {
    return invoiceOrder(this.#world, requireOrder(this.#world.drafts, guid));
  }

  /** The template's next invoice. */
  generate(template: string, date = day(this.#world.now())): Invoice {
    const found = find(this.#world.templates, template);
    if (found === undefined) throw new Error('no such template');
    return generateInvoice(this.#world, found, date);
  }

  /** A task that somebody made by hand. */
  task(data: Json): Task {
    return createTask(this.#world, new Fields(data, 'json'));
  }

  /** Time that somebody logged by hand. */
  hours(task: Task, date: string, quantity: number): TaskLog {
    return addLog(this.#world, task, { quantity, description: null, from: date, to: date, manual: true });
  }

  /** A supplier invoice that came in and was approved. */
  cost(fields: Record<string, string>): Cost {
    return this.approve(createCostAdvanced(this.#world, new Fields(fields, 'form'), undefined).guid);
  }

  /** "New → internal processing/approval → Created", with its XML. */
  approve(guid: string): Cost {
    const cost = requireCost(this.#world, guid);
    return Object.assign(cost, { accountingStatus: 'Created', updated: this.#world.now(), xml: ublOf(cost) });
  }
}
