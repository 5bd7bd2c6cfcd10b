// What people of a company do in Tryton: parties, products, invoices that they validate, post and credit.
import { date, dec, type TrytonRpc } from './tryton-rpc.js';

export interface TrytonParty {
  readonly name: string;
  readonly kennitala: string | null;
  readonly email?: string;
  readonly street?: string;
}

export async function createCustomer(rpc: TrytonRpc, party: TrytonParty): Promise<number> {
  const { name, kennitala, email, street = 'Aðalstræti 1' } = party;
  return rpc.create('party.party', {
    name,
    ...(kennitala === null ? {} : { identifiers: [['create', [{ type: null, code: kennitala }]]] }),
    addresses: [['create', [{ street, postal_code: '101', city: 'Reykjavík' }]]],
    ...(email === undefined ? {} : { contact_mechanisms: [['create', [{ type: 'email', value: email }]]] }),
  });
}

export interface TrytonSale<Day = string> {
  readonly party: number;
  readonly day: Day;
  readonly description?: string;
  readonly reference?: string;
  readonly lines: readonly TrytonSaleLine[];
}

export interface TrytonSaleLine {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: string;
  readonly tax?: string;
  readonly product?: number;
  readonly unit?: number;
  /** The line that it credits. */
  readonly origin?: string;
}

/** Makes invoices as somebody at the screen does. */
export class TrytonDesk {
  readonly rpc: TrytonRpc;
  readonly #known = new Map<string, Promise<number[]>>();

  constructor(rpc: TrytonRpc) {
    this.rpc = rpc;
  }

  /** Accounts, taxes and journals stay what they are. */
  async #idOf(model: string, field: string, value: string): Promise<number> {
    const name = `${model} ${field} ${value}`;
    const found = this.#known.get(name) ?? this.rpc.search(model, [[field, '=', value]]);
    this.#known.set(name, found);
    const [id] = await found;
    if (id === undefined) throw new Error(`Tryton has no ${name}`);
    return id;
  }

  async draft(sale: TrytonSale, more: Record<string, unknown> = {}): Promise<number> {
    const { party, day, description = null, reference = null, lines } = sale;
    const currency = await this.#idOf('currency.currency', 'code', 'ISK');
    const [address] = await this.rpc.search('party.address', [['party', '=', party]]);
    const made = [];
    for (const { description: text, quantity, unitPrice, tax, product, unit, origin } of lines)
      made.push({
        ...{ type: 'line', description: text, quantity, unit_price: dec(unitPrice), currency },
        account: await this.#idOf('account.account', 'code', '3000'),
        taxes: [['add', tax === undefined ? [] : [await this.#idOf('account.tax', 'name', tax)]]],
        ...(product === undefined ? {} : { product, unit }),
        ...(origin === undefined ? {} : { origin }),
      });
    return this.rpc.create('account.invoice', {
      ...{ type: 'out', company: 1, party, invoice_address: address, currency, description, reference },
      account: await this.#idOf('account.account', 'code', '1500'),
      journal: await this.#idOf('account.journal', 'code', 'REV'),
      invoice_date: date(day),
      lines: [['create', made]],
      ...more,
    });
  }

  /** Quoted, and confirmed where it is an order, which makes no invoice of it. Its day may be left open, as it is while it is quoted. */
  async order(sale: TrytonSale<string | null>, stage: 'order' | 'quote'): Promise<number> {
    const { party, day, description = null, lines } = sale;
    const currency = await this.#idOf('currency.currency', 'code', 'ISK');
    const [address] = await this.rpc.search('party.address', [['party', '=', party]]);
    const made = [];
    for (const { description: text, quantity, unitPrice, tax, product, unit } of lines)
      made.push({
        ...{ type: 'line', description: text, quantity, unit_price: dec(unitPrice) },
        taxes: [['add', tax === undefined ? [] : [await this.#idOf('account.tax', 'name', tax)]]],
        ...(product === undefined ? {} : { product, unit }),
      });
    const id = await this.rpc.create('sale.sale', {
      ...{ company: 1, party, invoice_address: address, shipment_address: address, currency, description },
      ...{ invoice_method: 'manual', shipment_method: 'manual' },
      ...{ sale_date: day === null ? null : date(day), lines: [['create', made]] },
    });
    await this.rpc.call('model.sale.sale.quote', [id]);
    if (stage === 'order') await this.rpc.call('model.sale.sale.confirm', [id]);
    return id;
  }

  /** Something that can be on an order, for the lines of one. */
  async sellable(code: string | null): Promise<{ readonly product: number; readonly unit: number }> {
    const unit = await this.#idOf('product.uom', 'symbol', 'u');
    const template = await this.rpc.create('product.template', {
      ...{ name: 'Vara', type: 'service', list_price: dec('1000'), default_uom: unit },
      ...{ salable: true, sale_uom: unit, products: [['create', [{ suffix_code: code }]]] },
    });
    const [product] = await this.rpc.search('product.product', [['template', '=', template]]);
    return { product: product!, unit };
  }

  async validated(sale: TrytonSale): Promise<number> {
    const id = await this.draft(sale);
    await this.rpc.call('model.account.invoice.validate_invoice', [id]);
    return id;
  }

  async posted(sale: TrytonSale, number = `T-${String(Math.random()).slice(2, 8)}`): Promise<number> {
    const id = await this.draft(sale);
    await this.rpc.call('model.account.invoice.write', [id], { number });
    await this.post(id);
    return id;
  }

  async post(id: number): Promise<void> {
    await this.rpc.call('model.account.invoice.post', [id]);
  }

  async notes(resource: string): Promise<string[]> {
    const ids = await this.rpc.search('ir.note', [['resource', '=', resource]]);
    const notes = await this.rpc.read('ir.note', ids, ['message']);
    return notes.map(({ message }) => String(message));
  }

  async state(invoice: number): Promise<string> {
    const [found] = await this.rpc.read('account.invoice', [invoice], ['state']);
    return String(found?.['state']);
  }
}
