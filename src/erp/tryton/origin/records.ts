// Parties of Tryton as customers. Tryton has no mark for customers: a party with a kennitala is one.
import { readKennitala } from '../../../domain/kennitala.js';
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
  PRODUCT_FIELDS,
  type TrytonReader,
  type WireCustomer,
  wireCustomers,
  type WireProduct,
  wireProducts,
} from './read.js';
import { partySpellings } from '../../partner-directory.js';
import { told } from '../../told.js';
import { Decimal, sum } from '../../../domain/money.js';

const PHONES = ['phone', 'mobile'];

/** null: it has no kennitala. */
export function customerOf(party: WireCustomer): ErpRecord | null {
  const kennitala = kennitalaOf(party);
  if (kennitala === null) return null;
  const addresses = party['addresses.'];
  const address = addresses.find(({ invoice }) => invoice === true) ?? addresses[0];
  const contact = (types: readonly string[]) =>
    party['contact_mechanisms.'].find(({ type }) => types.includes(type))?.value;
  const value = given({
    ...{ kennitala, name: party.name, email: contact(['email']), phone_number: contact(PHONES) },
    // The service has one line for it.
    address: address?.street?.split(/\r?\n/).join(', '),
    ...{ zip: address?.postal_code, city: address?.city, lang: languageOf(party) },
  });
  return { kind: 'customer', reference: kennitala, value };
}

export function kennitalaOf({ code, 'identifiers.': identifiers }: WireCustomer): string | null {
  const numbers = [...identifiers.map((identifier) => identifier.code), code ?? ''];
  for (const written of numbers) {
    const { digits } = readKennitala(written);
    if (digits !== null) return digits;
  }
  return null;
}

function languageOf({ 'lang.': language }: WireCustomer): string | null {
  if (!language) return null;
  return language.code.startsWith('is') ? 'is' : 'en';
}

// Parties that have a kennitala, the company itself left out.

const PARTIES = 'party.party';
const PARTY_CHILDREN = ['addresses', 'contact_mechanisms', 'identifiers'];

export class PartiesFeed implements ErpFeed {
  readonly name = 'party';
  readonly kinds = ['customer'] as const;
  readonly #reader: TrytonReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: TrytonReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    const domain = [['OR', ['identifiers', '!=', null], ['code', '!=', null]]];
    return this.#reader.list(PARTIES, domain, PARTY_CHILDREN, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const parties = await this.parties(ids.map(Number));
    const { kennitala: own } = await this.#reader.company();
    const twins = await this.twins(parties);
    return parties.flatMap((party) => {
      const customer = customerOf(party);
      if (customer === null || customer.reference === own) return [];
      const place = this.#placeOf(PARTIES, party.id);
      const customers = twins.get(customer.reference);
      return customers === undefined
        ? [asReading(party.id, place, [customer])]
        : [unfit(party.id, place, told('KENNITALA_SHARED', { kennitala: customer.reference, customers }))];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const domain = withNumber([kennitala]);
    const [found] = await this.#reader.find(PARTIES, domain, CUSTOMER_FIELDS, wireCustomers, 1);
    return found === undefined ? null : String(found.id);
  }

  /** Those of their kennitalas that several parties have. */
  async twins(parties: readonly WireCustomer[]): Promise<Twins> {
    const numbers = parties.flatMap((party) => customerOf(party)?.reference ?? []);
    if (numbers.length === 0) return new Map();
    const domain = [['active', '=', true], withNumber(numbers)];
    const found = await this.#reader.find(PARTIES, domain, CUSTOMER_FIELDS, wireCustomers);
    return twinsAmong(
      found.map((party) => ({
        record: customerOf(party),
        name: `${party.name ?? ''} (${party.code ?? String(party.id)})`,
      })),
    );
  }

  parties(ids: readonly number[]): Promise<WireCustomer[]> {
    return this.#reader.find(PARTIES, [['id', 'in', ids]], CUSTOMER_FIELDS, wireCustomers);
  }
}

function withNumber(kennitalas: readonly string[]): readonly unknown[] {
  const spellings = kennitalas.flatMap(partySpellings);
  return ['OR', ['identifiers.code', 'in', spellings], ['code', 'in', spellings]];
}

// Products of Tryton that have a code. Their price and VAT are their template's, so templates are listed, and each is read with its products.

const PRODUCTS = 'product.product';
const TEMPLATE = 'product.template';
const TEMPLATE_CHILDREN = ['products', 'list_prices'];

export class ProductsFeed implements ErpFeed {
  readonly name = 'product';
  readonly kinds = ['item'] as const;
  readonly #reader: TrytonReader;
  readonly #placeOf: (model: string, id: number) => string;

  constructor(reader: TrytonReader, placeOf: (model: string, id: number) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(TEMPLATE, [['products.code', '!=', null]], TEMPLATE_CHILDREN, since, after);
  }

  async read(templates: readonly string[]): Promise<Reading[]> {
    const products = await this.#find([['template', 'in', templates.map(Number)]]);
    if (products.length === 0) return [];
    const twins = await this.#twins(products);
    return templates.flatMap((template) => {
      const its = products.filter((product) => product.template === Number(template));
      return its.length === 0 ? [] : [this.#readingOf(template, its, twins)];
    });
  }

  async find(reference: string): Promise<string | null> {
    const [found] = await this.#find([['code', '=', reference]]);
    return found === undefined ? null : String(found.template);
  }

  #readingOf(template: string, products: readonly WireProduct[], twins: Twins): Reading {
    const place = this.#placeOf(TEMPLATE, Number(template));
    const items = products.map((product) => productOf(product, this.#placeOf(PRODUCTS, product.id)));
    const [problem] = items.flatMap((item) => unfitItem(item, twins) ?? []);
    return problem === undefined ? asReading(template, place, items) : unfit(template, place, problem);
  }

  #find(domain: readonly unknown[]): Promise<WireProduct[]> {
    return this.#reader.find(PRODUCTS, [['code', '!=', null], ...domain], PRODUCT_FIELDS, wireProducts);
  }

  async #twins(products: readonly WireProduct[]): Promise<Twins> {
    const codes = products.map(({ code }) => code);
    const same = await this.#find([
      ['code', 'in', codes],
      ['active', '=', true],
    ]);
    return twinsAmong(
      same.map((product) => ({
        record: productOf(product, ''),
        name: `${product.name ?? ''} (${String(product.id)})`,
      })),
    );
  }
}

function productOf(product: WireProduct, place: string): ErpRecord {
  const taxes = product['template.']['account_category.']?.['customer_taxes_used.'] ?? [];
  const unfitTax = taxes.find(({ type }) => type !== 'percentage');
  const percent = sum(taxes.map(({ rate }) => (rate ?? new Decimal(0)).times(100)));
  return itemOf({
    ...{ code: product.code ?? '', name: product.name ?? '', place, isActive: product.active },
    ...{ price: product.list_price ?? new Decimal(0), unit: product['default_uom.']?.symbol },
    // No tax at all is nobody's word for 0 %.
    tax: taxes.length === 0 ? '' : (unfitTax?.type ?? vatCode(percent)),
  });
}
