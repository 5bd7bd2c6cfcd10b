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

export interface TrytonSale {
  readonly party: number;
  readonly day: string;
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
