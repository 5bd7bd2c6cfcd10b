// Odoo as an origin: partners that something was sold to, products, posted invoices, orders and quotations, over the connection that its adapter describes. Every
// record that became something at the service has it said in its messages. README.md of the adapter says what each field is taken from.
import * as z from 'zod';
import type { ErpServices } from '../../erp-adapter.js';
import { erpHttpClient } from '../../erp-http.js';
import { OdooClient } from '../client.js';
import { odooConfiguration } from '../settings.js';
import type { Told } from '../../../origins/origin.js';
import {
  type ErpFeed,
  type ErpRecords,
  noteOf,
  withFiles,
  needsSales,
} from '../../../origins/erp-records.js';
import { answered } from '../../answer.js';
import type { ErpOriginSettings } from '../../../origins/origin-settings.js';
import { PartnersFeed, ProductsFeed } from './records.js';
import { odooFiles, readOdooFile, SALES, SalesFeed } from './sales.js';
import { ORDERS, OrdersFeed } from './orders.js';
import { odooCompanyId, odooMessage, OdooReader } from './read.js';

const CONNECTIONS = 2;
/** One that is slower is asked again later: whoever waits for it waits for all tenants. */
const DEADLINE_MS = 15_000;
const NOTHING = z.unknown();

type Wish = Pick<ErpOriginSettings, 'hands' | 'since' | 'orders' | 'quotes'> &
  Partial<Pick<ErpOriginSettings, 'files'>>;

export function odooRecords(settings: unknown, wish: Wish, services: ErpServices): ErpRecords {
  const configuration = odooConfiguration.parse(settings);
  const { url, deadlineMs, company } = configuration;
  const http = erpHttpClient(services, {
    ...{ origins: [url], connections: CONNECTIONS, deadlineMs: Math.min(DEADLINE_MS, deadlineMs) },
  });
  const apiKey = services.secret(configuration.apiKey);
  const client = new OdooClient({ http, clock: services.clock, apiKey, configuration });
  const reader = new OdooReader(client, company);
  const placeOf = (model: string, id: number) => `${url}/web#model=${model}&view_type=form&id=${String(id)}`;
  const partners = new PartnersFeed(reader, placeOf);
  const parts = { reader, partners, since: wish.since, placeOf };
  const filed = (feed: ErpFeed, model: string) => withFiles(feed, wish.files, odooFiles(reader, model));
  return {
    feeds: [
      ...(wish.hands.includes('customers') ? [partners] : []),
      ...(wish.hands.includes('items') ? [new ProductsFeed(reader, placeOf)] : []),
      ...(wish.hands.includes('invoices')
        ? [filed(new SalesFeed(reader, partners, wish.since, placeOf), SALES)]
        : []),
      ...(wish.hands.includes('orders')
        ? [filed(new OrdersFeed({ ...parts, stage: 'order', kind: wish.orders }), ORDERS)]
        : []),
      ...(wish.hands.includes('quotes')
        ? [filed(new OrdersFeed({ ...parts, stage: 'quote', kind: wish.quotes }), ORDERS)]
        : []),
    ],
    file: readOdooFile(reader),
    missing: async () => {
      const needed = needsSales('Odoo', wish.hands);
      return needed === null || (await reader.has('sale.order')) ? [] : [needed];
    },
    tell: (told) => say(reader, told),
    close: () => http.close(),
  };
}

/** Messages on a record are never changed, so the last one with our mark is the last word. */
async function say(reader: OdooReader, told: Told): Promise<void> {
  const [, model, id] = /#model=([a-z._]+)&view_type=form&id=(\d+)$/.exec(told.place) ?? [];
  if (model === undefined || id === undefined) return;
  const ids = [Number(id)];
  // Nobody is left to be told of what was deleted.
  const there = await reader.find(model, [['id', 'in', ids]], ['write_date'], odooCompanyId, 'id asc', 1);
  if (there.length === 0) return;
  const domain = [
    ['model', '=', model],
    ['res_id', '=', Number(id)],
    ['body', 'ilike', told.mark],
  ];
  const [last] = await reader.find('mail.message', domain, ['body'], odooMessage, 'id desc', 1);
  const body = noteOf(told).split('\n').join(' · ');
  // Odoo keeps it as HTML, in a paragraph of its own.
  if (last !== undefined && textOf(last.body) === body) return;
  answered(await reader.client.call({ model, method: 'message_post', ids, arguments: { body } }, NOTHING));
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#34', '"'],
  ['#39', "'"],
]);

function textOf(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole);
}
