// What the simulated service shows of what stands there, in the words of the port.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type {
  FoundCost,
  FoundCustomer,
  FoundInvoice,
  FoundItem,
  FoundTask,
  HowRecent,
  InvoicingTarget,
  Search,
} from '../../../src/service/invoicing-target.js';
import { hoursOf, type Standing, textIn } from './service-books.js';

/** One that is shown, and what belongs to it. */
export interface Shown extends Standing {
  readonly logs: readonly Standing[];
  readonly kennitala: string;
  readonly isInvoiced: boolean;
  readonly invoicedUntil: string | null;
}

type List = (
  ours: (standing: Standing) => boolean,
  how: 'list' | 'one',
  recent?: HowRecent,
) => Promise<Search<Shown>>;
type Looks = Pick<
  InvoicingTarget,
  | 'findInvoices'
  | 'readInvoice'
  | 'listMade'
  | 'findCustomers'
  | 'listCustomers'
  | 'listItems'
  | 'readItem'
  | 'findCosts'
  | 'readCost'
  | 'listTasksToBill'
  | 'findTasks'
  | 'readTask'
>;

/** As it was so long ago, but for what AI still reads. */
export function shownAsOf(standing: readonly Standing[], nowMs: number, lagMs: number): Shown[] {
  const asOf = nowMs - lagMs;
  const shown = standing
    .filter(
      ({ at, goneAt, queuedUntil }) =>
        at <= asOf && (goneAt === null || goneAt > asOf) && queuedUntil <= nowMs,
    )
    .map((one) => (one.before && one.before.at > asOf ? { ...one, body: one.before.body } : one));
  return shown.map((one) => {
    const customer =
      one.kind === 'task' ? standing.find(({ guid }) => guid === one.body['customer_guid']) : undefined;
    const logs = one.kind === 'task' ? shown.filter(({ task }) => task === one.guid) : [];
    const invoiced = one.invoiced && one.invoiced.at <= asOf ? one.invoiced : null;
    return {
      ...{ ...one, logs, kennitala: textIn(customer?.body ?? {}, 'registration_no') },
      isInvoiced: invoiced?.isWhole ?? false,
      invoicedUntil: invoiced === null ? null : dayOf(invoiced.at),
    };
  });
}

export function looksOf(list: List): Looks {
  const one = async (guid: string): Promise<Shown | null> => {
    const found = await list((standing) => standing.guid === guid, 'one');
    if (found.outcome === 'incomplete') throw new CodedError('SOURCE_UNREACHABLE', found.message);
    return found.found[0] ?? null;
  };
  const carries = (kind: string, mark: string) => (standing: Standing) =>
    standing.kind === kind && standing.mark === mark;
  return {
    findInvoices: async (mark, _field, _day, recent) =>
      mapped(await list(carries('invoice', mark), 'list', recent), invoiceOf),
    readInvoice: async (guid, mark) => {
      const found = await one(guid);
      return found?.mark === mark ? invoiceOf(found) : null;
    },
    listMade: async (_kind, guid) => ((await one(guid)) === null ? null : []),
    findCustomers: async (kennitala) =>
      mapped(
        await list(({ kind, body }) => kind === 'customer' && body['registration_no'] === kennitala, 'list'),
        customerOf,
      ),
    listCustomers: async () => mapped(await list(({ kind }) => kind === 'customer', 'list'), customerOf),
    listItems: async () => mapped(await list(({ kind }) => kind === 'item', 'list'), itemOf),
    readItem: async (guid) => {
      const found = await one(guid);
      return found && itemOf(found);
    },
    findCosts: async (mark) => mapped(await list(carries('cost', mark), 'list'), costOf),
    readCost: async (guid) => {
      const found = await one(guid);
      return found && costOf(found);
    },
    listTasksToBill: async () => mapped(await list(({ kind }) => kind === 'task', 'list'), taskOf),
    findTasks: async (mark) => mapped(await list(carries('task', mark), 'list'), taskOf),
    readTask: async (guid) => {
      const found = await one(guid);
      return found && taskOf(found);
    },
  };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function invoiceOf({ guid, number, body }: Shown): FoundInvoice {
  return {
    ...{ guid, number, amount: String(body['amount']), currency: String(body['currency']) },
    ...{ type: String(body['type']), issueDate: String(body['issue_date']), kennitala: '' },
    isPaid: body['mark_paid'] === true,
  };
}

function customerOf({ guid, body }: Standing): FoundCustomer {
  const { registration_no: _same, ...fields } = body;
  return {
    guid,
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  };
}

function itemOf({ guid, number, body }: Standing): FoundItem {
  const fields = Object.entries(body).map(([name, value]) => [name, value === true ? '1' : String(value)]);
  return { guid, number, fields: Object.fromEntries(fields) as Record<string, string> };
}

function costOf({ guid, body, document }: Standing): FoundCost {
  return {
    ...{ guid, description: String(body['description']), amount: textIn(body, 'amount') || '1240' },
    ...{ currency: 'ISK', supplierId: '', accountingStatus: document?.accountingStatus ?? 'New' },
  };
}

function taskOf({ guid, number, body, logs, kennitala, isInvoiced, invoicedUntil }: Shown): FoundTask {
  const item = (body['item'] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...{
      guid,
      number,
      name: String(body['name']),
      status: 'open',
      description: '',
      tax: String(item['tax']),
    },
    ...{ kennitala, customerName: '', unitPrice: String(item['unit_price']) },
    ...{ canStop: false, canDeactivate: true, isInvoiced, invoicedUntil },
    logs: logs.map((log) => ({
      ...{ guid: log.guid, description: String(log.body['description']), date: String(log.body['date']) },
      ...{ hours: String(hoursOf(log.body)), writtenOn: dayOf(log.at) },
    })),
  };
}

function mapped<From, To>(search: Search<From>, change: (from: From) => To): Search<To> {
  return search.outcome === 'complete' ? { ...search, found: search.found.map(change) } : search;
}
