// Tryton as an origin: parties, products, customer invoices and sales, over the connection that its adapter describes. Every record that became
// something at the service gets a note that says what. README.md of the adapter says what each field is taken from.
import * as z from 'zod';
import { asAnswer } from '../../answer.js';
import { erpHttpClient } from '../../erp-http.js';
import type { ErpServices } from '../../erp-adapter.js';
import { TrytonClient, TrytonModels, TrytonSession } from '../client.js';
import { trytonConfiguration, type TrytonConfiguration } from '../settings.js';
import { findCompany, type TrytonCompany } from '../facts.js';
import type { Told as Words } from '../../../domain/message.js';
import type { Told } from '../../../origins/origin.js';
import {
  type ErpFeed,
  type ErpRecords,
  noteOf,
  type ReadErpFile,
  withFiles,
  needsSales,
} from '../../../origins/erp-records.js';
import { answered } from '../../answer.js';
import type { ErpOriginSettings } from '../../../origins/origin-settings.js';
import { readTrytonFile, SALES, SalesFeed, trytonFiles } from './sales.js';
import { hasSales, ORDERS, OrdersFeed, type OrdersFeedParts } from './orders.js';
import { PartiesFeed, ProductsFeed } from './records.js';
import { TrytonReader, wireNotes } from './read.js';
import { told } from '../../told.js';

const CONNECTIONS = 2;
/** One that is slower is asked again later: whoever waits for it waits for all tenants. */
const DEADLINE_MS = 15_000;
const IDS = z.array(z.object({ id: z.unknown() }));
const NOTHING = z.unknown();
const STATES = z.array(z.object({ state: z.string(), number: z.string().nullable() }));

type Wish = Pick<ErpOriginSettings, 'hands' | 'since' | 'quoted' | 'orders' | 'quotes'> &
  Partial<Pick<ErpOriginSettings, 'files'>>;

export function trytonRecords(settings: unknown, wish: Wish, services: ErpServices): ErpRecords {
  const configuration = trytonConfiguration.parse(settings);
  const { baseUrl, database, user, deadlineMs } = configuration;
  const http = erpHttpClient(services, {
    ...{ origins: [baseUrl], connections: CONNECTIONS, deadlineMs: Math.min(DEADLINE_MS, deadlineMs) },
  });
  const password = services.secret(configuration.password);
  const session = new TrytonSession({ http, clock: services.clock, baseUrl, database, user, password });
  return new TrytonRecords(new TrytonModels(session), configuration, wish, () => http.close());
}

function ordersOf(
  parts: Omit<OrdersFeedParts, 'stage' | 'kind'>,
  { hands, orders, quotes }: Wish,
): ErpFeed[] {
  return [
    ...(hands.includes('orders') ? [new OrdersFeed({ ...parts, stage: 'order', kind: orders })] : []),
    ...(hands.includes('quotes') ? [new OrdersFeed({ ...parts, stage: 'quote', kind: quotes })] : []),
  ];
}

export class TrytonRecords implements ErpRecords {
  readonly feeds: readonly ErpFeed[];
  readonly file: ReadErpFile;
  readonly close: () => Promise<void>;
  readonly #reader: TrytonReader;
  readonly #wish: Wish;
  #company: Promise<TrytonCompany> | undefined;

  constructor(
    models: TrytonModels,
    configuration: TrytonConfiguration,
    wish: Wish,
    close: () => Promise<void>,
  ) {
    const client = new TrytonClient(models, { analytic: false, taxes: false });
    const find = async () => answered(await asAnswer(() => findCompany(client, configuration.company)));
    const reader = new TrytonReader(models, () => {
      // One that could not be found is looked for again.
      this.#company ??= find().catch((error: unknown) => {
        this.#company = undefined;
        throw error;
      });
      return this.#company;
    });
    const { baseUrl, database } = configuration;
    const placeOf = (model: string, id: number) => `${baseUrl}/#${database}/model/${model}/${String(id)}`;
    const parties = new PartiesFeed(reader, placeOf);
    const filed = (feed: ErpFeed, model: string) => withFiles(feed, wish.files, trytonFiles(reader, model));
    this.#reader = reader;
    this.file = readTrytonFile(reader);
    this.#wish = wish;
    this.close = close;
    this.feeds = [
      ...(wish.hands.includes('customers') ? [parties] : []),
      ...(wish.hands.includes('items') ? [new ProductsFeed(reader, placeOf)] : []),
      ...(wish.hands.includes('invoices')
        ? [filed(new SalesFeed(reader, parties, wish, placeOf), SALES)]
        : []),
      ...ordersOf({ reader, parties, hands: wish.hands, since: wish.since, placeOf }, wish).map((feed) =>
        filed(feed, ORDERS),
      ),
    ];
  }

  async missing(): Promise<readonly Words[]> {
    const needed = needsSales('Tryton', this.#wish.hands);
    return needed === null || (await hasSales(this.#reader)) ? [] : [needed];
  }

  doubts(): Promise<readonly Words[]> {
    return doubtsOfSales(this.#reader, this.#wish);
  }

  async tell(told: Told): Promise<void> {
    const [model, id] = told.place.split('/').slice(-2);
    if (model === undefined || id === undefined) return;
    // Nobody is left to be told of what was deleted.
    if ((await this.#reader.find(model, [['id', '=', Number(id)]], ['id'], IDS, 1)).length === 0) return;
    await writeNote(this.#reader, `${model},${id}`, told);
    if (model === 'account.invoice' && told.kind === 'invoice' && told.state === 'created')
      await this.#settleQuoted(Number(id), told.number);
  }

  /**
   * An invoice that is only validated: where the bridge books it, nobody may post it as well, so it is cancelled, which Tryton can undo;
   * where people post it, it is posted under the number that the service has given it.
   */
  async #settleQuoted(id: number, number: string | null): Promise<void> {
    const context = await this.#reader.context();
    const { models } = this.#reader;
    const domain = [['id', '=', id]];
    const [invoice] = await this.#reader.find('account.invoice', domain, ['state', 'number'], STATES, 1);
    if (invoice?.state !== 'validated' || this.#wish.quoted === 'leave') return;
    if (this.#wish.quoted === 'bridge')
      answered(await models.call('account.invoice.cancel', [[id]], NOTHING, context));
    else if (invoice.number === null && number !== null)
      answered(await models.call('account.invoice.write', [[id], { number }], NOTHING, context));
  }
}

// What Tryton does with a sale by itself. By its defaults it makes an invoice of one that is confirmed, and so does `orders: invoice` at the
// service: the sale would be invoiced, and booked, twice.

const CONFIGURATION = 'sale.configuration';
const BY_HAND = 'manual';
const wireMethods = z.array(z.object({ sale_invoice_method: z.string().nullable() }));

/** Of new sales. Tryton has one such configuration for a company, and shows its defaults where nobody has saved any. */
export async function doubtsOfSales(
  reader: TrytonReader,
  { hands, orders }: Pick<ErpOriginSettings, 'hands' | 'orders'>,
): Promise<readonly Words[]> {
  if (!hands.includes('orders') || orders !== 'invoice') return [];
  const [found] = await reader.find(CONFIGURATION, [], ['sale_invoice_method'], wireMethods, 1);
  const method = found?.sale_invoice_method ?? BY_HAND;
  return method === BY_HAND ? [] : [told('SALES_INVOICED_TOO', { method })];
}

// What the service made of a record, as a note on it. A posted invoice of Tryton may not be changed, and a field of a party is somebody
// else's to fill in; a note belongs to any record, is seen beside it, and can be looked for, so that telling twice is telling once.

export async function writeNote(reader: TrytonReader, resource: string, told: Told): Promise<void> {
  const message = noteOf(told);
  const domain = [
    ['resource', '=', resource],
    ['message', 'like', `%${told.mark}%`],
  ];
  const [note] = await reader.find('ir.note', domain, ['message'], wireNotes, 1);
  if (note?.message === message) return;
  const { models } = reader;
  const context = await reader.context();
  const answer = note
    ? await models.call('ir.note.write', [[note.id], { message }], NOTHING, context)
    : await models.call('ir.note.create', [[{ resource, message }]], NOTHING, context);
  answered(answer);
}
