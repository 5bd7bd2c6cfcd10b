// What one replica sees when it looks at the invoicing service of a small world: everything that stands there, by its mark or its guid.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { Guid } from '../../../src/domain/ids.js';
import { marksIn } from '../../../src/domain/submission.js';
import type {
  FoundCost,
  FoundInvoice,
  FoundItem,
  FoundTask,
  Search,
} from '../../../src/service/invoicing-target.js';

export interface Stands {
  readonly kind: string;
  readonly guid: Guid;
  readonly at: number;
  readonly mark: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const LISTS = [
  { label: 'the list is read', fate: 'whole' },
  { label: 'the list is short of one', fate: 'short', isFault: true },
  { label: 'the list is behind', fate: 'behind', isFault: true },
  { label: 'the service is away', fate: 'away', isFault: true },
] as const;
const COST_LISTS = [...LISTS, { label: 'AI has not read it yet', fate: 'queued', isFault: true }] as const;
export type ListFates = readonly (typeof COST_LISTS)[number][];

type Lists = (ours: (stands: Stands) => boolean, fates?: ListFates) => Promise<Search<Stands>>;

export function looksAt(lists: Lists, queuesCosts: boolean) {
  const costLists = queuesCosts ? COST_LISTS : LISTS;
  return {
    findInvoices: async (sought: string) => {
      const found = await lists(
        ({ kind, body }) => kind === 'invoice' && marksIn(String(body['booking'])).includes(sought),
      );
      return mapped(found, invoiceOf);
    },
    readInvoice: async (guid: Guid) => {
      const found = await lists((one) => one.guid === guid);
      if (found.outcome === 'incomplete') throw new CodedError('SOURCE_UNAVAILABLE', found.message);
      const [first] = found.found;
      return first ? invoiceOf(first) : null;
    },
    findCustomers: async () =>
      mapped(await lists(({ kind }) => kind === 'customer'), ({ guid }) => ({ guid, fields: {} })),
    listItems: async () => mapped(await lists(({ kind }) => kind === 'item'), itemOf),
    readItem: async (guid: Guid) => {
      const found = await lists((one) => one.guid === guid);
      if (found.outcome === 'incomplete') throw new CodedError('SOURCE_UNAVAILABLE', found.message);
      const [first] = found.found;
      return first ? itemOf(first) : null;
    },
    findCosts: async (sought: string) =>
      mapped(
        await lists(
          ({ kind, body }) => kind === 'cost' && marksIn(String(body['description'])).includes(sought),
          costLists,
        ),
        costOf,
      ),
    findTasks: async (sought: string) =>
      mapped(
        await lists(({ kind, body }) => kind === 'task' && marksIn(String(body['name'])).includes(sought)),
        ({ guid }) => taskOf(guid, []),
      ),
    readTask: async (guid: Guid) => {
      const found = await lists((one) => one.guid === guid || one.kind === 'hours');
      if (found.outcome === 'incomplete') throw new CodedError('SOURCE_UNAVAILABLE', found.message);
      const isThere = guid === KNOWN_TASK || found.found.some((one) => one.guid === guid);
      return isThere
        ? taskOf(
            guid,
            found.found.filter(({ kind }) => kind === 'hours'),
          )
        : null;
    },
    readCost: async (guid: Guid) => {
      const found = await lists((one) => one.guid === guid, costLists);
      const [first] = found.outcome === 'complete' ? found.found : [];
      return first ? costOf(first) : null;
    },
  };
}

/** A task that was made before the world began. */
export const KNOWN_TASK = 'guid-t';

function taskOf(guid: Guid, logs: readonly Stands[]): FoundTask {
  return {
    ...{ guid, number: '1', name: '', status: 'open', kennitala: '', customerName: '', description: '' },
    ...{ unitPrice: '1000', tax: 'S', canStop: false, canDeactivate: true },
    ...{ isInvoiced: false, invoicedUntil: null },
    logs: logs.map((log) => ({
      ...{ guid: log.guid, description: String(log.body['description']), date: '2026-03-01' },
      ...{ hours: '1', writtenOn: '2026-03-01' },
    })),
  };
}

function invoiceOf({ guid, body }: Stands): FoundInvoice {
  return {
    ...{ guid, number: guid, amount: String(body['amount']), currency: 'ISK', type: 'invoice' },
    ...{ issueDate: String(body['issue_date']), kennitala: '', isPaid: false },
  };
}

function itemOf({ guid, body }: Stands): FoundItem {
  return { guid, number: guid, fields: { description: String(body['description']) } };
}

function costOf({ guid, body }: Stands): FoundCost {
  const description = String(body['description']);
  return { guid, description, amount: '1000', currency: 'ISK', supplierId: '', accountingStatus: 'New' };
}

function mapped<From, To>(search: Search<From>, change: (from: From) => To): Search<To> {
  return search.outcome === 'complete' ? { ...search, found: search.found.map(change) } : search;
}
