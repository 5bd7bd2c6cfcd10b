import { randomUUID } from 'node:crypto';
import { AWKWARD, type Freedoms } from './freedoms.js';
import type {
  Cost,
  Customer,
  Invoice,
  Item,
  Kept,
  Order,
  Quote,
  StoredFile,
  Task,
  Template,
} from './records.js';

/** Everything one account owns, in the order in which it was created. */
export class World {
  readonly customers: Customer[] = [];
  readonly items: Item[] = [];
  readonly invoices: Invoice[] = [];
  readonly quotes: Quote[] = [];
  readonly templates: Template[] = [];
  readonly orders: Order[] = [];
  readonly drafts: Order[] = [];
  readonly files: StoredFile[] = [];
  readonly costs: Cost[] = [];
  readonly tasks: Task[] = [];
  /** Item numbers that inline lines have used up. */
  readonly inlineNumbers = new Set<string>();
  readonly now: () => Date;
  freedoms: Freedoms;
  #last = 4100;

  constructor(freedoms: Partial<Freedoms>, now: () => Date) {
    this.freedoms = { ...AWKWARD, ...freedoms };
    this.now = now;
  }

  newKept(): Kept {
    this.#last += 1;
    return { guid: randomUUID(), id: this.#last, updated: this.now() };
  }

  counts(): Record<CountedThing, number> {
    return {
      customers: this.customers.length,
      items: this.items.length,
      invoices: this.invoices.filter((invoice) => invoice.type === 'invoice').length,
      creditNotes: this.invoices.filter((invoice) => invoice.type === 'credit').length,
      quotes: this.quotes.length,
      templates: this.templates.length,
      orders: this.orders.length,
      drafts: this.drafts.length,
      files: this.files.length,
      costs: this.costs.length,
      tasks: this.tasks.length,
      logs: this.tasks.reduce((total, task) => total + task.logs.length, 0),
    };
  }
}

export type CountedThing =
  | 'customers'
  | 'items'
  | 'invoices'
  | 'creditNotes'
  | 'quotes'
  | 'templates'
  | 'orders'
  | 'drafts'
  | 'files'
  | 'costs'
  | 'tasks'
  | 'logs';

/** A resource by its guid, or (agent paths) by the whole number that creating it answered. */
export function find<Thing extends Kept>(things: readonly Thing[], key: string): Thing | undefined {
  return things.find((thing) => thing.guid === key || String(thing.id) === key);
}
