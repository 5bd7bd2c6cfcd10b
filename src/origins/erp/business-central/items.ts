// Items of Business Central. Its API tells the VAT product posting group of an item and not the rate, which stands in the set-up of VAT, so
// the tenant file says which VAT of the service each group is.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/canonical-json.js';
import type { Told } from '../../../domain/message.js';
import { told } from '../../../erp/told.js';
import { asReading, type ErpRecord, unfit } from '../as-reading.js';
import type { ErpFeed, Reading } from '../erp-records.js';
import { itemOf, unfitItem } from '../items.js';
import type { ErpOriginSettings } from '../settings.js';
import { withoutVat } from '../vat-and-units.js';
import type { BcReader } from './reader.js';
import { bcItem, type BcItem } from './wire.js';

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
