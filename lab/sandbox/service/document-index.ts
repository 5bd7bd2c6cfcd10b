// Invoices or costs of one account, found by guid and listed by accounting status and date. One order a status and one
// over all, by issue date and by creation, so that no list sorts anything when it is asked for.
import { DateOrder, type Ordered } from './date-order.js';

export interface IndexedDocument extends Ordered {
  readonly guid: string;
  readonly issue_date: string;
  readonly created_at: string;
  readonly accounting_status: string | null;
}

export type DateField = 'issue' | 'created';

export interface DocumentQuery<R> {
  /** null: whatever the status. */
  readonly statuses: readonly string[] | null;
  readonly filterBy: DateField;
  readonly from: string | null;
  readonly to: string | null;
  readonly where?: (record: R) => boolean;
}

export interface PageQuery<R> extends DocumentQuery<R> {
  readonly sortBy: DateField;
  readonly descending: boolean;
  readonly offset: number;
  /** null: all of them. */
  readonly limit: number | null;
}

type Orders<R extends Ordered> = Record<DateField, DateOrder<R>>;

export class DocumentIndex<R extends IndexedDocument> {
  readonly #byGuid = new Map<string, R>();
  readonly #byId = new Map<number, R>();
  readonly #all: Orders<R> = newOrders();
  readonly #byStatus = new Map<string, Orders<R>>();

  get size(): number {
    return this.#byGuid.size;
  }

  load(records: readonly R[]): void {
    const groups = new Map<string, R[]>();
    for (const record of records) {
      this.#remember(record);
      const group = groups.get(String(record.accounting_status));
      if (group === undefined) groups.set(String(record.accounting_status), [record]);
      else group.push(record);
    }
    this.#all.issue.load(records);
    this.#all.created.load(records);
    for (const [status, group] of groups) {
      this.#orders(status).issue.load(group);
      this.#orders(status).created.load(group);
    }
  }

  add(record: R): void {
    this.#remember(record);
    this.#insert(record);
  }

  delete(record: R): void {
    this.#byGuid.delete(record.guid);
    this.#byId.delete(record.id);
    this.#take(record);
  }

  /** The only way to change a record: its places in the orders move with it. */
  change(record: R, mutate: (record: R) => void): void {
    this.#take(record);
    mutate(record);
    this.#insert(record);
  }

  get(guid: string): R | undefined {
    return this.#byGuid.get(guid);
  }

  byId(id: number): R | undefined {
    return this.#byId.get(id);
  }

  values(): IterableIterator<R> {
    return this.#byGuid.values();
  }

  count(query: DocumentQuery<R>): number {
    const lists = this.#lists(query.statuses, query.filterBy);
    const { where } = query;
    let total = 0;
    for (const list of lists) {
      const { start, end } = list.range(query.from, query.to);
      if (where === undefined) total += end - start;
      else for (const record of walk(list, start, end, false)) if (where(record)) total += 1;
    }
    return total;
  }

  page(query: PageQuery<R>): R[] {
    const end = query.limit === null ? Infinity : query.offset + query.limit;
    const sameDate = query.filterBy === query.sortBy || (query.from === null && query.to === null);
    const lists = this.#lists(query.statuses, query.sortBy);
    const only = lists[0];
    if (sameDate && query.where === undefined && lists.length === 1 && only !== undefined)
      return slicePage(only, query, end);
    const accepts = sameDate ? query.where : both(query.where, dateFilter(query));
    const from = sameDate ? query.from : null;
    const to = sameDate ? query.to : null;
    const page: R[] = [];
    let seen = 0;
    for (const record of merge(lists, from, to, query.descending)) {
      if (accepts !== undefined && !accepts(record)) continue;
      if (seen >= end) break;
      if (seen >= query.offset) page.push(record);
      seen += 1;
    }
    return page;
  }

  #remember(record: R): void {
    this.#byGuid.set(record.guid, record);
    this.#byId.set(record.id, record);
  }

  #lists(statuses: readonly string[] | null, by: DateField): DateOrder<R>[] {
    if (statuses === null) return [this.#all[by]];
    return [...new Set(statuses)].map((status) => this.#orders(status)[by]);
  }

  #orders(status: string): Orders<R> {
    const known = this.#byStatus.get(status);
    if (known !== undefined) return known;
    const orders = newOrders<R>();
    this.#byStatus.set(status, orders);
    return orders;
  }

  #insert(record: R): void {
    const orders = this.#orders(String(record.accounting_status));
    for (const by of ['issue', 'created'] as const) {
      this.#all[by].insert(record);
      orders[by].insert(record);
    }
  }

  #take(record: R): void {
    const orders = this.#orders(String(record.accounting_status));
    for (const by of ['issue', 'created'] as const) {
      this.#all[by].remove(record);
      orders[by].remove(record);
    }
  }
}

function newOrders<R extends IndexedDocument>(): Orders<R> {
  return {
    issue: new DateOrder<R>((record) => record.issue_date),
    created: new DateOrder<R>((record) => record.created_at),
  };
}

function slicePage<R extends IndexedDocument>(list: DateOrder<R>, query: PageQuery<R>, pageEnd: number): R[] {
  const { start, end } = list.range(query.from, query.to);
  if (!query.descending) return list.slice(start + query.offset, Math.min(end, start + pageEnd));
  const from = Math.max(start, end - pageEnd);
  return list.slice(from, Math.max(from, end - query.offset)).reverse();
}

function* walk<R extends Ordered>(
  list: DateOrder<R>,
  start: number,
  end: number,
  descending: boolean,
): Generator<R> {
  for (let step = 0; step < end - start; step += 1) {
    const record = list.at(descending ? end - 1 - step : start + step);
    if (record !== undefined) yield record;
  }
}

/** The lists of a few statuses as one, in order. */
function* merge<R extends Ordered>(
  lists: readonly DateOrder<R>[],
  from: string | null,
  to: string | null,
  descending: boolean,
): Generator<R> {
  const heads: { list: DateOrder<R>; rest: Generator<R>; record: R }[] = [];
  for (const list of lists) {
    const { start, end } = list.range(from, to);
    const rest = walk(list, start, end, descending);
    const first = rest.next();
    if (first.done !== true) heads.push({ list, rest, record: first.value });
  }
  while (heads.length > 0) {
    let best = heads[0];
    for (const head of heads) {
      if (best === undefined || head === best) continue;
      const order = head.list.compare(head.record, best.record);
      if (descending ? order > 0 : order < 0) best = head;
    }
    if (best === undefined) return;
    yield best.record;
    const next = best.rest.next();
    if (next.done === true) heads.splice(heads.indexOf(best), 1);
    else best.record = next.value;
  }
}

function dateFilter<R extends IndexedDocument>(query: PageQuery<R>): (record: R) => boolean {
  const { from, to } = query;
  return (record) => {
    const day = query.filterBy === 'issue' ? record.issue_date : record.created_at.slice(0, 10);
    return (from === null || day >= from) && (to === null || day <= to);
  };
}

function both<R>(
  first: ((record: R) => boolean) | undefined,
  second: (record: R) => boolean,
): (record: R) => boolean {
  return first === undefined ? second : (record) => first(record) && second(record);
}
