// Parties that have a kennitala, the company itself left out.
import { partySpellings } from '../../../erp/partner-directory.js';
import { told } from '../../../erp/told.js';
import { asReading, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { type Twins, twinsAmong } from '../twins.js';
import { customerOf } from './customers.js';
import type { TrytonReader } from './reader.js';
import { CUSTOMER_FIELDS, type WireCustomer, wireCustomers } from './wire.js';

const MODEL = 'party.party';
const CHILDREN = ['addresses', 'contact_mechanisms', 'identifiers'];

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
    return this.#reader.list(MODEL, domain, CHILDREN, since, after);
  }

  async read(ids: readonly string[]): Promise<Reading[]> {
    const parties = await this.parties(ids.map(Number));
    const { kennitala: own } = await this.#reader.company();
    const twins = await this.twins(parties);
    return parties.flatMap((party) => {
      const customer = customerOf(party);
      if (customer === null || customer.reference === own) return [];
      const place = this.#placeOf(MODEL, party.id);
      const customers = twins.get(customer.reference);
      return customers === undefined
        ? [asReading(party.id, place, [customer])]
        : [unfit(party.id, place, told('KENNITALA_SHARED', { kennitala: customer.reference, customers }))];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const domain = withNumber([kennitala]);
    const [found] = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, wireCustomers, 1);
    return found === undefined ? null : String(found.id);
  }

  /** Those of their kennitalas that several parties have. */
  async twins(parties: readonly WireCustomer[]): Promise<Twins> {
    const numbers = parties.flatMap((party) => customerOf(party)?.reference ?? []);
    if (numbers.length === 0) return new Map();
    const domain = [['active', '=', true], withNumber(numbers)];
    const found = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, wireCustomers);
    return twinsAmong(
      found.map((party) => ({
        record: customerOf(party),
        name: `${party.name ?? ''} (${party.code ?? String(party.id)})`,
      })),
    );
  }

  parties(ids: readonly number[]): Promise<WireCustomer[]> {
    return this.#reader.find(MODEL, [['id', 'in', ids]], CUSTOMER_FIELDS, wireCustomers);
  }
}

function withNumber(kennitalas: readonly string[]): readonly unknown[] {
  const spellings = kennitalas.flatMap(partySpellings);
  return ['OR', ['identifiers.code', 'in', spellings], ['code', 'in', spellings]];
}
