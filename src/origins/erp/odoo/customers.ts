// Partners of Odoo that something was sold to.
import { readKennitala } from '../../../domain/kennitala.js';
import { partySpellings } from '../../../erp/partner-directory.js';
import { told } from '../../../erp/told.js';
import { asReading, type ErpRecord, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { given } from '../given.js';
import { type Twins, twinsAmong } from '../twins.js';
import type { OdooReader } from './reader.js';
import { CUSTOMER_FIELDS, odooCustomer, type OdooCustomer } from './wire.js';

const MODEL = 'res.partner';

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
    return this.#reader.list(MODEL, domain, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const partners = await this.partners(ids.map(Number));
    const twins = await this.twins(partners);
    return partners.flatMap((partner) => {
      const customer = customerOf(partner);
      if (customer === null) return [];
      const place = this.#placeOf(MODEL, partner.id);
      const customers = twins.get(customer.reference);
      return customers === undefined
        ? [asReading(partner.id, place, [customer])]
        : [unfit(partner.id, place, told('KENNITALA_SHARED', { kennitala: customer.reference, customers }))];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const domain = withNumber([kennitala]);
    const [found] = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, odooCustomer, 'id asc', 1);
    return found === undefined ? null : String(found.id);
  }

  /** Those of their kennitalas that several customers have. */
  async twins(partners: readonly OdooCustomer[]): Promise<Twins> {
    const numbers = partners.flatMap((partner) => customerOf(partner)?.reference ?? []);
    if (numbers.length === 0) return new Map();
    // Nobody has a rank before the first invoice, and an order comes before it.
    const ours = partners.map(({ id }) => id);
    const domain = ['|', ['customer_rank', '>', 0], ['id', 'in', ours], ...withNumber(numbers)];
    const found = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, odooCustomer);
    return twinsAmong(
      found.map((partner) => ({
        record: customerOf(partner),
        name: `${partner.name} (${String(partner.id)})`,
      })),
    );
  }

  partners(ids: readonly number[]): Promise<OdooCustomer[]> {
    return this.#reader.find(MODEL, [['id', 'in', [...new Set(ids)]]], CUSTOMER_FIELDS, odooCustomer);
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
