// A real trytond as beds of the suite. All beds share one server: each looks at invoices from a day on that no bed before it used, and
// parties are deleted behind it. Invoices are validated ones, which can still be changed and taken away; posted ones have tests of their own.
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { trytonRecords } from '../../../src/erp/tryton/origin/index.js';
import { TELLING_TEXT, type OriginBed, type OriginTarget } from '../../../src/origins/conformance/target.js';
import type { ErpServices } from '../../../src/erp/erp-adapter.js';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import type { ErpHand } from '../../../src/origins/origin-settings.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { TRYTON_COMPANY, TRYTON_TAXES } from '../../support/erp/tryton-company.js';
import { TrytonRpc } from '../../support/erp/tryton-rpc.js';
import { createCustomer, TrytonDesk } from '../../support/erp/tryton-sales.js';
import {
  startTryton,
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { connected, factsIn, HOLDS, MANY } from './erp-bed.js';
import { kennitalaOf } from './records.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const BAD = { name: 'Kennitölulaus ehf.', kennitala: null, email: 'a@b.is' };

export interface TrytonPlace {
  readonly invoices: OriginTarget;
  readonly customers: OriginTarget;
  readonly items: OriginTarget;
  readonly orders: OriginTarget;
  readonly quotes: OriginTarget;
  readonly desk: TrytonDesk;
  /** Its settings, as a tenant file has them. */
  readonly settings: Readonly<Record<string, string>>;
  /** What it hands over from that day on. */
  origin(hands: readonly ErpHand[], since: string): ErpOrigin;
  stop(): Promise<void>;
}

export async function trytonPlace(): Promise<TrytonPlace> {
  const server = await startTryton(0, 'sale');
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  rpc.use({ company: 1 });
  const others = await rpc.search('party.party', [['id', '>', 1]]);
  await rpc.call('model.party.party.delete', others);
  const desk = new TrytonDesk(rpc);
  // Without a code it is no item.
  const sellable = await desk.sellable(null);
  let day = Date.parse('2026-01-01');
  const nextDay = () => new Date((day += DAY_MS)).toISOString().slice(0, 10);
  const shared = { holds: HOLDS, many: MANY };
  return {
    invoices: {
      ...{ ...shared, name: 'Tryton: invoice', kind: 'invoice' },
      open: () => invoiceBed(server, desk, nextDay()),
    },
    customers: {
      ...{ ...shared, name: 'Tryton: customer', kind: 'customer' },
      open: () => customerBed(server, rpc),
    },
    items: {
      ...{ ...shared, name: 'Tryton: item', kind: 'item' },
      open: () => itemBed(server, rpc),
    },
    orders: {
      ...{ ...shared, name: 'Tryton: order', kind: 'order' },
      notApplicable: { removed: PROCESSED, 'read-gone': PROCESSED, 'tell-gone': PROCESSED },
      open: () => orderBed(server, desk, { since: nextDay(), stage: 'order', sellable }),
    },
    quotes: {
      ...{ ...shared, name: 'Tryton: quote', kind: 'quote' },
      open: () => orderBed(server, desk, { since: nextDay(), stage: 'quote', sellable }),
    },
    desk,
    settings: settingsOf(server),
    origin: (hands, since) => {
      const services = erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD });
      const records = recordsOf(server, hands, since, services);
      return new ErpOrigin('erp', records, services.clock, { everyMs: 0, atOnce: 50 });
    },
    stop: () => server.stop(),
  };
}

const PROCESSED = 'an order that Tryton goes on with, as it does at once, cannot be taken back';
const HANDS = {
  invoice: 'invoices',
  customer: 'customers',
  item: 'items',
  order: 'orders',
  quote: 'quotes',
} as const satisfies Partial<Record<SubmissionKind, ErpHand>>;

const settingsOf = ({ url }: TrytonServer) => ({
  ...{ baseUrl: url, database: TRYTON_DATABASE, user: TRYTON_USER, password: 'env:TRYTON_PASSWORD' },
  company: TRYTON_COMPANY.kennitala,
});

function recordsOf(server: TrytonServer, hands: readonly ErpHand[], since: string, services: ErpServices) {
  const as = { quoted: 'origin', orders: 'order', quotes: 'quote' } as const;
  return trytonRecords(settingsOf(server), { hands: [...hands], since, ...as, files: ['*'] }, services);
}

function onServer(server: TrytonServer, kind: keyof typeof HANDS, since: string) {
  const services = erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD });
  return connected(kind, services, (gated) => recordsOf(server, [HANDS[kind]], since, gated));
}

async function customerIn(rpc: TrytonRpc): Promise<number> {
  const [known] = await rpc.search('party.party', [['name', '=', 'Prufa ehf.']]);
  return known ?? createCustomer(rpc, { name: 'Prufa ehf.', kennitala: '6503760649' });
}

interface OrderPlace {
  readonly since: string;
  readonly stage: 'order' | 'quote';
  readonly sellable: { readonly product: number; readonly unit: number };
}

async function orderBed(
  server: TrytonServer,
  desk: TrytonDesk,
  { since: day, stage, sellable }: OrderPlace,
): Promise<OriginBed> {
  const { rpc } = desk;
  const ids = new Map<number, number>();
  const party = await customerIn(rpc);
  const line = { description: TELLING_TEXT, quantity: 2, unitPrice: '1000', tax: TRYTON_TAXES.U24 };
  const lines = [{ ...line, ...sellable }];
  const write = (record: number, reference: string | null) =>
    rpc.call('model.sale.sale.write', [ids.get(record)], { reference });
  let bad = 0;
  return {
    ...onServer(server, stage, day),
    put: async (record, version = 1) => {
      const id = ids.get(record) ?? (await desk.order({ party, day, lines }, stage));
      ids.set(record, id);
      if (version === 2) await write(record, 'Önnur');
      return `${stage} ${String(id)}`;
    },
    touch: async (record) => void (await write(record, null)),
    // People cancel a quotation; Tryton keeps it.
    remove: async (record) => void (await rpc.call('model.sale.sale.cancel', [ids.get(record)])),
    putBad: async () => {
      bad = await createCustomer(rpc, BAD);
      await desk.order({ party: bad, day, lines }, stage);
    },
    // What is wrong is not in the order: nothing of it changes.
    mendBad: async () => {
      await rpc.create('party.identifier', { party: bad, type: null, code: kennitalaOf(99) });
    },
    toldOf: async (reference) =>
      (await desk.notes(`sale.sale,${reference.split(' ')[1] ?? ''}`)).map(factsIn),
    // Whoever something was sold to stays; nobody after it may have the same number.
    close: async () => {
      const numbers = await rpc.search('party.identifier', [['party', '=', bad]]);
      await rpc.call('model.party.identifier.delete', numbers);
    },
  };
}

async function invoiceBed(server: TrytonServer, desk: TrytonDesk, since: string): Promise<OriginBed> {
  const { rpc } = desk;
  const ids = new Map<number, number>();
  const party = await customerIn(rpc);
  const lines = [{ description: TELLING_TEXT, quantity: 2, unitPrice: '1000', tax: TRYTON_TAXES.U24 }];
  const parties: number[] = [];
  const bad: number[] = [];
  return {
    ...onServer(server, 'invoice', since),
    put: async (record, version = 1) => {
      const before = ids.get(record);
      const id = before ?? (await desk.validated({ party, day: since, lines }));
      ids.set(record, id);
      if (version === 2) await rpc.call('model.account.invoice.write', [id], { description: 'Önnur' });
      return `invoice ${String(id)}`;
    },
    touch: async (record) => {
      await rpc.call('model.account.invoice.write', [ids.get(record)], { description: null });
    },
    remove: async (record) => {
      await rpc.call('model.account.invoice.draft', [ids.get(record)]);
      await rpc.call('model.account.invoice.write', [ids.get(record)], { number: null });
      await rpc.call('model.account.invoice.delete', [ids.get(record)]);
    },
    attach: async (record, name, content) => {
      const data = { __class__: 'bytes', base64: Buffer.from(content).toString('base64') };
      const resource = `account.invoice,${String(ids.get(record))}`;
      const before = await rpc.search('ir.attachment', [
        ['resource', '=', resource],
        ['name', '=', name],
      ]);
      if (before.length > 0) await rpc.call('model.ir.attachment.write', before, { data });
      else await rpc.create('ir.attachment', { name, resource, data });
    },
    detach: async (_record, name) => {
      await rpc.call('model.ir.attachment.delete', await rpc.search('ir.attachment', [['name', '=', name]]));
    },
    putBad: async () => {
      parties.push(await createCustomer(rpc, BAD));
      bad.push(await desk.validated({ party: parties[0]!, day: since, lines }));
    },
    // What is wrong is not in the invoice: nothing of it changes.
    mendBad: async () => {
      await rpc.create('party.identifier', { party: parties[0], type: null, code: kennitalaOf(99) });
    },
    toldOf: async (reference) =>
      (await desk.notes(`account.invoice,${reference.split(' ')[1] ?? ''}`)).map(factsIn),
    close: async () => {
      const all = await rpc.search('account.invoice', [['id', 'in', bad]]);
      await rpc.call('model.account.invoice.draft', all);
      await rpc.call('model.account.invoice.delete', all);
      await rpc.call('model.party.party.delete', parties);
    },
  };
}

function customerBed(server: TrytonServer, rpc: TrytonRpc): Promise<OriginBed> {
  const desk = new TrytonDesk(rpc);
  const ids = new Map<number, number>();
  const addressOf = async (record: number) => rpc.search('party.address', [['party', '=', ids.get(record)]]);
  return Promise.resolve({
    ...onServer(server, 'customer', '2026-01-01'),
    put: async (record, version = 1) => {
      const kennitala = kennitalaOf(record);
      const id = ids.get(record) ?? (await createCustomer(rpc, { name: TELLING_TEXT, kennitala }));
      ids.set(record, id);
      // As somebody does who looks at addresses, and not at the party.
      if (version === 2)
        await rpc.call('model.party.address.write', await addressOf(record), { city: 'Akureyri' });
      return kennitala;
    },
    touch: async (record) => {
      await rpc.call('model.party.party.write', [ids.get(record)], { name: TELLING_TEXT });
    },
    remove: async (record) => {
      await rpc.call('model.party.party.delete', [ids.get(record)]);
      ids.delete(record);
    },
    putBad: () => Promise.resolve(),
    mendBad: () => Promise.resolve(),
    toldOf: async (kennitala) => {
      const [id] = await rpc.search('party.party', [['identifiers.code', '=', kennitala]]);
      return id === undefined ? [] : (await desk.notes(`party.party,${String(id)}`)).map(factsIn);
    },
    close: async () => {
      await rpc.call('model.party.party.delete', [...ids.values()]);
    },
  });
}

async function itemBed(server: TrytonServer, rpc: TrytonRpc): Promise<OriginBed> {
  const desk = new TrytonDesk(rpc);
  const templates = new Map<number, number>();
  const [tax] = await rpc.search('account.tax', [['name', '=', TRYTON_TAXES.U24]]);
  const [unit] = await rpc.search('product.uom', [['symbol', '=', 'u']]);
  const category = await rpc.create('product.category', {
    ...{ name: 'Vörur', accounting: true, customer_taxes: [['add', [tax]]] },
  });
  const price = (amount: string) => ({ __class__: 'Decimal', decimal: amount });
  const template = (code: string, account_category: number | null) =>
    rpc.create('product.template', {
      ...{
        name: TELLING_TEXT,
        type: 'goods',
        default_uom: unit,
        list_price: price('1990'),
        account_category,
      },
      products: [['create', [{ suffix_code: code }]]],
    });
  const bad: number[] = [];
  return {
    ...onServer(server, 'item', '2026-01-01'),
    put: async (record, version = 1) => {
      const code = `A-${String(record)}`;
      const id = templates.get(record) ?? (await template(code, category));
      templates.set(record, id);
      if (version === 2) await rpc.call('model.product.template.write', [id], { list_price: price('2490') });
      return code;
    },
    touch: async (record) => {
      await rpc.call('model.product.template.write', [templates.get(record)], { name: TELLING_TEXT });
    },
    remove: async (record) => {
      await rpc.call('model.product.template.delete', [templates.get(record)]);
      templates.delete(record);
    },
    putBad: async () => void bad.push(await template('X-1', null)),
    mendBad: async () => {
      await rpc.call('model.product.template.write', bad, { account_category: category });
    },
    toldOf: async (code) => {
      const [id] = await rpc.search('product.product', [['code', '=', code]]);
      return id === undefined ? [] : (await desk.notes(`product.product,${String(id)}`)).map(factsIn);
    },
    close: async () => {
      await rpc.call('model.product.template.delete', [...templates.values(), ...bad]);
      await rpc.call('model.product.category.delete', [category]);
    },
  };
}
