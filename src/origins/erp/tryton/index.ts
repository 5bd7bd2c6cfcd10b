// Tryton as an origin: parties, products, customer invoices and sales, over the connection that its adapter describes. Every record that became
// something at the service gets a note that says what. README.md of the adapter says what each field is taken from.
import * as z from 'zod';
import { erpHttpClient } from '../../../erp/erp-http.js';
import type { ErpServices } from '../../../erp/erp-adapter.js';
import { TrytonClient } from '../../../erp/tryton/client.js';
import { type TrytonConfiguration, trytonConfiguration } from '../../../erp/tryton/config.js';
import { TrytonModels } from '../../../erp/tryton/models.js';
import { TrytonSession } from '../../../erp/tryton/session.js';
import { findCompany, type TrytonCompany } from '../../../erp/tryton/setup.js';
import type { Told as Words } from '../../../domain/message.js';
import type { Told } from '../../origin.js';
import { answered } from '../answered.js';
import type { ErpFeed, ErpRecords, ReadErpFile } from '../erp-records.js';
import { withFiles } from '../files.js';
import { needsSales } from '../sales-module.js';
import type { ErpOriginSettings } from '../settings.js';
import { readTrytonFile, trytonFiles } from './files.js';
import { writeNote } from './notes.js';
import { hasSales, ORDERS, OrdersFeed, type OrdersFeedParts } from './orders-feed.js';
import { PartiesFeed } from './parties-feed.js';
import { ProductsFeed } from './products-feed.js';
import { TrytonReader } from './reader.js';
import { doubtsOfSales } from './sale-configuration.js';
import { SALES, SalesFeed } from './sales-feed.js';

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
    const find = async () => answered(await findCompany(client, configuration.company));
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
