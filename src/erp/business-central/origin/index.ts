// Business Central as an origin: customers, items, posted sales invoices and credit memos, released orders and quotes, over the connection that
// its adapter describes. README.md of the adapter says what each field is taken from.
import type { SubmissionKind } from '../../../domain/submission.js';
import { BcClient, connectBc } from '../client.js';
import { businessCentralConfiguration, type BusinessCentralConfiguration } from '../settings.js';
import type { ErpServices } from '../../erp-adapter.js';
import type { Told } from '../../../origins/origin.js';
import { type ErpRecords, withFiles } from '../../../origins/erp-records.js';
import type { ErpOriginSettings } from '../../../origins/origin-settings.js';
import { CustomersFeed, ITEMS_SET, ItemsFeed } from './records.js';
import { bcFiles, numberIn, readBcFile, SalesFeed } from './sales.js';
import { attachNote, BcReader, SALE_SETS, type SaleSet } from './read.js';

const CONNECTIONS = 2;
/** One that is slower is asked again later: whoever waits for it waits for all tenants. */
const DEADLINE_MS = 15_000;
const CUSTOMERS = { page: 22, table: 'Customer' };
const ITEMS = { page: 31, table: 'Item' };
const SETS = Object.keys(SALE_SETS) as SaleSet[];

type Wish = Pick<ErpOriginSettings, 'hands' | 'since' | 'orders' | 'quotes' | 'vatGroups'> &
  Partial<Pick<ErpOriginSettings, 'files'>>;

export function businessCentralRecords(settings: unknown, wish: Wish, services: ErpServices): ErpRecords {
  const configuration = businessCentralConfiguration.parse(settings);
  const deadlineMs = Math.min(DEADLINE_MS, configuration.deadlineMs);
  const { http, tokens } = connectBc(configuration, services, CONNECTIONS, deadlineMs);
  const reader = new BcReader(
    new BcClient({ http, clock: services.clock, tokens, configuration }),
    configuration,
  );
  const customers = new CustomersFeed(reader, (number) => placeOf(configuration, CUSTOMERS, number));
  const items = new ItemsFeed(reader, wish.vatGroups, (number) => placeOf(configuration, ITEMS, number));
  const feedOf = ([set, kind]: readonly [SaleSet, SubmissionKind]) =>
    withFiles(
      new SalesFeed({
        ...{ reader, customers, set, kind, since: wish.since },
        placeOf: (number) => placeOf(configuration, SALE_SETS[set], number),
      }),
      wish.files,
      bcFiles(reader, set),
    );
  return {
    feeds: [
      ...(wish.hands.includes('customers') ? [customers] : []),
      ...(wish.hands.includes('items') ? [items] : []),
      ...setsOf(wish).map(feedOf),
    ],
    file: readBcFile(reader),
    // Whatever it can hand over is part of it.
    missing: () => Promise.resolve([]),
    tell: (told) => say(reader, customers, told),
    close: () => http.close(),
  };
}

/** Invoices before the credit memos that refer to them. */
function setsOf({ hands, orders, quotes }: Wish): (readonly [SaleSet, SubmissionKind])[] {
  return [
    ...(hands.includes('invoices')
      ? ([
          ['salesInvoices', 'invoice'],
          ['salesCreditMemos', 'invoice'],
        ] as const)
      : []),
    ...(hands.includes('orders') ? [['salesOrders', orders] as const] : []),
    ...(hands.includes('quotes') ? [['salesQuotes', quotes] as const] : []),
  ];
}

async function say(reader: BcReader, customers: CustomersFeed, told: Told): Promise<void> {
  const owner = await findOwner(reader, customers, told);
  // Nobody is left to be told of what was deleted.
  if (owner !== null) await attachNote(reader, owner, told);
}

async function findOwner(
  reader: BcReader,
  customers: CustomersFeed,
  { kind, reference }: Told,
): Promise<string | null> {
  if (kind === 'customer') {
    const found = await customers.there(reference);
    return found && `customers(${found.id})`;
  }
  if (kind === 'item') {
    const found = await reader.theOne(ITEMS_SET, 'number', [reference]);
    return found && `${ITEMS_SET}(${found.id})`;
  }
  for (const set of SETS) {
    const number = numberIn(set, reference);
    const found = number === null ? null : await reader.theOne(set, 'number', [number]);
    if (found) return `${set}(${found.id})`;
  }
  return null;
}

function placeOf(
  { tenantId, environment, companyName: company }: BusinessCentralConfiguration,
  { page, table }: { readonly page: number; readonly table: string },
  number: string,
): string {
  const url = new URL(`https://businesscentral.dynamics.com/${tenantId}/${encodeURIComponent(environment)}`);
  const filter = `'${table}'.'No.' IS '${number}'`;
  url.search = new URLSearchParams({ company, page: String(page), filter }).toString();
  return url.href;
}

// What became of a record, as a small text file attached to it: nobody may change a posted document, and the fields of a customer are
// its people's. One file for each mark, whose content is the last word; writing it again changes nothing.
