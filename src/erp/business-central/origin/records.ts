// Customers of Business Central. The kennitala is their number or their registration number, as it is for the adapter.
import type { BusinessCentralConfiguration } from '../settings.js';
import { partySpellings } from '../../partner-directory.js';
import { readKennitala } from '../../../domain/kennitala.js';
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
  withoutVat,
} from '../../../origins/erp-records.js';
import { bcCustomer, type BcCustomer, bcItem, type BcItem, type BcReader } from './read.js';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.js';
import type { Told } from '../../../domain/message.js';
import type { ErpOriginSettings } from '../../../origins/origin-settings.js';

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

// Items of Business Central. Its API tells the VAT product posting group of an item and not the rate, which stands in the set-up of VAT, so
// the tenant file says which VAT of the service each group is.

export const ITEMS_SET = 'items';
type VatGroups = ErpOriginSettings['vatGroups'];

/** The item as a record, or what keeps it from being one. */
export function bcItemOf(item: BcItem, groups: VatGroups): ErpRecord | Told {
  const { number, taxGroupCode: group } = item;
  // Codes of Business Central are in capitals, however somebody writes them.
  const [, tax] =
    Object.entries(groups).find(([code]) => code.trim().toUpperCase() === group.toUpperCase()) ?? [];
  if (tax === undefined) return told('ITEM_GROUP_UNKNOWN', { number, group });
  const price = item.priceIncludesTax ? withoutVat(item.unitPrice, tax) : item.unitPrice;
  const record = itemOf({
    ...{ code: number, name: item.displayName, price, tax },
    ...{ unit: item.baseUnitOfMeasureCode, isActive: !item.blocked },
  });
  return unfitItem(record, new Map()) ?? record;
}

export class ItemsFeed implements ErpFeed {
  readonly name = ITEMS_SET;
  readonly kinds = ['item'] as const;
  readonly basis: string;
  readonly #reader: BcReader;
  readonly #groups: VatGroups;
  readonly #placeOf: (number: string) => string;

  constructor(reader: BcReader, groups: VatGroups, placeOf: (number: string) => string) {
    this.#reader = reader;
    this.#groups = groups;
    this.#placeOf = placeOf;
    this.basis = createHash('sha256').update(canonicalJson(groups)).digest('hex').slice(0, 16);
  }

  list(since: string | null, after: string | null) {
    return this.#reader.list(ITEMS_SET, [], since, after);
  }

  async read(numbers: readonly string[]): Promise<Reading[]> {
    const items = await this.#reader.numbered(ITEMS_SET, numbers, bcItem);
    return items.map((item) => {
      const place = this.#placeOf(item.number);
      const record = bcItemOf(item, this.#groups);
      return 'kind' in record ? asReading(item.number, place, [record]) : unfit(item.number, place, record);
    });
  }

  /** A number is one that Business Central could have; it says itself whether it does. */
  find(reference: string): Promise<string | null> {
    return Promise.resolve(/^\S.{0,19}$/.test(reference) ? reference : null);
  }
}
