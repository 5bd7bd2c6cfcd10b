// Partners of Odoo that something was sold to.
import { readKennitala } from '../../../domain/kennitala.js';
import { partySpellings } from '../../partner-directory.js';
import { told } from '../../told.js';
import {
  asReading,
  type ErpFeed,
  type ErpRecord,
  given,
  type Reading,
  type Twins,
  twinsAmong,
  unfit,
  itemOf,
  unfitItem,
  vatCode,
} from '../../../origins/erp-records.js';
import {
  CUSTOMER_FIELDS,
  odooCustomer,
  type OdooCustomer,
  odooProduct,
  type OdooProduct,
  odooRate,
  type OdooRate,
  type OdooReader,
  PRODUCT_FIELDS,
} from './read.js';
import { Decimal, sum } from '../../../domain/money.js';

const PARTNERS = 'res.partner';

/** null: it has no kennitala. */
export function customerOf(partner: OdooCustomer): ErpRecord | null {
  const numbers = [partner.company_registry, partner.vat.replace(/^IS/i, '')];
  const kennitala = numbers.map((written) => readKennitala(written).digits).find((digits) => digits !== null);
  if (kennitala === undefined) return null;
  const { name, email, phone: phone_number, street: address, zip, city, lang } = partner;
  const language = lang === '' ? '' : lang.startsWith('is') ? 'is' : 'en';
  const value = given({ kennitala, name, email, phone_number, address, zip, city, lang: language });
  return { kind: 'customer', reference: kennitala, value };
}

export type Buyers = ReadonlyMap<number, OdooCustomer>;

export class PartnersFeed implements ErpFeed {
  readonly name = 'partner';
  readonly kinds = ['customer'] as const;
  readonly isCoarse = true;
  readonly #reader: OdooReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: OdooReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    // Contacts of a company have its numbers; only the company itself is the customer.
    const domain = [
      ['parent_id', '=', false],
      ['customer_rank', '>', 0],
    ];
    return this.#reader.list(PARTNERS, domain, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const partners = await this.partners(ids.map(Number));
    const twins = await this.twins(partners);
    return partners.flatMap((partner) => {
      const customer = customerOf(partner);
      if (customer === null) return [];
      const place = this.#placeOf(PARTNERS, partner.id);
      const customers = twins.get(customer.reference);
      return customers === undefined
        ? [asReading(partner.id, place, [customer])]
        : [unfit(partner.id, place, told('KENNITALA_SHARED', { kennitala: customer.reference, customers }))];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const domain = withNumber([kennitala]);
    const [found] = await this.#reader.find(PARTNERS, domain, CUSTOMER_FIELDS, odooCustomer, 'id asc', 1);
    return found === undefined ? null : String(found.id);
  }

  /** Those of their kennitalas that several customers have. */
  async twins(partners: readonly OdooCustomer[]): Promise<Twins> {
    const numbers = partners.flatMap((partner) => customerOf(partner)?.reference ?? []);
    if (numbers.length === 0) return new Map();
    // Nobody has a rank before the first invoice, and an order comes before it.
    const ours = partners.map(({ id }) => id);
    const domain = ['|', ['customer_rank', '>', 0], ['id', 'in', ours], ...withNumber(numbers)];
    const found = await this.#reader.find(PARTNERS, domain, CUSTOMER_FIELDS, odooCustomer);
    return twinsAmong(
      found.map((partner) => ({
        record: customerOf(partner),
        name: `${partner.name} (${String(partner.id)})`,
      })),
    );
  }

  /** Without Icelandic in Odoo every partner has the language of the company, and that was nobody's choice. */
  async partners(ids: readonly number[]): Promise<OdooCustomer[]> {
    const domain = [['id', 'in', [...new Set(ids)]]];
    const found = await this.#reader.find(PARTNERS, domain, CUSTOMER_FIELDS, odooCustomer);
    const isChosen = found.some(({ lang }) => lang !== '') && (await this.#reader.hasIcelandic());
    return isChosen ? found : found.map((partner) => ({ ...partner, lang: '' }));
  }

  /** Whom these partners buy for, by their id: something may be sold to a contact of a company, and is its company's. */
  async buyers(ids: readonly number[]): Promise<Buyers> {
    const named = await this.partners(ids);
    const known = new Set(named.map(({ id }) => id));
    const others = named.flatMap(({ commercial_partner_id: id }) =>
      id === null || known.has(id) ? [] : [id],
    );
    const all = others.length === 0 ? named : [...named, ...(await this.partners(others))];
    const byId = new Map(all.map((partner) => [partner.id, partner]));
    return new Map(
      named.map((partner) => [partner.id, byId.get(partner.commercial_partner_id ?? partner.id) ?? partner]),
    );
  }
}

/** Companies and people that have one of these kennitalas. */
function withNumber(kennitalas: readonly string[]): readonly unknown[] {
  const numbers = kennitalas.flatMap(partySpellings);
  const taxIds = [...numbers, ...numbers.map((number) => `IS${number}`)];
  return [['parent_id', '=', false], '|', ['company_registry', 'in', numbers], ['vat', 'in', taxIds]];
}

// Products of Odoo that are sold and have a code. Assumed: the time of the last change of a product moves with that of its template, as
// Odoo has it since version 14.

const PRODUCTS = 'product.product';
/** What is archived is seen too. */
const SOLD = [
  ['sale_ok', '=', true],
  ['default_code', '!=', false],
  ['active', 'in', [true, false]],
];

type Rates = ReadonlyMap<number, OdooRate>;

export function productOf(product: OdooProduct, rates: Rates): ErpRecord {
  // Taxes of other companies are not shown.
  const taxes = product.taxes_id.flatMap((id) => rates.get(id) ?? []);
  const percent = sum(taxes.map(({ amount }) => amount));
  const unfitTax = taxes.find(({ amount_type: type }) => type !== 'percent');
  const isIncluded = taxes.some(({ price_include: included }) => included === true);
  return itemOf({
    ...{ code: product.default_code.trim(), name: product.name, unit: product.uom_id },
    price: isIncluded ? product.lst_price.div(percent.plus(100).div(100)) : product.lst_price,
    // No tax at all is nobody's word for 0 %.
    tax: taxes.length === 0 ? '' : (unfitTax?.amount_type ?? vatCode(new Decimal(percent))),
    isActive: product.active,
  });
}

export class ProductsFeed implements ErpFeed {
  readonly name = 'product';
  readonly kinds = ['item'] as const;
  readonly isCoarse = true;
  readonly #reader: OdooReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: OdooReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(PRODUCTS, SOLD, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const products = await this.#find([['id', 'in', ids.map(Number)]]);
    if (products.length === 0) return [];
    const taxes = [...new Set(products.flatMap(({ taxes_id: all }) => all))];
    const fields = ['amount', 'amount_type', 'price_include'];
    const found = await this.#reader.find('account.tax', [['id', 'in', taxes]], fields, odooRate);
    const rates = new Map(found.map((rate) => [rate.id, rate]));
    const twins = await this.#twins(products);
    return products.map((product) => {
      const place = this.#placeOf(PRODUCTS, product.id);
      const item = productOf(product, rates);
      const problem = unfitItem(item, twins);
      return problem === null ? asReading(product.id, place, [item]) : unfit(product.id, place, problem);
    });
  }

  async find(reference: string): Promise<string | null> {
    const [found] = await this.#find([['default_code', '=', reference]]);
    return found === undefined ? null : String(found.id);
  }

  #find(domain: readonly unknown[]): Promise<OdooProduct[]> {
    return this.#reader.find(PRODUCTS, [...SOLD, ...domain], PRODUCT_FIELDS, odooProduct);
  }

  async #twins(products: readonly OdooProduct[]): Promise<Twins> {
    const same = await this.#find([['default_code', 'in', products.map(({ default_code: code }) => code)]]);
    const sold = same.filter(({ active }) => active);
    return twinsAmong(
      sold.map((product) => ({
        record: productOf(product, new Map()),
        name: `${product.name} (${String(product.id)})`,
      })),
    );
  }
}
