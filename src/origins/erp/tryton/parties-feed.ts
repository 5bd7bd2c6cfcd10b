// Parties that have a kennitala, the company itself left out.
import { partySpellings } from '../../../erp/party-key.js';
import { asReading } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
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
    return parties.flatMap((party) => {
      const customer = customerOf(party);
      return customer === null || customer.reference === own
        ? []
        : [asReading(party.id, this.#placeOf(MODEL, party.id), [customer])];
    });
  }

  async find(kennitala: string): Promise<string | null> {
    const spellings = partySpellings(kennitala);
    const domain = ['OR', ['identifiers.code', 'in', spellings], ['code', 'in', spellings]];
    const [found] = await this.#reader.find(MODEL, domain, CUSTOMER_FIELDS, wireCustomers, 1);
    return found === undefined ? null : String(found.id);
  }

  parties(ids: readonly number[]): Promise<WireCustomer[]> {
    return this.#reader.find(MODEL, [['id', 'in', ids]], CUSTOMER_FIELDS, wireCustomers);
  }
}
