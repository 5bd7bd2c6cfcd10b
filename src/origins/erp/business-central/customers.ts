// Customers of Business Central. The kennitala is their number or their registration number, as it is for the adapter.
import type { BusinessCentralConfiguration } from '../../../erp/business-central/config.js';
import { partySpellings } from '../../../erp/partner-directory.js';
import { readKennitala } from '../../../domain/kennitala.js';
import { told } from '../../../erp/told.js';
import { asReading, type ErpRecord, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { given } from '../given.js';
import { type Twins, twinsAmong } from '../twins.js';
import type { BcReader } from './reader.js';
import { bcCustomer, type BcCustomer } from './wire.js';

const SET = 'customers';
type By = BusinessCentralConfiguration['partnersBy'];

/** Where people may have entered it, the place that the settings name first. */
function fieldsOf(by: By): readonly By[] {
  return [...new Set([by, 'taxRegistrationNumber'] as const)];
}

/** null: it has no kennitala. */
export function customerOf(customer: BcCustomer, by: By): ErpRecord | null {
  const kennitala = fieldsOf(by)
    .map((field) => readKennitala(customer[field]).digits)
    .find((digits) => digits !== null);
  if (kennitala === undefined) return null;
  const { displayName: name, email, phoneNumber, addressLine1: address, postalCode: zip, city } = customer;
  const value = given({ kennitala, name, email, phone_number: phoneNumber, address, zip, city });
  return { kind: 'customer', reference: kennitala, value };
}

export class CustomersFeed implements ErpFeed {
  readonly name = 'customer';
  readonly kinds = ['customer'] as const;
  readonly #reader: BcReader;
  readonly #placeOf: (number: string) => string;

  constructor(reader: BcReader, placeOf: (number: string) => string) {
    this.#reader = reader;
    this.#placeOf = placeOf;
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(SET, [], since, after);
  }

  async read(numbers: readonly string[]): Promise<Reading[]> {
    const customers = await this.#reader.numbered(SET, numbers, bcCustomer);
    const twins = await this.twins(customers);
    return customers.flatMap((customer) => {
      const record = this.recordOf(customer);
      if (record === null) return [];
      const { number } = customer;
      const place = this.#placeOf(number);
      const several = twins.get(record.reference);
      return several === undefined
        ? [asReading(number, place, [record])]
        : [
            unfit(
              number,
              place,
              told('KENNITALA_SHARED', { kennitala: record.reference, customers: several }),
            ),
          ];
    });
  }

  /** Those of their kennitalas that several customers have. */
  async twins(customers: readonly BcCustomer[]): Promise<Twins> {
    const kennitalas = customers.flatMap((customer) => this.recordOf(customer)?.reference ?? []);
    const spellings = [...new Set(kennitalas)].flatMap(partySpellings);
    const found = new Map<string, BcCustomer>();
    for (const field of fieldsOf(this.#reader.configuration.partnersBy))
      for (const one of await this.#reader.with(SET, field, spellings, bcCustomer))
        found.set(one.number, one);
    return twinsAmong(
      [...found.values()].map((customer) => ({
        record: this.recordOf(customer),
        name: `${customer.displayName} (${customer.number})`,
      })),
    );
  }

  recordOf(customer: BcCustomer): ErpRecord | null {
    const record = customerOf(customer, this.#reader.configuration.partnersBy);
    return record && { ...record, place: this.#placeOf(customer.number) };
  }

  async find(kennitala: string): Promise<string | null> {
    return (await this.there(kennitala))?.number ?? null;
  }

  async there(kennitala: string): Promise<{ readonly id: string; readonly number: string } | null> {
    for (const field of fieldsOf(this.#reader.configuration.partnersBy)) {
      const found = await this.#reader.theOne(SET, field, partySpellings(kennitala));
      if (found) return found;
    }
    return null;
  }

  numbered(numbers: readonly string[]): Promise<BcCustomer[]> {
    return this.#reader.numbered(SET, numbers, bcCustomer);
  }
}
